"""B195: the list in RAM keeps a memory whose write failed.

Design differs: a vector that cannot be made is no reason to refuse a text, so of a failed embedding
the memory stays, once; of a failed write nothing does.
"""

from collections.abc import Callable

import pytest

from lapse.bank import Bank
from lapse.engine import writing
from lapse.errors import StoreError
from lapse.model.changeset import ChangeSet, Committed
from lapse.model.outcome import Action
from tests.reports.helping import Place, everything, hit_ids
from tests.reports.helping_b import FailingOnCall, store_of, with_faults

WRITES: dict[str, Callable[[Bank], object]] = {
    "remember": lambda bank: bank.remember("The harbour is quiet", id="m1"),
    "remember without an id": lambda bank: bank.remember("The harbour is quiet"),
    "remember_many": lambda bank: bank.remember_many([{"text": "The harbour is quiet"}]),
}


def seen(bank: Bank) -> tuple[int, int, int]:
    """How many memories a listing, a recall and the statistics see."""
    return len(everything(bank)), len(bank.recall("harbour").hits), bank.stats().memories


@pytest.mark.parametrize("write", WRITES)
def test_a_write_that_fails_leaves_nothing_and_succeeds_when_it_is_tried_again(
    place: Place, monkeypatch: pytest.MonkeyPatch, write: str
) -> None:
    mind = place.open(embedder=FailingOnCall())
    bank, faults = mind.bank("alice"), with_faults(store_of(mind), monkeypatch)
    bank.remember("Something else")
    faults.refused = 1
    with pytest.raises(StoreError, match="disk is full"):
        WRITES[write](bank)
    assert seen(bank) == (1, 0, 1)
    WRITES[write](bank)
    assert seen(bank) == (2, 1, 2)
    if place.lasting:
        assert seen(place.bank(embedder=FailingOnCall())) == (2, 1, 2)
    assert bank.doctor() == []


def test_a_write_that_fails_before_the_bank_exists_makes_no_bank(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind = place.open()
    faults = with_faults(store_of(mind), monkeypatch)
    faults.refused = 1
    with pytest.raises(StoreError):
        mind.bank("alice").remember("The harbour is quiet")
    assert mind.banks() == []
    mind.bank("alice").remember("The harbour is quiet")
    assert mind.banks() == ["alice"]


@pytest.mark.parametrize("write", WRITES)
def test_a_vector_that_fails_leaves_one_memory_however_often_it_is_told(
    place: Place, write: str
) -> None:
    bank = place.bank(embedder=FailingOnCall(1))
    WRITES[write](bank)
    assert seen(bank) == (1, 1, 1)
    assert bank.stats().without_vector == 1
    WRITES[write](bank)
    assert seen(bank) == (1, 1, 1)
    if place.lasting:
        bank = place.bank(embedder=FailingOnCall())
    bank.drain()
    assert seen(bank) == (1, 1, 1)
    assert bank.stats().without_vector == 0
    assert bank.recall("The harbour is quiet").hits[0].explanation.cosine == pytest.approx(1)


def test_a_batch_whose_second_part_fails_keeps_the_first_and_ends_when_repeated(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "BATCH", 100)
    mind = place.open()
    store, bank = store_of(mind), mind.bank("alice")
    drafts = [{"text": f"note number{at}", "id": f"m{at}"} for at in range(150)]
    commits, commit = list[ChangeSet](), store.commit

    def fail_on_the_second(change: ChangeSet) -> Committed:
        commits.append(change)
        if len(commits) == 2:
            raise StoreError("the disk is full; nothing was written")
        return commit(change)

    with monkeypatch.context() as patched:
        patched.setattr(store, "commit", fail_on_the_second)
        with pytest.raises(StoreError):
            bank.remember_many(drafts)
    assert bank.stats().memories == 100
    assert hit_ids(bank.recall("number99")) == ["m99"]
    assert bank.recall("number100").hits == ()

    told = bank.remember_many(drafts)
    assert sum(each.action is Action.UNCHANGED for each in told) == 100
    assert hit_ids(bank.recall("number149")) == ["m149"]
    assert bank.stats().memories == 150
