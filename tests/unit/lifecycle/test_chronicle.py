"""The journal is walked from its beginning, and tells each memory's life."""

from dataclasses import replace

import pytest

from lapse.lifecycle.chronicle import (
    ALTERED,
    MISSING,
    ChainFault,
    ChainWalk,
    Step,
    life_of,
    moved_since,
    steps_of,
    stood_at,
)
from lapse.model.instants import DAY, Instant
from lapse.model.journal import (
    GENESIS,
    NO_DIGEST,
    JournalDraft,
    JournalEntry,
    JournalItem,
    chain,
)
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.testing.fakes import START, use

ACTIVE, SUPPRESSED, ARCHIVED = Lifecycle.ACTIVE, Lifecycle.SUPPRESSED, Lifecycle.ARCHIVED


def _at(days: float) -> Instant:
    return Instant(round(START + days * DAY))


def _item(row: int, was: Lifecycle | None, now: Lifecycle, after: bytes = b"text") -> JournalItem:
    before = NO_DIGEST if was is None else b"text"
    return JournalItem(row=row, was=was, now=now, before=before, after=after)


LIFE: list[tuple[Verb, float, tuple[JournalItem, ...]]] = [
    (Verb.REMEMBER_MANY, 0, (_item(1, None, ACTIVE), _item(2, None, ACTIVE))),
    (Verb.UPDATE, 1, (_item(1, ACTIVE, ACTIVE, b"other"),)),
    (Verb.SUPPRESS, 2, (_item(1, ACTIVE, SUPPRESSED), _item(2, ACTIVE, ACTIVE))),
    (Verb.DRAIN, 3, ()),
    (Verb.ARCHIVE, 4, (_item(1, SUPPRESSED, ARCHIVED),)),
    (Verb.RESTORE, 5, (_item(1, ARCHIVED, SUPPRESSED),)),
]


def _journal() -> list[JournalEntry]:
    entries: list[JournalEntry] = []
    for verb, days, items in LIFE:
        previous = entries[-1].hash if entries else GENESIS
        draft = JournalDraft(
            verb=verb, at=_at(days), by="anna", reason="why", reason_salt=b"salt" * 4
        )
        entries.append(chain(previous, len(entries) + 1, draft, items))
    return entries


def _fault(entries: list[JournalEntry], head: tuple[int, bytes] | None = None) -> ChainFault | None:
    whole = _journal()
    walk = ChainWalk()
    return walk.take(entries) or walk.end(head or (len(whole), whole[-1].hash))


def test_a_whole_journal_has_no_fault() -> None:
    assert _fault(_journal()) is None
    assert ChainWalk().end((0, GENESIS)) is None


@pytest.mark.parametrize("gone", range(len(LIFE)))
def test_the_first_missing_entry_is_named_wherever_it_was(gone: int) -> None:
    entries = _journal()
    assert _fault(entries[:gone] + entries[gone + 1 :]) == ChainFault(seq=gone + 1, problem=MISSING)


@pytest.mark.parametrize("at", range(len(LIFE)))
@pytest.mark.parametrize(
    "change",
    [
        {"by": "ben"},
        {"at": _at(-1)},
        {"about": "x"},
        {"items": (_item(9, None, ACTIVE),)},
        {"reason": "else"},
    ],
)
def test_the_first_altered_entry_is_named(at: int, change: dict[str, object]) -> None:
    entries = _journal()
    entries[at] = replace(entries[at], **change)  # type: ignore[arg-type]  # each has its field's type
    assert _fault(entries) == ChainFault(seq=at + 1, problem=ALTERED)


def test_entries_that_changed_places_are_named_at_the_first_of_them() -> None:
    entries = _journal()
    second, third = replace(entries[1], seq=3), replace(entries[2], seq=2)
    assert _fault([entries[0], third, second, *entries[3:]]) == ChainFault(seq=2, problem=ALTERED)


def test_an_end_that_was_cut_off_is_missed() -> None:
    assert _fault(_journal()[:-2]) == ChainFault(seq=5, problem=MISSING)


def test_an_end_that_was_written_anew_does_not_fit_the_head() -> None:
    entries = _journal()
    last = entries[-1]
    draft = JournalDraft(verb=last.verb, at=last.at, by="mallory")
    forged = chain(last.previous, last.seq, draft, last.items)
    assert _fault([*entries[:-1], forged]) == ChainFault(seq=6, problem=ALTERED)


def test_a_life_is_told_in_order_with_its_uses_and_refusals() -> None:
    uses = [use("a", "e1", at=_at(1.5)), use("a", "e2", at=_at(9))]
    told = life_of(1, _journal(), uses)
    assert [(each.what, each.was, each.now, each.changed) for each in told] == [
        ("remember_many", None, ACTIVE, False),
        ("update", ACTIVE, ACTIVE, True),
        ("used", ACTIVE, ACTIVE, False),
        ("suppress", ACTIVE, SUPPRESSED, False),
        ("archive", SUPPRESSED, ARCHIVED, False),
        ("restore", ARCHIVED, SUPPRESSED, False),
        ("used", SUPPRESSED, SUPPRESSED, False),
    ]
    other = life_of(2, _journal(), [])
    assert [(each.what, each.refused) for each in other] == [
        ("remember_many", False),
        ("suppress", True),
    ]


@pytest.mark.parametrize(
    ("days", "stood"),
    [(-1, None), (0, ACTIVE), (2, SUPPRESSED), (4, ARCHIVED), (5, SUPPRESSED), (99, SUPPRESSED)],
)
def test_where_a_memory_stood_by_what_was_recorded_then(
    days: float, stood: Lifecycle | None
) -> None:
    assert stood_at(1, _journal(), _at(days)) is stood


def test_only_what_moved_since_is_named_with_where_it_stood() -> None:
    steps = steps_of(_journal())
    assert [(each.was, each.now) for each in steps] == [
        (ACTIVE, SUPPRESSED),
        (SUPPRESSED, ARCHIVED),
        (ARCHIVED, SUPPRESSED),
    ]
    assert moved_since(steps, _at(0)) == {1: ACTIVE}
    assert moved_since(steps, _at(3)) == {1: SUPPRESSED}
    assert moved_since(steps, _at(4)) == {1: ARCHIVED}
    assert moved_since(steps, _at(5)) == {}


def test_a_clock_that_was_set_back_does_not_undo_what_was_done() -> None:
    steps = [
        Step(row=1, at=_at(9), was=ACTIVE, now=SUPPRESSED),
        Step(row=1, at=_at(2), was=SUPPRESSED, now=ARCHIVED),
    ]
    assert moved_since(steps, _at(5)) == {1: ARCHIVED}
    assert moved_since(steps, _at(1)) == {1: ACTIVE}
