"""Names of files that no caller can make into something else."""

from pathlib import PurePosixPath

import pytest

from lapse.model.memory import BankRef
from lapse.stores.files.names import bank_folder, file_name, sharded

ODD = (
    "../../etc/passwd",
    "/etc/passwd",
    "..",
    ".",
    "a/b",
    "a\\b",
    "C:evil",
    "x.json",
    "%2e",
    "~",
    "茶",
)


@pytest.mark.parametrize("name", ODD)
def test_a_name_never_leaves_its_folder(name: str) -> None:
    place = PurePosixPath(sharded(bank_folder(BankRef(tenant=name, name=name)), "memories", name))
    assert len(place.parts) == 6
    assert place.parts[:1] == ("banks",)
    assert not {"..", "."} & set(place.parts)
    assert set("".join(place.parts)) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_%~.")


def test_names_that_differ_in_case_alone_are_two_on_a_file_system_that_folds_it() -> None:
    found = {file_name(each).casefold() for each in ("tea", "Tea", "TEA", "ſ", "s", "S")}
    assert len(found) == 6


def test_a_long_name_has_room_and_stays_a_name_of_its_own() -> None:
    names = [file_name("茶" * 254 + each) for each in ("a", "b")]
    assert names[0] != names[1]
    assert max(map(len, names)) <= 120


def test_no_name_is_written_as_a_long_one_would_be() -> None:
    long = file_name("a" * 255)
    assert file_name(long) != long
