"""Clauses about writing: one transaction, all or nothing, numbered, journalled.

Decides what every store must do when it commits, one case for each clause.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from dataclasses import replace

from lapse.errors import ConflictError, LapseError, NotFoundError, ValidationError
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.instants import DAY, Instant
from lapse.model.journal import GENESIS, JournalDraft, JournalItem, follows, salted_digest
from lapse.model.memory import BankRef, Memory
from lapse.model.record import ContentChange, VectorChange
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Store
from lapse.testing.fakes import (
    ALICE,
    START,
    facets,
    memory,
    record,
    space,
    state,
    use,
    vector,
    writes,
)
from lapse.testing.store_contract_snapshots import snapshot, whole_journal

LATER = Instant(START + DAY)
BOB = BankRef(name="bob")


def remember(store: Store, *ids: str, ref: BankRef = ALICE) -> None:
    """Create a memory for each id."""
    created = tuple(record(memory(each, ref=ref)) for each in ids)
    store.commit(writes(Changes(created=created), ref=ref))


def view_of(store: Store, reads: Reads, *, ref: BankRef = ALICE) -> View:
    """Look at a bank as a judge does, and write nothing."""
    seen: list[View] = []

    def look(view: View) -> Changes:
        seen.append(view)
        return Changes()

    store.commit(ChangeSet(verb=Verb.UPDATE, ref=ref, now=START, reads=reads, judge=look))
    return seen[0]


def update(memory_id: str, text: str, version: int = 2) -> ContentChange:
    """Give a new content version."""
    changed = replace(memory(memory_id, text), content_version=version)
    return ContentChange(memory=changed, facets=facets(text))


def entry(verb: Verb, *ids: str) -> JournalDraft:
    """Give a draft for the journal."""
    return JournalDraft(verb=verb, at=START, by="test", memory_ids=ids)


class WriteClauses:
    """A commit reads, judges and writes in one transaction."""

    def test_a_bank_begins_with_its_first_write(self, store: Store) -> None:
        assert store.bank(ALICE) is None
        assert store.revision(ALICE) == 0
        store.commit(writes(Changes(created=(record(memory("a")),)), now=LATER))
        bank = store.bank(ALICE)
        assert bank is not None
        assert (bank.ref, bank.created_at, bank.revision) == (ALICE, LATER, 1)

    def test_an_empty_answer_writes_nothing_at_all(self, store: Store) -> None:
        draft = entry(Verb.REMEMBER)
        done = store.commit(writes(Changes(journal=draft)))
        assert (done.revision, done.enqueued, done.journal_seq) == (0, 0, None)
        assert store.bank(ALICE) is None
        assert whole_journal(store, ALICE) == []

    def test_every_write_takes_one_revision_of_its_own_bank(self, store: Store) -> None:
        revisions = [
            store.commit(writes(Changes(created=(record(memory(each)),)))).revision
            for each in ("a", "b", "c")
        ]
        assert revisions == [1, 2, 3]
        assert store.revision(ALICE) == 3
        assert store.revision(BOB) == 0

    def test_a_judge_sees_all_that_was_written_before(self, store: Store) -> None:
        remember(store, "a", "b", "c")
        view = view_of(store, Reads(ids=("b", "nobody")))
        assert view.bank == store.bank(ALICE)
        assert list(view.records.values()) == store.get(ALICE, ["b"])
        assert not view.stateless
        assert not view.events

    def test_a_judge_finds_the_same_text_oldest_first(self, store: Store) -> None:
        texts = {"z": "milk tea", "a": "Milk  tea", "b": "black tea"}
        created = tuple(record(memory(name, text)) for name, text in texts.items())
        store.commit(writes(Changes(created=created)))
        asked, unknown = facets("milk tea").fingerprint, facets("no tea").fingerprint
        view = view_of(store, Reads(fingerprints=(asked, unknown)))
        assert view.same_text == {asked: ("z", "a"), unknown: ()}
        assert set(view.records) == {"z", "a"}

    def test_a_judge_finds_the_same_key_oldest_first(self, store: Store) -> None:
        keys = {"z": "user/drink", "a": "user/drink", "b": "USER/DRINK", "c": None}
        created = tuple(record(replace(memory(n), key=key)) for n, key in keys.items())
        store.commit(writes(Changes(created=created)))
        view = view_of(store, Reads(keys=("user/drink", "user/%")))
        assert view.same_key == {"user/drink": ("z", "a"), "user/%": ()}
        assert set(view.records) == {"z", "a"}

    def test_a_judge_that_raises_leaves_no_trace(self, store: Store) -> None:
        remember(store, "a")
        before = snapshot(store, ALICE)

        def refuse(view: View) -> Changes:
            raise NotFoundError(f"{len(view.records)} memories are not what was asked for")

        change = ChangeSet(
            verb=Verb.UPDATE, ref=ALICE, now=START, reads=Reads(ids=("a",)), judge=refuse
        )
        _refused(store, change, NotFoundError)
        assert snapshot(store, ALICE) == before

    def test_an_answer_that_contradicts_the_bank_leaves_no_trace(self, store: Store) -> None:
        remember(store, "a", "b")
        before = snapshot(store, ALICE)
        new = record(memory("new"))
        wrong = {
            "an id that exists": Changes(created=(new, record(memory("a")))),
            "an id twice": Changes(created=(new, new)),
            "a state of nobody": Changes(created=(new,), states=(("nobody", state()),)),
            "an amendment of nobody": Changes(created=(new,), amended=(memory("nobody"),)),
            "an event of nobody": Changes(created=(new,), enqueued=(use("nobody", "e"),)),
            "an update of nobody": Changes(created=(new,), revised=(update("nobody", "x"),)),
            "a removal of nobody": Changes(created=(new,), removed=("nobody",)),
            "a version too early": Changes(created=(new,), revised=(update("a", "x", 1),)),
            "a version too late": Changes(created=(new,), revised=(update("a", "x", 3),)),
            "another text": Changes(created=(new,), amended=(memory("a", "other"),)),
            "an event of what no id can be": Changes(
                created=(new,), enqueued=(use("\ud800", "e"),)
            ),
            "a journal of nobody": Changes(created=(new,), journal=entry(Verb.REMEMBER, "nobody")),
        }
        for changes in wrong.values():
            _refused(store, writes(changes), ConflictError)
            assert snapshot(store, ALICE) == before

    def test_an_answer_that_could_never_be_right_leaves_no_trace(self, store: Store) -> None:
        remember(store, "a")
        before = snapshot(store, ALICE)
        new = record(memory("new"))
        bank = replace(view_of(store, Reads()).bank, space=space(1, dimension=4))
        wrong = {
            "another bank": Changes(created=(record(memory("x", ref=BOB)),)),
            "another bank's record": Changes(bank=replace(bank, ref=BOB)),
            "a short vector": Changes(
                bank=bank, created=(record(memory("x"), vector=vector(1, [1.0])),)
            ),
            "a space in use": Changes(bank=bank, drop_spaces=(1,)),
            "two spaces of one number": Changes(bank=replace(bank, building=bank.space)),
            "another fingerprint": Changes(created=(replace(new, facets=facets("other")),)),
            "another verb's entry": Changes(created=(new,), journal=entry(Verb.PIN)),
        }
        for changes in wrong.values():
            _refused(store, writes(changes), ValidationError)
            assert snapshot(store, ALICE) == before

    def test_the_verb_decides_whether_there_is_an_entry(self, store: Store) -> None:
        remember(store, "a")
        silent = Changes(enqueued=(use("a", "e1"),))
        unasked = replace(silent, journal=entry(Verb.USED))
        _refused(store, writes(unasked, verb=Verb.USED), ValidationError)
        missing = ChangeSet(
            verb=Verb.PIN, ref=ALICE, now=START, reads=Reads(), judge=lambda _: silent
        )
        _refused(store, missing, ValidationError)
        done = store.commit(writes(silent, verb=Verb.USED))
        assert done.journal_seq is None
        assert [each.verb for each in whole_journal(store, ALICE)] == [Verb.REMEMBER]

    def test_the_journal_is_one_chain_without_gaps(self, store: Store) -> None:
        for each in ("a", "b", "c"):
            remember(store, each)
        draft = replace(
            entry(Verb.PIN, "b", "a"),
            counts=(("pinned", 2), ("asked", 3)),
            reason="because 🫖",
            reason_salt=b"\x00salt",
        )
        done = store.commit(writes(Changes(states=(("a", state()),), journal=draft), verb=Verb.PIN))
        entries = whole_journal(store, ALICE)
        assert done.journal_seq == 4
        assert [each.seq for each in entries] == [1, 2, 3, 4]
        hashes = [GENESIS, *(each.hash for each in entries)]
        assert all(follows(e, before) for e, before in zip(entries, hashes, strict=False))
        last = entries[-1]
        assert (last.verb, last.at, last.by) == (Verb.PIN, START, "test")
        assert (last.counts, last.reason) == (draft.counts, draft.reason)
        assert store.journal(ALICE, 2, 1) == [entries[2]]

    def test_an_entry_holds_numbers_and_salted_digests_of_texts(self, store: Store) -> None:
        remember(store, "a", "b")
        changes = Changes(revised=(update("a", "new text"),), journal=entry(Verb.UPDATE, "b", "a"))
        store.commit(writes(changes, verb=Verb.UPDATE))
        told = {each.memory.id: each for each in store.get(ALICE, ["a", "b"])}

        def item(name: str, before: str, after: str) -> JournalItem:
            salt = record(memory(name)).salt
            return JournalItem(
                row=told[name].row,
                was=Lifecycle.ACTIVE,
                now=Lifecycle.ACTIVE,
                before=salted_digest(salt, before),
                after=salted_digest(salt, after),
            )

        unchanged = told["b"].memory.text
        assert whole_journal(store, ALICE)[-1].items == (
            item("b", unchanged, unchanged),
            item("a", memory("a").text, "new text"),
        )

    def test_internal_numbers_grow_and_are_never_given_again(self, store: Store) -> None:
        remember(store, "z", "a")
        store.commit(writes(Changes(removed=("a",)), verb=Verb.REPAIR))
        remember(store, "b")
        rows = [each.row for each in store.get(ALICE, ["z", "b"])]
        removed = store.changes(ALICE, 0).removed.tolist()
        assert rows[0] < removed[0] < rows[1]

    def test_earlier_versions_are_kept_oldest_first(self, store: Store) -> None:
        remember(store, "a")
        first = store.get(ALICE, ["a"])[0].memory
        closed = replace(first, valid_to=LATER, is_latest=False)
        store.commit(writes(Changes(amended=(closed,)), verb=Verb.UPDATE))
        assert store.versions(ALICE, "a") == []
        for version, text in ((2, "second"), (3, "third")):
            changes = Changes(revised=(update("a", text, version),))
            store.commit(writes(changes, verb=Verb.UPDATE))
        assert store.versions(ALICE, "a") == [closed, update("a", "second").memory]
        assert store.get(ALICE, ["a"])[0].memory.text == "third"
        assert store.versions(ALICE, "nobody") == []

    def test_an_amendment_changes_all_but_the_content(self, store: Store) -> None:
        remember(store, "a", "b")
        amended: Memory = replace(
            memory("a"),
            valid_from=START,
            valid_to=LATER,
            recorded_to=LATER,
            superseded_by="b",
            is_latest=False,
            confidence=0.75,
            proof_count=3,
        )
        store.commit(writes(Changes(amended=(amended,)), verb=Verb.UPDATE))
        first, second = store.get(ALICE, ["a", "b"])
        assert (first.memory, second.memory) == (amended, memory("b"))
        assert first.state == state()

    def test_the_banks_own_record_is_kept_whole(self, store: Store) -> None:
        asked = replace(
            view_of(store, Reads()).bank,
            policy={"law": {"decay": 0.35}, "kinds": ["semantic"], "big": 2**70, "zero": -0.0},
            policy_version=7,
            space=replace(space(3, dimension=8), epoch=16, idf=b"\x00\x01\xff"),
            building=space(4, dimension=2),
            overlay=True,
            late_events=5,
            tokeniser="words 1, français",
            law="activation d=0.5",
        )
        store.commit(writes(Changes(bank=asked), verb=Verb.SET_POLICY))
        kept = store.bank(ALICE)
        assert kept is not None
        assert replace(kept, policy={}) == replace(asked, policy={}, revision=1)
        assert kept.policy == {**asked.policy, "kinds": ("semantic",)}

    def test_what_is_removed_leaves_its_number_alone(self, store: Store) -> None:
        remember(store, "a", "b")
        events = Changes(enqueued=(use("a", "e1"), use("b", "e1")))
        store.commit(writes(events, verb=Verb.USED))
        store.commit(writes(Changes(revised=(update("a", "again"),)), verb=Verb.UPDATE))
        row = store.get(ALICE, ["a"])[0].row
        store.commit(writes(Changes(removed=("a", "a")), verb=Verb.REPAIR))
        assert [each.memory.id for each in store.get(ALICE, ["a", "b"])] == ["b"]
        assert store.versions(ALICE, "a") == []
        assert [each.memory_id for each in store.events(ALICE, ["a", "b"])] == ["b"]
        assert store.pending_count(ALICE) == 1
        assert store.changes(ALICE, 0).removed.tolist() == [row]
        assert store.changes(ALICE, 4).removed.tolist() == []
        assert list(store.faults(ALICE)) == []

    def test_memories_are_counted_whatever_became_of_them(self, store: Store) -> None:
        assert store.count(ALICE) == 0
        remember(store, "a", "b", "c")
        put_away = replace(state(), lifecycle=Lifecycle.ARCHIVED)
        store.commit(writes(Changes(states=(("a", put_away),)), verb=Verb.UPDATE))
        store.commit(writes(Changes(revised=(update("b", "new"),)), verb=Verb.UPDATE))
        assert store.count(ALICE) == 3
        store.commit(writes(Changes(removed=("a", "a")), verb=Verb.REPAIR))
        assert (store.count(ALICE), store.count(BOB)) == (2, 0)

    def test_a_late_vector_is_ignored_when_its_memory_moved_on(self, store: Store) -> None:
        remember(store, "a")
        bank = replace(view_of(store, Reads()).bank, space=space(1))
        late = vector(1, [1.0, 0.0, 0.0, 0.0])
        vectors = (
            VectorChange(memory_id="a", content_version=2, vector=late),
            VectorChange(memory_id="gone", content_version=1, vector=late),
        )
        store.commit(writes(Changes(bank=bank, vectors=vectors), verb=Verb.EMBED))
        assert store.changes(ALICE, 0).content.vectors == [None]


def _refused(store: Store, change: ChangeSet, error: type[LapseError]) -> None:
    try:
        store.commit(change)
    except error:
        return
    raise AssertionError(f"the write went through, {error.__name__} was due")
