"""Who rates what is told."""

from lapse.model.retention import ImportanceSource
from lapse.stores.memory import MemoryStore
from tests.unit.engine.opening import Opened, opened


def _rating(lapse: Opened, memory_id: str) -> tuple[float | None, ImportanceSource]:
    state = lapse.alice.get(memory_id).state
    return state.importance, state.importance_source


def test_what_nobody_rated_is_rated_by_the_heuristic() -> None:
    lapse = opened(MemoryStore())
    lapse.alice.remember("We decided to move the launch of Osprey to 14 March", id="m1")
    importance, source = _rating(lapse, "m1")
    assert source is ImportanceSource.HEURISTIC
    assert importance is not None
    assert 0.05 <= importance <= 0.85


def test_an_acknowledgement_is_rated_below_a_decision() -> None:
    lapse = opened(MemoryStore())
    lapse.alice.remember("We decided to move the launch of Osprey to 14 March", id="m1")
    lapse.alice.remember("ok thanks", id="m2")
    weighty, _ = _rating(lapse, "m1")
    slight, _ = _rating(lapse, "m2")
    assert weighty is not None
    assert slight is not None
    assert slight <= 0.1 < weighty


def test_the_callers_rating_wins_even_where_it_is_nought() -> None:
    lapse = opened(MemoryStore())
    lapse.alice.remember("We decided to move the launch", id="m1", importance=0.0)
    assert _rating(lapse, "m1") == (0.0, ImportanceSource.CALLER)


def test_a_policy_without_a_rater_stores_no_rating() -> None:
    lapse = opened(MemoryStore())
    lapse.alice.set_policy({"importance": {"rater": "off"}}, by="ada")
    lapse.alice.remember("We decided to move the launch", id="m1")
    assert _rating(lapse, "m1") == (None, ImportanceSource.DEFAULT)


def test_a_batch_is_rated_as_its_texts_would_be_one_by_one() -> None:
    together, apart = opened(MemoryStore()), opened(MemoryStore())
    texts = [f"the harbour master wrote ledger x{at:02}" for at in range(40)]
    together.alice.remember_many([{"text": each, "id": each[-3:]} for each in texts])
    for each in texts:
        apart.alice.remember(each, id=each[-3:])
    ratings = [_rating(together, each[-3:])[0] for each in texts]
    assert ratings == [_rating(apart, each[-3:])[0] for each in texts]
    assert ratings[0] != ratings[-1]


def test_what_is_told_again_keeps_its_rating() -> None:
    lapse = opened(MemoryStore())
    lapse.alice.remember("We decided to move the launch", id="m1")
    before = _rating(lapse, "m1")
    for at in range(5):
        lapse.alice.remember(f"We decided to move launch {at} again")
    lapse.alice.remember("We decided to move the launch")
    assert _rating(lapse, "m1") == before


def test_a_speakers_name_makes_nothing_weightier() -> None:
    named, bare = opened(MemoryStore()), opened(MemoryStore())
    named.alice.remember("Ursula: the harbour is closed", id="m1")
    bare.alice.remember("the harbour is closed", id="m1")
    assert _rating(named, "m1") == _rating(bare, "m1")


def test_only_a_verified_outcome_raises_a_rating() -> None:
    lapse = opened(MemoryStore())
    lapse.alice.remember("We decided to move the launch", id="m1")
    before = _rating(lapse, "m1")
    lapse.alice.used(["m1"])
    lapse.alice.drain()
    assert _rating(lapse, "m1") == before
    lapse.alice.verify_outcome(["m1"], by="ada", reason="it went out in March")
    assert _rating(lapse, "m1") == (1.0, ImportanceSource.VERIFIED)
