"""The chain: no entry can be altered, left out, added or moved without showing."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.model.instants import Instant
from lapse.model.journal import (
    GENESIS,
    NO_DIGEST,
    JournalDraft,
    JournalEntry,
    JournalItem,
    chain,
    follows,
    salted_digest,
)
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.testing.fakes import START
from tests.unit.model.values import values_of

DRAFTS = values_of(JournalDraft).filter(lambda each: isinstance(each, JournalDraft))
ITEMS = st.lists(
    st.builds(
        JournalItem,
        row=st.integers(1, 2**40),
        was=st.sampled_from([None, *Lifecycle]),
        now=st.sampled_from(Lifecycle),
        before=st.binary(max_size=32),
        after=st.binary(max_size=32),
    ),
    max_size=3,
).map(tuple)

DRAFT = JournalDraft(
    verb=Verb.EXEMPT,
    at=START,
    by="clerk",
    memory_ids=("m1", "m2"),
    counts=(("updated", 2), ("unchanged", 1)),
    about="case-12",
    reason="case 12",
    reason_salt=b"0123456789abcdef",
)
ONE, TWO, THREE = (
    JournalItem(row=row, was=None, now=Lifecycle.ACTIVE, before=NO_DIGEST, after=text)
    for row, text in ((1, b"one"), (2, b"two"), (3, b"two"))
)
ENTRY = chain(GENESIS, 1, DRAFT, (ONE, TWO))

TAMPERED = {
    "seq": 2,
    "verb": Verb.PIN,
    "at": Instant(START + 1),
    "by": "clerks",
    "approved_by": "boss",
    "via": "elsewhere",
    "items": (ONE, THREE),
    "counts": (("updated", 3), ("unchanged", 1)),
    "about": "case-13",
    "words_hash": b"",
    "reason": "case 13",
    "reason_salt": b"fedcba9876543210",
    "previous": bytes(31) + b"\x01",
    "hash": bytes(32),
    "redacted_by": "stone1",
}


def _altered(field: str, value: object) -> JournalEntry:
    return replace(ENTRY, **{field: value})  # type: ignore[arg-type]  # each value has its field's type


def test_an_entry_follows_what_it_was_chained_to() -> None:
    assert follows(ENTRY, GENESIS)


def test_every_field_is_tampered_with_below() -> None:
    assert set(TAMPERED) == {each.name for each in fields(JournalEntry)}


@pytest.mark.parametrize(("field", "value"), TAMPERED.items())
def test_an_entry_with_one_altered_field_does_not_follow(field: str, value: object) -> None:
    assert not follows(_altered(field, value), GENESIS)


@pytest.mark.parametrize(
    "items",
    [
        (),
        (ONE,),
        (TWO, ONE),
        (ONE, replace(TWO, after=b"tw")),
        (ONE, replace(TWO, before=b"two")),
        (ONE, replace(TWO, was=Lifecycle.ACTIVE)),
        (ONE, replace(TWO, now=Lifecycle.ARCHIVED)),
        (ONE, TWO, TWO),
    ],
)
def test_items_cannot_be_dropped_moved_cut_or_repeated(items: object) -> None:
    assert not follows(_altered("items", items), GENESIS)


@pytest.mark.parametrize(
    "counts",
    [
        (),
        (("updated", 2),),
        (("unchanged", 1), ("updated", 2)),
        (("updated", 7), ("unchanged", 1), ("updated", 2)),
        (("updated", 2), ("unchanged", True)),
    ],
)
def test_counts_cannot_be_dropped_moved_or_added_to(counts: object) -> None:
    assert not follows(_altered("counts", counts), GENESIS)


REDACTED = replace(ENTRY, reason=None, about="", reason_salt=b"", redacted_by="stone1")


def test_the_words_can_be_redacted_and_the_chain_holds() -> None:
    assert follows(REDACTED, GENESIS)
    assert REDACTED.words_hash == ENTRY.words_hash
    assert REDACTED.hash == ENTRY.hash


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reason", "case 13"),
        ("reason", "case 12"),
        ("about", "case-12"),
        ("reason_salt", DRAFT.reason_salt),
        ("redacted_by", ""),
        ("words_hash", b""),
        ("by", "clerks"),
    ],
)
def test_nothing_can_be_put_in_the_place_of_redacted_words(field: str, value: object) -> None:
    assert not follows(replace(REDACTED, **{field: value}), GENESIS)  # type: ignore[arg-type]  # as above


def test_a_reason_cannot_be_put_where_none_was() -> None:
    silent = chain(GENESIS, 1, replace(DRAFT, reason=None, about="", reason_salt=b""), ())

    assert follows(silent, GENESIS)
    assert silent.words_hash == b""
    assert not follows(replace(silent, reason="an order"), GENESIS)


def test_the_same_reason_has_another_hash_under_another_salt() -> None:
    other = chain(GENESIS, 1, replace(DRAFT, reason_salt=b"another salt 123"), ENTRY.items)

    assert other.words_hash != ENTRY.words_hash
    assert other.hash != ENTRY.hash


def test_an_entry_says_nothing_of_a_text() -> None:
    # Memories are named by internal number and salted digest only.
    assert "memory_ids" not in {each.name for each in fields(JournalEntry)}
    assert salted_digest(b"salt", "tea") != salted_digest(b"other", "tea")
    assert salted_digest(b"salt", "tea") == salted_digest(b"salt", "tea")
    assert len(salted_digest(b"salt", "tea")) == 32


@given(st.lists(st.tuples(DRAFTS, ITEMS), min_size=1, max_size=4), st.data())
def test_a_chain_holds_whole_and_in_its_own_order_only(
    links: list[tuple[JournalDraft, tuple[JournalItem, ...]]], data: st.DataObject
) -> None:
    entries: list[JournalEntry] = []
    for draft, items in links:
        previous = entries[-1].hash if entries else GENESIS
        entries.append(chain(previous, len(entries) + 1, draft, items))

    assert _holds(entries)
    gone = data.draw(st.integers(0, len(entries) - 1))
    rest = entries[:gone] + entries[gone + 1 :]
    assert _holds(rest) == (gone == len(entries) - 1)
    assert _holds(entries[::-1]) == (len(entries) == 1)


def test_entries_of_one_chain_do_not_follow_in_another() -> None:
    other = chain(b"\x01" * 32, 1, DRAFT, ENTRY.items)

    assert other.hash != ENTRY.hash
    assert not follows(other, GENESIS)


def _holds(entries: list[JournalEntry]) -> bool:
    previous = GENESIS
    for entry in entries:
        if not follows(entry, previous):
            return False
        previous = entry.hash
    return True
