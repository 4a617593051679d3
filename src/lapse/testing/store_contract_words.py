"""Clauses on what persons wrote beside memories, and on words that go.

Decides where such words are found, that they go everywhere at once, and that nothing else does.
Refuses to know any store.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from dataclasses import replace

from lapse.model.changeset import Changes, ChangeSet
from lapse.model.hold import Hold, HoldScope, HoldTarget
from lapse.model.instants import Instant
from lapse.model.journal import GENESIS, follows
from lapse.model.memory import BankRef
from lapse.model.plan_progress import Approval
from lapse.model.proposal import Proposal, ProposalKind, ProposalStatus
from lapse.model.redaction import Redaction, mark
from lapse.model.retention import Lifecycle, RetentionState, Transition
from lapse.model.tombstone import Lift
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, memory, record, state, writes
from lapse.testing.plans import plan as plan_of
from lapse.testing.store_contract_graves import stone
from lapse.testing.store_contract_snapshots import whole_journal
from lapse.testing.store_contract_writes import entry, remember

TOLD = 'The code of the safé is "17-4" ☕'
"""What is to go: as it is written in text and as JSON writes it, it looks different."""

OTHER = "It was asked for"
BOB = BankRef(name="bob")
GONE = Redaction(text=TOLD, tombstone="stone1")


def because(verb: Verb, *ids: str, reason: str = TOLD, about: str = "") -> Changes:
    """Give a write that is nothing but an entry with a reason, and a hold released by nobody."""
    draft = replace(entry(verb, *ids), reason=reason, reason_salt=b"0123456789abcdef", about=about)
    return Changes(holds_released=("nobody",), journal=draft)


def let_go(store: Store, *gone: Redaction, ref: BankRef = ALICE) -> None:
    """Let words go."""
    changes = Changes(redacted=gone or (GONE,), journal=entry(Verb.ERASE))
    store.commit(writes(changes, ref=ref, verb=Verb.ERASE))


def hold(name: str, reason: str) -> Hold:
    """Give a hold on the whole bank."""
    return Hold(
        name=name,
        target=HoldTarget(scope=HoldScope.BANK),
        holder="anna",
        reason=reason,
        placed_at=START,
    )


def moved(reason: str, before: Transition | None = None) -> Transition:
    """Give a move into the archive."""
    return Transition(
        at=Instant(START + 1),
        by="anna",
        reason=reason,
        plan_id=None,
        prior=Lifecycle.ACTIVE,
        prior_transition=before,
    )


def archived(transition: Transition) -> RetentionState:
    """Give the state of a memory in the archive."""
    return replace(state(), lifecycle=Lifecycle.ARCHIVED, transition=transition)


def speak_everywhere(store: Store) -> None:
    """Write the secret wherever a person may, and something else beside it."""
    remember(store, "m1", "m2", "m3")
    asked = Proposal(kind=ProposalKind.RESTATE, memory_id="m1", at=START, by="anna")
    decided = replace(
        asked, status=ProposalStatus.DISMISSED, decided_at=START, decided_by="b", reason=TOLD
    )
    approval = Approval(by="boss", reason=TOLD, at=START)
    plan = plan_of()
    states = (
        ("m1", replace(state(), exempt=True, exempt_reason=TOLD)),
        ("m2", archived(moved(OTHER, moved(TOLD)))),
        ("m3", archived(moved(OTHER))),
    )
    first = Changes(
        states=states,
        holds_placed=(hold("case", TOLD), hold(TOLD, OTHER)),
        plans=(plan,),
        proposed=(asked,),
        tombstones=(replace(stone("t"), lift=Lift(at=START, by="b", reason=TOLD)), stone("u")),
        journal=because(Verb.HOLD, "m1", about=TOLD, reason=OTHER).journal,
    )
    store.commit(writes(first, verb=Verb.HOLD))
    second = Changes(
        decided=(decided,),
        plans=(replace(plan, approval=approval),),
        journal=because(Verb.DISMISS, "m1").journal,
    )
    store.commit(writes(second, verb=Verb.DISMISS))


class WordClauses:
    """Words that persons wrote are found, and go where they are told to."""

    def test_what_persons_wrote_is_told_once_and_in_order(self, store: Store) -> None:
        assert store.words(ALICE) == []
        speak_everywhere(store)
        assert store.words(ALICE) == sorted({TOLD, OTHER, "case"})
        assert store.words(BOB) == []

    def test_a_judge_sees_what_persons_wrote_if_it_asks(self, store: Store) -> None:
        speak_everywhere(store)
        seen: list[tuple[str, ...]] = []

        def judge(view: View) -> Changes:
            seen.append(view.words)
            return Changes()

        for asked in (True, False):
            reads = Reads(words=asked)
            store.commit(
                ChangeSet(verb=Verb.REMEMBER, ref=ALICE, now=START, reads=reads, judge=judge)
            )
        assert seen == [tuple(store.words(ALICE)), ()]

    def test_words_that_go_go_everywhere_and_nothing_else_does(self, store: Store) -> None:
        speak_everywhere(store)
        let_go(store)
        gone = mark("stone1")
        kept = {each.name: each.reason for each in store.holds(ALICE)}
        assert set(store.words(ALICE)) == {OTHER, "case", gone, *kept}
        assert sorted(kept.values()) == sorted((gone, OTHER))
        m1, m2, m3 = (each.state for each in store.get(ALICE, ["m1", "m2", "m3"]))
        assert (m1.exempt, m1.exempt_reason) == (True, gone)
        assert m2.transition == moved(OTHER, moved(gone))
        assert m3.transition == moved(OTHER)
        assert [each.reason for each in store.proposals(ALICE)] == [gone]
        plan = store.plan(ALICE, store.plans(ALICE, 1)[0].id)
        assert plan is not None
        assert plan.approval is not None
        assert (plan.approval.reason, plan.true_id) == (gone, plan.id)
        lifts = [each.tombstone.lift for each in store.tombstones(ALICE, 0, 9)]
        assert [None if each is None else each.reason for each in lifts] == [gone, None]

    def test_the_chain_holds_without_the_words(self, store: Store) -> None:
        speak_everywhere(store)
        before = whole_journal(store, ALICE)
        let_go(store)
        after = whole_journal(store, ALICE)
        hashes = [GENESIS, *(each.hash for each in after)]
        assert all(follows(e, h) for e, h in zip(after, hashes, strict=False))
        assert [each.hash for each in after[:-1]] == [each.hash for each in before]
        assert [each.redacted_by for each in after] == ["", "stone1", "stone1", ""]
        assert [(each.reason, each.about, each.reason_salt) for each in after[1:3]] == [
            (None, "", b"")
        ] * 2
        assert list(store.faults(ALICE)) == []

    def test_words_of_the_same_write_go_as_well(self, store: Store) -> None:
        remember(store, "m1")
        changes = replace(because(Verb.ERASE, "m1"), redacted=(GONE,))
        store.commit(writes(changes, verb=Verb.ERASE))
        last = whole_journal(store, ALICE)[-1]
        assert (last.reason, last.redacted_by) == (None, "stone1")
        assert TOLD not in store.words(ALICE)

    def test_only_words_that_are_exactly_the_same_go(self, store: Store) -> None:
        remember(store, "m1")
        for reason in (TOLD, f"{TOLD}.", TOLD.upper()):
            store.commit(writes(because(Verb.PIN, "m1", reason=reason), verb=Verb.PIN))
        let_go(store)
        assert store.words(ALICE) == sorted((f"{TOLD}.", TOLD.upper()))

    def test_words_in_another_bank_stay(self, store: Store) -> None:
        for ref in (ALICE, BOB):
            created = Changes(
                created=(record(memory("m1", ref=ref)),), journal=entry(Verb.REMEMBER, "m1")
            )
            store.commit(writes(created, ref=ref))
            store.commit(writes(because(Verb.PIN, "m1"), ref=ref, verb=Verb.PIN))
        let_go(store)
        assert (store.words(ALICE), store.words(BOB)) == ([], [TOLD])

    def test_a_state_whose_words_went_is_told_to_who_follows(self, store: Store) -> None:
        speak_everywhere(store)
        before = store.revision(ALICE)
        let_go(store)
        rows = {each.memory.id: each.row for each in store.get(ALICE, ["m1", "m2"])}
        assert store.changes(ALICE, before).states.rows.tolist() == sorted(rows.values())

    def test_scrubbing_finds_none_of_the_words(self, store: Store) -> None:
        speak_everywhere(store)
        let_go(store)
        needles = (TOLD.encode(), b"The code of the saf")
        assert store.scrub(needles).residue == 0
