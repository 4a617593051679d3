"""Ready-made policies: five domains, and the four systems that Lapse was asked to reproduce.

Decides the numbers of each, as a diff over the default. Refuses to be more than data: a preset can
do nothing that the same settings could not. What each setting of the four systems became is written
in `docs/reference/seed-settings.md`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from types import MappingProxyType

from lapse.errors import PolicyError
from lapse.model.memory import JsonValue
from lapse.model.policy import Policy
from lapse.model.policy_layers import DEFAULT, Diff, apply
from lapse.model.policy_sources import from_diff

_LN_SECONDS_PER_DAY = log(86_400)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A named diff over the default policy.

    Attributes:
        name: Its name.
        doc: For whom it is, in a sentence or two.
        settings: The diff as nested plain values.
    """

    name: str
    doc: str
    settings: Mapping[str, Mapping[str, JsonValue]]


_ALL = (
    Preset(
        name="assistant",
        doc="The default: a general assistant. Forgetting bends the order of what is relevant.",
        settings={},
    ),
    Preset(
        name="companion",
        doc=(
            "A companion with one person. Strength and importance bend the order more than by "
            "default, trivia fades sooner and what mattered lasts longer, and what hardly touches "
            "the question is not brought up at all."
        ),
        settings={
            "law": {"importance_weight": 4.5},
            "recall": {"min_relevance": 0.1},
            "scoring": {"boost_alpha": 0.3},
        },
    ),
    Preset(
        name="support",
        doc=(
            "Customer support. What is not used fades fast, because old troubleshooting steps "
            "describe products that have changed."
        ),
        settings={
            "law": {"decay": 0.7},
        },
    ),
    Preset(
        name="research",
        doc="Research notes. Slow decay, because what was found years ago still holds.",
        settings={
            "law": {"decay": 0.35},
        },
    ),
    Preset(
        name="legal",
        doc=(
            "Legal and compliance work. Slow decay, less weight on a first rating, wide "
            "protection, and nothing leaves attention without a second person."
        ),
        settings={
            "law": {"decay": 0.35, "importance_weight": 3.0},
            "retention": {
                "grace_days": 180.0,
                "max_active": None,
                "protect_importance": 0.7,
                "two_person": True,
            },
        },
    ),
    Preset(
        name="generative_agents",
        doc=(
            "Generative Agents as MemoRizz runs it: recency, importance and relevance weighed "
            "alike after min-max, recall counts as use, suppression by the mean of importance, "
            "usage and recency."
        ),
        settings={
            "law": {"name": "exponential", "decay_per_hour": 0.995, "cooldown_hours": 0.0},
            "recall": {"diversity": "mmr"},
            "scoring": {
                "scorer": "weighted",
                "weight_recency": 1.0,
                "weight_importance": 1.0,
                "weight_relevance": 1.0,
                "normalise": "min_max",
                "default_importance": 0.5,
            },
            "reinforcement": {"weight_returned": 1.0},
            "retention": {
                "score": "mean",
                "level": 0.2,
                "budget_score": "mean",
                "grace_days": 30.0,
                "grace_anchor": "created",
                "kinds": ["semantic", "episodic", "procedural"],
                "plan_limit": 500,
                "max_active": None,
                "protect_importance": None,
            },
            "reflection": {"threshold": 15.0},
            "cache": {"ttl_hours": 24.0},
        },
    ),
    Preset(
        name="rfc",
        doc=(
            "The forgetting RFC for Hindsight: an Ebbinghaus curve with reinforcement, switched "
            "off until somebody switches it on, and then observing first."
        ),
        settings={
            "law": {
                "name": "ebbinghaus",
                "base_stability_days": 30.0,
                "max_stability_days": 3650.0,
                "cooldown_hours": 6.0,
                "archive_level": 0.05,
            },
            "forgetting": {
                "enabled": False,
                "mode": "observe",
                "auto_apply": False,
                "recall_threshold": 0.0,
            },
            "scoring": {
                "scorer": "boost",
                "strong_cue": "bent",
                "boost_alpha": 0.2,
                "signal_floor": 0.2,
                "event_recency": "linear",
                "proof_weight": 0.1,
            },
            "reinforcement": {"enabled": True},
            "retention": {"grace_days": 30.0, "max_active": None, "prune": False},
        },
    ),
    Preset(
        name="actr_sweep",
        doc=(
            "The ACT-R sweep: base-level activation, decay slowed by evidence, a weekly sweep to "
            "a level of activation. Its level of -3.0 holds for ages in days and is kept as such."
        ),
        settings={
            "law": {
                "name": "activation",
                "decay": 0.5,
                "age_floor_s": 1.0,
                "importance_effect": "decay",
                "importance_weight": 0.0,
                "cooldown_hours": 0.0,
            },
            "forgetting": {"mode": "lifecycle", "auto_apply": True, "recall_threshold": 0.0},
            "retention": {
                "score": "activation",
                # -3.0 with ages in days; B in seconds is lower by d·ln 86400 (d = 0.5)
                "level": -3.0 - 0.5 * _LN_SECONDS_PER_DAY,
                "budget_score": "activation",
                "grace_days": 0.0,
                "max_active": None,
                "protect_importance": None,
                "sweep_interval_days": 7.0,
            },
        },
    ),
    Preset(
        name="workbench",
        doc=(
            "The retrieval workbench: TF-IDF cosine blended with recency of a 24-hour half-life, "
            "an inclusive age limit, the latest fact per key, and a budget of words."
        ),
        settings={
            "law": {"name": "half_life", "half_life_hours": 24.0, "anchor": "created"},
            "recall": {
                "k": 10,
                "budget_words": 80,
                "max_age_hours": 168.0,
                "relevance": "tfidf",
                "latest_per_key": True,
                "include_other_sessions": True,
                "duplicates": "off",
            },
            "scoring": {
                "scorer": "blend",
                "blend_recency_weight": 0.0,
                "blend_half_life_hours": 24.0,
            },
        },
    ),
)

PRESETS: Mapping[str, Preset] = MappingProxyType({each.name: each for each in _ALL})
"""Every preset by name; the five domains first."""

NAMES: tuple[str, ...] = tuple(PRESETS)
"""Names of all presets."""

DOMAINS: tuple[str, ...] = ("assistant", "companion", "support", "research", "legal")
"""Names of the presets that are Lapse's own."""


def named(name: str) -> Policy:
    """The policy of a preset.

    Raises:
        PolicyError: There is no preset of this name.
    """
    return apply(DEFAULT, diff(name))


def diff(name: str) -> Diff:
    """The diff of a preset over the default policy.

    Raises:
        PolicyError: There is no preset of this name.
    """
    if name not in PRESETS:
        raise PolicyError.of("preset", name, f"needs one of {', '.join(NAMES)}")
    return from_diff(PRESETS[name].settings, over=DEFAULT)


def assistant() -> Policy:
    """The default policy: a general assistant."""
    return named("assistant")


def companion() -> Policy:
    """A companion with one person: trivia fades sooner, what mattered lasts longer."""
    return named("companion")


def support() -> Policy:
    """Customer support: what is not used fades fast."""
    return named("support")


def research() -> Policy:
    """Research notes: slow decay."""
    return named("research")


def legal() -> Policy:
    """Legal and compliance work: slow decay, wide protection, two people for every plan."""
    return named("legal")


def generative_agents() -> Policy:
    """Generative Agents as MemoRizz runs it."""
    return named("generative_agents")


def rfc() -> Policy:
    """The forgetting RFC for Hindsight: Ebbinghaus, off until switched on."""
    return named("rfc")


def actr_sweep() -> Policy:
    """The ACT-R sweep: activation, evidence slows decay, a weekly sweep to a level."""
    return named("actr_sweep")


def workbench() -> Policy:
    """The retrieval workbench: TF-IDF blended with recency, age and word limits."""
    return named("workbench")
