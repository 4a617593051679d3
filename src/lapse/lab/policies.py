"""Naming the policies that are tried out.

A policy is written as `current` (the bank's own), as the name of a preset, or as either of them
with settings laid over it: `support,law.decay=0.6,retention.grace_days=7`.

Decides what such a name means. Refuses to put a policy in force.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from lapse.bank import Bank
from lapse.errors import Fault, ValidationError, fault
from lapse.model import presets
from lapse.model.memory import JsonValue
from lapse.model.policy import SETTINGS, Policy, to_json, value_at
from lapse.model.policy_layers import DEFAULT, Diff, Origin, apply, merge
from lapse.model.policy_sources import from_diff

CURRENT: Final = "current"
"""Names the policy that a bank has."""


def own_settings(bank: Bank) -> dict[str, JsonValue]:
    """The settings that a bank has of its own, by path, those among them that are as by default."""
    resolved = bank.policy()
    own = [path for path, origin in resolved.origins.items() if origin is Origin.BANK]
    return {path: to_json(SETTINGS[path], value_at(resolved.policy, path)) for path in own}


def deployed(bank: Bank) -> Policy:
    """What a bank of the same deployment has that has no settings of its own."""
    return merge(bank.engine.parts.deployment).policy


def read_policies(
    names: Iterable[str], current: Mapping[str, JsonValue]
) -> dict[str, dict[str, JsonValue]]:
    """What each name means, as settings by path over what the deployment has.

    Args:
        names: At least one.
        current: What `current` means.

    Raises:
        ValidationError: Names that mean nothing, or none at all; all of them at once.
        PolicyError: A setting that does not exist, or that it cannot be.
    """
    found: dict[str, dict[str, JsonValue]] = {}
    faults: list[Fault] = []
    for name in names:
        base, *parts = [each.strip() for each in name.split(",")]
        if base == CURRENT:
            settings = dict(current)
        elif base in presets.NAMES:
            settings = _flat(presets.diff(base))
        else:
            known = ", ".join((CURRENT, *presets.NAMES))
            faults.append(fault("policies", name, f"needs one of {known}, first of all"))
            continue
        for each in parts:
            path, equals, value = each.partition("=")
            if not equals:
                faults.append(fault("policies", each, "needs setting=value"))
            settings[path.strip()] = value.strip()
        found[name] = settings
    if faults:
        raise ValidationError(faults)
    if not found:
        raise ValidationError.of("policies", "", "needs at least one")
    return {name: _flat(from_diff(settings)) for name, settings in found.items()}


def policy_of(settings: Mapping[str, JsonValue], base: Policy = DEFAULT) -> Policy:
    """The whole policy that a bank's own settings make.

    Args:
        settings: By path.
        base: What they are laid over: what the deployment has.

    Raises:
        PolicyError: A setting that does not exist, or that it cannot be.
    """
    return apply(base, from_diff(settings) if settings else Diff())


def put_in_force(bank: Bank, settings: Mapping[str, JsonValue], by: str) -> None:
    """Give a bank these settings in place of its own."""
    old = dict.fromkeys(own_settings(bank), "")
    bank.set_policy({**old, **settings}, by=by)


def _flat(diff: Diff) -> dict[str, JsonValue]:
    return {path: to_json(SETTINGS[path], value) for path, value in diff.values.items()}
