"""The guards: one table of which are asked for what, in which order, and the judgements themselves.

Decides whether a memory may be suppressed, archived, pruned or erased, and names the first guard
that spares it. It is asked when something is planned and again inside the transaction that acts.
Refuses to act, to choose and to read a clock.

A memory that a person names is refused only by what somebody else has said of it: a hold, a pin, a
verified outcome, an exemption, an audit; and by being there already. Importance, citations, grace
and use guard against choices made by score, since what was said a minute ago may still be unwanted.
Pruning makes room and is nobody's wish about one memory, so every guard is asked, named or not.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from lapse.lifecycle.holds import holding
from lapse.model.guards import Basis, Choice, Guard, Planned
from lapse.model.instants import Instant, plus_days
from lapse.model.policy import GraceAnchor, Policy
from lapse.model.record import Record
from lapse.model.retention import Lifecycle, RetentionState
from lapse.model.verbs import Verb
from lapse.model.view import View

_ATTENTION: Final = (
    Guard.HOLD,
    Guard.PINNED,
    Guard.VERIFIED,
    Guard.EXEMPT,
    Guard.AUDIT_EVIDENCE,
    Guard.IMPORTANT,
    Guard.CITED,
    Guard.RECENTLY_RESTORED,
    Guard.IN_GRACE,
    Guard.ALREADY_THERE,
    Guard.CHANGED,
    Guard.USED,
)

GUARDS: Final[Mapping[Verb, tuple[Guard, ...]]] = MappingProxyType(
    {
        Verb.SUPPRESS: _ATTENTION,
        Verb.ARCHIVE: _ATTENTION,
        Verb.PRUNE: (*_ATTENTION, Guard.TAKES_PLACE),
        Verb.ERASE: (Guard.HOLD,),
    }
)
"""Which guards are asked for which act, in this order: the first that objects is the reason."""

NAMED: Final = frozenset(
    {
        Guard.HOLD,
        Guard.PINNED,
        Guard.VERIFIED,
        Guard.EXEMPT,
        Guard.AUDIT_EVIDENCE,
        Guard.ALREADY_THERE,
    }
)
"""The guards that refuse a named choice too."""

_BEYOND: Final[Mapping[Verb, frozenset[Lifecycle]]] = MappingProxyType(
    {
        # What is archived is out of sight already: suppressing it would bring it nearer.
        Verb.SUPPRESS: frozenset({Lifecycle.SUPPRESSED, Lifecycle.ARCHIVED, Lifecycle.ERASED}),
        Verb.ARCHIVE: frozenset({Lifecycle.ARCHIVED, Lifecycle.ERASED}),
        Verb.PRUNE: frozenset({Lifecycle.ERASED}),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One memory before the guards.

    Attributes:
        record: The memory and its state as they are now.
        holds: Names of the holds that cover it.
        cited_by: Ids of active memories that cite it.
        planned: What it was when it was chosen, or None when the choice is acted on at once.
        closes: Whether it closed another memory, as far as closings were read.
    """

    record: Record
    holds: tuple[str, ...] = ()
    cited_by: tuple[str, ...] = ()
    planned: Planned | None = None
    closes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What is to be done with memories, and the rules it is judged by.

    Attributes:
        verb: A key of `GUARDS`.
        policy: Policy in force.
        now: The instant at which it is judged.
    """

    verb: Verb
    policy: Policy
    now: Instant


def subject_of(view: View, memory_id: str, planned: Planned | None = None) -> Subject:
    """A memory of a view, with its holds and citations, ready to be judged."""
    record = view.records[memory_id]
    return Subject(
        record=record,
        holds=holding(view.holds, record.memory),
        cited_by=view.cited_by.get(memory_id, ()),
        planned=planned,
        closes=any(memory_id in (each.by_id, each.rest_id) for each in view.closings),
    )


def judge(act: Act, choice: Choice, subject: Subject) -> Guard | None:
    """The first guard that spares the memory, or None when it may go."""
    for guard in GUARDS[act.verb]:
        refuses = choice is Choice.SCORED or guard in NAMED or act.verb is Verb.PRUNE
        if refuses and _objects(guard, act, subject):
            return guard
    return None


def own_guard(state: RetentionState, policy: Policy) -> Guard | None:
    """The guard that a memory carries itself, whoever asks: it does not fade at all.

    What such a guard spares is not dated, so that a sweep never reads it; but importance does not
    spare what has expired. It is the last to be named.
    """
    return next((guard for guard, carries in _OWN.items() if carries(policy, state)), None)


def importance_of(policy: Policy, state: RetentionState) -> float:
    """The rating, in [0, 1], or the policy's default where nobody rated it."""
    rated = state.importance
    return policy.scoring.default_importance if rated is None else rated


def _objects(guard: Guard, act: Act, subject: Subject) -> bool:
    if guard is Guard.IMPORTANT and _expired(act, subject):
        # Importance guards against fading: what was told until a certain instant is over then.
        return False
    own = _OWN.get(guard)
    if own is not None:
        return own(act.policy, subject.record.state)
    return _OBJECTIONS[guard](act, subject)


def _important(policy: Policy, state: RetentionState) -> bool:
    protect = policy.retention.protect_importance
    return protect is not None and importance_of(policy, state) >= protect


def _cited(act: Act, subject: Subject) -> bool:
    return act.policy.retention.protect_cited and bool(subject.cited_by)


def _recently_restored(act: Act, subject: Subject) -> bool:
    until = subject.record.state.protected_until
    return until is not None and act.now < until


def _in_grace(act: Act, subject: Subject) -> bool:
    if act.verb is Verb.PRUNE:
        return not _long_archived(act, subject.record.state)
    if _expired(act, subject):
        return False
    since = _below_since(act, subject)
    return since is None or act.now < plus_days(since, act.policy.retention.grace_days)


def _expired(act: Act, subject: Subject) -> bool:
    expires_at = subject.record.memory.expires_at
    return expires_at is not None and expires_at <= act.now


def _long_archived(act: Act, state: RetentionState) -> bool:
    if state.lifecycle is not Lifecycle.ARCHIVED or state.transition is None:
        return False
    due = plus_days(state.transition.at, act.policy.retention.prune_after_days)
    return due <= act.now


def _below_since(act: Act, subject: Subject) -> Instant | None:
    """From when the grace period counts; None while the memory is not below its level at all."""
    state, planned = subject.record.state, subject.planned
    from_creation = act.policy.retention.grace_anchor is GraceAnchor.CREATED
    if planned is None or planned.basis is Basis.DATED:
        fallen = state.fades_at
        if fallen is None or act.now < fallen:
            return None
        return state.created_at if from_creation else fallen
    used_at = state.strength.last_counted_at
    if from_creation or used_at is None:
        return state.created_at
    return max(used_at, state.created_at)


def _already_there(act: Act, subject: Subject) -> bool:
    return subject.record.state.lifecycle in _BEYOND[act.verb]


def _changed(_act: Act, subject: Subject) -> bool:
    planned, memory = subject.planned, subject.record.memory
    return planned is not None and (planned.content_version, planned.current) != (
        memory.content_version,
        memory.current,
    )


def _takes_place(_act: Act, subject: Subject) -> bool:
    return subject.closes or subject.record.memory.supersedes is not None


def _used(_act: Act, subject: Subject) -> bool:
    planned, strength = subject.planned, subject.record.state.strength
    return planned is not None and (planned.reinforcement_count, planned.last_counted_at) != (
        strength.reinforcement_count,
        strength.last_counted_at,
    )


_OWN: Final[Mapping[Guard, Callable[[Policy, RetentionState], bool]]] = MappingProxyType(
    {
        Guard.PINNED: lambda policy, state: state.pinned and policy.retention.protect_pinned,
        Guard.VERIFIED: lambda policy, state: state.verified and policy.retention.protect_verified,
        Guard.EXEMPT: lambda _policy, state: state.exempt,
        Guard.AUDIT_EVIDENCE: lambda _policy, state: state.audit_evidence,
        Guard.IMPORTANT: _important,
    }
)

_OBJECTIONS: Final[Mapping[Guard, Callable[[Act, Subject], bool]]] = MappingProxyType(
    {
        Guard.HOLD: lambda _act, subject: bool(subject.holds),
        Guard.CITED: _cited,
        Guard.RECENTLY_RESTORED: _recently_restored,
        Guard.IN_GRACE: _in_grace,
        Guard.ALREADY_THERE: _already_there,
        Guard.CHANGED: _changed,
        Guard.USED: _used,
        Guard.TAKES_PLACE: _takes_place,
    }
)
