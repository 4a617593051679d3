"""Changing a bank's policy.

Decides that a diff is laid over the stored one, checked whole, and journalled; states follow.
Refuses a policy with any fault: the previous one stays in force.
"""

from collections.abc import Mapping
from dataclasses import replace

from lapse.engine.core import Core, check_actor
from lapse.engine.policy_history import note_replaced, proposed, replaced
from lapse.engine.redating import follow_policy_within
from lapse.engine.rereading import reread
from lapse.engine.runtime import BankRuntime
from lapse.errors import PolicyError, ValidationError, fault
from lapse.model.changeset import Changes
from lapse.model.journal import JournalDraft
from lapse.model.memory import JsonValue
from lapse.model.policy import Policy
from lapse.model.policy_layers import Diff, Resolved, combine, diff_mapping
from lapse.model.policy_sources import from_diff, paths_of, unknown_of, without
from lapse.model.setting_values import is_blank
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.text.tokens import Tokeniser

REDATED_AT_ONCE = 10_000
"""Memories dated anew before the call returns; the rest of a larger bank follows off the path."""


def check_names(policy: Policy) -> None:
    """Refuse a policy that names a language no tokeniser knows.

    Raises:
        PolicyError: With the names that would be right.
    """
    try:
        Tokeniser(policy.memory.language)
    except ValidationError as error:
        raise PolicyError(replace(each, field="memory.language") for each in error.faults) from None


def set_policy(
    core: Core,
    runtime: BankRuntime,
    diff: Mapping[str, JsonValue],
    by: str,
    *,
    about: str = "",
) -> Resolved:
    """Lay a diff over the bank's stored policy. A blank value is inherited again.

    Args:
        core, runtime: The bank.
        diff: Settings by path.
        by: Who changes it, for the journal.
        about: The proposal that is taken, or what is taken back, for the journal.

    Raises:
        PolicyError: Every fault of the result, by dotted path; nothing changed.
        ValidationError: `by` is no name.
    """
    check_actor(by)
    _check_shape(diff)
    runtime.follow()
    now = core.now()
    before = runtime.rule
    held = paths_of({} if runtime.bank is None else runtime.bank.policy)
    # What the bank holds and nobody knows, such as another version's setting, can be left blank.
    dropped = [name for name in unknown_of(held) if is_blank(paths_of(diff).get(name, name))]
    newer = _read(without(diff, dropped), before.policy)

    def judge(view: View) -> Changes:
        # Stored values that the diff replaces need not be right: that is how they are mended.
        kept = without(view.bank.policy, (*newer.values, *newer.unset, *dropped))
        older = from_diff(kept) if kept else Diff(values={})
        stored = diff_mapping(combine(older, newer))
        check_names(runtime.rule_of(stored).policy)
        bank = replace(
            view.bank,
            policy=stored,
            policy_version=view.bank.policy_version + 1,
            law=view.bank.law or before.stamp,
        )
        entry = JournalDraft(verb=Verb.SET_POLICY, at=now, by=by, about=about)
        return Changes(bank=bank, journal=entry)

    note_replaced(core, runtime, now)
    core.commit(Verb.SET_POLICY, runtime.ref, now, Reads(), judge)
    runtime.follow()
    if not follow_policy_within(core, runtime, REDATED_AT_ONCE).finished:
        core.parts.wake()
    reread(core, runtime)
    return runtime.rule.resolved


def apply_proposal(core: Core, runtime: BankRuntime, proposal_id: str, by: str) -> Resolved:
    """Lay a proposal over the bank's policy; the journal names it.

    Raises:
        NotFoundError: No such proposal, or its time is over.
        PolicyError: Every fault of the result; nothing changed.
    """
    found = proposed(core, runtime, proposal_id)
    return set_policy(core, runtime, found.settings, by, about=f"proposal {found.id}")


def revert(core: Core, runtime: BankRuntime, by: str) -> Resolved:
    """Put the settings in force again that the last change replaced.

    Raises:
        NotFoundError: There was no change, or too long ago.
        PolicyError: They cannot be in force any more; nothing changed.
    """
    runtime.follow()
    earlier = replaced(core, runtime)
    own = paths_of({} if runtime.bank is None else runtime.bank.policy)
    diff: dict[str, JsonValue] = dict.fromkeys(own, "")
    for section, settings in earlier.settings.items():
        if isinstance(settings, Mapping):
            diff.update({f"{section}.{name}": value for name, value in settings.items()})
    return set_policy(core, runtime, diff, by, about=f"back to version {earlier.version}")


def _read(diff: Mapping[str, object], policy: Policy) -> Diff:
    try:
        return from_diff(diff)
    except PolicyError:
        # Told together with what it contradicts, so that every fault is told at once.
        from_diff(diff, over=policy)
        raise


def _check_shape(diff: object) -> None:
    if not isinstance(diff, Mapping) or not all(isinstance(each, str) for each in diff):
        raise PolicyError([fault("diff", type(diff).__name__, "needs settings by name")])
