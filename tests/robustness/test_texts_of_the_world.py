"""Texts of every script and sign are kept to the letter, found by their own words, and exported."""

import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.bank import Bank
from lapse.faces.app import Lapse
from lapse.faces.cli import main
from lapse.testing.fakes import FakeClock
from tests.robustness.held import refused
from tests.robustness.scripts import RIGHT_TO_LEFT, SENTENCES, SIGNS, long_texts

TEXTS: Mapping[str, str] = {**SENTENCES, **SIGNS}
LONG = long_texts()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds every text under its name, remembered side by side."""
    path = tmp_path_factory.mktemp("world") / "world.db"
    with Lapse.open(path, embedder=None, clock=FakeClock(), background=False) as lapse:
        for bank, texts in (("world", TEXTS), ("long", LONG)):
            lapse.bank(bank).remember_many(
                [{"text": text, "id": name} for name, text in texts.items()]
            )
    return path


@pytest.fixture(scope="module")
def lapse(path: Path) -> Iterator[Lapse]:
    with Lapse.open(path, embedder=None, clock=FakeClock(), background=False) as lapse:
        yield lapse


@pytest.fixture
def cli(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Run a command on the store, and give its standard output."""
    monkeypatch.setenv("LAPSE_MEMORY__EMBEDDER", "none")

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        assert main(["--db", str(path), "--json", *arguments]) == 0
        return capsys.readouterr().out

    return run


def found(bank: Bank, query: str) -> Sequence[str]:
    return [each.id for each in bank.recall(query, k=50).hits]


def test_there_are_twenty_scripts_and_three_run_from_right_to_left() -> None:
    assert len(SENTENCES) == 20
    assert set(RIGHT_TO_LEFT) <= set(SENTENCES)


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_found_first_by_itself(lapse: Lapse, name: str) -> None:
    assert found(lapse.bank("world"), TEXTS[name])[:1] == [name]


@pytest.mark.parametrize("name", SENTENCES)
def test_a_sentence_is_found_by_each_long_word_of_its_own(lapse: Lapse, name: str) -> None:
    words = [each for each in SENTENCES[name].split() if len(each) >= 5]
    missed = [each for each in words if name not in found(lapse.bank("world"), each)]
    assert missed == []


@pytest.mark.parametrize("name", SIGNS)
def test_the_plain_word_beside_a_sign_finds_it(lapse: Lapse, name: str) -> None:
    plain = max(SIGNS[name].split(), key=lambda each: (each.isalpha(), len(each)))
    assert found(lapse.bank("world"), plain)[:1] == [name]


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_comes_back_to_the_letter(lapse: Lapse, cli: Callable[..., str], name: str) -> None:
    kept = lapse.bank("world").get(name).memory.text
    assert kept == normalize("NFC", TEXTS[name])
    shown = json.loads(cli("get", name, "--bank", "world"))
    assert shown["memory"]["text"] == kept


def test_a_listing_of_the_whole_world_is_one_document(cli: Callable[..., str]) -> None:
    written = cli("list", "--bank", "world", "--limit", "1000")
    assert written.count("\n") == 1
    assert written.isascii() or written.encode("utf-8").decode("utf-8") == written
    texts = {
        each["memory"]["id"]: each["memory"]["text"] for each in json.loads(written)["records"]
    }
    assert texts == {name: normalize("NFC", text) for name, text in TEXTS.items()}


@pytest.mark.parametrize("name", LONG)
def test_a_word_of_64_kib_is_kept_and_found_by_itself(lapse: Lapse, name: str) -> None:
    bank = lapse.bank("long")
    assert bank.get(name).memory.text == LONG[name]
    # A question may be shorter than a text may, and a word may be too long to be a term: then
    # nothing is found, but never another's word.
    refusal = refused(lambda: bank.recall(LONG[name]))
    assert refusal is None or "query" in str(refusal)
    assert set(found(bank, LONG[name][:4000])) <= {name}


@given(text=st.text(min_size=1, max_size=60))
def test_whatever_is_kept_comes_back_as_it_was_told(text: str) -> None:
    with Lapse.open("memory://", embedder=None, clock=FakeClock(), background=False) as lapse:
        bank = lapse.bank("any")
        refusal = refused(lambda: bank.remember(text, id="kept"))
        if refusal is not None:
            assert str(refusal).startswith("text = ")
            return
        assert bank.get("kept").memory.text == normalize("NFC", text)
        assert found(bank, text) in ([], ["kept"])
