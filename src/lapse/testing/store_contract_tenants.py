"""Clauses on tenants: what one of them reads, lists, plans and writes never reaches another.

Decides what every store must keep apart, with two tenants whose banks have the same name and whose
memories, plans, holds and answers have the same ids. Refuses to know how a store does it: one whose
server can bind a tenant's role (security by row) is besides to be asked its statements in that
role.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Final

from lapse.errors import LapseError
from lapse.model.answer import AnswerChanges
from lapse.model.changeset import Changes
from lapse.model.closing import Closing, ClosingKind
from lapse.model.due import FROM_THE_START, DueBy
from lapse.model.identifier import Identifier, IdentifierType
from lapse.model.instants import DAY, LATEST, Instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import BankRef, Memory, SharedFrom
from lapse.model.paging import Listing
from lapse.model.plan import Plan
from lapse.model.proposal import Proposal, ProposalKind, ProposalStatus
from lapse.model.record import ContentChange, VectorChange
from lapse.model.redaction import Redaction
from lapse.model.retention import Lifecycle, Transition
from lapse.model.tombstone import TombstoneScope
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Leasing, Store
from lapse.testing.fakes import START, facets, memory, record, space, state, use, vector, writes
from lapse.testing.plans import approved, item, plan
from lapse.testing.store_contract_answers import answer
from lapse.testing.store_contract_graves import stone
from lapse.testing.store_contract_snapshots import all_records, snapshot
from lapse.testing.store_contract_sweeps import canary, report
from lapse.testing.store_contract_words import hold
from lapse.testing.store_contract_writes import entry, view_of

MINE: Final = BankRef(tenant="north", name="notes")
BESIDE: Final = BankRef(tenant="north", name="diary")
THEIRS: Final = BankRef(tenant="south", name="notes")
STRANGERS: Final = (THEIRS, BankRef(tenant="North", name="notes"), BankRef(tenant="%", name="%"))
IDS: Final = ("a", "b", "c")
CODE: Final = "code-1"
EVERYTHING: Final = Reads(
    ids=IDS,
    keys=("user/drink",),
    pending=9,
    events=True,
    cited=True,
    closings=True,
    tombstones=0,
    words=True,
    answers=0,
)


def secret(ref: BankRef) -> str:
    """Give the word that all of a bank's texts hold, and nobody else's."""
    return f"secret-of-{ref.tenant}"


def plan_of(ref: BankRef) -> Plan:
    """Give the plan of a bank; its items have the same ids in every bank."""
    return plan(item("a"), ref=ref)


def settle(store: Store, ref: BankRef) -> None:
    """Keep something of every kind in a bank."""
    word = secret(ref)
    first = replace(
        record(memory("a", f"{word} first", ref=ref)),
        facets=replace(
            facets(f"{word} first"),
            identifiers=(Identifier(type=IdentifierType.CODE, canonical=CODE),),
        ),
    )
    claim = replace(memory("b", f"{word} claim", ref=ref), key="user/drink", derived_from=("a",))
    copy = replace(
        memory("c", f"{word} copy", ref=ref), shared_from=SharedFrom(bank=BESIDE.name, id="a")
    )
    created = (first, record(claim), record(copy))
    _write(store, ref, Verb.REMEMBER, Changes(created=created, journal=_said(Verb.REMEMBER, ref)))
    embedded = replace(view_of(store, Reads(), ref=ref).bank, space=space(1))
    _write(store, ref, Verb.EMBED, Changes(bank=embedded))
    kept = VectorChange(memory_id="a", content_version=1, vector=vector(1, (1.0, 0, 0, 0)))
    _write(store, ref, Verb.EMBED, Changes(vectors=(kept,)))
    again = replace(memory("c", f"{word} copy, again", ref=ref), content_version=2)
    again = replace(again, shared_from=copy.shared_from)
    changed = ContentChange(memory=again, facets=facets(again.text))
    _write(store, ref, Verb.UPDATE, Changes(revised=(changed,)))
    _write(store, ref, Verb.USED, Changes(enqueued=(use("a", "e1"), use("b", "e1"))))
    _govern(store, ref, word)


def _govern(store: Store, ref: BankRef, word: str) -> None:
    moved = Transition(
        at=START, by=word, reason=word, plan_id=None, prior=Lifecycle.ACTIVE, prior_transition=None
    )
    asked = Proposal(kind=ProposalKind.RESTATE, memory_id="a", at=START, by=word)
    governed = Changes(
        states=(("b", replace(state(), lifecycle=Lifecycle.ARCHIVED, transition=moved)),),
        holds_placed=(hold("case", word),),
        plans=(plan_of(ref),),
        proposed=(asked,),
        closings=(Closing(memory_id="c", kind=ClosingKind.RETRACTED, recorded_from=START),),
        tombstones=(replace(stone(f"stone of {ref}", ref, TombstoneScope.TENANT), by=word),),
        sweeps=(replace(report(1), by=word),),
        canaries=(canary(word, "a"),),
        journal=_said(Verb.HOLD, ref),
    )
    _write(store, ref, Verb.HOLD, governed)
    kept = AnswerChanges(put=(answer("q1", "a", text=word),))
    _write(store, ref, Verb.CACHE, Changes(answers=kept))


def reads(store: Store, ref: BankRef) -> Mapping[str, object]:
    """Ask a bank everything a store can be asked, as plain values by the name of the question."""
    asked: dict[str, Callable[[], object]] = {
        "bank": lambda: store.bank(ref),
        "get": lambda: store.get(ref, IDS),
        "contents": lambda: store.contents(ref, IDS),
        "counts": lambda: (store.count(ref), store.active(ref), store.pending_count(ref)),
        "waiting": lambda: store.pending_since(ref),
        "versions": lambda: [store.versions(ref, each) for each in IDS],
        "page": lambda: store.page(ref, Listing()).records,
        "revision": lambda: store.revision(ref),
        "vectors": lambda: store.missing_vectors(ref, 1, 9),
        "stateless": lambda: store.stateless(ref),
        "holders": lambda: store.holders(ref, [CODE]),
        "terms": lambda: dict(store.term_counts(ref, [secret(MINE), "first"]).frequency),
        "cited": lambda: (dict(store.cited_by(ref, IDS)), dict(store.derived(ref, IDS))),
        "truths": lambda: (store.closings(ref), store.proposals(ref)),
        "shown": lambda: store.shown(ref, IDS),
        "naming": lambda: store.proposals_naming(ref, IDS),
        "due": lambda: [store.due(ref, by, LATEST, FROM_THE_START, 9) for by in DueBy],
        "sweeps": lambda: (store.sweeps(ref, 9), store.canaries(ref)),
        "holds": lambda: store.holds(ref),
        "plans": lambda: (store.plans(ref, 9), store.plan(ref, plan_of(MINE).id)),
        "events": lambda: store.events(ref, IDS),
        "tombstones": lambda: store.tombstones(ref, 0, 9),
        "answers": lambda: (store.answers(ref), store.answer(ref, "q1"), store.answer_count(ref)),
        "journal": lambda: (store.journal(ref, 0, 99), store.journal_head(ref)[0]),
        "entries": lambda: [store.journal_of(ref, each) for each in IDS],
        "by verb": lambda: [store.journal_by(ref, each, 0) for each in Verb],
        "words": lambda: store.words(ref),
        "copies": lambda: (store.copied(ref), dict(store.copies(ref, IDS))),
        "index": lambda: _columns(store, ref),
        "view": lambda: _seen(store, ref),
    }
    return {name: ask() for name, ask in asked.items()}


def meddling(ref: BankRef) -> Iterator[tuple[Verb, Changes]]:
    """Give writes of a tenant that has none of these memories, each aimed at what another has."""
    aimed: Memory = replace(memory("a", "overwritten", ref=ref), content_version=2)
    one = plan_of(ref)
    asked = Proposal(kind=ProposalKind.RESTATE, memory_id="a", at=START, by="intruder")
    decided = replace(
        asked, status=ProposalStatus.DISMISSED, decided_at=START, decided_by="i", reason="no"
    )
    closed = Closing(memory_id="a", kind=ClosingKind.RETRACTED, recorded_from=START)
    late = VectorChange(memory_id="a", content_version=1, vector=vector(1, (0, 1.0, 0, 0)))
    yield Verb.UPDATE, Changes(revised=(ContentChange(memory=aimed, facets=facets(aimed.text)),))
    yield Verb.UPDATE, Changes(amended=(replace(memory("a", ref=ref), confidence=0.1),))
    yield Verb.PIN, Changes(states=(("a", replace(state(), pinned=True)),))
    yield Verb.USED, Changes(enqueued=(use("a", "e9"),))
    yield Verb.DRAIN, Changes(drained=(("a", "e1"),))
    yield Verb.EMBED, Changes(vectors=(late,))
    yield Verb.REPAIR, Changes(removed=IDS)
    yield Verb.RELEASE, Changes(holds_released=("case",))
    yield Verb.APPROVE, Changes(plans=(approved(one, "a"),))
    yield Verb.SWEEP, Changes(canaries_gone=(canary(secret(MINE), "a").id,))
    yield Verb.RETRACT, Changes(closings=(closed,))
    yield Verb.DISMISS, Changes(decided=(decided,))
    yield Verb.ERASE, Changes(redacted=(Redaction(text=secret(MINE), tombstone="t"),))
    yield Verb.ERASE, Changes(tombstones=(stone(f"stone of {MINE}", ref),))
    planted = stone("planted", MINE, TombstoneScope.TENANT)
    yield Verb.ERASE, Changes(tombstones=(planted,))
    yield Verb.CACHE, Changes(answers=AnswerChanges(gone=("q1",), of_sources=("a",)))
    yield Verb.REMEMBER, Changes(created=(record(memory("a", "overwritten", ref=ref)),))
    yield Verb.REMEMBER, Changes(created=(record(memory("z", "put there", ref=MINE)),))


class TenantClauses:
    """What a tenant has is nothing to every other tenant."""

    def test_a_tenant_without_a_bank_reads_nothing_of_another(self, store: Store) -> None:
        nothing = {each: reads(store, each) for each in STRANGERS}
        settle(store, BESIDE)
        settle(store, MINE)
        assert all(secret(MINE) in repr(reads(store, MINE)[each]) for each in ("get", "words"))
        for each in STRANGERS:
            assert reads(store, each) == nothing[each]
            assert list(store.faults(each)) == []
            assert store.banks(each.tenant) == []

    def test_no_answer_to_a_tenant_tells_what_another_keeps(self, store: Store) -> None:
        settle(store, MINE)
        settle(store, THEIRS)
        for mine, other in ((MINE, THEIRS), (THEIRS, MINE)):
            for told in (reads(store, mine), list(store.dump(mine)), snapshot(store, mine)):
                assert secret(mine) in repr(told)
                assert secret(other) not in repr(told)
                assert repr(other.tenant) not in repr(told)

    def test_a_cursor_of_one_tenant_gives_another_its_own(self, store: Store) -> None:
        settle(store, MINE)
        settle(store, THEIRS)
        settle(store, BESIDE)
        rows = {ref: [each.row for each in all_records(store, ref)] for ref in (MINE, THEIRS)}
        for cursor in (0, *rows[MINE], *rows[THEIRS]):
            page = store.page(THEIRS, Listing(after=cursor, limit=9))
            assert {each.memory.tenant for each in page.records} <= {THEIRS.tenant}
            assert [each.row for each in page.records] == [r for r in rows[THEIRS] if r > cursor]
        due = store.due(MINE, DueBy.FADING, LATEST, FROM_THE_START, 1)
        later = store.due(THEIRS, DueBy.FADING, LATEST, due[0].place, 9)
        assert {each.row for each in later} <= set(rows[THEIRS])
        ahead = store.revision(MINE)
        assert store.changes(THEIRS, ahead).content.ids == []

    def test_a_plan_is_nothing_to_another_tenant(self, store: Store) -> None:
        settle(store, MINE)
        mine = plan_of(MINE)
        assert store.plan(MINE, mine.id) == mine
        assert store.plan(THEIRS, mine.id) is None
        assert view_of(store, Reads(plans=(mine.id,)), ref=THEIRS).plans == {}
        refused = _refused(store, THEIRS, Verb.PLAN, Changes(plans=(mine,)))
        assert refused is not None
        settle(store, THEIRS)
        assert store.plan(THEIRS, mine.id) is None
        _write(store, THEIRS, Verb.APPROVE, Changes(plans=(approved(plan_of(THEIRS), "a"),)))
        assert store.plan(MINE, mine.id) == mine

    def test_no_write_of_a_tenant_changes_what_another_keeps(self, store: Store) -> None:
        settle(store, BESIDE)
        settle(store, MINE)
        before = snapshot(store, MINE), reads(store, MINE), list(store.dump(MINE))
        for verb, changes in meddling(THEIRS):
            _refused(store, THEIRS, verb, changes)
            now = snapshot(store, MINE), reads(store, MINE), list(store.dump(MINE))
            assert now == before, changes

    def test_the_same_ids_of_another_tenant_go_alone(self, store: Store) -> None:
        settle(store, MINE)
        settle(store, THEIRS)
        before = snapshot(store, MINE), reads(store, MINE)
        for verb, changes in meddling(THEIRS):
            _refused(store, THEIRS, verb, changes)
            assert (snapshot(store, MINE), reads(store, MINE)) == before, changes
        assert [each.memory.text for each in store.get(THEIRS, IDS)] == ["overwritten"]

    def test_copies_and_tombstones_stay_within_their_tenant(self, store: Store) -> None:
        settle(store, BESIDE)
        settle(store, MINE)
        settle(store, THEIRS)
        away = BankRef(tenant=THEIRS.tenant, name=BESIDE.name)
        settle(store, away)
        for source, tenant in ((BESIDE, MINE.tenant), (away, THEIRS.tenant)):
            (found,) = store.copies(source, ["a"]).values()
            assert {each.ref.tenant for each in found} == {tenant}
            stones = store.tombstones(source, 0, 99)
            assert {each.tombstone.tenant for each in stones} == {tenant}
            assert {each.tombstone.bank for each in stones} == {MINE.name, BESIDE.name}

    def test_only_a_tenants_own_banks_are_listed(self, store: Store) -> None:
        for ref in (MINE, BESIDE, THEIRS):
            settle(store, ref)
        assert [each.ref for each in store.banks(MINE.tenant)] == [BESIDE, MINE]
        assert [each.ref for each in store.banks(THEIRS.tenant)] == [THEIRS]

    def test_a_lease_of_one_tenant_holds_no_other_up(self, store: Store) -> None:
        settle(store, MINE)
        settle(store, THEIRS)
        if not isinstance(store, Leasing):
            return
        until = Instant(START + DAY)
        for ref in (MINE, THEIRS):
            assert store.take_lease(ref, "sweep", f"worker of {ref}", now=START, until=until)
        store.leave_lease(MINE, "sweep", f"worker of {MINE}")
        assert not store.take_lease(THEIRS, "sweep", "another", now=START, until=until)


def _said(verb: Verb, ref: BankRef) -> JournalDraft:
    return replace(entry(verb, "a", "b"), by=secret(ref), reason=secret(ref), reason_salt=b"s" * 16)


def _write(store: Store, ref: BankRef, verb: Verb, changes: Changes) -> None:
    store.commit(writes(changes, ref=ref, verb=verb))


def _refused(store: Store, ref: BankRef, verb: Verb, changes: Changes) -> LapseError | None:
    """Write what may be refused; what it leaves is looked at afterwards."""
    try:
        _write(store, ref, verb, changes)
    except LapseError as error:
        return error
    return None


def _columns(store: Store, ref: BankRef) -> object:
    delta = store.changes(ref, 0)
    return delta.content.ids, delta.states.rows.tolist(), sorted(delta.terms), delta.space


def _seen(store: Store, ref: BankRef) -> object:
    view = view_of(store, replace(EVERYTHING, fingerprints=(_same_text(ref),)), ref=ref)
    # The bank's record is read apart: before its first write a judge sees one of that moment.
    return {each.name: getattr(view, each.name) for each in fields(View) if each.name != "bank"}


def _same_text(ref: BankRef) -> bytes:
    return facets(f"{secret(ref)} first").fingerprint
