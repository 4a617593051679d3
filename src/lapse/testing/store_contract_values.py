"""Clauses on values at the edges of what databases, files and services can tell apart.

Decides that an instant keeps its microsecond, a number its kind, a text each of its characters, its
length and its place in an order, and that what is empty is not absent, wherever it is kept. Refuses
to know any store: each clause was met in one kind of store or another.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from lapse.model.changeset import Changes
from lapse.model.closing import Closing, ClosingKind
from lapse.model.due import FROM_THE_START, DueBy
from lapse.model.identifier import Identifier, IdentifierType
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, JsonValue
from lapse.model.retention import RetentionState
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, facets, memory, record, state, use, writes
from lapse.testing.store_contract_snapshots import whole_journal
from lapse.testing.store_contract_words import hold
from lapse.testing.store_contract_writes import entry, remember

WIDE: Final = "\U00010348" * 255
"""The longest name, of characters of four bytes each."""

NAMES: Final = (
    *("Zoe", "anna", "\xc4rger", "zebra", "Anna", "_x", "\xe4", "10", "9", "\xe9", "e\u0301a"),
    *("\uffee", "\U00010348", "\xdf", "ss", "I", "\u0131", "a b", "a-b", "ab"),
)
"""Names that languages order otherwise than code points do."""

BREAKS: Final = "a\r\nb\rc\u2028d\u2029e\x85f\x0bg\x1ch\ti"
"""Each way to end a line that some reader of lines knows."""

NUMBERS: Final[Mapping[str, JsonValue]] = {
    "yes": True,
    "one": 1,
    "one float": 1.0,
    "one text": "1",
    "no": False,
    "zero": 0,
    "zero float": 0.0,
    "beyond floats": 2**53 + 1,
    "beyond 64 bits": 10**30,
    "large float": 1e22,
    "third": 1 / 3,
    "deep": (True, 1, 1.0, (False, 0, 0.0)),
}


class ValueClauses:
    """Values stay apart, whole and in order, whatever they are kept in."""

    def test_instants_a_microsecond_apart_are_told_apart(self, store: Store) -> None:
        for at in (3, 1, 2):
            faded = replace(state(), fades_at=Instant(START + at))
            told = memory(f"m{at}", at=Instant(START - at))
            store.commit(writes(Changes(created=(replace(record(told), state=faded),))))
        names = [each.id for each in store.contents(ALICE, ["m1", "m2", "m3"])]
        assert names == ["m1", "m2", "m3"]
        assert [each.created_at for each in store.contents(ALICE, names)] == [
            Instant(START - at) for at in (1, 2, 3)
        ]
        for until in range(4):
            due = store.due(ALICE, DueBy.FADING, Instant(START + until), FROM_THE_START, 9)
            assert [each.memory_id for each in due] == names[:until]
        uses = tuple(use("m1", f"e{at}", at=Instant(START + 9 - at)) for at in range(3))
        store.commit(writes(Changes(enqueued=uses), verb=Verb.USED))
        assert [each.event_id for each in store.events(ALICE, ["m1"])] == ["e2", "e1", "e0"]

    def test_the_longest_names_of_wide_characters_are_names(self, store: Store) -> None:
        ref = BankRef(tenant=WIDE, name=WIDE)
        told = replace(
            memory(WIDE, "one", ref=ref),
            key=WIDE,
            subject=WIDE,
            session=WIDE,
            tags=(WIDE,),
        )
        named = Identifier(type=IdentifierType.CODE, canonical=WIDE)
        new = replace(record(told), facets=replace(facets("one"), identifiers=(named,)))
        cites = replace(memory("b", ref=ref), derived_from=(WIDE,))
        store.commit(writes(Changes(created=(new, record(cites))), ref=ref))
        store.commit(writes(Changes(enqueued=(use(WIDE, WIDE),)), ref=ref, verb=Verb.USED))
        placed = Changes(holds_placed=(hold(WIDE, WIDE),), journal=entry(Verb.HOLD, WIDE))
        store.commit(writes(placed, ref=ref, verb=Verb.HOLD))
        assert [each.memory for each in store.get(ref, [WIDE])] == [told]
        assert store.holders(ref, [WIDE]) == [WIDE]
        assert store.cited_by(ref, [WIDE]) == {WIDE: ("b",)}
        assert [each.event_id for each in store.events(ref, [WIDE])] == [WIDE]
        assert [each.name for each in store.holds(ref)] == [WIDE]
        assert [each.ref for each in store.banks(WIDE)] == [ref]

    def test_texts_are_ordered_by_code_point_and_by_nothing_else(self, store: Store) -> None:
        for name in NAMES:
            remember(store, name)
            store.commit(writes(Changes(enqueued=(use(name, "e"),)), verb=Verb.USED))
            remember(store, "m", ref=BankRef(name=name))
        placed = tuple(hold(name, f"matter {name}") for name in NAMES)
        closed = tuple(
            Closing(memory_id=name, kind=ClosingKind.RETRACTED, recorded_from=START)
            for name in NAMES
        )
        store.commit(writes(Changes(holds_placed=placed, closings=closed), verb=Verb.HOLD))
        ordered = sorted(NAMES)
        assert [each.name for each in store.holds(ALICE)] == ordered
        assert [each.memory_id for each in store.events(ALICE, NAMES)] == ordered
        assert [each.memory_id for each in store.closings(ALICE)] == ordered
        words = [each for each in store.words(ALICE) if each in NAMES]
        assert words == ordered
        banks = [each.ref.name for each in store.banks(ALICE.tenant)]
        assert banks == sorted([*NAMES, ALICE.name])
        assert [each.name for each in store.refs()] == banks

    def test_every_character_of_a_text_stays(self, store: Store) -> None:
        told = replace(memory("a", BREAKS), value=BREAKS, metadata={BREAKS: BREAKS})
        store.commit(writes(Changes(created=(record(told),))))
        store.commit(writes(Changes(enqueued=(use("a", "e"),)), verb=Verb.USED))
        draft = replace(entry(Verb.HOLD, "a"), reason=BREAKS, reason_salt=b"s" * 16)
        placed = Changes(holds_placed=(hold("case", BREAKS),), journal=draft)
        store.commit(writes(placed, verb=Verb.HOLD))
        remember(store, "b")
        assert store.get(ALICE, ["a"])[0].memory == told
        assert [each.reason for each in store.holds(ALICE)] == [BREAKS]
        assert [each.reason for each in whole_journal(store, ALICE)][-2:] == [BREAKS, None]
        assert list(store.faults(ALICE)) == []

    def test_what_is_long_is_kept_whole(self, store: Store) -> None:
        long = "".join(chr(0x4E00 + at % 20_000) for at in range(400_000))
        told = replace(memory("a", long), value=long, metadata={"long": long})
        new = record(told)
        # The terms of a text are short however it is spaced: a tokeniser cuts them.
        new = replace(new, facets=replace(new.facets, terms=("long",)))
        store.commit(writes(Changes(created=(new,))))
        draft = replace(entry(Verb.HOLD), reason=long[:70_000], reason_salt=b"s" * 16)
        placed = Changes(holds_placed=(hold("case", long[:70_000]),), journal=draft)
        store.commit(writes(placed, verb=Verb.HOLD))
        assert store.contents(ALICE, ["a"]) == [told]
        assert store.words(ALICE) == sorted({"case", long[:70_000]})

    def test_what_is_empty_is_not_what_is_absent(self, store: Store) -> None:
        empty = replace(memory("a"), value="", metadata={"": "", "none": None}, entities=("",))
        absent = replace(memory("b"), value=None, metadata={}, entities=())
        store.commit(writes(Changes(created=(record(empty), record(absent)))))
        draft = replace(entry(Verb.HOLD), reason="", reason_salt=b"s" * 16)
        store.commit(writes(Changes(holds_placed=(hold("c", "x"),), journal=draft), verb=Verb.HOLD))
        assert store.contents(ALICE, ["a", "b"]) == [empty, absent]
        assert [each.reason for each in whole_journal(store, ALICE)] == [None, ""]

    def test_truths_and_numbers_keep_their_kind(self, store: Store) -> None:
        told = replace(memory("a"), metadata=NUMBERS)
        store.commit(writes(Changes(created=(record(told),))))
        kept = store.contents(ALICE, ["a"])[0].metadata
        assert _kinds(kept) == _kinds(NUMBERS)
        (found,) = store.get(ALICE, ["a"])
        truths = (found.state.pinned, found.state.verified, found.memory.is_latest)
        assert all(type(each) is bool for each in truths)
        numbers = (found.state.policy_version, found.memory.proof_count, found.row)
        assert all(type(each) is int for each in numbers)
        assert all(type(each) is float for each in _floats(found.state))


def _kinds(value: JsonValue) -> object:
    if isinstance(value, Mapping):
        return {name: _kinds(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_kinds(each) for each in value]
    return type(value), str(value)


def _floats(found: RetentionState) -> tuple[float, ...]:
    strength = found.strength
    return (*strength.traces, strength.stability_days, strength.difficulty)
