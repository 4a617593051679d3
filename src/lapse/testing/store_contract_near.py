"""Clauses for stores that search a large bank by indexes of their own.

Decides what such a store must give, one case for each clause: never what is another's or gone, and
all that a condition leaves. Refuses to say how it finds that, and in which order. A store that
cannot make an index where it runs passes.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from collections.abc import Mapping
from dataclasses import fields, replace

import numpy as np

from lapse.model.changeset import Changes
from lapse.model.index_delta import Float32Array, IndexDelta
from lapse.model.instants import DAY, Instant
from lapse.model.memory import BankRef, Kind, Memory
from lapse.model.near import Near, Present, Wanted
from lapse.model.record import Vector
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.ports import SearchesNear, Store
from lapse.testing.fakes import ALICE, START, memory, record, space, state, vector, writes
from lapse.testing.store_contract_index import EAST, NORTH, use_space
from lapse.testing.store_contract_writes import BOB, update

NOW = Instant(START + 10 * DAY)
BEFORE = Instant(START + DAY)
AFTER = Instant(START + 20 * DAY)
WIDE = Wanted(terms=(), vector=None, space=None, k1=1.2, b=0.75, count=50)
PRESENT = Present(valid=NOW, ended=NOW, now=NOW)


class NearClauses:
    """A bank's own index finds what may be an answer, and leaves the judging to others."""

    def test_a_bank_is_not_searched_before_its_index_is_made(self, store: Store) -> None:
        assert isinstance(store, SearchesNear)
        _tell(store, memory("a", "green tea"))
        assert store.near(ALICE, replace(WIDE, terms=("tea",))) is None
        assert store.near(BOB, replace(WIDE, terms=("tea",))) is None

    def test_what_holds_a_term_or_lies_near_is_found_as_changes_gives_it(
        self, store: Store
    ) -> None:
        use_space(store, space())
        _tell(store, memory("tea", "green tea"), memory("tram", "a tram"), vectors=(NORTH, EAST))
        if not _followed(store):
            return
        by_words = _near(store, replace(WIDE, terms=("tea", "absent")))
        assert by_words.delta.content.ids == ["tea"]
        assert by_words.delta.terms == {"tea": store.changes(ALICE, 0).terms["tea"]}
        by_vector = _near(store, replace(WIDE, vector=_unit(EAST), space=1, count=1))
        assert by_vector.delta.content.ids == ["tram"]
        both = _near(store, replace(WIDE, terms=("tea",), vector=_unit(EAST), space=1, count=1))
        _equal(both.delta, store.changes(ALICE, 0))

    def test_vectors_of_another_space_are_not_compared(self, store: Store) -> None:
        use_space(store, space())
        _tell(store, memory("tram", "a tram"), vectors=(EAST,))
        if not _followed(store):
            return
        asked = replace(WIDE, vector=_unit(EAST))
        for each in (asked, replace(asked, space=2)):
            assert _near(store, each).delta.content.ids == []

    def test_no_other_banks_memory_is_found(self, store: Store) -> None:
        other = BankRef(tenant="other", name=ALICE.name)
        for ref in (ALICE, BOB, other):
            told = memory(f"of {ref.tenant} {ref.name}", "green tea", ref=ref)
            store.commit(writes(Changes(created=(record(told),)), ref=ref))
        if not all(_followed(store, ref) for ref in (ALICE, BOB, other)):
            return
        for ref in (ALICE, BOB, other):
            ids = tuple(f"of {each.tenant} {each.name}" for each in (ALICE, BOB, other))
            found = _near(store, replace(WIDE, terms=("tea",), ids=ids), ref)
            assert found.delta.content.ids == [f"of {ref.tenant} {ref.name}"]

    def test_what_was_written_since_is_found_as_it_stands_now(self, store: Store) -> None:
        _tell(store, memory("old", "green tea"), memory("gone", "black tea"))
        _tell(store, memory("away", "white tea"), memory("other", "red tea"))
        if not _followed(store):
            return
        _tell(store, memory("new", "iced tea"))
        store.commit(writes(Changes(removed=("gone",)), verb=Verb.REPAIR))
        _stand(store, "away", Lifecycle.ARCHIVED)
        store.commit(writes(Changes(revised=(update("other", "a tram"),)), verb=Verb.UPDATE))
        found = _near(store, replace(WIDE, terms=("tea",)))
        assert found.delta.content.ids == ["old", "new"]
        assert found.delta.revision == store.revision(ALICE)
        _stand(store, "away", Lifecycle.ACTIVE)
        again = _near(store, replace(WIDE, terms=("tea",)))
        assert set(again.delta.content.ids) == {"old", "away", "new"}

    def test_a_condition_leaves_what_fits_however_few_are_wanted(self, store: Store) -> None:
        base = memory("base", "green tea")
        own = _kinds_of_memories(base)
        use_space(store, space())
        crowd = [memory(f"c{at}", "tea tea tea") for at in range(40)]
        _tell(store, *crowd, *own.values(), vectors=(EAST,) * 40 + (NORTH,) * len(own))
        _stand(store, "suppressed", Lifecycle.SUPPRESSED)
        if not _followed(store):
            return
        conditions = {
            "kind": replace(WIDE, kinds=(Kind.EPISODIC,)),
            "session": replace(WIDE, session="S_1"),
            "subject": replace(WIDE, subject="Ann"),
            "tag": replace(WIDE, tags=("x", "bl_e")),
            "metadata": replace(WIDE, metadata={"shelf": 7.0}),
            "fresh": replace(WIDE, created_from=Instant(NOW - DAY)),
            "suppressed": replace(WIDE, lifecycles=(Lifecycle.SUPPRESSED,)),
        }
        for name, wanted in conditions.items():
            for asked in _ways(replace(wanted, count=1)):
                assert _near(store, asked).delta.content.ids == [name], name

    def test_what_is_not_so_at_that_moment_is_left_out(self, store: Store) -> None:
        base = memory("holds", "green tea")
        others = {
            "over": replace(base, valid_from=START, valid_to=BEFORE),
            "coming": replace(base, valid_from=AFTER),
            "expired": replace(base, expires_at=NOW),
            "retracted": replace(base, recorded_to=BEFORE),
        }
        _tell(store, base, *(replace(each, id=name) for name, each in others.items()))
        if not _followed(store):
            return
        asked = replace(WIDE, terms=("tea",))
        assert len(_near(store, asked).delta.content.ids) == 5
        assert _near(store, replace(asked, present=PRESENT)).delta.content.ids == ["holds"]
        either = replace(asked, present=replace(PRESENT, ended=None))
        assert set(_near(store, either).delta.content.ids) == {"holds", "over"}

    def test_what_is_asked_for_by_name_and_all_claims_of_a_key_come_along(
        self, store: Store
    ) -> None:
        old = replace(memory("old", "green tea"), key="user/drink")
        new = replace(memory("new", "just water"), key="user/drink")
        _tell(store, old, new, memory("named", "a tram"), memory("other", "a boat"))
        if not _followed(store):
            return
        found = _near(store, replace(WIDE, terms=("tea",), ids=("named", "nobody")))
        assert set(found.delta.content.ids) == {"old", "new", "named"}
        by_row = dict(zip(found.delta.content.rows.tolist(), found.delta.content.ids, strict=True))
        assert [by_row[each] for each in found.found.tolist()] == ["old"]

    def test_it_tells_how_common_a_term_is_in_the_bank_and_whether_more_was_there(
        self, store: Store
    ) -> None:
        _tell(store, *(memory(f"m{at}", f"tea number{at}") for at in range(6)))
        if not _followed(store):
            return
        found = _near(store, replace(WIDE, terms=("tea", "number3", "absent"), count=6))
        assert found.memory_count == 6
        assert found.mean_length == 2
        counted = {term: found.frequency[number] for term, number in found.delta.terms.items()}
        assert counted == {"tea": 6, "number3": 1}
        assert len(found.delta.content.ids) == 6
        few = _near(store, replace(WIDE, terms=("tea",), count=2))
        assert few.cut
        assert not _near(store, replace(WIDE, terms=("tea",), count=7)).cut


def _kinds_of_memories(base: Memory) -> Mapping[str, Memory]:
    """Memories of which each fits one condition alone, by its name."""
    told = {
        "kind": replace(base, kind=Kind.EPISODIC),
        "session": replace(base, session="S_1"),
        "subject": replace(base, subject="Ann"),
        "tag": replace(base, tags=("bl_e", "x")),
        "metadata": replace(base, metadata={"shelf": 7}),
        "fresh": replace(base, created_at=NOW),
        "suppressed": base,
    }
    return {name: replace(each, id=name) for name, each in told.items()}


def _ways(wanted: Wanted) -> tuple[Wanted, Wanted]:
    """The same by words, and by the vector of those that are not meant."""
    return (
        replace(wanted, terms=("tea",)),
        replace(wanted, vector=_unit(EAST), space=1),
    )


def _tell(store: Store, *told: Memory, vectors: tuple[list[float], ...] = ()) -> None:
    own: list[Vector | None] = [vector(1, each) for each in vectors]
    pairs = zip(told, own or [None] * len(told), strict=True)
    created = tuple(record(each, vector=one) for each, one in pairs)
    store.commit(writes(Changes(created=created)))


def _stand(store: Store, name: str, lifecycle: Lifecycle) -> None:
    moved = replace(state(), lifecycle=lifecycle)
    store.commit(writes(Changes(states=((name, moved),)), verb=Verb.PIN))


def _followed(store: Store, ref: BankRef = ALICE) -> bool:
    assert isinstance(store, SearchesNear)
    return store.follow_near(ref)


def _near(store: Store, wanted: Wanted, ref: BankRef = ALICE) -> Near:
    assert isinstance(store, SearchesNear)
    found = store.near(ref, wanted)
    assert found is not None
    return found


def _unit(values: list[float]) -> Float32Array:
    return np.asarray(values, np.float32)


def _equal(found: IndexDelta, whole: IndexDelta) -> None:
    """Every column of what was found is that of the whole bank."""
    for one, other in ((found.content, whole.content), (found.states, whole.states)):
        for each in fields(one):
            np.testing.assert_equal(getattr(one, each.name), getattr(other, each.name))
