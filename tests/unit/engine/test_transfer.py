"""A bank goes out and comes in: exactly, all of it or nothing, and never what was erased."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lapse.errors import (
    ConflictError,
    KeyMissingError,
    NotFoundError,
    TombstonedError,
    ValidationError,
)
from lapse.faces.app import Lapse
from lapse.faces.keys import VARIABLE
from lapse.model.verbs import Verb
from lapse.testing.fakes import FakeClock
from tests.unit.engine.copying import SECRET, WHO, exported, filled, opened

KINDS = ("memory", "sqlite")


def target(kind: str, folder: Path, name: str) -> str:
    return "memory://" if kind == "memory" else str(folder / f"{name}.db")


@pytest.fixture(autouse=True)
def _one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both stores hold the key of tombstones, as whoever moves a bank must see to."""
    monkeypatch.setenv(VARIABLE, "5a" * 32)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock("2026-06-01T09:00Z")


@pytest.mark.parametrize("there", KINDS)
@pytest.mark.parametrize("here", KINDS)
def test_a_round_trip_is_exact(here: str, there: str, tmp_path: Path, clock: FakeClock) -> None:
    with opened(target(here, tmp_path, "a"), clock) as one:
        bank = filled(one, clock)
        first = exported(bank)
        with opened(target(there, tmp_path, "b"), clock) as two:
            two.bank("somebody else's").remember("Rows lie elsewhere here")
            done = two.bank("main").import_(io.BytesIO(first), by="anna")
            assert done.whole
            assert (done.created, done.refused, done.left) == (15, (), 0)
            assert exported(two.bank("main")) == first
            assert two.bank("main").verify_journal().sound
            assert list(two.bank("main").doctor()) == []
            recall = bank.recall("Where does ship 4 lie?")
            again = two.bank("main").recall("Where does ship 4 lie?")
            assert [(e.memory, e.score) for e in recall.hits] == [
                (e.memory, e.score) for e in again.hits
            ]
            assert (
                bank.plan("archive", ids=["m2"]).id
                == two.bank("main").plan("archive", ids=["m2"]).id
            )
            before, after = bank.history("m7").happenings, two.bank("main").history("m7").happenings
            assert after[: len(before)] == before
            bank.drain()
            two.bank("main").drain()
            assert bank.get("m5").state == two.bank("main").get("m5").state
            assert two.bank("main").restore(ids=["m7"], **WHO).ids == ("m7",)


def test_what_came_in_whole_can_be_told_and_is_counted_on(tmp_path: Path, clock: FakeClock) -> None:
    with opened("memory://", clock) as one, opened(tmp_path / "b.db", clock) as two:
        first = exported(filled(one, clock))
        bank = two.bank("main")
        bank.import_(io.BytesIO(first), by="anna")
        bank.remember("A new ship came from Oslo", id="new")
        assert len(bank.history("new").happenings) == 1
        with pytest.raises(TombstonedError):
            bank.remember(SECRET)
        assert [each.name for each in bank.holds()] == ["matter"]


def test_a_second_import_of_the_same_file_adds_nothing(clock: FakeClock) -> None:
    with opened("memory://", clock) as one, opened("memory://", clock) as two:
        first = exported(filled(one, clock))
        two.bank("main").import_(io.BytesIO(first), by="anna")
        again = two.bank("main").import_(io.BytesIO(first), by="anna")
        assert (again.whole, again.created, again.unchanged) == (False, 0, 15)
        assert exported(two.bank("main")).count(b'"salt"') == first.count(b'"salt"')


def test_what_was_erased_here_stays_out_and_is_named(clock: FakeClock) -> None:
    with opened("memory://", clock) as one, opened("memory://", clock) as two:
        first = exported(filled(one, clock))
        bank = two.bank("main")
        bank.import_(io.BytesIO(first), by="anna")
        bank.erase(["m3", "m1", "m2"], **WHO)
        done = bank.import_(io.BytesIO(first), by="anna")
        assert {each.memory_id for each in done.refused} == {"m1", "m2", "m3", "both"}
        assert not {"m1", "m2", "m3", "both"} & {e.memory.id for e in bank.list().records}
        assert done.unchanged == 11


def test_memories_go_into_a_bank_beside_its_own(clock: FakeClock) -> None:
    with opened("memory://", clock) as one, opened("memory://", clock) as two:
        first = exported(filled(one, clock))
        bank = two.bank("main")
        clock.advance(days=1)
        bank.remember("Ship 3 burnt down", id="mine", key="ship/3")
        done = bank.import_(io.BytesIO(first), by="anna")
        assert (done.whole, done.created) == (False, 15)
        assert bank.get("m3").memory.superseded_by == "mine"
        assert bank.get("mine").memory.is_latest
        assert bank.verify_journal().sound
        with pytest.raises(TombstonedError):
            bank.remember(SECRET)


def test_other_content_under_the_same_id_stops_everything(clock: FakeClock) -> None:
    with opened("memory://", clock) as one, opened("memory://", clock) as two:
        first = exported(filled(one, clock))
        bank = two.bank("main")
        bank.remember("Quite another thing", id="m2")
        bank.remember("And another one", id="m9")
        with pytest.raises(ConflictError, match="m2, m9"):
            bank.import_(io.BytesIO(first), by="anna")
        assert [each.memory.id for each in bank.list().records] == ["m2", "m9"]
        assert bank.tombstones() == ()
        assert bank.remember(SECRET).id


def test_an_import_under_another_name_leaves_the_source_its_tombstones(clock: FakeClock) -> None:
    with opened("memory://", clock) as one:
        bank = filled(one, clock)
        first = exported(bank)
        done = one.bank("twin").import_(io.BytesIO(first), by="anna")
        assert (done.created, done.left) == (15, 1)
        for each in (bank, one.bank("twin")):
            with pytest.raises(TombstonedError):
                each.remember(SECRET)
        tenant = one.bank("main", tenant="other")
        tenant.import_(io.BytesIO(first), by="anna")
        with pytest.raises(TombstonedError):
            tenant.remember(SECRET)


def edited(data: bytes, change: Callable[[list[bytes]], list[bytes]]) -> io.BytesIO:
    return io.BytesIO(b"".join(change(data.splitlines(keepends=True))))


def test_bad_lines_are_named_all_at_once_and_nothing_is_written(clock: FakeClock) -> None:
    with opened("memory://", clock) as one, opened("memory://", clock) as two:
        first = exported(filled(one, clock))
        lines = first.splitlines(keepends=True)
        places = [at for at, each in enumerate(lines) if each.startswith(b'{"memory"')]

        def spoil(lines: list[bytes]) -> list[bytes]:
            plain = json.loads(lines[places[0]])
            plain["memory"]["memory"]["confidence"] = 7
            lines[places[0]] = json.dumps(plain).encode() + b"\n"
            lines[places[1]] = b"{no json\n"
            return lines

        with pytest.raises(ValidationError) as caught:
            two.bank("main").import_(edited(first, spoil), by="anna")
        fields = [each.field for each in caught.value.faults]
        assert f"line {places[0] + 1}.memory.confidence" in fields
        assert f"line {places[1] + 1}.json" in fields
        assert two.banks() == []


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[: len(lines) // 2],
        lambda lines: lines[:-1],
        lambda lines: [*lines[:-1], lines[-1][:9]],
        lambda lines: [lines[0].replace(b'"version":1', b'"version":2'), *lines[1:]],
        lambda lines: [lines[0].replace(b"lapse-export", b"something"), *lines[1:]],
        lambda lines: [lines[0], *reversed(lines[1:-1]), lines[-1]],
        lambda lines: [*lines[:-1], lines[-2], lines[-1]],
        lambda lines: [each.replace(b'"by":"anna"', b'"by":"eve"') for each in lines],
        lambda lines: lines[:0],
        lambda lines: [b"\x00\xff\n", *lines[:0]],
    ],
    ids=[
        "half",
        "noend",
        "cut",
        "version",
        "format",
        "order",
        "twice",
        "journal",
        "empty",
        "binary",
    ],
)
def test_a_file_with_a_fault_is_refused_whole(
    change: Callable[[list[bytes]], list[bytes]], tmp_path: Path, clock: FakeClock
) -> None:
    with opened("memory://", clock) as one, opened(tmp_path / "b.db", clock) as two:
        first = exported(filled(one, clock))
        with pytest.raises(ValidationError, match=r"line|end"):
            two.bank("main").import_(edited(first, change), by="anna")
        assert two.banks() == []


def test_a_file_whose_key_is_not_here_is_refused(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened("memory://", clock) as one:
        first = exported(filled(one, clock))
        monkeypatch.delenv(VARIABLE)
        with Lapse.open("memory://", background=False) as two:
            with pytest.raises(KeyMissingError, match="LAPSE_TOMBSTONE_KEY"):
                two.bank("main").import_(io.BytesIO(first), by="anna")
            assert two.banks() == []


def test_an_export_is_journalled_and_holds_no_key(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE)
    with opened(tmp_path / "a.db", clock) as one:
        bank = filled(one, clock)
        first = exported(bank)
        assert exported(bank) == first
        secret = json.loads((tmp_path / "a.db.keys").read_text())["keys"].values()
        assert not any(each.encode() in first for each in secret)
        assert b"zyxquartz" not in first.lower()
        journal = one._core.parts.store.copied(bank.ref)
        assert [(each.verb, each.by) for each in journal] == [(Verb.EXPORT, "anna")] * 2
        with pytest.raises(NotFoundError):
            one.bank("nobody").export(io.BytesIO(), by="anna")
        assert "nobody" not in one.banks()


def test_an_import_that_dies_half_way_has_written_nothing(tmp_path: Path, clock: FakeClock) -> None:
    def dying(done: int, total: int) -> None:
        raise TimeoutError(f"{done} of {total}")

    with opened("memory://", clock) as one, opened(tmp_path / "b.db", clock) as two:
        first = exported(filled(one, clock))
        with pytest.raises(TimeoutError):
            two.bank("main").import_(io.BytesIO(first), progress=dying, by="anna")
        assert two.banks() == []
        two.bank("main").import_(io.BytesIO(first), by="anna")
        assert exported(two.bank("main")) == first
        with pytest.raises(TombstonedError):
            two.bank("main").remember(SECRET)
