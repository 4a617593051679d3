"""What is shared goes with what it was shared from, and one act reaches every bank of a tenant."""

import io
from pathlib import Path

import pytest

from lapse.errors import GuardedError, NotFoundError, TombstonedError, ValidationError
from lapse.faces.keys import VARIABLE
from lapse.model.verbs import Verb
from lapse.testing.fakes import FakeClock
from tests.unit.engine.copying import WHO, exported, opened

FACT = "The code word of the harbour gate is Zyxquartz Vombatiform."


@pytest.fixture(autouse=True)
def _one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "5a" * 32)


@pytest.fixture(params=["memory", "sqlite"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return "memory://" if request.param == "memory" else str(tmp_path / "a.db")


def test_a_copy_is_erased_with_its_source_in_a_bank_that_is_not_open(target: str) -> None:
    with opened(target) as mind:
        bank = mind.bank("one")
        bank.remember(FACT, id="fact", subject="bob")
        bank.remember("Olives are green", id="own")
        mind.bank("two").remember("Bread is baked at dawn", id="bread")
        done = bank.share(["fact"], "two", **WHO)
        (copy,) = [there for _, there in done.copies]
        mind.bank("two").share([copy], "three", **WHO)
        mind.bank("three").remember("From a gate", id="made", derived_from=["m00000002"])
        mind._core.begin_anew()
        erased = bank.erase(["fact"], **WHO)
        assert sorted((each.ref.name, each.id) for each in erased.copies) == [
            ("three", "m00000002"),
            ("three", "made"),
            ("two", copy),
        ]
        assert [e.memory.id for e in mind.bank("two").list().records] == ["bread"]
        assert mind.bank("three").list().records == ()
        assert erased.receipt is not None
        assert [each.partition(":")[0] for each in erased.receipt.banks] == ["one", "three", "two"]
        for name in ("one", "two", "three"):
            assert mind.bank(name).verify_journal().sound
            with pytest.raises(TombstonedError):
                mind.bank(name).remember(FACT)


def test_what_was_erased_in_the_other_bank_cannot_be_shared_into_it(target: str) -> None:
    with opened(target) as mind:
        mind.bank("one").remember(FACT, id="fact")
        mind.bank("two").remember(FACT, id="same")
        mind.bank("two").erase(["same"], **WHO)
        with pytest.raises(TombstonedError):
            mind.bank("one").share(["fact"], "two", **WHO)
        assert mind.bank("two").list().records == ()
        assert mind.bank("one").get("fact").memory.id == "fact"


def test_a_hold_goes_with_a_copy_and_keeps_its_source_too(target: str) -> None:
    with opened(target) as mind:
        bank = mind.bank("one")
        bank.remember(FACT, id="fact", tags=["case"])
        bank.hold("matter", tag="case", by="anna", reason="asked for")
        ((_, copy),) = bank.share(["fact"], "two", **WHO).copies
        with pytest.raises(GuardedError):
            mind.bank("two").erase([copy], **WHO)
        bank.release("matter", by="anna", reason="over")
        with pytest.raises(GuardedError, match=copy):
            bank.erase(["fact"], **WHO)
        assert bank.get("fact").memory.id == "fact"
        assert mind.bank("two").get(copy).memory.id == copy


def test_sharing_twice_makes_one_copy_with_the_strength_of_its_source(target: str) -> None:
    with opened(target) as mind:
        bank = mind.bank("one")
        bank.remember(FACT, id="fact")
        bank.used(["fact"])
        bank.drain()
        first = bank.share(["fact"], "two", **WHO)
        again = bank.share(["fact"], "two", **WHO)
        assert (first.created, again.created, again.copies) == (1, 0, first.copies)
        ((_, copy),) = first.copies
        assert mind.bank("two").get(copy).state.strength == bank.get("fact").state.strength
        assert mind.bank("two").recall("code word of the gate").hits[0].memory.id == copy


def test_only_what_is_so_and_in_mind_is_shared_and_not_to_itself(target: str) -> None:
    with opened(target) as mind:
        bank = mind.bank("one")
        bank.remember(FACT, id="fact")
        with pytest.raises(ValidationError, match="another bank"):
            bank.share(["fact"], "one", **WHO)
        with pytest.raises(NotFoundError):
            bank.share(["nobody"], "two", **WHO)
        bank.suppress(["fact"], **WHO)
        with pytest.raises(ValidationError, match="out of mind"):
            bank.share(["fact"], "two", **WHO)
        assert mind.banks() == ["one"]


def test_one_act_erases_a_person_in_every_bank_with_one_receipt(target: str) -> None:
    clock = FakeClock("2026-06-01T09:00Z")
    with opened(target, clock) as mind:
        for name in ("one", "two"):
            mind.bank(name).remember(f"Bob of bank {name} fears wasps", id="bob", subject="bob")
            mind.bank(name).remember(f"Eve of bank {name} likes figs", id="eve", subject="eve")
        mind.bank("one", tenant="other").remember("Bob again", id="bob", subject="bob")
        exported(mind.bank("one"))
        seen = mind.preview_erasure(subject="bob")
        assert [(each.bank, each.erased) for each in seen.banks] == [
            ("one", ("bob",)),
            ("two", ("bob",)),
        ]
        assert not seen.applied
        clock.advance(days=1)
        done = mind.erase(subject="bob", **WHO)
        assert done.receipt is not None
        assert (done.receipt.erased, len(done.receipt.banks)) == (2, 2)
        assert [each.split(" at ")[0] for each in done.receipt.copies] == ["one: export"]
        for name in ("one", "two"):
            assert [e.memory.id for e in mind.bank(name).list().records] == ["eve"]
        assert mind.bank("one", tenant="other").get("bob").memory.id == "bob"


def test_a_hold_in_one_bank_keeps_a_whole_tenant(target: str) -> None:
    with opened(target) as mind:
        for name in ("one", "two"):
            mind.bank(name).remember(f"Bob of bank {name} fears wasps", id="bob", subject="bob")
        mind.bank("two").hold("matter", subject="bob", by="anna", reason="asked for")
        with pytest.raises(GuardedError, match="two/bob"):
            mind.erase(**WHO)
        assert mind.bank("one").get("bob").memory.id == "bob"
        mind.bank("two").release("matter", by="anna", reason="over")
        done = mind.erase(**WHO)
        assert [each.erased for each in done.banks] == [("bob",), ("bob",)]
        assert mind.erase(**WHO).banks == ()
        with pytest.raises(NotFoundError):
            mind.erase(banks=["three"], **WHO)


def test_an_older_export_does_not_bring_back_what_was_shared_and_erased(target: str) -> None:
    with opened(target) as mind:
        bank = mind.bank("one")
        bank.remember(FACT, id="fact")
        bank.remember("Olives are green", id="own")
        bank.share(["fact"], "two", **WHO)
        before = {name: exported(mind.bank(name)) for name in ("one", "two")}
        bank.erase(["fact"], **WHO)
        for name, data in before.items():
            done = mind.bank(name).import_(io.BytesIO(data), by="anna")
            assert len(done.refused) == 1
            assert "Zyxquartz" not in exported(mind.bank(name)).decode()
        assert [e.memory.id for e in bank.list().records] == ["own"]
        told = [each.verb for each in mind._core.parts.store.copied(bank.ref)]
        assert told[0] is Verb.SHARE
