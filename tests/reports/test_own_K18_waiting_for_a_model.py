"""K18, our own: a memory is told, asked for and used while the model that rates it is away.

Nothing waits for the model: the memory is there at once and ranks by the heuristic's rating. When
the model answers after all, its rating takes that place, once, and what was used meanwhile stays
used.
"""

from lapse.errors import GeneratorError
from lapse.model.retention import ImportanceSource
from lapse.stores.memory import MemoryStore
from tests.unit.engine.opening import opened


class Away:
    """A model that is out of reach until somebody says otherwise."""

    def __init__(self) -> None:
        self.answer: str | None = None
        self.asked = 0

    def __call__(self, prompt: str, /) -> str:
        self.asked += len(prompt) > 0
        if self.answer is None:
            raise GeneratorError("out of reach")
        return self.answer


def test_a_memory_does_without_the_model_and_takes_its_rating_later() -> None:
    model = Away()
    lapse = opened(MemoryStore(), policy={"importance.rater": "llm"}, generate=model)
    told = lapse.alice.remember("The dentist is called Brandt").id
    guess = lapse.alice.get(told).state.importance
    assert guess is not None
    lapse.clock.advance(hours=30)
    assert [each.id for each in lapse.alice.recall("who is the dentist").hits] == [told]
    assert lapse.alice.used([told]).enqueued == 1
    assert model.asked == 0

    assert lapse.alice.drain().rated == 0
    held = lapse.alice.get(told).state
    assert (held.importance, held.importance_source) == (guess, ImportanceSource.AWAITED)
    assert held.strength.reinforcement_count == 1

    model.answer = "9"
    lapse.clock.advance(hours=1)
    assert lapse.alice.drain().rated == 1
    rated = lapse.alice.get(told).state
    assert (rated.importance, rated.importance_source) == (0.9, ImportanceSource.MODEL)
    assert rated.strength.reinforcement_count == 1
    assert rated.strength.last_counted_at == held.strength.last_counted_at

    model.answer = "1"
    lapse.clock.advance(hours=1)
    assert lapse.alice.drain().rated == 0
    assert lapse.alice.get(told).state.importance == 0.9
