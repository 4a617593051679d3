"""Own case of K27: what lies in other banks, or was superseded, is not paid for at each recall."""

import pytest

from lapse.model.index_delta import IndexDelta
from lapse.model.memory import BankRef
from lapse.testing.fakes import FakeClock
from tests.reports.helping import Place, hit_ids
from tests.reports.helping_b import store_of


def test_another_banks_writes_do_not_make_this_one_read_anything(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind = place.open()
    store, bank = store_of(mind), mind.bank("alice")
    bank.remember("The harbour is quiet", id="m1")
    bank.recall("harbour")
    read, changes = list[str](), store.changes

    def watched(ref: BankRef, since: int) -> IndexDelta:
        read.append(ref.name)
        return changes(ref, since)

    monkeypatch.setattr(store, "changes", watched)
    for at in range(50):
        mind.bank("bob").remember(f"note number{at}")
        assert hit_ids(bank.recall("harbour")) == ["m1"]
    assert read == []
    bank.remember("The harbour is loud", id="m2")
    assert set(hit_ids(bank.recall("harbour"))) == {"m1", "m2"}
    assert read == ["alice"]


def test_what_changed_is_read_and_not_the_whole_bank(
    place: Place, monkeypatch: pytest.MonkeyPatch, clock: FakeClock
) -> None:
    mind = place.open()
    store, bank = store_of(mind), mind.bank("alice")
    bank.remember_many({"text": f"harbour note {at}", "id": f"m{at}"} for at in range(500))
    bank.recall("harbour")
    sizes, changes = list[int](), store.changes

    def measured(ref: BankRef, since: int) -> IndexDelta:
        delta = changes(ref, since)
        sizes.append(len(delta.content.rows) + len(delta.states.rows))
        return delta

    monkeypatch.setattr(store, "changes", measured)
    for at in range(20):
        clock.advance(hours=1)
        bank.remember("I drink something else now", key="user/drink", value=f"drink {at}")
        bank.recall("harbour")
    assert max(sizes) <= 4
    assert len(sizes) == 20
