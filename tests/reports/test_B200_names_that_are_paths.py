"""B200: an id with dots and slashes reads, writes or deletes outside the data folder."""

from pathlib import Path

import pytest

from lapse.errors import ValidationError
from tests.reports.helping import Place, hit_ids

NAMES = (
    "../../x",
    "a/b",
    "..",
    "C:\\x",
    "CON",
    "x" * 200,
    "a'b\"; DROP TABLE memory; --",
    "%",
    "_",
)
REFUSED = ("", "a\0b")


def test_names_that_look_like_paths_are_names_and_stay_apart(place: Place, tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "x").write_text("untouched")
    mind = place.open()
    for at, name in enumerate(NAMES):
        bank = mind.bank(name)
        bank.remember(f"harbour number{at}", id=name, session=name, subject=name)
    assert sorted(mind.banks()) == sorted(NAMES)
    for at, name in enumerate(NAMES):
        bank = mind.bank(name)
        assert bank.get(name).memory.text == f"harbour number{at}"
        assert hit_ids(bank.recall("harbour")) == [name]
    assert (outside / "x").read_text() == "untouched"


def test_erasing_by_such_a_name_takes_only_what_has_it(place: Place) -> None:
    bank = place.open().bank("alice")
    for name in NAMES:
        bank.remember(f"harbour of {NAMES.index(name)}", id=name, subject=name)
    bank.erase(subject="..", by="anna", reason="asked for")
    left = {name for name in NAMES if name != ".."}
    assert {name for name in NAMES if bank.recall("harbour", k=20).hits} == set(NAMES)
    assert set(hit_ids(bank.recall("harbour", k=20))) == left


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_no_store_can_keep_is_refused_by_all(place: Place, name: str) -> None:
    mind = place.open()
    with pytest.raises(ValidationError):
        mind.bank(name).remember("The harbour is quiet")
    with pytest.raises(ValidationError):
        mind.bank("alice").remember("The harbour is quiet", id=name)
    assert list(mind.banks()) == []
