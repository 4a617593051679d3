"""Hypothesis strategies for every value of the model, built from the declared types.

Decides what an arbitrary but valid value of each dataclass is. A field whose type says less than
its dataclass demands (a share in [0, 1], a non-blank name) has an entry of its own here.
"""

import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache

from hypothesis import strategies as st

from lapse.model.answer import CachedAnswer
from lapse.model.bank import Space
from lapse.model.canary import Canary
from lapse.model.closing import Closing, ClosingKind
from lapse.model.finding import ChangeKind
from lapse.model.hold import Hold, HoldScope, HoldTarget
from lapse.model.instants import EARLIEST, LATEST, Instant
from lapse.model.memory import BankRef, Draft, JsonValue
from lapse.model.paging import Listing
from lapse.model.plan import Plan, PlanItem, PlanVerb
from lapse.model.proposal import Proposal, ProposalKind, ProposalStatus
from lapse.model.query import Candidate, Scope
from lapse.model.retention import TRACE_COUNT, RetentionState, Strength, Transition, UseEvent
from lapse.model.shapes import hints_of
from lapse.model.tombstone import EXACT_BYTES, SLIP_BYTES, SUM_BYTES, Lift, Tombstone

Built = st.SearchStrategy[object]

INSTANTS = st.integers(EARLIEST, LATEST).map(Instant)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
SHARES = st.floats(0.0, 1.0)
COUNTS = st.integers(0, 2**63 - 1)
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
NAMES = st.builds(
    lambda first, rest: first + rest, st.characters(categories=["L", "N", "S"]), WORDS
)
JSON: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | FINITE | WORDS,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(WORDS, inner),
    max_leaves=6,
)


def values_of(kind: type) -> Built:
    """Arbitrary valid values of a dataclass."""
    return _RULES.get(kind, _plain)(kind)


def _plain(kind: type, /, **special: Built) -> Built:
    hints = hints_of(kind)
    named = {
        each.name: special[each.name] if each.name in special else _of_hint(hints[each.name])
        for each in fields(kind)
    }
    return st.builds(kind, **named)


@cache
def _of_hint(hint: object) -> Built:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _of_union(arguments)
    if origin is tuple:
        return _of_tuple(arguments)
    if origin is Sequence:
        return _of_tuple((*arguments, Ellipsis))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        inner = FINITE if arguments[1] is float else JSON
        return st.dictionaries(WORDS, inner, max_size=3)
    if hint is Instant:
        return INSTANTS
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return values_of(hint)
    return _SCALARS[hint]


def _of_union(arguments: tuple[object, ...]) -> Built:
    present = [each for each in arguments if each is not type(None)]
    return st.none() | (_of_hint(present[0]) if len(present) == 1 else JSON)


def _of_tuple(arguments: tuple[object, ...]) -> Built:
    if arguments[-1] is Ellipsis:
        return st.lists(_of_hint(arguments[0]), max_size=2).map(tuple)
    return st.tuples(*(_of_hint(each) for each in arguments))


def _draft(kind: type) -> Built:
    names = st.none() | NAMES
    lists = st.lists(NAMES, max_size=2).map(tuple)
    bounds = st.lists(INSTANTS, min_size=2, max_size=2, unique=True).map(sorted)
    plain = _plain(
        kind,
        id=names,
        key=NAMES,
        value=st.none() | NAMES,
        subject=names,
        session=names,
        source=names,
        entities=lists,
        tags=lists,
        derived_from=lists,
        importance=st.none() | SHARES,
        confidence=st.none() | SHARES,
        proof_count=st.integers(1, 2**63 - 1),
        exempt_reason=names,
        valid_from=st.none(),
    )
    return st.builds(_with_interval, plain, bounds, st.integers(0, 3))


def _with_interval(draft: Draft, bounds: list[Instant], which: int) -> Draft:
    start = bounds[0] if which & 1 else None
    end = bounds[1] if which & 2 else None
    return _replaced(draft, valid_from=start, valid_to=end)


def _replaced(draft: Draft, **changes: object) -> Draft:
    held = {each.name: getattr(draft, each.name) for each in fields(draft)}
    return Draft(**(held | changes))


def _hold(kind: type) -> Built:
    targets = st.one_of(
        st.just(HoldTarget(scope=HoldScope.BANK)),
        st.builds(HoldTarget, scope=st.just(HoldScope.TAG), values=st.tuples(NAMES)),
        st.builds(
            HoldTarget,
            scope=st.just(HoldScope.IDS),
            values=st.lists(NAMES, min_size=1, max_size=2).map(tuple),
        ),
    )
    return _plain(kind, name=NAMES, target=targets, holder=NAMES, reason=NAMES)


def _closing(kind: type) -> Built:
    end = {"recorded_from": st.just(EARLIEST), "recorded_to": st.none() | INSTANTS}
    taken = _plain(
        kind,
        memory_id=st.just("old"),
        kind=st.just(ClosingKind.RETRACTED),
        by_id=st.none() | st.just("new"),
        starts_at=st.none(),
        rest_id=st.none(),
        **end,
    )
    return taken | _plain(
        kind,
        memory_id=st.just("old"),
        kind=st.just(ClosingKind.SUPERSEDED),
        by_id=st.none() | st.just("new"),
        starts_at=INSTANTS,
        **end,
    )


def _proposal(kind: type) -> Built:
    named = {"memory_id": st.just("new"), "other_ids": st.just(("old", "older"))}
    waiting = {"status": st.just(ProposalStatus.OPEN), "decided_at": st.none()}
    decided = {"status": st.just(ProposalStatus.DISMISSED), "decided_at": INSTANTS}
    told = {"kind": st.just(ProposalKind.RESTATE), "change": st.none()}
    found = {"kind": st.just(ProposalKind.REPLACE), "change": st.sampled_from(ChangeKind)}
    return _plain(kind, **named, **waiting, **told, confidence=SHARES) | _plain(
        kind, **named, **decided, **found, confidence=SHARES
    )


def _plan(kind: type) -> Built:
    verb = st.just(PlanVerb.ARCHIVE)
    names = st.lists(NAMES, max_size=2, unique=True)
    items = names.flatmap(
        lambda each: st.tuples(*(_plain(PlanItem, verb=verb, memory_id=st.just(n)) for n in each))
    )
    return _plain(kind, verb=verb, items=items)


def _transition(kind: type) -> Built:
    # Its own kind within itself, as deep as suppressing, then archiving, makes it.
    first = _plain(kind, prior_transition=st.none())
    return _plain(kind, prior_transition=st.none() | first)


def _strength(kind: type) -> Built:
    return _plain(
        kind,
        traces=st.lists(st.floats(0, 1e6), min_size=TRACE_COUNT, max_size=TRACE_COUNT).map(tuple),
        stability_days=st.floats(1e-6, 36_500),
        difficulty=st.floats(1, 10),
        access_count=COUNTS,
        reinforcement_count=COUNTS,
    )


def _tombstone(kind: type) -> Built:
    return _plain(
        kind,
        id=NAMES,
        key_id=NAMES,
        by=NAMES,
        exact=st.binary(min_size=EXACT_BYTES, max_size=EXACT_BYTES),
        sums=st.binary(min_size=SUM_BYTES, max_size=SUM_BYTES),
        slips=st.binary(min_size=SLIP_BYTES, max_size=SLIP_BYTES),
    )


_SCALARS: Mapping[object, Built] = {
    bool: st.booleans(),
    int: st.integers(-(2**63), 2**63 - 1),
    float: FINITE,
    str: st.text(max_size=12),
    bytes: st.binary(max_size=8),
    JsonValue: JSON,
}

_RULES: Mapping[type, Callable[[type], Built]] = {
    Canary: lambda kind: _plain(
        kind,
        query=NAMES,
        expected_ids=st.lists(NAMES, min_size=1, max_size=3, unique=True).map(tuple),
    ),
    BankRef: lambda kind: _plain(kind, tenant=NAMES, name=NAMES),
    CachedAnswer: lambda kind: _plain(
        kind,
        **dict.fromkeys(("id", "query", "answer", "domain"), NAMES),
        sources=st.lists(NAMES, max_size=2, unique=True).map(tuple),
        put_at=st.just(EARLIEST),
    ),
    Draft: _draft,
    Strength: _strength,
    Space: lambda kind: _plain(kind, number=COUNTS, dimension=COUNTS, epoch=COUNTS),
    Lift: lambda kind: _plain(kind, by=NAMES, reason=NAMES),
    Tombstone: _tombstone,
    Closing: _closing,
    Proposal: _proposal,
    Transition: _transition,
    Hold: _hold,
    Plan: _plan,
    HoldTarget: lambda kind: _plain(kind, scope=st.just(HoldScope.TAG), values=st.tuples(NAMES)),
    RetentionState: lambda kind: _plain(kind, importance=st.none() | SHARES, exempt_reason=NAMES),
    UseEvent: lambda kind: _plain(kind, event_id=NAMES, weight=SHARES),
    Listing: lambda kind: _plain(kind, after=COUNTS, limit=st.integers(1, 1000)),
    Scope: lambda kind: _plain(kind, max_age_hours=st.none() | st.floats(0, 1e9)),
    Candidate: lambda kind: _plain(
        kind,
        id=NAMES,
        text=WORDS,
        key=NAMES,
        value=st.none() | WORDS,
        session=st.none() | NAMES,
        subject=st.none() | NAMES,
        tags=st.lists(NAMES, max_size=2).map(tuple),
        importance=st.none() | SHARES,
        score=st.none() | FINITE,
        vector=st.none() | st.lists(FINITE, max_size=3).map(tuple),
        valid_to=st.none(),
    ),
}
