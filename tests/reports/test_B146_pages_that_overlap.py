"""B146: without a total order pages overlap and miss, above all while others write.

Design differs: there are no offsets; a page goes on after the last memory seen, so that what is
stored or removed before it moves nothing.
Waits: two deletions while paging, for `erase`.
"""

from itertools import product

from lapse.bank import Bank
from lapse.model.paging import Listing
from tests.reports.helping import Place, ago

COUNT, SIZE = 640, 31
IDS = [f"m{at:03}" for at in range(COUNT)]


def told(place: Place) -> Bank:
    bank = place.bank()
    # The later, the older: the order of storing is none of the times.
    bank.remember_many(
        {"text": f"harbour {each}", "id": each, "created_at": ago(days=at)}
        for at, each in enumerate(IDS)
    )
    return bank


def test_a_sweep_sees_everything_that_was_there_throughout_once_while_others_write(
    place: Place,
) -> None:
    bank = told(place)
    seen: list[str] = []
    after: int | None = 0
    while after is not None:
        page = bank.list(Listing(after=after, limit=SIZE))
        seen.extend(each.memory.id for each in page.records)
        after = page.next_after
        number = len(seen)
        if number in {SIZE, 5 * SIZE, 9 * SIZE}:
            bank.remember(f"lighthouse {number}", id=f"new{number}", created_at=ago(days=900))
            bank.update(seen[0], text=f"harbour, revised at {number}")
            bank.pin([IDS[-1], seen[3]])
            bank.used([IDS[0], IDS[-1]])
            bank.drain()
    assert len(seen) == len(set(seen))
    assert [each for each in seen if each in set(IDS)] == IDS
    assert set(seen) - set(IDS) == {f"new{each * SIZE}" for each in (1, 5, 9)}


def test_pages_from_anywhere_are_slices_of_one_order(place: Place) -> None:
    bank = told(place)
    rows = [each.row for each in bank.list(Listing(limit=1000)).records]
    for start, limit in product((0, 310, 620, 639), (1, 15, 1000)):
        page = bank.list(Listing(after=rows[start], limit=limit))
        assert [each.memory.id for each in page.records] == IDS[start + 1 : start + 1 + limit]
