"""B178: an option of SQLite reaches another driver, and a host name is fixed in code."""

import pytest

from lapse import Lapse
from lapse.errors import LapseError
from tests.reports.helping import Place, hit_ids
from tests.reports.helping_b import spoken

SECRET = "s3cret"
ADDRESSES = (
    f"mysql://ann:{SECRET}@db.example/memories",
    f"mongodb://ann:{SECRET}@db.example",
    f"sqlite://ann:{SECRET}@db.example/x",
)
NOWHERE = "host=/nowhere"
SERVERS = (
    f"postgresql://ann:{SECRET}@/memories?{NOWHERE}",
    f"postgresql+psycopg://ann:p@{SECRET}/x@db.example:5433/memories?options=-csearch_path%3Dother",
    f"postgresql://ann:{SECRET}@/memories?{NOWHERE}&port={SECRET}",
    f"postgresql://ann@/memories?password={SECRET}&{NOWHERE}",
    f"postgresql://ann:{SECRET}@/memories?{NOWHERE}&check_same_thread={SECRET}",
    f"postgresql://ann:{SECRET}@/memories?schema={SECRET}!",
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


@pytest.mark.parametrize("address", SERVERS)
def test_a_server_that_cannot_be_reached_is_named_without_the_password(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg", reason="needs the extra postgres")
    with pytest.raises(LapseError) as caught:
        Lapse.open(address, embedder=None, background=False)
    assert SECRET not in f"{caught.value} {caught.value.fields}".replace(f"{SECRET}!", "")
    told = spoken(capsys, monkeypatch, "stats", "--db", address)
    assert told.code != 0
    assert SECRET not in (told.out + told.err).replace(f"{SECRET}!", "")
    assert len(told.err.strip().splitlines()) == 1


def test_each_option_goes_to_the_store_it_is_for(in_file: Place) -> None:
    bank = in_file.bank()
    assert bank.remember("The harbour is quiet").action == "created"
    assert hit_ids(in_file.bank().recall("harbour"))


def test_an_address_that_can_be_opened_is() -> None:
    with Lapse.open("memory://", embedder=None, background=False) as mind:
        assert mind.bank("alice").remember("The harbour is quiet").action == "created"
