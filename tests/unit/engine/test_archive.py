"""Searching the archive: what lies there is found by words and vectors, and nothing else is."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lapse.errors import ValidationError
from lapse.model.instants import DAY, Instant
from lapse.model.policy import Mode
from lapse.model.query import Recall
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened, WordEmbedder, opened, store_of

WHO = {"by": "anna", "reason": "old"}


@pytest.fixture(params=["memory", "sqlite"])
def lapse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """An engine over each kind of store, with vectors, and half of a bank archived."""
    made = opened(store_of(request.param, tmp_path), embedder=WordEmbedder())
    bank = made.alice
    for name in ("red", "blue", "green", "white"):
        bank.remember(f"The {name} crane stands at the harbour", id=name, tags=[name])
    bank.archive(["red", "blue"], by="anna", reason="old")
    bank.suppress(["green"], by="anna", reason="unwanted")
    yield made
    made.mind.close()


def _ids(recall: Recall) -> set[str]:
    return {each.id for each in recall.hits}


def test_only_what_is_archived_is_found(lapse: Opened) -> None:
    assert _ids(lapse.alice.search_archive("crane")) == {"red", "blue"}
    assert _ids(lapse.alice.recall("crane")) == {"white"}
    assert lapse.alice.search_archive("blue crane").hits[0].id == "blue"


def test_the_kept_vectors_are_searched_without_embedding_anything_again(lapse: Opened) -> None:
    found = lapse.alice.search_archive("blue harbour").hits[0].explanation
    assert found.cosine is not None
    assert found.cosine > 0.3


def test_filters_apply_and_an_empty_archive_answers_with_nothing(lapse: Opened) -> None:
    assert _ids(lapse.alice.search_archive("crane", tags=["red"])) == {"red"}
    assert _ids(lapse.alice.search_archive("crane", k=1)) <= {"red", "blue"}
    assert lapse.mind.bank("nobody").search_archive("crane").hits == ()
    with pytest.raises(ValidationError):
        lapse.alice.search_archive("  ")


def test_what_expired_ended_or_was_replaced_is_found_there(lapse: Opened) -> None:
    bank = lapse.alice
    later = Instant(START + 5 * DAY)
    bank.remember("The ticket is at the desk", id="ticket", expires_at=later)
    bank.remember("I drink tea at the harbour", id="tea", key="drink", value="tea")
    bank.remember("I drink milk at the harbour", id="milk", key="drink", value="milk")
    bank.archive(["ticket", "tea"], **WHO)
    lapse.clock.advance(days=9)
    assert "ticket" in _ids(bank.search_archive("ticket desk"))
    assert "tea" in _ids(bank.search_archive("drink tea"))


def test_looking_changes_nothing_and_leaves_no_trace(lapse: Opened) -> None:
    bank = lapse.alice
    revision, record = lapse.store.revision(bank.ref), bank.get("red")
    found = bank.search_archive("crane")
    bank.drain()
    assert found.mode is Mode.OFF
    assert lapse.store.revision(bank.ref) == revision
    assert replace(bank.get("red")) == record


def test_what_was_restored_is_found_by_recall_and_no_longer_there(lapse: Opened) -> None:
    bank = lapse.alice
    bank.restore(["red"], **WHO)
    assert _ids(bank.search_archive("crane")) == {"blue"}
    assert _ids(bank.recall("crane")) == {"red", "white"}


def test_another_process_finds_the_same(tmp_path: Path) -> None:
    first = opened(store_of("sqlite", tmp_path), embedder=WordEmbedder())
    first.alice.remember("The red crane", id="red")
    first.alice.archive(["red"], **WHO)
    second = opened(store_of("sqlite", tmp_path), embedder=WordEmbedder())
    assert _ids(second.alice.search_archive("crane")) == {"red"}
    second.alice.restore(["red"], **WHO)
    assert _ids(second.alice.recall("crane")) == {"red"}
    assert _ids(first.alice.recall("crane")) == {"red"}
    for each in (first, second):
        each.mind.close()
