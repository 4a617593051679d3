"""B191: erasing what is kept of one person takes minutes, and everybody else waits.

Here stands that the work is one write, however much it is, and that others are answered meanwhile.
"""

import threading
from collections.abc import Sequence

import pytest

from lapse.bank import Bank
from lapse.model.changeset import ChangeSet, Committed
from lapse.model.scrubbing import Scrubbed
from lapse.model.verbs import Verb
from tests.reports.helping import Place, hit_ids
from tests.reports.helping_b import store_of, with_faults

OTHERS = 400


def tell(bank: Bank, of_bob: int) -> None:
    """Tell what is kept of Bob, among what is kept of others."""
    bank.remember_many(
        {"text": f"Bob's parcel number{at} is at desk {at}", "subject": "bob", "id": f"bob{at}"}
        for at in range(of_bob)
    )
    bank.remember_many(
        {"text": f"The boat number{at} lies at pier {at}", "subject": f"owner{at}", "id": f"o{at}"}
        for at in range(OTHERS)
    )


@pytest.mark.parametrize("of_bob", [4, 40])
def test_all_of_one_person_goes_in_one_write(
    place: Place, of_bob: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind = place.open()
    bank = mind.bank("alice")
    tell(bank, of_bob)
    faults = with_faults(store_of(mind), monkeypatch)
    faults.commits.clear()
    erased = bank.erase(subject="bob", by="ann", reason="asked for")
    assert sorted(erased.erased) == sorted(f"bob{at}" for at in range(of_bob))
    assert faults.commits[Verb.ERASE] == 1
    assert sum(faults.commits.values()) <= 2
    assert bank.stats().memories == OTHERS


def test_others_are_answered_while_one_person_is_erased(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind = place.open()
    bank, other = mind.bank("alice"), mind.bank("carla")
    tell(bank, 20)
    other.remember("The harbour is quiet", id="m1")
    store = store_of(mind)
    commit, scrub, answers = store.commit, store.scrub, list[list[str]]()

    def ask() -> None:
        answers.append(hit_ids(other.recall("harbour")))

    def ask_aside() -> None:
        asking = threading.Thread(target=ask)
        asking.start()
        asking.join(20)

    def commit_meanwhile(change: ChangeSet) -> Committed:
        ask_aside()
        return commit(change)

    def scrub_meanwhile(needles: Sequence[bytes]) -> Scrubbed:
        ask_aside()
        return scrub(needles)

    monkeypatch.setattr(store, "commit", commit_meanwhile)
    monkeypatch.setattr(store, "scrub", scrub_meanwhile)
    assert len(bank.erase(subject="bob", by="ann", reason="asked for").erased) == 20
    assert answers == [["m1"]] * len(answers)
    assert len(answers) >= 2
