"""Clauses about reading: what was written, whole, in order, and of one bank only.

Decides what every store must answer, one case for each clause.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from dataclasses import fields, replace

from lapse.errors import StoreError
from lapse.model.changeset import Changes
from lapse.model.instants import DAY, EARLIEST, LATEST, Instant
from lapse.model.memory import BankRef, JsonValue, Kind, Memory, Role
from lapse.model.paging import Listing
from lapse.model.record import NewRecord
from lapse.model.retention import (
    TRACE_COUNT,
    Checkpoint,
    ImportanceSource,
    Lifecycle,
    RetentionState,
    Strength,
    Transition,
)
from lapse.model.verbs import Verb
from lapse.model.view import Reads
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START, facets, memory, record, state, use, writes
from lapse.testing.store_contract_snapshots import all_records, snapshot
from lapse.testing.store_contract_writes import remember, view_of

LOOKALIKES = (
    "alice",
    "Alice",
    "ALICE",
    "al%",
    "al_ce",
    "al*",
    "al?ce",
    "alice ",
    " alice",
    "alice/",
    "a'lice",
    'a"lice',
    "al\\ice",
    "alic\u0435",  # the last letter is Cyrillic
    "élan",
    "e\u0301lan",  # the same to the eye, in two code points
    "אליס",
    "🧕🏽",
    "ß",
    "SS",
    "null",
    "0",
    "00",
    "a\nb",
    "x" * 255,
)
"""Names that a careless store takes for one another."""

AWKWARD_TEXTS = (
    "plain",
    " white\tspace\n\n at the ends \u00a0",
    "مرحبا بالعالم שלום",
    "e\u0301 n\u0303 \u1e69 s\u0323\u0307",
    "👩🏽‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🫖",
    "日本語のテキスト",
    "\ufeff\u200b\u202ereversed\u202c",
    "'; DROP TABLE memory; -- % _ * ? \\ \" `",
    '{"json": [1, null]}',
    "long " * 13_000,  # some 64 KiB
)

METADATA: dict[str, JsonValue] = {
    "": "empty key",
    "nested": {"list": (1, 2.5, None, True, {"deep": ("x",)}), "empty": {}},
    "minus zero": -0.0,
    "one": 1,
    "one float": 1.0,
    "tiny": 5e-324,
    "huge": 1.7976931348623157e308,
    "beyond 64 bits": -(2**100),
    "nul": "a\x00b",
    "ключ 🔑": "значение",
}


def full_memory(memory_id: str, text: str, at: int) -> Memory:
    """Give a memory with every field set to something that is easily lost."""
    return replace(
        memory(memory_id, text),
        kind=tuple(Kind)[at % len(Kind)],
        role=tuple(Role)[at % len(Role)],
        key=f"ключ/{at}",
        value="" if at % 2 else text[:200],
        subject="Ærøskøbing",
        entities=("Ann", "ann", "", "Ann"),
        session="s'1",
        source='"quoted"',
        tags=("b", "a", "ü,;[]"),
        metadata=METADATA,
        created_at=EARLIEST,
        occurred_at=LATEST,
        recorded_from=Instant(-1),
        recorded_to=Instant(0),
        valid_from=Instant(1),
        valid_to=LATEST,
        supersedes="an older one",
        superseded_by="a newer one",
        is_latest=False,
        derived_from=("x", "y"),
        confidence=0.1 + 0.2,
        proof_count=2**63 - 1,
        expires_at=LATEST,
        content_version=41,
    )


def full_state() -> RetentionState:
    """Give a state with every field set to something that is easily lost."""
    strength = Strength(
        traces=tuple(5e-324 * 10.0**each for each in range(TRACE_COUNT)),
        traces_at=Instant(-1),
        stability_days=5e-324,
        difficulty=1.0000000000000002,
        last_counted_at=Instant(0),
        access_count=2**63 - 1,
        reinforcement_count=2**53 + 1,
    )
    before = replace(strength, traces=(1e300,) * TRACE_COUNT, last_counted_at=None, access_count=0)
    return RetentionState(
        importance=0.30000000000000004,
        importance_source=ImportanceSource.VERIFIED,
        strength=strength,
        checkpoint=Checkpoint(strength=before, through=EARLIEST),
        created_at=EARLIEST,
        updated_at=LATEST,
        last_recalled_at=Instant(0),
        pinned=True,
        verified=True,
        exempt=True,
        exempt_reason="legal\nhold ⚖",
        audit_evidence=True,
        lifecycle=Lifecycle.ARCHIVED,
        transition=Transition(
            at=Instant(0), by="", reason="ĸ", plan_id="p", prior=Lifecycle.SUPPRESSED
        ),
        protected_until=LATEST,
        fades_at=Instant(0),
        policy_version=2**40,
    )


class ReadClauses:
    """A read answers exactly, and for one bank only."""

    def test_every_field_comes_back_as_it_was_given(self, store: Store) -> None:
        told = [full_memory(f"m{at}", text, at) for at, text in enumerate(AWKWARD_TEXTS)]
        for each in told:
            new = NewRecord(
                memory=each, state=full_state(), facets=facets(each.text), salt=b"\x00\xff"
            )
            store.commit(writes(Changes(created=(new,))))
        found = store.get(ALICE, [each.id for each in told])
        assert [each.memory for each in found] == told
        assert all(each.state == full_state() for each in found)
        judged = view_of(store, Reads(ids=tuple(each.id for each in told)))
        assert [judged.records[each.id] for each in told] == found
        assert str(found[0].memory.metadata["minus zero"]) == "-0.0"
        assert type(found[0].memory.metadata["one"]) is int
        assert type(found[0].memory.metadata["one float"]) is float

    def test_absent_fields_come_back_absent(self, store: Store) -> None:
        bare = replace(
            state(), importance=None, fades_at=None, importance_source=ImportanceSource.DEFAULT
        )
        store.commit(writes(Changes(created=(replace(record(memory("a")), state=bare),))))
        found = store.get(ALICE, ["a"])[0]
        assert (found.memory, found.state) == (memory("a"), bare)
        set_fields = {each.name for each in fields(Memory) if getattr(found.memory, each.name)}
        assert set_fields == {
            *("tenant", "bank", "id", "kind", "text", "created_at", "recorded_from"),
            *("fingerprint", "confidence", "proof_count", "is_latest", "content_version"),
        }

    def test_what_was_given_cannot_be_changed_from_outside(self, store: Store) -> None:
        given: dict[str, JsonValue] = {"list": [1, 2]}
        store.commit(writes(Changes(created=(record(replace(memory("a"), metadata=given)),))))
        given["list"] = "changed"
        kept = store.get(ALICE, ["a"])[0].memory.metadata
        assert kept == {"list": (1, 2)}
        assert not hasattr(kept, "update")

    def test_memories_come_in_the_order_asked_each_once(self, store: Store) -> None:
        remember(store, "a", "b", "c")
        found = store.get(ALICE, ["c", "nobody", "a", "c", "\ud800", "a\x00"])
        assert [each.memory.id for each in found] == ["c", "a"]
        assert store.get(ALICE, []) == []

    def test_ids_are_compared_exactly(self, store: Store) -> None:
        for each in LOOKALIKES:
            remember(store, each)
        for each in LOOKALIKES:
            assert [found.memory.id for found in store.get(ALICE, [each])] == [each]

    def test_banks_of_similar_names_and_other_tenants_are_strangers(self, store: Store) -> None:
        refs = [
            BankRef(tenant=tenant, name=each) for tenant in ("t", "T", "%") for each in LOOKALIKES
        ]
        for at, ref in enumerate(refs):
            changes = Changes(created=(record(memory("same id", f"text {at}", ref=ref)),))
            store.commit(writes(changes, ref=ref))
        for at, ref in enumerate(refs):
            (found,) = all_records(store, ref)
            assert (found.memory.ref, found.memory.text) == (ref, f"text {at}")
            assert store.get(ref, ["same id"]) == [found]
            assert store.revision(ref) == 1
            assert store.changes(ref, 0).content.ids == ["same id"]
        names = [each.ref.name for each in store.banks("%")]
        assert names == sorted(LOOKALIKES)
        assert store.banks("nobody") == store.banks("\ud800") == []

    def test_what_belongs_to_others_looks_like_nothing(self, store: Store) -> None:
        other = BankRef(tenant="other", name=ALICE.name)
        remember(store, "a")
        store.commit(writes(Changes(enqueued=(use("a", "e1"),)), verb=Verb.USED))
        before = snapshot(store, ALICE)
        assert store.bank(other) is None
        assert store.get(other, ["a"]) == []
        assert store.versions(other, "a") == []
        assert store.events(other, ["a"]) == []
        assert store.missing_vectors(other, 1, 10) == []
        assert store.journal(other, 0, 10) == []
        assert (store.revision(other), store.pending_count(other), store.count(other)) == (0, 0, 0)
        assert store.stateless(other) == []
        assert store.page(other, Listing()).records == ()
        assert list(store.faults(other)) == []
        asked = Reads(ids=("a",), fingerprints=(facets("text of a").fingerprint,), pending=9)
        view = view_of(store, asked, ref=other)
        assert (view.records, view.pending) == ({}, ())
        assert set(view.same_text.values()) == {()}
        remember(store, "a", ref=other)
        store.commit(writes(Changes(removed=("a",)), ref=other, verb=Verb.REPAIR))
        assert snapshot(store, ALICE) == before

    def test_a_page_goes_on_where_the_one_before_ended(self, store: Store) -> None:
        names = [f"m{at % 10}{at}" for at in range(25)]
        for each in names:
            remember(store, each)
        seen: list[str] = []
        after: int | None = 0
        while after is not None:
            page = store.page(ALICE, Listing(after=after, limit=10))
            seen += [each.memory.id for each in page.records]
            after = page.next_after
        assert seen == names
        assert store.page(ALICE, Listing(limit=25)).next_after is None
        assert store.page(ALICE, Listing(limit=24)).next_after is not None

    def test_contents_are_what_get_gives_in_the_order_asked_without_states(
        self, store: Store
    ) -> None:
        remember(store, "one", "two", "three")
        asked = ["three", "unknown", "one", "three"]
        found = store.contents(ALICE, asked)
        assert [each.id for each in found] == ["three", "one"]
        assert found == [each.memory for each in store.get(ALICE, asked)]
        assert store.contents(BankRef(tenant=ALICE.tenant, name="other"), asked) == []

    def test_pages_neither_repeat_nor_skip_while_others_write(self, store: Store) -> None:
        remember(store, *(f"m{at}" for at in range(12)))
        page = store.page(ALICE, Listing(limit=5))
        store.commit(writes(Changes(removed=("m2", "m7")), verb=Verb.REPAIR))
        remember(store, "late")
        store.commit(writes(Changes(states=(("m1", state()),)), verb=Verb.PIN))
        seen = [each.memory.id for each in page.records]
        while page.next_after is not None:
            page = store.page(ALICE, Listing(after=page.next_after, limit=5))
            seen += [each.memory.id for each in page.records]
        assert seen == [f"m{at}" for at in range(12) if at != 7] + ["late"]

    def test_a_listing_keeps_to_every_filter(self, store: Store) -> None:
        base = memory("base")
        shapes = {
            "kind": replace(base, kind=Kind.EPISODIC),
            "session": replace(base, session="S_1"),
            "key": replace(base, key="user/drink"),
            "subject": replace(base, subject="Ann"),
            "tag": replace(base, tags=("x", "bl_e")),
            "old": replace(base, is_latest=False),
            "retracted": replace(base, recorded_to=Instant(START + DAY)),
            "archived": base,
        }
        for name, each in shapes.items():
            new = record(replace(each, id=name))
            if name == "archived":
                new = replace(new, state=replace(new.state, lifecycle=Lifecycle.ARCHIVED))
            store.commit(writes(Changes(created=(new,))))

        def listed(listing: Listing) -> list[str]:
            return [each.memory.id for each in store.page(ALICE, listing).records]

        everything = list(shapes)
        assert listed(Listing()) == everything
        assert listed(Listing(kinds=(Kind.EPISODIC, Kind.WORKING))) == ["kind"]
        assert listed(Listing(sessions=("S_1", "other"))) == ["session"]
        assert listed(Listing(sessions=("s_1", "S%", "SX1"))) == []
        assert listed(Listing(key="user/drink")) == ["key"]
        assert listed(Listing(key="user/%")) == []
        assert listed(Listing(subject="Ann")) == ["subject"]
        assert listed(Listing(tag="bl_e")) == ["tag"]
        assert listed(Listing(tag="blue")) == []
        assert listed(Listing(tag="\ud800")) == listed(Listing(key="\ud800")) == []
        assert listed(Listing(sessions=("\ud800",), subject="a\x00")) == []
        assert listed(Listing(lifecycles=(Lifecycle.ARCHIVED,))) == ["archived"]
        current = [each for each in everything if each not in ("old", "retracted")]
        assert listed(Listing(latest_only=True)) == current
        assert listed(Listing(kinds=(Kind.EPISODIC,), key="user/drink")) == []

    def test_a_closed_store_refuses_and_may_be_closed_again(self, store: Store) -> None:
        remember(store, "a")
        assert store.size_bytes() >= 0
        store.close()
        store.close()
        refused = 0
        for ask in (
            lambda: remember(store, "b"),
            lambda: store.revision(ALICE),
            lambda: store.get(ALICE, ["a"]),
            lambda: store.changes(ALICE, 0),
            store.size_bytes,
        ):
            try:
                ask()
            except StoreError:
                refused += 1
        assert refused == 5
