"""Beside another store: what is offered must be fit to keep, and unknown ids leave no trace."""

import pytest

from lapse.errors import NotFoundError, ValidationError
from lapse.ports import Store
from lapse.testing.fakes import ALICE
from tests.unit.engine.opening import Opened, opened


def test_an_unknown_id_among_candidates_writes_nothing(lapse: Opened) -> None:
    lapse.alice.rank([{"id": "c1", "text": "tea"}], query="tea")

    with pytest.raises(NotFoundError) as caught:
        lapse.alice.used(["c1", "nobody"])

    assert "nobody" in str(caught.value)
    assert lapse.store.bank(ALICE) is None
    assert lapse.alice.used(["c1"]).enqueued == 1


def test_candidates_and_stored_memories_may_be_used_together(lapse: Opened) -> None:
    lapse.alice.remember("I prefer milk", id="m1")
    lapse.alice.rank([{"id": "c1", "text": "tea"}], query="tea")

    assert lapse.alice.used(["c1", "m1"]).enqueued == 2


def test_texts_that_could_not_be_kept_are_refused_by_position(store: Store) -> None:
    lapse = opened(store, policy={"memory": {"max_text_bytes": 1024}})
    texts = ["tea", "   ", "x" * 1025, "milk"]

    with pytest.raises(ValidationError) as caught:
        lapse.alice.rank(
            [{"id": f"c{at}", "text": text} for at, text in enumerate(texts)], query="tea"
        )

    assert [each.field for each in caught.value.faults] == ["[1].text", "[2].text"]


def test_a_candidate_is_kept_in_the_form_of_every_other_text(lapse: Opened) -> None:
    lapse.alice.rank([{"id": "c1", "text": "cafe\u0301"}], query="caf\u00e9")
    lapse.alice.used(["c1"])

    assert lapse.alice.get("c1").memory.text == "caf\u00e9"
    lapse.alice.update("c1", tags=["place"])
    assert lapse.alice.get("c1").memory.tags == ("place",)
