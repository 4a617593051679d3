"""A bank whose policy changes while it lives: laws, levels, modes, presets."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lapse import Lapse, presets
from lapse.bank import Bank
from lapse.errors import PolicyError
from lapse.model.instants import DAY
from lapse.model.memory import JsonValue
from lapse.model.policy import LawName, LawPolicy, Mode, Policy
from lapse.model.policy_layers import Origin
from lapse.testing.fakes import START, FakeClock, SeededEntropy, SequentialIds

PRESETS: dict[str, Callable[[], Policy]] = {
    "assistant": presets.assistant,
    "companion": presets.companion,
    "support": presets.support,
    "research": presets.research,
    "legal": presets.legal,
    "generative_agents": presets.generative_agents,
    "rfc": presets.rfc,
    "actr_sweep": presets.actr_sweep,
    "workbench": presets.workbench,
}
QUESTION = "tell me about tea, milk and the lunch"


class Lived:
    """A bank with three months of use behind it."""

    def __init__(self, path: Path | str, policy: Policy | None = None) -> None:
        self.clock = FakeClock()
        self.path = path
        self.mind = self.open(policy)
        bank = self.mind.bank("alice")
        bank.remember_many(
            [
                {"text": "She prefers tea in the morning", "id": "tea", "importance": 0.4},
                {"text": "Milk only in her coffee", "id": "milk", "importance": 0.6},
                {"text": "The lunch was a sandwich", "id": "lunch", "importance": 0.1},
            ]
        )
        for at in range(9):
            self.clock.advance(days=10)
            bank.used(["tea"] if at % 2 else ["tea", "milk"], event_id=f"e{at}")
            bank.drain()

    def open(self, policy: Policy | None = None) -> Lapse:
        """Open the file, with a deployment's policy."""
        self.mind = Lapse.open(
            self.path,
            policy=policy,
            embedder=None,
            clock=self.clock,
            new_id=SequentialIds(),
            entropy=SeededEntropy(),
            background=False,
        )
        return self.mind

    @property
    def bank(self) -> Bank:
        return self.mind.bank("alice")

    def order(self) -> list[str]:
        """Ids of the hits, in order."""
        return [each.id for each in self.bank.recall(QUESTION).hits]

    def strengths(self) -> dict[str, object]:
        """Strength and date of fading by id."""
        records = self.bank.list().records
        return {each.memory.id: (each.state.strength, each.state.fades_at) for each in records}


@pytest.fixture
def lived(tmp_path: Path) -> Iterator[Lived]:
    made = Lived(tmp_path / "agent.db")
    yield made
    made.mind.close()


@pytest.mark.parametrize("law", LawName)
def test_a_bank_that_changes_its_law_is_as_one_that_always_had_it(
    lived: Lived, law: LawName
) -> None:
    always = Lived("memory://", policy=replace(Policy(), law=LawPolicy(name=law)))

    lived.bank.set_policy({"law": {"name": law.value}}, by="owner")

    assert lived.strengths() == always.strengths()
    assert lived.bank.drain().redated == 0


def test_a_changed_law_survives_the_process(lived: Lived) -> None:
    lived.bank.set_policy({"law": {"name": "ebbinghaus"}}, by="owner")
    before = lived.strengths()
    lived.mind.close()

    lived.open()

    assert lived.bank.policy().policy.law.name is LawName.EBBINGHAUS
    assert lived.strengths() == before
    assert lived.bank.drain().redated == 0


def test_a_deployment_that_changes_its_law_is_followed_at_the_next_upkeep(lived: Lived) -> None:
    # Weights stay as they were when each use was reported, so only the law is that of the preset.
    policy = replace(Policy(), law=presets.rfc().law)
    lived.mind.close()
    lived.open(policy)
    assert lived.bank.policy().policy.law == presets.rfc().law

    assert lived.bank.drain().redated == 3

    assert lived.strengths() == Lived("memory://", policy=policy).strengths()


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_lives_through_three_months(name: str) -> None:
    lived = Lived("memory://", policy=PRESETS[name]())

    recall = lived.bank.recall(QUESTION)

    assert {each.id for each in recall.hits} <= {"tea", "milk", "lunch"}
    for hit in recall.hits:
        assert 0 <= hit.explanation.retrievability <= 1
        assert 0 <= hit.explanation.need <= 1
    assert lived.bank.stats().policy == recall.policy
    assert list(lived.bank.doctor()) == []


def test_with_forgetting_off_the_order_is_that_of_relevance_alone(lived: Lived) -> None:
    lived.bank.set_policy({"forgetting": {"enabled": "off"}}, by="owner")
    off = lived.bank.recall(QUESTION)

    never = Lived("memory://")
    never.bank.set_policy({"forgetting": {"enabled": False}}, by="owner")

    assert off.mode is Mode.OFF
    assert [each.id for each in off.hits] == never.order()
    assert {each.explanation.boost for each in off.hits} == {1.0}


def test_observing_changes_no_order_and_lets_uses_be_logged(lived: Lived) -> None:
    lived.bank.set_policy({"forgetting": {"mode": "off"}}, by="owner")
    off = lived.order()
    lived.bank.set_policy({"forgetting": {"mode": "observe"}}, by="owner")
    revision = lived.bank.stats().revision

    observed = lived.bank.recall(QUESTION)

    assert [each.id for each in observed.hits] == off
    assert lived.bank.stats().revision == revision
    assert lived.bank.used(["milk"]).enqueued == 1


def test_a_policy_that_is_refused_leaves_everything_as_it_was(lived: Lived) -> None:
    lived.bank.set_policy({"recall": {"k": 2}}, by="owner")
    before, order, strengths = lived.bank.policy(), lived.order(), lived.strengths()

    diffs: list[dict[str, JsonValue]] = [
        {"recall": {"k": "fifty"}},
        {"law": {"name": "ebbinghaus", "base_stability_days": -1}},
        {"forgetting": {"mode": "rank", "moood": 1}},
        {"memory": {"language": "klingon"}},
    ]
    for diff in diffs:
        with pytest.raises(PolicyError):
            lived.bank.set_policy(diff, by="owner")

    assert lived.bank.policy() == before
    assert (lived.order(), lived.strengths()) == (order, strengths)


def test_a_setting_that_is_blanked_is_inherited_from_the_deployment_again(lived: Lived) -> None:
    lived.bank.set_policy({"law.decay": 0.7}, by="owner")
    faster = lived.strengths()

    lived.bank.set_policy({"law.decay": ""}, by="owner")

    resolved = lived.bank.policy()
    assert resolved.origin_of("law.decay") is Origin.DEFAULT
    assert lived.strengths() != faster


def test_a_stricter_level_makes_more_memories_due_without_touching_their_strength(
    lived: Lived,
) -> None:
    before = {each.memory.id: each.state for each in lived.bank.list().records}
    faded = lived.bank.stats().faded

    lived.bank.set_policy({"law": {"archive_level": 0.3}}, by="owner")

    after = {each.memory.id: each.state for each in lived.bank.list().records}
    assert lived.bank.stats().faded >= faded
    for name, state in after.items():
        was = before[name]
        assert state.fades_at is not None
        assert was.fades_at is not None
        assert state.fades_at < was.fades_at
        assert state.strength.traces == was.strength.traces
    assert lived.clock.now() == START + 90 * DAY
