"""What of an answer is held against what is stored, and what a JSON value becomes."""

from dataclasses import replace
from types import MappingProxyType

import pytest

from lapse.errors import ConflictError, ValidationError
from lapse.model.changeset import Changes
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.stores.applying import (
    Standing,
    check_standing,
    frozen_json,
    judged,
    named_ids,
    new_bank,
    stateless_error,
)
from lapse.testing.fakes import ALICE, START, memory, record, space, state, use, vector, writes
from lapse.testing.store_contract_writes import entry, update

STORED = {
    "a": Standing(
        row=1, content_version=1, text="text of a", salt=b"salt", lifecycle=Lifecycle.ACTIVE
    )
}
EMPTY = View(
    bank=new_bank(ALICE, START),
    records={},
    same_text={},
    same_key={},
    pending=(),
    events={},
    stateless={},
)


def test_every_id_is_named_once_in_the_order_of_writing() -> None:
    changes = Changes(
        created=(record(memory("new")),),
        states=(("a", state()), ("new", state())),
        enqueued=(use("b", "e1"),),
        removed=("a",),
        journal=entry(Verb.UPDATE, "c", "b"),
    )
    assert named_ids(changes) == ("new", "a", "b", "c")


def test_several_updates_of_one_memory_follow_each_other_in_one_write() -> None:
    check_standing(Changes(revised=(update("a", "x", 2), update("a", "y", 3))), STORED)
    with pytest.raises(ConflictError, match="is at version 2"):
        check_standing(Changes(revised=(update("a", "x", 2), update("a", "y", 2))), STORED)


def test_a_memory_may_be_created_and_amended_in_one_write() -> None:
    new = memory("new")
    check_standing(Changes(created=(record(new),), amended=(replace(new, proof_count=2),)), STORED)
    with pytest.raises(ConflictError, match="has other content"):
        check_standing(
            Changes(created=(record(new),), amended=(replace(new, text="other"),)), STORED
        )


def test_all_faults_of_an_answer_are_told_at_once() -> None:
    bank = replace(EMPTY.bank, space=space(1))
    wrong = record(replace(memory("x"), bank="bob", proof_count=2**63), vector=vector(1, [1.0]))
    with pytest.raises(ValidationError) as told:
        judged(
            writes(
                Changes(bank=bank, created=(wrong,), journal=entry(Verb.PIN)), verb=Verb.REMEMBER
            ),
            EMPTY,
        )
    fields = [each.field for each in told.value.faults]
    assert fields == ["journal.verb", "bank", "proof_count", "vector"]


def test_a_count_beyond_64_bits_is_refused() -> None:
    held = state()
    huge = replace(held, strength=replace(held.strength, access_count=2**63))
    with pytest.raises(ValidationError, match="64 bits"):
        judged(writes(Changes(states=(("a", huge),)), verb=Verb.PIN), EMPTY)


def test_an_empty_answer_is_not_checked_at_all() -> None:
    answer = Changes(journal=entry(Verb.PIN))
    assert judged(writes(answer, reads=Reads()), EMPTY) is answer


def test_a_frozen_json_value_is_equal_in_meaning_and_cannot_change() -> None:
    frozen = frozen_json({"a": [1, {"b": [None, "x"]}], "c": 2.5})
    assert frozen == {"a": (1, {"b": (None, "x")}), "c": 2.5}
    assert isinstance(frozen, MappingProxyType)
    assert isinstance(frozen["a"], tuple)


def test_the_error_for_a_lost_state_names_the_memory() -> None:
    error = stateless_error("m1")
    assert error.fields == {"memory_id": "m1"}
    assert "'m1'" in str(error)
