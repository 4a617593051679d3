"""B178: an option of SQLite reaches another driver, and a host name is fixed in code.

Waits: PostgreSQL itself, for its store; here what is said of an address that cannot be opened.
"""

import pytest

from lapse import Lapse
from lapse.errors import LapseError
from tests.reports.helping_b import spoken

SECRET = "s3cret"
ADDRESSES = (
    f"postgresql://ann:{SECRET}@db.example/memories",
    f"postgresql://ann:p@{SECRET}/x@db.example:5433/memories?options=-csearch_path%3Dother",
    f"mongodb://ann:{SECRET}@db.example",
    f"sqlite://ann:{SECRET}@db.example/x",
    f"postgresql://db.example/memories?password={SECRET}",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_cannot_be_opened_is_refused_without_its_password(address: str) -> None:
    with pytest.raises(LapseError) as caught:
        Lapse.open(address, embedder=None, background=False)
    told = f"{caught.value} {caught.value.fields}"
    assert SECRET not in told
    assert "sqlite:///" in told  # what would be right


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_command_says_so_in_one_line_and_ends_with_an_error(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in (["stats"], ["doctor"], ["remember", "The harbour is quiet"]):
        told = spoken(capsys, monkeypatch, *command, "--db", address)
        assert told.code != 0
        assert SECRET not in told.out + told.err
        assert len(told.err.strip().splitlines()) == 1


def test_an_address_that_can_be_opened_is() -> None:
    with Lapse.open("memory://", embedder=None, background=False) as mind:
        assert mind.bank("alice").remember("The harbour is quiet").action == "created"
