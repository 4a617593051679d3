"""What a recall leaves out is told with its axis; what is not there is told as missing."""

from pathlib import Path

from lapse.faces.app import Lapse
from lapse.model.codec import decode, encode
from lapse.model.query import AXES, Exclusion, Reason
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, Cli


def test_every_exclusion_names_its_axis_in_json(store: Path, cli: Cli) -> None:
    document = cli("--db", str(store), "--json", "--now", NOW, "recall", "tea", "--k", "1",
                   "--bank", "alice").json  # fmt: skip
    assert isinstance(document, dict)
    exclusions = document["exclusions"]
    assert exclusions
    assert all(each["axis"] == AXES[Reason(each["reason"])] for each in exclusions)


def test_an_exclusion_is_read_back_as_it_was_written() -> None:
    with Lapse.open("memory://", embedder=None, clock=FakeClock(), background=False) as lapse:
        bank = lapse.bank("alice")
        bank.remember_many([{"text": "green tea"}, {"text": "black tea"}])
        (left,) = bank.recall("tea", k=1).exclusions
    assert decode(Exclusion, encode(left)) == left


def test_a_bank_that_is_not_there_is_a_finding(store: Path, cli: Cli) -> None:
    ended = cli("--db", str(store), "doctor", "--bank", "nobody")
    assert ended.code == 1
    assert "nobody: no such bank: the tenant has alice" in ended.out
