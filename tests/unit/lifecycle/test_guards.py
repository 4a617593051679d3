"""One table of guards: who is spared from what, why, and in which order."""

from dataclasses import replace

import pytest

from lapse.lifecycle.guards import GUARDS, NAMED, Act, Subject, judge, own_guard
from lapse.model.guards import Basis, Choice, Guard, Planned
from lapse.model.instants import DAY, Instant
from lapse.model.policy import GraceAnchor, Policy
from lapse.model.record import Record
from lapse.model.retention import Lifecycle, RetentionState, Transition
from lapse.model.verbs import Verb
from lapse.testing.fakes import START, memory, state

NOW = Instant(START + 1000 * DAY)
FADED = replace(state(), fades_at=Instant(START + 10 * DAY), importance=0.1)
AS_IT_IS = Planned(content_version=1, reinforcement_count=0, last_counted_at=None)
ATTENTION = (Verb.SUPPRESS, Verb.ARCHIVE)


def _act(verb: Verb = Verb.SUPPRESS, *, now: Instant = NOW, **retention: object) -> Act:
    policy = Policy()
    changed = replace(policy.retention, **retention)  # type: ignore[arg-type]  # each has its field's type
    return Act(verb=verb, policy=replace(policy, retention=changed), now=now)


def _subject(held: RetentionState = FADED, **beside: object) -> Subject:
    planned = beside.pop("planned", AS_IT_IS)
    record = Record(row=1, memory=replace(memory("a"), **beside), state=held)  # type: ignore[arg-type]
    return Subject(record=record, planned=planned)  # type: ignore[arg-type]  # a Planned or None


def _long_archived() -> RetentionState:
    moved = Transition(at=START, by="x", reason="y", plan_id=None, prior=Lifecycle.ACTIVE)
    return replace(FADED, lifecycle=Lifecycle.ARCHIVED, transition=moved)


SPARED = {
    Guard.HOLD: replace(_subject(), holds=("case 7",)),
    Guard.PINNED: _subject(replace(FADED, pinned=True)),
    Guard.VERIFIED: _subject(replace(FADED, verified=True)),
    Guard.EXEMPT: _subject(replace(FADED, exempt=True, exempt_reason="contract")),
    Guard.AUDIT_EVIDENCE: _subject(replace(FADED, audit_evidence=True)),
    Guard.IMPORTANT: _subject(replace(FADED, importance=0.9)),
    Guard.CITED: replace(_subject(), cited_by=("b",)),
    Guard.RECENTLY_RESTORED: _subject(replace(FADED, protected_until=Instant(NOW + 1))),
    Guard.IN_GRACE: _subject(replace(FADED, fades_at=Instant(NOW - 29 * DAY))),
    Guard.ALREADY_THERE: _subject(replace(FADED, lifecycle=Lifecycle.ARCHIVED)),
    Guard.CHANGED: _subject(content_version=2),
    Guard.USED: _subject(planned=replace(AS_IT_IS, reinforcement_count=1)),
    Guard.TAKES_PLACE: _subject(_long_archived(), supersedes="b"),
}
ASKED = frozenset(Guard) - {Guard.SLICED}
"""Those that are asked about an act; the slice is asked only where a plan is made."""

FROM_ATTENTION = tuple(each for each in Guard if each in ASKED - {Guard.TAKES_PLACE})


def test_every_guard_is_shown_below() -> None:
    assert set(SPARED) == ASKED
    assert all(set(GUARDS[verb]) == set(FROM_ATTENTION) for verb in ATTENTION)
    assert set(GUARDS[Verb.PRUNE]) == ASKED


@pytest.mark.parametrize("choice", Choice)
def test_what_took_the_place_of_another_that_stays_is_not_pruned(choice: Choice) -> None:
    subject = SPARED[Guard.TAKES_PLACE]
    assert judge(_act(Verb.PRUNE), choice, subject) is Guard.TAKES_PLACE
    closing = replace(_subject(_long_archived()), closes=True)
    assert judge(_act(Verb.PRUNE), choice, closing) is Guard.TAKES_PLACE


@pytest.mark.parametrize("verb", ATTENTION)
@pytest.mark.parametrize("guard", FROM_ATTENTION)
def test_each_guard_spares_what_a_score_chose(guard: Guard, verb: Verb) -> None:
    assert judge(_act(verb), Choice.SCORED, SPARED[guard]) is guard


@pytest.mark.parametrize("verb", ATTENTION)
@pytest.mark.parametrize("guard", FROM_ATTENTION)
def test_a_named_choice_is_refused_only_by_what_others_have_said(guard: Guard, verb: Verb) -> None:
    refused = judge(_act(verb), Choice.NAMED, SPARED[guard])
    assert refused is (guard if guard in NAMED else None)


@pytest.mark.parametrize("verb", [*ATTENTION, Verb.ERASE])
def test_what_no_guard_spares_may_go(verb: Verb) -> None:
    assert judge(_act(verb), Choice.SCORED, _subject()) is None


@pytest.mark.parametrize("guard", sorted(ASKED))
def test_only_a_hold_stands_in_the_way_of_an_erasure(guard: Guard) -> None:
    refused = judge(_act(Verb.ERASE), Choice.NAMED, SPARED[guard])
    assert refused is (Guard.HOLD if guard is Guard.HOLD else None)


def test_the_first_guard_of_the_table_is_the_reason() -> None:
    subject = replace(SPARED[Guard.PINNED], holds=("case 7",), cited_by=("b",))
    assert judge(_act(), Choice.SCORED, subject) is Guard.HOLD
    assert judge(_act(), Choice.SCORED, replace(subject, holds=())) is Guard.PINNED


def test_what_is_archived_is_not_suppressed_and_what_is_suppressed_may_be_archived() -> None:
    suppressed = _subject(replace(FADED, lifecycle=Lifecycle.SUPPRESSED))
    assert judge(_act(Verb.SUPPRESS), Choice.NAMED, suppressed) is Guard.ALREADY_THERE
    assert judge(_act(Verb.ARCHIVE), Choice.NAMED, suppressed) is None


@pytest.mark.parametrize(
    ("days", "spared"), [(30, False), (29.999, True), (0, True), (-5, True), (31, False)]
)
def test_grace_counts_from_the_fall_below_the_level(days: float, spared: bool) -> None:
    subject = _subject(replace(FADED, fades_at=Instant(round(NOW - days * DAY))))
    assert judge(_act(), Choice.SCORED, subject) is (Guard.IN_GRACE if spared else None)


def test_what_never_falls_is_never_due_by_the_level() -> None:
    subject = _subject(replace(FADED, fades_at=None))
    assert judge(_act(grace_days=0.0), Choice.SCORED, subject) is Guard.IN_GRACE


def test_grace_may_count_from_creation_once_a_memory_has_fallen() -> None:
    young = _act(now=Instant(START + 29 * DAY), grace_anchor=GraceAnchor.CREATED)
    old = replace(young, now=Instant(START + 30 * DAY))
    assert judge(young, Choice.SCORED, _subject()) is Guard.IN_GRACE
    assert judge(old, Choice.SCORED, _subject()) is None
    standing = _subject(replace(FADED, fades_at=Instant(START + 31 * DAY)))
    assert judge(old, Choice.SCORED, standing) is Guard.IN_GRACE


def test_beside_the_level_grace_counts_from_the_last_use_at_the_earliest() -> None:
    used_at = Instant(NOW - 10 * DAY)
    strength = replace(FADED.strength, last_counted_at=used_at, reinforcement_count=1)
    planned = Planned(
        content_version=1, reinforcement_count=1, last_counted_at=used_at, basis=Basis.SET
    )
    used = _subject(replace(FADED, strength=strength, fades_at=None), planned=planned)
    assert judge(_act(), Choice.SCORED, used) is Guard.IN_GRACE
    assert judge(_act(grace_days=10.0), Choice.SCORED, used) is None
    created = _act(grace_anchor=GraceAnchor.CREATED)
    assert judge(created, Choice.SCORED, used) is None


def test_what_has_expired_needs_no_grace() -> None:
    standing = replace(FADED, fades_at=Instant(NOW - 1))
    assert judge(_act(), Choice.SCORED, _subject(standing, expires_at=NOW)) is None
    later = _subject(standing, expires_at=Instant(NOW + 1))
    assert judge(_act(), Choice.SCORED, later) is Guard.IN_GRACE


def test_the_policy_decides_whether_pins_outcomes_citations_and_importance_protect() -> None:
    act = _act(
        protect_pinned=False, protect_verified=False, protect_cited=False, protect_importance=None
    )
    for guard in (Guard.PINNED, Guard.VERIFIED, Guard.CITED, Guard.IMPORTANT):
        assert judge(act, Choice.SCORED, SPARED[guard]) is None
        assert own_guard(SPARED[guard].record.state, act.policy) is None


def test_only_what_has_long_been_archived_is_pruned() -> None:
    act = _act(Verb.PRUNE)
    archived = _subject(_long_archived())
    assert judge(act, Choice.SCORED, archived) is None
    assert judge(act, Choice.SCORED, _subject()) is Guard.IN_GRACE
    early = replace(act, now=Instant(START + 364 * DAY))
    assert judge(early, Choice.SCORED, archived) is Guard.IN_GRACE


def test_a_memorys_own_guards_are_the_first_of_the_table() -> None:
    own = {own_guard(each.record.state, Policy()) for each in SPARED.values()} - {None}
    assert own == {
        Guard.PINNED,
        Guard.VERIFIED,
        Guard.EXEMPT,
        Guard.AUDIT_EVIDENCE,
        Guard.IMPORTANT,
    }
