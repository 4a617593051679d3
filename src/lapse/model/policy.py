"""The policy: every setting of Lapse in one typed tree.

Decides which sections there are, what no combination of settings may be, and the one form in which
a policy is written down. Refuses to read the environment or a file, and to say which layer wins
(`policy_layers`).
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

from lapse.errors import Fault, PolicyError, fault
from lapse.model.memory import JsonValue
from lapse.model.policy_content import (
    CachePolicy,
    ImportancePolicy,
    MemoryPolicy,
    ReflectionPolicy,
)
from lapse.model.policy_enums import (
    Anchor,
    Detect,
    Diversity,
    DuplicatePolicy,
    EventRecency,
    GraceAnchor,
    ImportanceEffect,
    LawName,
    Mode,
    Normalise,
    RaterMode,
    RelevanceKind,
    RetentionScore,
    Scorer,
    StrongCue,
)
from lapse.model.policy_law import FSRS6_WEIGHTS, LawPolicy
from lapse.model.policy_lifecycle import ReinforcementPolicy, RetentionPolicy
from lapse.model.policy_recall import ForgettingPolicy, RecallPolicy, ScoringPolicy
from lapse.model.policy_server import ServerPolicy
from lapse.model.policy_truth import TruthPolicy
from lapse.model.setting_values import Section
from lapse.model.settings import Spec, Value, ValueType, specs_of

__all__ = [
    "FSRS6_WEIGHTS",
    "SETTINGS",
    "Anchor",
    "CachePolicy",
    "Detect",
    "Diversity",
    "DuplicatePolicy",
    "EventRecency",
    "ForgettingPolicy",
    "GraceAnchor",
    "ImportanceEffect",
    "ImportancePolicy",
    "LawName",
    "LawPolicy",
    "MemoryPolicy",
    "Mode",
    "Normalise",
    "Policy",
    "RaterMode",
    "RecallPolicy",
    "ReflectionPolicy",
    "ReinforcementPolicy",
    "RelevanceKind",
    "RetentionPolicy",
    "RetentionScore",
    "Scorer",
    "ScoringPolicy",
    "ServerPolicy",
    "StrongCue",
    "TruthPolicy",
    "describe",
    "fingerprint",
    "to_json",
    "to_mapping",
    "value_at",
]

_SHARES = frozenset(
    {
        RetentionScore.NEED,
        RetentionScore.WEIGHTED_R,
        RetentionScore.MEAN,
        RetentionScore.INFORMATIVE,
    }
)
_LEVELLED_BY_LAW = frozenset(
    {RetentionScore.NEED, RetentionScore.WEIGHTED_R, RetentionScore.ACTIVATION}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Every setting in force for a bank. A section left out has its defaults.

    Raises:
        PolicyError: A combination that contradicts itself, with the paths of all settings involved.
    """

    law: LawPolicy = field(default_factory=LawPolicy)
    forgetting: ForgettingPolicy = field(default_factory=ForgettingPolicy)
    recall: RecallPolicy = field(default_factory=RecallPolicy)
    scoring: ScoringPolicy = field(default_factory=ScoringPolicy)
    reinforcement: ReinforcementPolicy = field(default_factory=ReinforcementPolicy)
    retention: RetentionPolicy = field(default_factory=RetentionPolicy)
    memory: MemoryPolicy = field(default_factory=MemoryPolicy)
    truth: TruthPolicy = field(default_factory=TruthPolicy)
    importance: ImportancePolicy = field(default_factory=ImportancePolicy)
    reflection: ReflectionPolicy = field(default_factory=ReflectionPolicy)
    cache: CachePolicy = field(default_factory=CachePolicy)
    server: ServerPolicy = field(default_factory=ServerPolicy)

    def __post_init__(self) -> None:
        faults = (
            *_law_faults(self),
            *_score_faults(self),
            *_governance_faults(self),
            *_truth_faults(self),
        )
        if faults:
            raise PolicyError(faults)


SECTIONS: tuple[type[Section], ...] = (
    LawPolicy,
    ForgettingPolicy,
    RecallPolicy,
    ScoringPolicy,
    ReinforcementPolicy,
    RetentionPolicy,
    MemoryPolicy,
    TruthPolicy,
    ImportancePolicy,
    ReflectionPolicy,
    CachePolicy,
    ServerPolicy,
)
"""Types of the sections, in the order of the tree."""

SETTINGS: Mapping[str, Spec] = MappingProxyType(
    {spec.path: spec for section in SECTIONS for spec in specs_of(section)}
)
"""Every setting by its dotted path, in the order of the tree."""


def describe() -> Iterator[Spec]:
    """Every setting: path, type, range, unit, default and sentence, in the order of the tree."""
    return iter(SETTINGS.values())


def value_at(policy: Policy, path: str) -> Value:
    """Value of a setting by its dotted path, such as `law.decay`.

    Raises:
        KeyError: No setting has this path.
    """
    spec = SETTINGS[path]
    value: Value = getattr(getattr(policy, path.split(".", maxsplit=1)[0]), spec.name)
    return value


def to_mapping(policy: Policy) -> dict[str, JsonValue]:
    """The policy as nested plain values, complete; `policy_layers.from_mapping` reads it back."""
    return {
        each.name: {
            spec.name: to_json(spec, getattr(getattr(policy, each.name), spec.name))
            for spec in SETTINGS.values()
            if spec.path.startswith(each.name + ".")
        }
        for each in fields(Policy)
    }


def to_json(spec: Spec, value: Value) -> JsonValue:
    """A setting's value as JSON writes it: enums by value, tuples as lists or objects."""
    if isinstance(value, str):
        return str(value)
    if not isinstance(value, tuple):
        return value
    if spec.type is ValueType.NAMED_NUMBERS:
        return {each[0]: each[1] for each in value if isinstance(each, tuple)}
    return [
        str(each) if isinstance(each, str) else float(each)
        for each in value
        if not isinstance(each, tuple)
    ]


def fingerprint(policy: Policy) -> str:
    """SHA-256, in hex, of the policy's canonical JSON: sorted keys, no spaces, ASCII.

    Equal policies have equal fingerprints on every machine.
    """
    text = json.dumps(to_mapping(policy), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _law_faults(policy: Policy) -> Iterator[Fault]:
    law = policy.law
    if law.base_stability_days > law.max_stability_days:
        yield fault(
            "law.base_stability_days, law.max_stability_days",
            (law.base_stability_days, law.max_stability_days),
            "the base may not exceed the maximum",
        )


def _score_faults(policy: Policy) -> Iterator[Fault]:
    scoring, retention = policy.scoring, policy.retention
    if not (scoring.weight_recency or scoring.weight_importance or scoring.weight_relevance):
        yield fault(
            "scoring.weight_recency, scoring.weight_importance, scoring.weight_relevance",
            (0.0, 0.0, 0.0),
            "at least one weight needs to be above 0",
        )
    if retention.level is None:
        if retention.score not in _LEVELLED_BY_LAW:
            yield fault(
                "retention.score, retention.level",
                (retention.score.value, None),
                "this score has no level of the law's; name one",
            )
    elif retention.score in _SHARES and not 0 < retention.level < 1:
        yield fault(
            "retention.score, retention.level",
            (retention.score.value, retention.level),
            "the level of this score needs a number above 0 and below 1",
        )


def _governance_faults(policy: Policy) -> Iterator[Fault]:
    if policy.retention.two_person and policy.forgetting.auto_apply:
        yield fault(
            "retention.two_person, forgetting.auto_apply",
            (True, True),
            "two-person approval excludes automatic application; switch one of them off",
        )


def _truth_faults(policy: Policy) -> Iterator[Fault]:
    truth = policy.truth
    if truth.propose_level > truth.act_level:
        yield fault(
            "truth.propose_level, truth.act_level",
            (truth.propose_level, truth.act_level),
            "what is acted on must be surer than what is proposed",
        )
