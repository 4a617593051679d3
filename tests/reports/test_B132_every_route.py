"""B132: one route of writing removes duplicates, another does not.

Waits: import, MCP and a clean-up job with its report, for `transfer`, the MCP face and `sweep`.
"""

import itertools
import json
from collections.abc import Callable

import pytest

from lapse.bank import Bank
from tests.reports.helping import Place, everything
from tests.reports.helping_b import spoken

TEXT = "I prefer tea, not coffee"

ROUTES: dict[str, Callable[[Bank], str]] = {
    "remember": lambda bank: bank.remember(TEXT).id,
    "spelt otherwise": lambda bank: bank.remember(f"  {TEXT.upper()}. ").id,
    "remember_many": lambda bank: bank.remember_many([{"text": TEXT}])[0].id,
    "twice at once": lambda bank: bank.remember_many([{"text": TEXT}, {"text": TEXT}])[1].id,
    "ingest": lambda bank: (
        bank.ingest([{"role": "user", "content": TEXT, "at": "2026-05-30T08:00Z"}], session="s1")[
            0
        ].id
    ),
}


@pytest.mark.parametrize("order", list(itertools.permutations(ROUTES, 2)))
def test_a_sentence_told_by_two_routes_is_one_row(place: Place, order: tuple[str, str]) -> None:
    bank = place.bank()
    ids = {ROUTES[route](bank) for route in order}
    bank.remember("I prefer tea, not water")
    assert len(ids) == 1
    assert len(everything(bank)) == 2


def test_the_command_line_goes_the_same_way(
    in_file: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = in_file.bank()
    first = bank.remember(TEXT).id
    at = ("--json", "--db", in_file.target, "--bank", "alice")
    told = json.loads(spoken(capsys, monkeypatch, "remember", TEXT, *at).out)
    assert (told["memory"]["id"], told["action"]) == (first, "reconfirmed")
    log = json.dumps({"role": "user", "content": TEXT}) + "\n"
    ingested = spoken(capsys, monkeypatch, "ingest", "-", *at, stdin=log)
    assert ingested.code == 0, ingested.err
    assert len(everything(bank)) == 1
