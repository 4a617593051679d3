"""All that a bank holds, as one value to compare, and how a refusal is caught. Judges nothing."""

from collections.abc import Callable

from lapse.bank import Bank
from lapse.errors import LapseError
from lapse.model.paging import Listing
from lapse.model.record import Record


def held(bank: Bank) -> str:
    """Everything in a bank as text, from its record to each memory's events."""
    store = bank._core.parts.store
    records: list[Record] = []
    after = 0
    while True:
        page = store.page(bank.ref, Listing(after=after, limit=1000))
        records += page.records
        if page.next_after is None:
            break
        after = page.next_after
    ids = [each.memory.id for each in records]
    whole = (
        store.bank(bank.ref),
        records,
        [store.versions(bank.ref, each) for each in ids],
        store.events(bank.ref, ids),
        store.journal(bank.ref, 0, 1000),
    )
    return "\n".join(map(repr, whole))


def refused(act: Callable[[], object]) -> LapseError | None:
    """The refusal that an act meets, or None where it succeeds; any other error goes through."""
    try:
        act()
    except LapseError as error:
        return error
    return None
