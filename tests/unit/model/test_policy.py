"""The policy tree: defaults, contradictions, its written form and its fingerprint."""

import json
import math
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import PolicyError
from lapse.model.policy import (
    SECTIONS,
    SETTINGS,
    ForgettingPolicy,
    LawPolicy,
    Mode,
    Policy,
    RetentionPolicy,
    RetentionScore,
    ScoringPolicy,
    describe,
    fingerprint,
    to_mapping,
    value_at,
)
from lapse.model.policy_layers import DEFAULT, Diff, apply, diff_mapping, difference
from lapse.model.policy_sources import from_diff, from_mapping
from lapse.model.settings import Spec, ValueType

# Values, not settings: the numbers the design states, so that none changes unnoticed.
STATED = {
    "law.name": "activation",
    "law.anchor": "last_use",
    "law.decay": 0.5,
    "law.age_floor_s": 60,
    "law.importance_weight": 4,
    "law.use_gain": 1,
    "law.decay_per_hour": 0.995,
    "law.half_life_hours": 24,
    "law.base_stability_days": 30,
    "law.max_stability_days": 3650,
    "law.reinforcement_gain": 0.5,
    "law.minimum_quality": 0.1,
    "law.importance_decay_neutral": 0.31,
    "forgetting.enabled": True,
    "forgetting.mode": "rank",
    "forgetting.auto_apply": False,
    "forgetting.strong_cue_coverage": 0.6,
    "forgetting.revive_limit": 2,
    "recall.k": 8,
    "recall.min_relevance": 0,
    "recall.pool_minimum": 100,
    "recall.pool_factor": 3,
    "recall.near_misses": 20,
    "recall.rrf_k": 60,
    "recall.bm25_k1": 1.2,
    "recall.bm25_b": 0.75,
    "recall.near_duplicate_cosine": 0.95,
    "recall.diversity": "off",
    "scoring.boost_alpha": 0.2,
    "scoring.signal_floor": 0.2,
    "scoring.signal_gamma": 1,
    "scoring.default_importance": 0.5,
    "reinforcement.weight_explicit": 1,
    "reinforcement.weight_cited": 0.8,
    "reinforcement.weight_reconfirmed": 0.6,
    "reinforcement.weight_evidence": 0.5,
    "reinforcement.weight_returned": 0,
    "reinforcement.rejected_factor": 0.5,
    "reinforcement.event_horizon_days": 30,
    "reinforcement.reflect_limit": 20,
    "retention.score": "need",
    "retention.budget_score": "promise",
    "retention.grace_days": 30,
    "retention.protect_importance": 0.9,
    "retention.protect_cited": True,
    "retention.protect_pinned": True,
    "retention.protect_verified": True,
    "retention.prune": False,
    "retention.prune_after_days": 365,
    "retention.plan_expiry_days": 7,
    "retention.max_canary_drop": 0.05,
    "memory.language": "english",
    "memory.max_text_bytes": 65536,
    "memory.default_kind": "semantic",
    "memory.ingest_kind": "episodic",
    "memory.confidence": 0.5,
    "memory.ram_bank_limit": 200_000,
    "importance.rater": "heuristic",
    "reflection.threshold": 15,
    "cache.ttl_hours": 24,
}


def values_of(spec: Spec) -> st.SearchStrategy[Any]:  # the type differs from setting to setting
    """Every value that a setting may have."""
    low, high = spec.within.low, spec.within.high
    number = st.floats(
        min_value=None if math.isinf(low) else low,
        max_value=None if math.isinf(high) else high,
        exclude_min=spec.within.low_open,
        exclude_max=spec.within.high_open,
        allow_nan=False,
        allow_infinity=False,
    )
    length = spec.setting.length or 0
    strategy: st.SearchStrategy[Any]
    match spec.type:
        case ValueType.BOOLEAN:
            strategy = st.booleans()
        case ValueType.INTEGER:
            strategy = st.integers(min_value=int(low), max_value=int(high))
        case ValueType.NUMBER:
            strategy = number
        case ValueType.TEXT:
            strategy = st.text("abc_é日-", min_size=1, max_size=20)
        case ValueType.CHOICE:
            strategy = st.sampled_from(spec.choices)
        case ValueType.NUMBERS:
            strategy = st.tuples(*[number] * length)
        case ValueType.CHOICES:
            strategy = st.lists(st.sampled_from(spec.choices), min_size=1, unique=True).map(tuple)
        case ValueType.NAMED_NUMBERS:
            strategy = st.dictionaries(
                st.text("abc ", min_size=1).map(str.strip).filter(bool), number
            )
    return st.one_of(st.none(), strategy) if spec.setting.special else strategy


@st.composite
def diffs(draw: st.DrawFn) -> Diff:
    """Any diff over the default that contradicts nothing."""
    paths = draw(st.lists(st.sampled_from(sorted(SETTINGS)), unique=True, max_size=12))
    mapping = {path: draw(values_of(SETTINGS[path])) for path in paths}
    try:
        return from_diff(mapping, over=DEFAULT)
    except PolicyError:
        return Diff()


@given(diff=diffs())
def test_a_policy_survives_its_written_form(diff: Diff) -> None:
    policy = apply(DEFAULT, diff)
    text = json.dumps(to_mapping(policy), allow_nan=False)
    assert from_mapping(json.loads(text)) == policy


@given(diff=diffs())
def test_a_diff_survives_its_written_form(diff: Diff) -> None:
    text = json.dumps(diff_mapping(diff), allow_nan=False)
    assert dict(from_diff(json.loads(text)).values) == dict(diff.values)


@given(diff=diffs())
def test_the_difference_of_two_policies_turns_one_into_the_other(diff: Diff) -> None:
    policy = apply(DEFAULT, diff)
    assert apply(DEFAULT, difference(policy)) == policy
    assert apply(policy, difference(DEFAULT, policy)) == DEFAULT


@given(one=diffs(), other=diffs())
def test_fingerprints_are_equal_exactly_when_policies_are(one: Diff, other: Diff) -> None:
    first, second = apply(DEFAULT, one), apply(DEFAULT, other)
    assert (fingerprint(first) == fingerprint(second)) is (first == second)


def test_a_fingerprint_is_the_same_in_another_process_and_for_either_zero() -> None:
    assert len(fingerprint(Policy())) == 64
    zeroes = [Policy(scoring=ScoringPolicy(weight_recency=zero)) for zero in (0.0, -0.0)]
    assert fingerprint(zeroes[0]) == fingerprint(zeroes[1])
    code = "from lapse.model.policy import Policy, fingerprint; print(fingerprint(Policy()))"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == fingerprint(Policy())


def test_the_defaults_are_the_stated_ones() -> None:
    policy = Policy()
    assert {path: value_at(policy, path) for path in STATED} == STATED


def test_what_is_the_laws_own_is_left_to_the_law() -> None:
    law = Policy().law
    assert law.threshold is None
    assert law.noise is None
    assert law.cooldown_hours is None
    assert law.archive_level is None
    assert law.need_slope is None
    assert law.need_offset is None
    assert Policy().forgetting.recall_threshold is None


def test_the_tree_is_described_completely_and_in_order() -> None:
    described = list(describe())
    assert [spec.path for spec in described] == list(SETTINGS)
    assert sum(len(section.section) > 0 for section in SECTIONS) == len(SECTIONS)
    assert set(to_mapping(Policy())) == {section.section for section in SECTIONS}
    written = to_mapping(Policy())
    paths = [
        f"{name}.{key}" for name, part in written.items() if isinstance(part, dict) for key in part
    ]
    assert paths == list(SETTINGS)


def test_a_policy_cannot_be_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        Policy().law.decay = 0.7  # type: ignore[misc]  # the point of the test


@pytest.mark.parametrize(
    ("sections", "paths"),
    [
        (
            {
                "scoring": ScoringPolicy(
                    weight_recency=0.0, weight_importance=0.0, weight_relevance=0.0
                )
            },
            "scoring.weight_recency, scoring.weight_importance, scoring.weight_relevance",
        ),
        (
            {
                "forgetting": ForgettingPolicy(auto_apply=True),
                "retention": RetentionPolicy(two_person=True),
            },
            "retention.two_person, forgetting.auto_apply",
        ),
        (
            {"law": LawPolicy(base_stability_days=100.0, max_stability_days=99.0)},
            "law.base_stability_days, law.max_stability_days",
        ),
        (
            {"retention": RetentionPolicy(score=RetentionScore.MEAN)},
            "retention.score, retention.level",
        ),
        (
            {"retention": RetentionPolicy(score=RetentionScore.NEED, level=-3.0)},
            "retention.score, retention.level",
        ),
    ],
)
def test_settings_that_contradict_each_other_are_refused(
    sections: dict[str, Any], paths: str
) -> None:
    with pytest.raises(PolicyError) as caught:
        Policy(**sections)
    assert [each.field for each in caught.value.faults] == [paths]


def test_a_level_of_activation_may_be_below_zero() -> None:
    retention = RetentionPolicy(score=RetentionScore.ACTIVATION, level=-3.0)
    assert Policy(retention=retention).retention.level == -3.0


def test_forgetting_that_is_not_enabled_is_off_whatever_its_mode() -> None:
    forgetting = ForgettingPolicy(enabled=False, mode=Mode.LIFECYCLE)
    assert forgetting.effective_mode is Mode.OFF
    assert replace(forgetting, enabled=True).effective_mode is Mode.LIFECYCLE


def test_each_mode_allows_what_the_ones_before_it_do() -> None:
    modes = list(Mode)
    assert modes == [Mode.OFF, Mode.OBSERVE, Mode.RANK, Mode.FILTER, Mode.LIFECYCLE]
    for lower, mode in enumerate(modes):
        assert [mode.allows(other) for other in modes] == [i <= lower for i in range(len(modes))]
