"""`lapse keys rotate`: a new key from now on; what was erased under the old one stays erased."""

from pathlib import Path

from lapse.faces.app import Lapse
from lapse.faces.cli import main
from tests.faces.conftest import Cli

SECRET = "Maria Okafor lives at 14 Elm Street in Lisbon."


def test_after_a_rotation_what_was_erased_stays_erased(cli: Cli, apart: Path) -> None:
    with Lapse.open(apart / "lapse.db") as mind:
        mind.bank("default").remember(SECRET, id="secret")
        first = mind.bank("default").erase(["secret"], by="anna", reason="asked for").receipt
    assert first is not None

    ended = cli("keys", "rotate", "--json")

    assert ended.code == 0
    assert isinstance(ended.json, dict)
    assert ended.json["key"] != first.key_id
    assert cli("remember", SECRET).code != 0
    assert cli("remember", "Ben keeps bees.").code == 0
    held = (apart / "lapse.db.keys").stat()
    assert held.st_mode & 0o777 == 0o600


def test_where_there_is_no_store_no_key_is_made(cli: Cli, apart: Path) -> None:
    assert cli("keys", "rotate", "--db", "nowhere.db").code != 0
    assert cli("keys", "rotate", "--db", "memory://").code != 0
    assert not list(apart.glob("*.keys"))


def test_its_help_loads_without_a_store() -> None:
    assert main(["keys", "--help"]) == 0
