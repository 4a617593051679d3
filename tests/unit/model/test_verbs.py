"""The table of verbs, and when a write is empty."""

from dataclasses import fields, replace

import pytest

from lapse.model.answer import AnswerChanges
from lapse.model.changeset import Changes
from lapse.model.guards import Guard, Spared
from lapse.model.hold import Hold, HoldScope, HoldTarget
from lapse.model.journal import JournalDraft
from lapse.model.outcome import Outcome
from lapse.model.verbs import VERBS, Verb
from lapse.testing.fakes import START, memory, record, state, use

HOLD = Hold(
    name="case 7",
    target=HoldTarget(scope=HoldScope.BANK),
    holder="clerk",
    reason="a claim",
    placed_at=START,
)
SOMETHING = {
    "created": (record(memory("m1")),),
    "amended": (memory("m1"),),
    "states": (("m1", state()),),
    "enqueued": (use("m1", "e1"),),
    "drained": (("m1", "e1"),),
    "drop_spaces": (1,),
    "removed": ("m1",),
    "holds_placed": (HOLD,),
    "holds_released": ("case 7",),
    "answers": AnswerChanges(gone=("a1",)),
    "refused": (Spared(memory_id="m1", guard=Guard.HOLD),),
}


def test_every_verb_is_in_the_table_once() -> None:
    assert set(VERBS) == set(Verb)


@pytest.mark.parametrize("verb", Verb)
def test_every_verb_says_what_it_does(verb: Verb) -> None:
    assert VERBS[verb].summary
    assert VERBS[verb].summary[0].islower()


def test_what_can_be_computed_anew_and_what_is_its_own_log_is_not_journalled() -> None:
    silent = {each for each, spec in VERBS.items() if not spec.journalled}

    computed = {Verb.REDATE, Verb.REREAD, Verb.EMBED, Verb.CACHE}
    assert silent == {Verb.USED, Verb.RETURNED, Verb.ADOPT} | computed


@pytest.mark.parametrize("field", SOMETHING)
def test_changes_with_anything_to_write_are_not_empty(field: str) -> None:
    changes = replace(Changes(), **{field: SOMETHING[field]})  # type: ignore[arg-type]  # of the field's type

    assert not changes.empty


def test_an_outcome_or_a_journal_entry_alone_is_nothing_to_write() -> None:
    entry = JournalDraft(verb=Verb.PIN, at=START, by="me")

    assert Changes(journal=entry, outcomes=()).empty
    assert {each.name for each in fields(Outcome)} == {
        "memory_id",
        "action",
        "superseded",
        "note",
    }
