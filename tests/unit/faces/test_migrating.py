"""Moving a store into another of whatever kind: all of it, exactly, and on where it was cut off."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from lapse.errors import (
    KeyMissingError,
    NotFoundError,
    StoreError,
    TombstonedError,
    ValidationError,
)
from lapse.faces import migrating
from lapse.faces.access.keyring import KeyRing
from lapse.faces.access.keys import Grant
from lapse.faces.access.roles import Role
from lapse.faces.app import Lapse
from lapse.faces.migrating import Migrated, Outcome, migrate
from lapse.testing.fakes import FakeClock, SeededEntropy
from tests.unit.engine.copying import SECRET, WHO, exported, filled

CLOCK = FakeClock("2026-06-01T09:00Z")
SELDOM = "The surgeon lives in the third house behind the old cooperage."

Target = Callable[[str], str]


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Target:
    """The address of a store by its kind; each kind has one."""
    monkeypatch.setenv("HOME", str(tmp_path))

    def made(kind: str) -> str:
        if kind == "files":
            return f"file://{tmp_path / 'folder'}"
        return str(tmp_path / f"{kind}.db")

    return made


def opened(address: str) -> Lapse:
    return Lapse.open(address, clock=CLOCK, background=False)


def full(address: str) -> dict[str, bytes]:
    """A store with banks of two tenants, tombstones that lie between each other's, and a key."""
    with opened(address) as mind:
        filled(mind, FakeClock("2026-06-01T09:00Z"))
        mind.bank("zoe").remember("Zoe likes plums", id="plums")
        mind.bank("abe").remember(SELDOM, id="house", subject="surgeon")
        mind.bank("zoe").remember("The keys lie under the mat.", id="mat")
        mind.bank("zoe").erase(["mat"], **WHO)
        mind.erase(subject="surgeon", **WHO)
        mind.bank("zoe").remember("The lamp stands on the shelf.", id="lamp")
        mind.bank("zoe").erase(["lamp"], **WHO)
        mind.bank("main", tenant="other").remember("Another tenant's plum", id="plum")
        grant = Grant(owner="anna", tenant="default", role=Role.READER, banks=("*",))
        KeyRing(mind.notes).create(grant, now=CLOCK.now(), entropy=SeededEntropy(5))
        return all_of(mind)


def all_of(mind: Lapse) -> dict[str, bytes]:
    return {
        str(each): exported(mind.bank(each.name, tenant=each.tenant))
        for each in mind.parts.store.refs()
    }


def outcomes(done: Migrated) -> dict[str, Outcome]:
    return {f"{each.tenant}/{each.bank}": each.outcome for each in done.banks}


@pytest.mark.parametrize(("here", "there"), [("a", "b"), ("a", "files"), ("files", "b")])
def test_everything_comes_over_exactly(target: Target, here: str, there: str) -> None:
    full(target(here))
    done = migrate(target(here), target(there), by="anna")
    assert done.whole
    assert set(outcomes(done).values()) == {Outcome.MOVED}
    assert len(done.banks) == 5
    assert (done.keys, done.tombstone_keys) == (1, 1)
    with opened(target(there)) as mind, opened(target(here)) as before:
        for ref in before.parts.store.refs():
            bank = mind.bank(ref.name, tenant=ref.tenant)
            assert bank.verify_journal().sound
            assert list(bank.doctor()) == []
        assert [each.grant.owner for each in KeyRing(mind.notes).all()] == ["anna"]
        for name, text in (("main", SECRET), ("zoe", SELDOM), ("abe", SELDOM)):
            with pytest.raises(TombstonedError):
                mind.bank(name).remember(text)
        assert [each.name for each in mind.bank("main").holds()] == ["matter"]
        question = "Where does ship 4 lie?"
        assert [e.id for e in mind.bank("main").recall(question).hits] == [
            e.id for e in before.bank("main").recall(question).hits
        ]


@pytest.mark.parametrize(("here", "there"), [("a", "files"), ("files", "b")])
def test_a_change_of_policy_can_be_taken_back_after_a_move(
    target: Target, here: str, there: str
) -> None:
    with opened(target(here)) as mind:
        mind.bank("main").set_policy({"recall.k": 5})
        mind.bank("main").set_policy({"recall.k": 3})
    assert migrate(target(here), target(there)).whole
    with opened(target(there)) as mind:
        assert mind.bank("main").policy().policy.recall.k == 3
        assert mind.bank("main").revert_policy().policy.recall.k == 5


def test_what_is_there_already_is_passed_over(target: Target) -> None:
    full(target("a"))
    migrate(target("a"), target("b"))
    again = migrate(target("a"), target("b"))
    assert again.whole
    assert set(outcomes(again).values()) == {Outcome.THERE}
    assert (again.keys, again.tombstone_keys) == (0, 0)


def test_a_move_that_was_cut_off_goes_on_where_it_was(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    full(target("a"))
    moved: Callable[..., object] = getattr(migrating, "import_")  # noqa: B009 - imported there
    banks = []

    def cut_off(core: object, runtime: object, *rest: object) -> object:
        banks.append(runtime)
        if len(banks) == 3:
            raise StoreError("the line is dead")
        return moved(core, runtime, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(migrating, "import_", cut_off)
        with pytest.raises(StoreError, match="dead"):
            migrate(target("a"), target("b"))
    done = migrate(target("a"), target("b"))
    assert done.whole
    assert sorted(outcomes(done).values()) == [Outcome.MOVED] * 3 + [Outcome.THERE] * 2


def test_banks_that_are_in_the_other_store_do_not_matter(target: Target) -> None:
    full(target("a"))
    with opened(target("b")) as mind:
        mind.bank("own").remember("The pump house is painted blue.", id="pump", subject="pump")
        mind.erase(subject="pump", **WHO)
    done = migrate(target("a"), target("b"))
    assert done.whole
    assert migrate(target("a"), target("b")).whole
    with opened(target("b")) as mind:
        for name in ("own", "zoe"):
            with pytest.raises(TombstonedError):
                mind.bank(name).remember("The pump house is painted blue.")


def test_a_bank_of_the_same_name_with_other_content_is_left_as_it_is(target: Target) -> None:
    full(target("a"))
    with opened(target("b")) as mind:
        mind.bank("zoe").remember("Zoe likes pears", id="pears")
    done = migrate(target("a"), target("b"))
    assert not done.whole
    assert outcomes(done)["default/zoe"] is Outcome.DIFFERS
    assert outcomes(done)["default/main"] is Outcome.MOVED
    with opened(target("b")) as mind:
        assert [each.memory.id for each in mind.bank("zoe").list().records] == ["pears"]


def test_what_the_first_store_kept_although_its_words_were_erased_is_named(target: Target) -> None:
    with opened(target("a")) as mind:
        bank = mind.bank("main")
        bank.remember("The code is 4711.", id="code")
        bank.remember("It rained. The code is 4711.", id="within")
        bank.erase(["code"], **WHO)
    (bank_done,) = migrate(target("a"), target("b")).banks
    assert (bank_done.outcome, bank_done.refused) == (Outcome.LEFT_OUT, ("within",))


def test_nothing_is_taken_out_of_the_first_store_and_its_receipts_name_the_copy(
    target: Target,
) -> None:
    full(target("a"))
    migrate(target("a"), target("b"), by="berta")
    with opened(target("a")) as mind:
        assert len(mind.bank("main").list().records) == 15
        receipt = mind.bank("main").erase(["m2"], **WHO).receipt
        assert receipt is not None
        assert "by berta" in receipt.copies[-1]


def test_how_far_it_is_is_told_in_memories(target: Target) -> None:
    full(target("a"))
    told: list[tuple[int, int]] = []
    done = migrate(target("a"), target("b"), progress=lambda at, total: told.append((at, total)))
    total = sum(each.memories for each in done.banks)
    assert told == sorted(told)
    assert told[-1] == (total, total)


def test_without_a_key_of_an_erasure_nothing_is_moved(target: Target) -> None:
    full(target("a"))
    Path(f"{target('a')}.keys").unlink()
    with pytest.raises(KeyMissingError):
        migrate(target("a"), target("b"))
    with opened(target("b")) as mind:
        assert mind.parts.store.refs() == []


def test_nothing_of_it_is_left_lying_about(
    target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    full(target("a"))
    migrate(target("a"), target("b"))
    assert list((tmp_path / "tmp").iterdir()) == []


def test_an_address_that_cannot_be_meant_is_refused(target: Target, tmp_path: Path) -> None:
    full(target("a"))
    for here, there in (
        (target("a"), "memory://"),
        ("memory://", target("b")),
        (target("a"), f"sqlite:///{target('a')}"),
        (target("a"), f"sqlite:///{tmp_path / 'c.db'}?mode=ro"),
        (target("a"), f"file://{tmp_path / 'f'}?sync=0"),
        (target("a"), "redis://host/0"),
    ):
        with pytest.raises(ValidationError):
            migrate(here, there)
    with pytest.raises(NotFoundError):
        migrate(target("nothing"), target("b"))
    assert not (tmp_path / "nothing.db").exists()
    assert not list(tmp_path.glob("c.db*"))
