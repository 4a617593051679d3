"""B144: a list ignores its offset: every page is the first, loops never end, counts are wrong.

Waits: the same pages over REST and MCP, for those faces.
"""

import json

import pytest

from lapse.bank import Bank
from lapse.faces.cli import main
from lapse.model.paging import Listing
from tests.reports.helping import Place

COUNT, SIZE = 430, 150
IDS = [f"m{at:03}" for at in range(COUNT)]


def told(place: Place) -> Bank:
    bank = place.bank()
    bank.remember_many({"text": f"harbour {each}", "id": each} for each in IDS)
    return bank


def test_pages_go_on_where_the_last_one_ended_and_have_an_end(place: Place) -> None:
    bank = told(place)
    pages = [bank.list(Listing(limit=SIZE))]
    for _ in range(COUNT):
        after = pages[-1].next_after
        if after is None:
            break
        pages.append(bank.list(Listing(after=after, limit=SIZE)))
    assert [len(each.records) for each in pages] == [150, 150, 130]
    assert [each.memory.id for page in pages for each in page.records] == IDS
    assert bank.stats().memories == COUNT


def test_a_page_after_the_end_is_empty_and_the_last(place: Place) -> None:
    bank = told(place)
    last = bank.list(Listing(limit=1000))
    beyond = bank.list(Listing(after=last.records[-1].row, limit=SIZE))
    assert (len(last.records), last.next_after) == (COUNT, None)
    assert (beyond.records, beyond.next_after) == ((), None)


def test_the_command_line_pages_alike(
    in_file: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAPSE_MEMORY__EMBEDDER", "none")
    told(in_file)
    listed: list[str] = []
    sizes, after = [], "0"
    while after != "None":
        asked = ("list", "--limit", str(SIZE), "--after", after)
        assert main(("--db", in_file.target, "--bank", "alice", "--json", *asked)) == 0
        page = json.loads(capsys.readouterr().out)
        sizes.append(len(page["records"]))
        listed.extend(each["memory"]["id"] for each in page["records"])
        after = str(page["next_after"])
    assert sizes == [150, 150, 130]
    assert listed == IDS
