"""What a writing verb gives back is what is stored."""

from collections.abc import Sequence

from lapse.engine.results import Remembered
from lapse.engine.writing import BATCH
from lapse.model.outcome import Action
from lapse.testing.fakes import SequentialIds
from tests.unit.engine.opening import Opened, opened


def _as_stored(lapse: Opened, told: Sequence[Remembered]) -> bool:
    return all(each.memory == lapse.alice.get(each.id).memory for each in told)


def test_what_was_told_is_given_back_as_it_is_stored(lapse: Opened) -> None:
    told = [
        lapse.alice.remember("I prefer tea", tags=["drink"], metadata={"n": [1, {"deep": None}]}),
        lapse.alice.remember("I prefer tea"),
        lapse.alice.remember("I moved to Porto", key="user/home", occurred_at="2026-02-01"),
    ]
    assert [each.action for each in told] == [Action.CREATED, Action.RECONFIRMED, Action.CREATED]
    assert _as_stored(lapse, told)


def test_a_claim_replaced_within_a_batch_is_given_back_as_replaced(lapse: Opened) -> None:
    told = lapse.alice.remember_many(
        [
            {"text": "I drink tea", "key": "user/drink"},
            {"text": "I drink milk", "key": "user/drink"},
        ]
    )
    assert [each.memory.is_latest for each in told] == [False, True]
    assert _as_stored(lapse, told)


def test_a_claim_replaced_by_a_later_transaction_of_one_call_is_given_back_as_replaced(
    lapse: Opened,
) -> None:
    texts = [{"text": f"remark number {number}"} for number in range(BATCH)]
    claims = [{"text": f"I drink {drink}", "key": "user/drink"} for drink in ("tea", "milk")]
    told = lapse.alice.remember_many([claims[0], *texts, claims[1]])
    assert told[0].memory.superseded_by == told[-1].id
    assert _as_stored(lapse, [told[0], told[1], told[-1]])


def test_a_claim_of_before_is_given_back_as_the_new_one_left_it(lapse: Opened) -> None:
    first = lapse.alice.remember("I drink tea", key="user/drink")
    told = lapse.alice.remember_many(
        [
            {"text": "I drink milk", "key": "user/drink"},
            {"text": "I drink tea", "key": "user/drink", "id": first.id},
        ]
    )
    assert told[0].superseded == (first.id,)
    assert told[1].action is Action.UNCHANGED
    assert not told[1].memory.is_latest
    assert _as_stored(lapse, told)


def test_a_bank_that_others_write_to_is_followed_all_the_same(lapse: Opened) -> None:
    lapse.alice.remember("I prefer tea")
    other = opened(lapse.store, ids=SequentialIds("o")).alice
    other.set_policy({"memory.confidence": 0.9})
    other.remember("I have a cat")
    assert lapse.alice.remember("I prefer milk").memory.confidence == 0.9
