"""Keys for tombstones: where they lie, who may read them, and how one takes another's place."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import KeyMissingError, TombstonedError, ValidationError
from lapse.faces.keys import VARIABLE, FileKeys, HeldKeys, name_of, verified
from lapse.testing.fakes import SeededEntropy

GIVEN = "ab" * 32
OLDER = "cd" * 32
WHO = {"by": "anna", "reason": "asked for"}


def keys(folder: Path, given: str | None = None) -> FileKeys:
    environment = {} if given is None else {VARIABLE: given}
    return FileKeys.beside(str(folder / "lapse.db"), SeededEntropy(3), environment)


def test_a_first_key_is_made_when_it_is_needed_for_its_owner_alone(tmp_path: Path) -> None:
    made = keys(tmp_path)
    assert made.find("anything") is None
    assert list(tmp_path.iterdir()) == []
    first = made.current()
    file = tmp_path / "lapse.db.keys"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert keys(tmp_path).current() == first
    assert first.secret.hex() not in repr(first)


def test_after_a_rotation_the_older_key_is_still_held(tmp_path: Path) -> None:
    made = keys(tmp_path)
    first = made.current()
    second = made.rotate()
    again = keys(tmp_path)
    assert again.current().id == second != first.id
    assert again.find(first.id) == first
    assert stat.S_IMODE((tmp_path / "lapse.db.keys").stat().st_mode) == 0o600


def test_the_environment_comes_first_and_the_file_is_still_read(tmp_path: Path) -> None:
    from_file = keys(tmp_path).current()
    made = keys(tmp_path, f"{GIVEN}, {OLDER}")
    assert made.current().secret.hex() == GIVEN
    for each in (bytes.fromhex(OLDER), from_file.secret):
        found = made.find(name_of(each))
        assert found is not None
        assert found.secret == each
    with pytest.raises(ValidationError):
        made.rotate()


@pytest.mark.parametrize("given", ["secret", "ab" * 31, "zz" * 32, f"{GIVEN},short", "a" * 65])
def test_what_is_no_key_is_refused_without_being_shown(tmp_path: Path, given: str) -> None:
    with pytest.raises(ValidationError) as caught:
        keys(tmp_path, given)
    assert given not in str(caught.value)


@pytest.mark.parametrize("content", ["", "[]", '{"keys": {}}', '{"current": "a", "keys": {}}'])
def test_a_file_without_keys_is_named_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    file = tmp_path / "lapse.db.keys"
    file.write_text(content)
    with pytest.raises(KeyMissingError, match="cannot be read"):
        keys(tmp_path).current()
    assert file.read_text() == content


def test_a_folder_that_cannot_be_written_is_an_error_that_says_so(tmp_path: Path) -> None:
    made = FileKeys(tmp_path / "nowhere" / "lapse.db.keys", SeededEntropy(3))
    with pytest.raises(KeyMissingError, match=VARIABLE):
        made.current()


def test_a_signature_holds_for_its_own_message_and_key(tmp_path: Path) -> None:
    public, signature = keys(tmp_path).sign(b"told")
    assert verified(public, signature, b"told")
    assert not verified(public, signature, b"TOLD")
    other, _ = HeldKeys(SeededEntropy(4)).sign(b"told")
    assert not verified(other, signature, b"told")
    assert not verified(b"short", signature, b"told")


def test_a_lost_key_file_stops_writing_until_it_is_back(tmp_path: Path) -> None:
    path = tmp_path / "lapse.db"
    with Lapse.open(path, embedder=None, background=False) as mind:
        mind.bank("ann").remember("Her door code is 4821.", id="code")
        mind.bank("ann").erase(["code"], **WHO)
    kept = path.with_name("lapse.db.keys").rename(tmp_path / "away")
    with Lapse.open(path, embedder=None, background=False) as mind:
        bank = mind.bank("ann")
        assert bank.recall("door").hits == ()
        with pytest.raises(KeyMissingError):
            bank.remember("The door is green")
        kept.rename(path.with_name("lapse.db.keys"))
        bank.remember("The door is green")
        with pytest.raises(TombstonedError):
            bank.remember("her door code is 4821")


def test_what_signs_is_loaded_only_where_something_is_signed() -> None:
    told = "import sys, lapse.faces.app; print(json.dumps('cryptography' in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"import json; {told}"], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) is False
