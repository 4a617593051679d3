"""The gate: no verb takes away what a guard spares, whatever it says of it."""

from dataclasses import replace

import pytest

from lapse.errors import ConflictError
from lapse.lifecycle.gate import Gate
from lapse.lifecycle.moving import Move, archived, restored, suppressed
from lapse.model.bank import Bank
from lapse.model.changeset import Changes
from lapse.model.guards import Choice, Departure, Guard, Spared
from lapse.model.hold import Hold, HoldScope, HoldTarget
from lapse.model.instants import DAY, Instant
from lapse.model.journal import JournalDraft
from lapse.model.policy import Policy
from lapse.model.record import ContentChange, Record
from lapse.model.retention import RetentionState
from lapse.model.verbs import VERBS, Verb
from lapse.model.view import View
from lapse.testing.fakes import ALICE, START, facets, memory, record, state

NOW = Instant(START + 1000 * DAY)
MOVE = Move(at=NOW, by="anna", reason="over")
FADED = replace(state(), importance=0.1)
ENTRY = JournalDraft(verb=Verb.ARCHIVE, at=NOW, by="anna", memory_ids=("a", "b"))
TAKING = sorted(verb for verb, spec in VERBS.items() if spec.departs)
HELD = Hold(
    name="case 7",
    target=HoldTarget(scope=HoldScope.TAG, values=("tax",)),
    holder="clerk",
    reason="a claim",
    placed_at=START,
)


def _view(*records: Record, **beside: object) -> View:
    view = View(
        bank=Bank(ref=ALICE, created_at=START),
        records={each.memory.id: each for each in records},
        same_text={},
        same_key={},
        pending=(),
        events={},
        stateless={},
    )
    return replace(view, **beside)  # type: ignore[arg-type]  # each has its field's type


def _record(name: str = "a", held: RetentionState = FADED, *tags: str) -> Record:
    return Record(row=1, memory=replace(memory(name), tags=tags), state=held)


def _gate(verb: Verb = Verb.ARCHIVE, version: int = 0) -> Gate:
    return Gate(verb=verb, policy=Policy(), policy_version=version, now=NOW)


def _away(*names: str, declared: bool = False) -> Changes:
    departures = tuple(Departure(memory_id=each, choice=Choice.NAMED) for each in names)
    return Changes(
        states=tuple((each, archived(FADED, MOVE)) for each in names),
        departures=departures if declared else (),
        journal=ENTRY,
    )


def _passed(gate: Gate, view: View, changes: Changes) -> Changes:
    return gate.around(lambda _view: changes)(view)


@pytest.mark.parametrize("verb", TAKING)
def test_what_no_guard_spares_passes(verb: Verb) -> None:
    gate = _gate(verb)
    changes = _away("a")
    assert _passed(gate, _view(_record()), changes) == changes
    assert gate.stopped == ()


@pytest.mark.parametrize("verb", sorted(set(Verb) - set(TAKING)))
def test_a_verb_that_takes_nothing_away_by_the_table_takes_nothing_away(verb: Verb) -> None:
    for changes in (_away("a", declared=True), Changes(removed=("a",), journal=ENTRY)):
        with pytest.raises(ConflictError, match="may not take memories away"):
            _passed(_gate(verb), _view(_record()), changes)


@pytest.mark.parametrize("verb", TAKING)
def test_a_write_that_a_guard_refuses_leaves_nothing_but_its_refusal(verb: Verb) -> None:
    gate = _gate(verb)
    view = _view(_record("a", replace(FADED, pinned=True)), _record("b"))
    left = _passed(gate, view, _away("a", "b"))
    spared = (Spared(memory_id="a", guard=Guard.PINNED),)
    counts = (("refused_pinned", 1),)
    refusal = replace(ENTRY, memory_ids=("a",), counts=counts)
    assert left == Changes(refused=spared, journal=refusal)
    assert gate.stopped == spared


def test_what_a_verb_does_not_say_is_held_against_it() -> None:
    cited = _view(_record(), cited_by={"a": ("z",)})
    silent, honest = _gate(), _gate()
    _passed(silent, cited, _away("a"))
    _passed(honest, cited, _away("a", declared=True))
    assert [each.guard for each in silent.stopped] == [Guard.CITED]
    assert honest.stopped == ()


@pytest.mark.parametrize("verb", TAKING)
def test_a_hold_keeps_a_memory_from_being_removed(verb: Verb) -> None:
    gate = _gate(verb)
    held = _view(_record("a", FADED, "tax"), holds=(HELD,))
    _passed(gate, held, Changes(removed=("a",), journal=ENTRY))
    assert gate.stopped == (Spared(memory_id="a", guard=Guard.HOLD),)


def test_a_person_is_erasable_pinned_important_and_cited() -> None:
    gate = _gate(Verb.ERASE)
    marked = replace(FADED, pinned=True, verified=True, importance=1.0)
    changes = Changes(removed=("a",), journal=ENTRY)
    assert _passed(gate, _view(_record("a", marked), cited_by={"a": ("b",)}), changes) == changes


def test_what_lost_its_state_is_still_kept_by_a_hold() -> None:
    lost = replace(memory("a"), tags=("tax",))
    gate = _gate(Verb.ERASE)
    view = _view(stateless={"a": (1, lost)}, holds=(HELD,))
    _passed(gate, view, Changes(removed=("a",), journal=ENTRY))
    assert gate.stopped == (Spared(memory_id="a", guard=Guard.HOLD),)


def test_what_was_not_read_cannot_be_taken_away() -> None:
    with pytest.raises(ConflictError, match="was not read"):
        _passed(_gate(Verb.ERASE), _view(), Changes(removed=("a",), journal=ENTRY))


def test_a_return_asks_no_guard() -> None:
    away = suppressed(replace(FADED, pinned=True), MOVE)
    back = restored(away, NOW, dates=away.dates, grace_days=30.0)
    changes = Changes(states=(("a", back),), journal=replace(ENTRY, verb=Verb.RESTORE))
    held = _view(_record("a", away, "tax"), holds=(HELD,))
    assert _passed(_gate(Verb.RESTORE), held, changes) == changes


def test_nothing_to_write_passes_as_nothing() -> None:
    assert _passed(_gate(Verb.PIN), _view(), Changes()) == Changes()


def test_a_memory_does_not_leave_a_hold_by_being_relabelled() -> None:
    held = _record("a", FADED, "tax")
    untagged = replace(held.memory, tags=(), content_version=2)
    revised = (ContentChange(memory=untagged, facets=facets(untagged.text)),)
    for changes in (Changes(revised=revised), Changes(amended=(replace(untagged),))):
        passed = _passed(_gate(Verb.UPDATE), _view(held, holds=(HELD,)), changes)
        assert passed.holds_placed == (replace(HELD, attached=("a",)),)


def test_a_hold_that_ends_in_the_same_write_takes_nothing_up() -> None:
    held = _record("a", FADED, "tax")
    changes = Changes(
        amended=(replace(held.memory, tags=()),), holds_released=("case 7",), journal=ENTRY
    )
    assert _passed(_gate(Verb.RELEASE), _view(held, holds=(HELD,)), changes) == changes


def test_the_version_of_the_policy_is_noted_where_a_date_or_a_move_is_written() -> None:
    moved = archived(FADED, MOVE)
    dated = replace(FADED, fades_at=NOW)
    pinned = replace(FADED, last_recalled_at=NOW)
    changes = Changes(
        created=(record(memory("new")),),
        states=(("a", moved), ("b", dated), ("c", pinned)),
        journal=ENTRY,
    )
    passed = _passed(_gate(version=4), _view(_record("a"), _record("b"), _record("c")), changes)
    assert passed.created[0].state.policy_version == 4
    assert [each.policy_version for _, each in passed.states] == [4, 4, 0]
