"""Clauses about closings and proposals: what ended a memory, and what waits for a decision.

Decides what every store must do with them, one case for each clause.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from dataclasses import replace

from lapse.errors import ConflictError
from lapse.model.changeset import Changes
from lapse.model.closing import Closing, ClosingKind, Undo
from lapse.model.finding import ChangeKind
from lapse.model.instants import DAY, Instant
from lapse.model.proposal import Proposal, ProposalKind, ProposalStatus
from lapse.model.shown import Shown
from lapse.model.verbs import Verb
from lapse.model.view import Reads
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, memory, writes
from lapse.testing.store_contract_snapshots import snapshot
from lapse.testing.store_contract_writes import BOB, remember, view_of


def closed(memory_id: str, by_id: str | None, *, day: int = 0) -> Closing:
    """Give a supersession known since that day."""
    at = Instant(START + day * DAY)
    return Closing(
        memory_id=memory_id,
        kind=ClosingKind.SUPERSEDED,
        recorded_from=at,
        by_id=by_id,
        starts_at=at,
        undo=Undo.RETRACT,
    )


def retracted(memory_id: str, *, day: int = 0) -> Closing:
    """Give a retraction known since that day."""
    at = Instant(START + day * DAY)
    return Closing(memory_id=memory_id, kind=ClosingKind.RETRACTED, recorded_from=at)


def proposed(memory_id: str, *others: str) -> Proposal:
    """Give an open proposal that one memory replaces others."""
    return Proposal(
        kind=ProposalKind.REPLACE,
        memory_id=memory_id,
        other_ids=others,
        at=START,
        by="test",
        change=ChangeKind.PARTIAL,
        confidence=0.25,
        evidence=("same template", "a place"),
        rest="Ann works at Acme",
    )


def _commit(store: Store, changes: Changes) -> None:
    store.commit(writes(changes, verb=Verb.REMEMBER))


class TruthClauses:
    """Closings and proposals come back as they went in, and go with the memories they name."""

    def test_closings_come_back_in_the_order_in_which_they_were_known(self, store: Store) -> None:
        remember(store, "a", "b", "c")
        rest = replace(closed("c", "b", day=1), rest_id="a")
        told = (retracted("b", day=2), rest, closed("a", "b", day=1))
        _commit(store, Changes(closings=told))
        assert store.closings(ALICE) == [closed("a", "b", day=1), rest, retracted("b", day=2)]
        assert store.closings(ALICE, ["c"]) == [rest]
        assert store.closings(ALICE, ["b"]) == store.closings(ALICE)
        assert store.closings(ALICE, ["nobody", "\ud800"]) == []
        assert store.closings(ALICE, []) == []
        assert store.closings(BOB) == []

    def test_a_closing_that_is_taken_back_stays_with_its_end(self, store: Store) -> None:
        remember(store, "a", "b")
        _commit(store, Changes(closings=(closed("a", "b"), retracted("a"))))
        ended = replace(closed("a", "b"), recorded_to=Instant(START + DAY))
        again = closed("a", "b", day=2)
        _commit(store, Changes(closings=(ended, again)))
        assert store.closings(ALICE) == [retracted("a"), ended, again]

    def test_a_memory_may_end_without_another_in_its_place(self, store: Store) -> None:
        remember(store, "a")
        _commit(store, Changes(closings=(closed("a", None),)))
        assert store.closings(ALICE, ["a"]) == [closed("a", None)]

    def test_a_view_holds_closings_only_when_asked(self, store: Store) -> None:
        remember(store, "a", "b", "c")
        _commit(store, Changes(closings=(closed("a", "b"), retracted("c"))))
        assert view_of(store, Reads(ids=("a",))).closings == ()
        assert view_of(store, Reads(ids=("a",), closings=True)).closings == (closed("a", "b"),)
        assert view_of(store, Reads(ids=("b",), closings=True)).closings == (closed("a", "b"),)
        assert view_of(store, Reads(ids=(), closings=True)).closings == ()

    def test_a_view_of_a_text_holds_what_took_its_place(self, store: Store) -> None:
        remember(store, "a", "b")
        replaced = replace(memory("a"), superseded_by="b", is_latest=False)
        gone = replace(memory("b"), superseded_by="nobody")
        _commit(store, Changes(amended=(replaced, gone)))
        of_a = view_of(store, Reads(fingerprints=(memory("a").fingerprint,)))
        assert list(of_a.records) == ["a", "b"]
        assert of_a.same_text == {memory("a").fingerprint: ("a",)}
        of_b = view_of(store, Reads(fingerprints=(memory("b").fingerprint,)))
        assert list(of_b.records) == ["b"]

    def test_a_proposal_comes_back_whole_and_in_order(self, store: Store) -> None:
        remember(store, "a", "b", "c")
        second = Proposal(
            kind=ProposalKind.REACTIVATE, memory_id="a", at=START, by="tool", confidence=1.0
        )
        first = proposed("c", "b", "a")
        _commit(store, Changes(proposed=(first,)))
        _commit(store, Changes(proposed=(second,)))
        assert store.proposals(ALICE) == [first, second]
        assert store.proposals(ALICE, limit=1) == [first]
        assert store.proposals(ALICE, ProposalStatus.OPEN) == [first, second]
        assert store.proposals(ALICE, ProposalStatus.ACCEPTED) == []
        assert store.proposals(BOB) == []
        assert store.proposals_naming(ALICE, ["b"]) == [first]
        assert store.proposals_naming(ALICE, ["a", "c", "nobody"]) == [first, second]
        assert store.proposals_naming(BOB, ["a"]) == []

    def test_what_is_shown_are_contents_and_what_is_undecided_about_them(
        self, store: Store
    ) -> None:
        remember(store, "a", "b", "c", "d")
        _commit(store, Changes(proposed=(proposed("c", "b", "a"), proposed("d", "c"))))
        for asked in (["b", "nobody", "a", "b"], ["d"], ["nobody"], []):
            found = store.shown(ALICE, asked)
            assert list(found.memories) == store.contents(ALICE, asked)
            assert list(found.proposals) == store.proposals_naming(ALICE, asked)
        assert [each.memory_id for each in store.shown(ALICE, ["b"]).proposals] == ["c"]
        assert store.shown(ALICE, ["\ud800", "d"]).memories == (memory("d"),)
        assert store.shown(BOB, ["a", "b"]) == Shown()

    def test_what_was_decided_is_not_proposed_again(self, store: Store) -> None:
        remember(store, "a", "b")
        told = proposed("a", "b")
        _commit(store, Changes(proposed=(told,)))
        dismissed = replace(
            told,
            status=ProposalStatus.DISMISSED,
            decided_at=Instant(START + DAY),
            decided_by="ann",
            reason="both are so",
        )
        _commit(store, Changes(decided=(dismissed,)))
        _commit(store, Changes(proposed=(replace(told, at=Instant(START + DAY)),)))
        assert store.proposals(ALICE) == [dismissed]
        assert store.proposals_naming(ALICE, ["a"]) == []
        view = view_of(store, Reads(proposals=(told.id, "nothing", "\ud800")))
        assert view.proposals == {told.id: dismissed}

    def test_deciding_what_nobody_proposed_leaves_no_trace(self, store: Store) -> None:
        remember(store, "a", "b")
        before = snapshot(store, ALICE)
        unknown = replace(
            proposed("a", "b"), status=ProposalStatus.ACCEPTED, decided_at=START, decided_by="x"
        )
        wrong = (
            Changes(decided=(unknown,)),
            Changes(proposed=(proposed("a", "nobody"),)),
            Changes(closings=(closed("a", "nobody"),)),
        )
        for changes in wrong:
            try:
                _commit(store, changes)
            except ConflictError:
                assert snapshot(store, ALICE) == before
            else:
                raise AssertionError("something unknown was decided")

    def test_what_names_a_removed_memory_goes_with_it(self, store: Store) -> None:
        remember(store, "a", "b", "c", "d")
        kept = (closed("a", "b"), proposed("b", "a"))
        closings = (kept[0], closed("c", "b"), retracted("c"))
        proposals = (kept[1], proposed("b", "c"), proposed("c", "b"))
        _commit(store, Changes(closings=closings, proposed=proposals))
        store.commit(writes(Changes(removed=("c",)), verb=Verb.REPAIR))
        assert store.closings(ALICE) == [kept[0]]
        assert store.proposals(ALICE) == [kept[1]]
        assert list(store.faults(ALICE)) == []
