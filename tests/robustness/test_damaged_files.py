"""A file that was cut off or overwritten is refused or told about: never a bare Python error."""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from lapse.errors import CorruptStoreError, LapseError, NotFoundError, SchemaError
from lapse.faces.cli import main
from tests.robustness.damage import BANK, acts, copied, make, opened, overwritten
from tests.robustness.held import refused

CUTS = 24
NOISES = 40


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that nothing was done to."""
    path = tmp_path_factory.mktemp("sound") / "sound.db"
    make(path)
    return path


@pytest.fixture
def examined(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[Path], str]:
    """What `lapse doctor` prints about a file in which it must find something."""
    monkeypatch.setenv("LAPSE_MEMORY__EMBEDDER", "hashing")

    def examine(path: Path) -> str:
        assert main(["--db", str(path), "doctor"]) == 1
        return capsys.readouterr().out

    return examine


@contextmanager
def altered(path: Path, *statements: str) -> Iterator[None]:
    """Change a closed file behind Lapse's back."""
    with closing(sqlite3.connect(path)) as connection:
        for each in statements:
            connection.execute(each)
        connection.commit()
    yield


def refusals(path: Path) -> tuple[Sequence[str], Sequence[LapseError]]:
    """What the doctor finds, and every refusal of every kind of work; no other error gets by."""
    with closing(opened(path)) as lapse:
        bank = lapse.bank(BANK)
        told = list(bank.doctor())
        met = [refused(act) for _, act in acts(bank)]
        met.append(refused(lapse.close))
    return told, [each for each in met if each is not None]


@pytest.mark.parametrize("at", range(1, CUTS + 1))
def test_a_file_cut_off_anywhere_is_never_taken_for_whole(
    sound: Path, tmp_path: Path, examined: Callable[[Path], str], at: int
) -> None:
    path = copied(sound, tmp_path / "cut.db")
    whole = path.stat().st_size
    # In the first pages, at the edges of pages, and within them.
    size = {1: 1, 2: 99, 3: 100, 4: 4095}.get(at, whole * at // (CUTS + 1) // 4096 * 4096 - at % 3)
    os.truncate(path, size)
    refusal = refused(lambda: opened(path).close())
    if refusal is None:
        told, met = refusals(path)
        assert told
        assert met
    else:
        assert isinstance(refusal, CorruptStoreError)
        assert str(path) in str(refusal)
    assert examined(copied(path, tmp_path / "again.db"))


def test_an_empty_file_is_told_before_it_is_made_anew(
    tmp_path: Path, examined: Callable[[Path], str]
) -> None:
    path = tmp_path / "empty.db"
    path.touch(0o600)
    said = " ".join(examined(path).split())
    assert "is empty: nothing was ever written to it, or it was cut off" in said


@pytest.mark.parametrize("seed", range(NOISES))
def test_noise_anywhere_in_a_file_is_told_or_met_by_a_clear_error(
    sound: Path, tmp_path: Path, seed: int
) -> None:
    path = copied(sound, tmp_path / "noise.db")
    overwritten(path, seed)
    refusal = refused(lambda: opened(path).close())
    if refusal is not None:
        assert str(path) in str(refusal)
        return
    told, met = refusals(path)
    # Whatever somebody met, the doctor told as well: it names more, not less.
    unexplained = [each for each in met if not told and not isinstance(each, NotFoundError)]
    assert unexplained == []


DAMAGES = {
    "undecodable text": ("UPDATE memory SET text = CAST(x'ff80' AS TEXT) WHERE id = 'm7'", "'m7'"),
    "undecodable id": ("UPDATE memory SET id = CAST(x'ff80' AS TEXT) WHERE id = 'm7'", "number 8"),
    "another text": ("UPDATE memory SET text = 'hello' WHERE id = 'm7'", "has another text"),
    "bytes for text": ("UPDATE memory SET text = x'414243' WHERE id = 'm7'", "another type"),
    "an unknown kind": ("UPDATE memory SET kind = 'dream' WHERE id = 'm7'", "cannot be read"),
    "broken tags": ("UPDATE memory SET tags = '[' WHERE id = 'm7'", "cannot be read"),
    "broken metadata": ("UPDATE memory SET metadata = '{' WHERE id = 'm7'", "cannot be read"),
    "short traces": ("UPDATE retention SET traces = x'00' WHERE row = 8", "cannot be read"),
    "odd difficulty": ("UPDATE retention SET difficulty = 99 WHERE row = 8", "cannot be read"),
    "odd weight": ("UPDATE event SET weight = 7 WHERE row = 1", "'m0' has an earlier version"),
    "a broken version": ("UPDATE memory_version SET kind = 'x'", "'m5' has an earlier version"),
    "broken policy": ("UPDATE bank SET policy = '{'", "the record of bank 'alice' cannot be read"),
    "policy out of range": ("""UPDATE bank SET policy = '{"recall.k": 0}'""", "recall.k = 0"),
    "unknown setting": ("""UPDATE bank SET policy = '{"recall.q": 1}'""", "recall.q"),
    "vector of noise": (f"UPDATE vector SET data = x'{'7f' * 2048}'", "unit length"),
    "broken counts": ("UPDATE space SET idf = x'00'", "reembed takes them anew"),
    "broken journal": ("UPDATE journal SET counts = '[' WHERE seq = 1", "the journal"),
    "unknown verb": ("UPDATE journal SET verb = 'dance' WHERE seq = 1", "the journal"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_value_is_named_by_the_doctor_and_never_shown(
    sound: Path, tmp_path: Path, examined: Callable[[Path], str], name: str
) -> None:
    statement, words = DAMAGES[name]
    path = copied(sound, tmp_path / "damaged.db")
    with altered(path, statement):
        told, met = refusals(copied(path, tmp_path / "worked.db"))
    assert [each for each in told if words in each], told
    shown = " ".join(map(str, (*told, *met)))
    assert "fact number 7" not in shown
    assert "hello" not in shown
    assert words in " ".join(examined(path).split())


def test_a_file_of_a_newer_schema_is_refused_and_left_as_it_is(
    sound: Path, tmp_path: Path, examined: Callable[[Path], str]
) -> None:
    path = copied(sound, tmp_path / "newer.db")
    with altered(path, "UPDATE alembic_version SET version_num = 'r9999'"):
        before = path.read_bytes()
    with pytest.raises(SchemaError, match="newer Lapse"):
        opened(path)
    assert "newer Lapse" in " ".join(examined(path).split())
    assert path.read_bytes() == before


def test_a_log_cut_short_takes_back_whole_writes_from_the_end(tmp_path: Path) -> None:
    live, copy = tmp_path / "live.db", tmp_path / "copy.db"
    with closing(opened(live)) as lapse:
        for each in range(12):
            lapse.bank(BANK).remember(f"fact {each}", id=f"m{each}")
        log = Path(f"{live}-wal").read_bytes()
        file = live.read_bytes()
    found = []
    for part in range(17):
        copied(live, copy).write_bytes(file)
        Path(f"{copy}-wal").write_bytes(log[: len(log) * part // 16])
        with closing(opened(copy)) as lapse:
            ids = [each.memory.id for each in lapse.bank(BANK).list().records]
            assert ids == [f"m{each}" for each in range(len(ids))]
            assert list(lapse.bank(BANK).doctor()) == []
        found.append(len(ids))
    assert found == sorted(found)
    assert (found[0], found[-1]) == (0, 12)
