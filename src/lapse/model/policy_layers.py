"""Which layer's setting wins, and where each value in force came from.

Decides the order of the layers, field by field, and what a single request may change. Refuses to
read text (`policy_sources`) and to keep anything: every function here returns a new value, so that
the previous policy stays in force whenever one is refused.

    request > bank > environment > TOML > stored > preset > default
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from types import MappingProxyType

from lapse.errors import Fault, PolicyError, fault
from lapse.model.memory import JsonValue
from lapse.model.policy import SETTINGS, Mode, Policy, to_json, value_at
from lapse.model.policy_model import ENDPOINT, KEY_VARIABLE, MODEL
from lapse.model.setting_values import nearest, refused, shown_name
from lapse.model.settings import Value

DEFAULT = Policy()
"""The policy of an untouched deployment: the preset `assistant`."""

REQUEST_PATHS = frozenset(
    {
        "recall.k",
        "recall.budget_words",
        "recall.budget_tokens",
        "recall.max_age_hours",
        "recall.explain",
        "scoring.scorer",
        "scoring.weight_recency",
        "scoring.weight_importance",
        "scoring.weight_relevance",
        "scoring.blend_recency_weight",
        "forgetting.mode",
    }
)
"""Settings that a single request may change; the mode only downwards."""

DEPLOYMENT_PATHS = frozenset(
    {
        MODEL,
        ENDPOINT,
        KEY_VARIABLE,
        "importance.timeout_s",
        "importance.max_answer_tokens",
    }
)
"""Settings that no bank has of its own: whoever may change a bank's policy could otherwise have its
texts, and the deployment's key, sent wherever they like."""


class Origin(StrEnum):
    """Layer that a value comes from, strongest first."""

    REQUEST = "request"
    BANK = "bank"
    ENVIRONMENT = "environment"
    TOML = "toml"
    STORED = "stored"
    PRESET = "preset"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """Some settings, by dotted path, over whatever lies beneath.

    Attributes:
        values: What is set. Paths and values are checked when the diff is applied.
        unset: Paths that were left blank: `combine` removes them from the older diff, so that they
            are inherited again.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    unset: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A diff and the place it has in the order."""

    origin: Origin
    diff: Diff


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A policy in force, with the origin of each setting.

    Attributes:
        policy: Every setting.
        origins: Origin of the settings that some layer set; all others are defaults.
    """

    policy: Policy = DEFAULT
    origins: Mapping[str, Origin] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "origins", MappingProxyType(dict(self.origins)))

    def origin_of(self, path: str) -> Origin:
        """Layer that decided a setting, such as `law.decay`.

        Raises:
            PolicyError: No setting has this path.
        """
        if path not in SETTINGS:
            raise PolicyError([unknown(path)])
        return self.origins.get(path, Origin.DEFAULT)


def merge(layers: Iterable[Layer]) -> Resolved:
    """Merge layers field by field; their order in `layers` does not matter, their origin does.

    Raises:
        PolicyError: Every fault of the result, or a bank or a request that asks for more than it
            may.
        ValueError: Two layers have the same origin.
    """
    by_origin: dict[Origin, Diff] = {}
    for layer in layers:
        if layer.origin in by_origin:
            raise ValueError(f"two layers of origin {layer.origin}; combine them first")
        by_origin[layer.origin] = layer.diff
    _check_bank(by_origin.get(Origin.BANK, Diff()))
    request = by_origin.pop(Origin.REQUEST, None)
    values: dict[str, Value] = {}
    origins: dict[str, Origin] = {}
    for origin in reversed(Origin):
        if origin in by_origin:
            values.update(by_origin[origin].values)
            origins.update(dict.fromkeys(by_origin[origin].values, origin))
    beneath = Resolved(policy=apply(DEFAULT, Diff(values=values)), origins=origins)
    return beneath if request is None else with_request(beneath, request)


def with_request(beneath: Resolved, request: Diff) -> Resolved:
    """Lay what one request asks for over the policy in force; only its sections are built anew.

    Raises:
        PolicyError: What no request may change, a mode above the one in force, or a fault.
    """
    faults = request_faults(request, beneath.policy)
    if faults:
        raise PolicyError(faults)
    if not request.values:
        return beneath
    asked = dict.fromkeys(request.values, Origin.REQUEST)
    return Resolved(policy=apply(beneath.policy, request), origins={**beneath.origins, **asked})


def request_faults(request: Diff, beneath: Policy) -> tuple[Fault, ...]:
    """What a request asks for that no request may have, over the policy in force."""
    allowed = ", ".join(sorted(REQUEST_PATHS))
    faults = [
        refused(path, value, f"a request may not change this; it may change {allowed}")
        for path, value in request.values.items()
        if path not in REQUEST_PATHS
    ]
    mode = request.values.get("forgetting.mode")
    highest = beneath.forgetting.mode
    if isinstance(mode, Mode) and not highest.allows(mode):
        faults.append(
            fault(
                "forgetting.mode",
                mode.value,
                f"a request may only lower the mode; {highest.value} is in force",
            )
        )
    return tuple(faults)


def apply(policy: Policy, diff: Diff) -> Policy:
    """The policy with a diff laid over it; `policy` itself stays as it is.

    Raises:
        PolicyError: All faults of the result: unknown paths, values, contradictions.
    """
    faults = [unknown(path) for path in diff.values if path not in SETTINGS]
    sections: dict[str, object] = {}
    for each in fields(Policy):
        prefix = each.name + "."
        changed = {
            path.removeprefix(prefix): value
            for path, value in diff.values.items()
            if path.startswith(prefix) and path in SETTINGS
        }
        if changed:
            try:
                sections[each.name] = replace(getattr(policy, each.name), **changed)
            except PolicyError as error:
                faults.extend(error.faults)
    if faults:
        raise PolicyError(faults)
    renew: Callable[..., Policy] = replace  # the sections were made by their own types above
    return renew(policy, **sections) if sections else policy


def difference(policy: Policy, base: Policy = DEFAULT) -> Diff:
    """The diff that turns `base` into `policy`: only what differs."""
    return Diff(
        values={
            path: value_at(policy, path)
            for path in SETTINGS
            if value_at(policy, path) != value_at(base, path)
        }
    )


def combine(older: Diff, newer: Diff) -> Diff:
    """One diff that does what `older` and then `newer` do; blank in `newer` is inherited again."""
    kept = {path: value for path, value in older.values.items() if path not in newer.unset}
    return Diff(
        values={**kept, **newer.values},
        unset=(older.unset | newer.unset) - newer.values.keys(),
    )


def diff_mapping(diff: Diff) -> dict[str, dict[str, JsonValue]]:
    """The diff as nested plain values, as stored; `policy_sources.from_diff` reads it back."""
    nested: dict[str, dict[str, JsonValue]] = {}
    for path, spec in SETTINGS.items():
        if path in diff.values:
            section = nested.setdefault(path.split(".")[0], {})
            section[spec.name] = to_json(spec, diff.values[path])
    return nested


def _check_bank(own: Diff) -> None:
    faults = [
        # Not shown: an address may hold what its writer took for a place of the key.
        Fault(
            field=path,
            value="…",
            problem="belongs to the deployment, not to a bank: set it in its file of settings or as"
            f" LAPSE_{path.replace('.', '__').upper()}",
        )
        for path in own.values
        if path in DEPLOYMENT_PATHS
    ]
    if faults:
        raise PolicyError(faults)


def unknown(path: str) -> Fault:
    """The fault of a path that no setting has, with the nearest one that exists."""
    meant = nearest(path, tuple(SETTINGS))
    return Fault(field=shown_name(path), value="…", problem=f"is no setting{meant}")
