"""A bank's index: what each kind of change does to the next snapshot, and never to the last."""

from collections.abc import Callable

import numpy as np
import pytest

from lapse.errors import ConflictError
from lapse.index.bank_index import BankIndex
from lapse.index.snapshot import Snapshot
from lapse.index.states import ACTIVE, ARCHIVED, GONE, SUPPRESSED
from lapse.model.bank import Space
from lapse.model.index_delta import IndexDelta
from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle
from tests.unit.index.deltas import T0, Bank, Row

REF = BankRef(name="alice")


def index_of(bank: Bank, *rows: Row) -> BankIndex:
    index = BankIndex(REF)
    index.advance(bank.delta(rows))
    return index


def status_of(snapshot: Snapshot, memory_id: str) -> int:
    for columns in (snapshot.live, snapshot.archived):
        slot = columns.find(memory_id)
        if slot is not None:
            return int(columns.status[slot])
    return GONE


def holders(snapshot: Snapshot, term: str) -> set[str]:
    """Ids of the living memories whose postings hold a term."""
    slots, _ = snapshot.postings.of(snapshot.postings.terms[term])
    living = slots[snapshot.live.status[slots] != GONE]
    return {snapshot.live.ids[slot] for slot in living.tolist()}


def test_a_new_index_is_empty_and_can_be_asked() -> None:
    snapshot = BankIndex(REF).snapshot
    assert snapshot.revision == 0
    assert len(snapshot.live) == 0
    assert snapshot.live.find("m1") is None
    assert snapshot.postings.memory_count == 0


def test_every_row_of_a_build_is_found_by_its_id_and_its_terms() -> None:
    index = index_of(Bank(), Row(row=1, text="green tea"), Row(row=2, text="black coffee"))
    snapshot = index.snapshot
    assert [snapshot.live.find(each) for each in ("m1", "m2", "m3")] == [0, 1, None]
    assert holders(snapshot, "tea") == {"m1"}
    assert holders(snapshot, "coffee") == {"m2"}


def test_a_snapshot_stays_what_it_was_when_the_index_moves_on() -> None:
    bank = Bank(dimension=2)
    index = index_of(bank, Row(row=1, text="green tea", vector=(1, 0)))
    before = index.snapshot
    copies = (before.live.status.copy(), before.vectors.copy(), before.postings.memory_count)
    changed = Row(row=1, text="black tea", vector=(0, 1), lifecycle=Lifecycle.SUPPRESSED)
    index.advance(bank.delta([changed, Row(row=2, text="tea", vector=(0, 1))]))
    assert np.array_equal(before.live.status, copies[0])
    assert np.array_equal(before.vectors, copies[1])
    assert before.postings.memory_count == copies[2]
    assert before.live.find("m1") == 0
    assert before.live.find("m2") is None
    assert holders(before, "tea") == {"m1"}
    assert status_of(before, "m1") == ACTIVE
    assert status_of(index.snapshot, "m1") == SUPPRESSED


def test_changed_content_takes_a_new_slot_and_the_old_one_is_dead() -> None:
    bank = Bank()
    index = index_of(bank, Row(row=1, text="green tea"))
    snapshot = index.advance(bank.delta([Row(row=1, text="black coffee")]))
    assert snapshot.live.find("m1") == 1
    assert snapshot.live.status.tolist() == [GONE, ACTIVE]
    assert holders(snapshot, "tea") == set()
    assert holders(snapshot, "coffee") == {"m1"}


def test_statistics_count_living_memories_only() -> None:
    bank = Bank()
    index = index_of(bank, Row(row=1, text="a b c d"), Row(row=2, text="a b"), Row(row=3, text="a"))
    postings = index.advance(bank.delta([Row(row=1, text="a")], removed=[2])).postings
    assert postings.memory_count == 2
    assert postings.mean_length == 1.0
    assert postings.frequency(postings.terms["a"]) == 2
    assert postings.frequency(postings.terms["b"]) == 0


def test_a_change_of_state_alone_keeps_the_slot() -> None:
    bank = Bank()
    index = index_of(bank, Row(row=1), Row(row=2))
    snapshot = index.advance(bank.delta(states=[Row(row=2, importance=0.9, pinned=True)]))
    slot = snapshot.live.find("m2")
    assert slot == 1
    assert snapshot.states.importance[snapshot.live.state[slot]] == 0.9
    assert np.isnan(snapshot.states.importance[snapshot.live.state[0]])


def test_an_archived_memory_leaves_the_live_columns_and_is_known_as_archived() -> None:
    bank = Bank()
    index = index_of(bank, Row(row=1, text="green tea"), Row(row=2, text="tea"))
    archived = Row(row=1, text="green tea", lifecycle=Lifecycle.ARCHIVED)
    snapshot = index.advance(bank.delta(states=[archived]))
    assert snapshot.live.find("m1") is None
    assert status_of(snapshot, "m1") == ARCHIVED
    assert snapshot.postings.memory_count == 1
    assert snapshot.postings.frequency(snapshot.postings.terms["green"]) == 0


def test_a_restored_memory_is_found_again_without_its_content_being_read_again() -> None:
    bank = Bank()
    row = Row(row=1, text="green tea")
    index = index_of(bank, row, Row(row=2, text="tea"))
    index.advance(bank.delta(states=[Row(row=1, lifecycle=Lifecycle.ARCHIVED)]))
    snapshot = index.advance(bank.delta(states=[row]))
    assert status_of(snapshot, "m1") == ACTIVE
    assert snapshot.archived.find("m1") is None
    assert holders(snapshot, "green") == {"m1"}
    assert snapshot.postings.frequency(snapshot.postings.terms["green"]) == 1


def test_what_was_archived_when_the_index_was_built_takes_no_vector_and_no_terms() -> None:
    bank = Bank(dimension=2)
    gone = Row(row=1, text="green tea", vector=(1, 0), lifecycle=Lifecycle.ARCHIVED)
    snapshot = index_of(bank, gone, Row(row=2, text="tea", vector=(0, 1))).snapshot
    assert snapshot.vectors.tolist() == [[0, 1]]
    assert len(snapshot.postings.lengths) == 1
    assert status_of(snapshot, "m1") == ARCHIVED


def test_restoring_what_the_index_does_not_hold_is_refused_before_anything_is_written() -> None:
    bank = Bank()
    index = index_of(bank, Row(row=1, lifecycle=Lifecycle.ARCHIVED), Row(row=2))
    before = index.snapshot
    with pytest.raises(ConflictError):
        index.advance(bank.delta(states=[Row(row=1), Row(row=2, pinned=True)]))
    assert index.snapshot is before


def test_following_reads_everything_when_the_index_cannot_go_on() -> None:
    bank = Bank()
    index = index_of(bank, Row(row=1, text="green", lifecycle=Lifecycle.ARCHIVED), Row(row=2))
    restored = bank.delta(states=[Row(row=1)])
    whole = bank.everything([Row(row=1, text="green"), Row(row=2)])
    asked: list[int] = []

    def read(since: int) -> IndexDelta:
        asked.append(since)
        return restored if since else whole

    snapshot = index.follow(read)
    assert asked == [1, 0]
    assert holders(snapshot, "green") == {"m1"}
    assert snapshot.revision == whole.revision


def test_a_delta_that_starts_elsewhere_is_refused() -> None:
    bank = Bank()
    index = index_of(bank, Row(row=1))
    bank.delta([Row(row=2)])
    with pytest.raises(ConflictError):
        index.advance(bank.delta([Row(row=3)]))


def test_a_delta_without_changes_moves_the_revision_only() -> None:
    bank = Bank()
    index = index_of(bank, Row(row=1))
    snapshot = index.advance(bank.delta())
    assert snapshot.revision == 2
    assert snapshot.live.find("m1") == 0


def test_a_removed_memory_leaves_nothing_of_its_content_in_memory() -> None:
    bank = Bank(dimension=2)
    told = Row(row=1, text="secret plan", vector=(1, 0), tags=("hush",), metadata={"code": "x"})
    index = index_of(bank, told, Row(row=2, text="tea", vector=(0, 1)))
    index.advance(bank.delta([Row(row=1, text="secret plot", vector=(0.5, 0.5))]))
    snapshot = index.advance(bank.delta(removed=[1]))
    assert status_of(snapshot, "m1") == GONE
    assert snapshot.vectors.tolist() == [[0, 0], [0, 1], [0, 0]]
    assert snapshot.live.ids[0] == snapshot.live.ids[2] == ""
    assert snapshot.live.metadata[0] is None
    assert snapshot.facets.slots(("tag", "", "hush"), 3).tolist() == []
    assert snapshot.id_with(b"secret plan") is None
    assert snapshot.id_with(b"secret plot") is None
    assert snapshot.postings.frequency(snapshot.postings.terms["secret"]) == 0


def test_a_memory_is_found_by_the_digest_of_its_text_live_or_archived() -> None:
    bank = Bank()
    index = index_of(
        bank, Row(row=1, text="green tea"), Row(row=2, text="ale", lifecycle=Lifecycle.ARCHIVED)
    )
    assert index.snapshot.id_with(b"green tea") == "m1"
    assert index.snapshot.id_with(b"ale") == "m2"
    changed = index.advance(bank.delta([Row(row=1, text="black tea")]))
    assert changed.id_with(b"green tea") is None
    assert changed.id_with(b"black tea") == "m1"


def test_another_vector_space_replaces_all_vectors() -> None:
    bank = Bank(dimension=2)
    pinned = Row(row=1, text="tea", vector=(1, 0), pinned=True)
    index = index_of(bank, pinned, Row(row=2, text="ale", vector=(0, 1)))
    bank.space = Space(number=2, embedder="other", dimension=3)
    rows = [Row(row=1, text="tea", vector=(0, 0, 1), pinned=True), Row(row=2, text="ale")]
    snapshot = index.advance(bank.delta(rows, space_changed=True))
    assert snapshot.vectors.shape == (2, 3)
    assert snapshot.live.has_vector.tolist() == [True, False]
    assert holders(snapshot, "tea") == {"m1"}
    assert snapshot.states.guards[snapshot.live.state[0]] == 1


def test_a_vector_of_zeros_counts_as_none() -> None:
    snapshot = index_of(Bank(dimension=2), Row(row=1, vector=(0, 0)), Row(row=2)).snapshot
    assert snapshot.live.has_vector.tolist() == [False, False]


def test_a_memory_that_lost_its_state_is_active_and_told_at_its_own_date() -> None:
    bank = Bank()
    delta = bank.delta([Row(row=1, age_hours=5)])
    stateless = IndexDelta(
        **{
            **{name: getattr(delta, name) for name in IndexDelta.__dataclass_fields__},
            "states": Bank().delta().states,
        }
    )
    snapshot = BankIndex(REF).advance(stateless)
    assert status_of(snapshot, "m1") == ACTIVE
    record = snapshot.live.state[0]
    assert snapshot.states.created_at[record] == T0 - 5 * 3_600_000_000


def test_states_that_changed_ten_thousand_times_take_no_more_room_than_a_few() -> None:
    bank = Bank()
    index = index_of(bank, Row(row=1), Row(row=2, importance=0.25))
    for round_ in range(5):
        many = [Row(row=1, importance=(round_ + i / 2000) / 10) for i in range(2000)]
        for each in many[:-1:400]:
            index.advance(bank.delta(states=[each]))
    size = len(index.snapshot.states.importance)
    for _ in range(4200):
        index.advance(bank.delta(states=[Row(row=1, importance=0.5)]))
    snapshot = index.snapshot
    assert len(snapshot.states.importance) < 4200 + size
    values = [snapshot.states.importance[snapshot.live.state[slot]] for slot in (0, 1)]
    assert values == [0.5, 0.25]


def test_what_is_rewritten_for_ever_takes_room_for_a_thousand_old_contents_at_most() -> None:
    bank = Bank(dimension=2)
    index = index_of(bank, Row(row=1, text="first", vector=(1, 0)))
    now = Row(row=1)

    def read(since: int) -> IndexDelta:
        return bank.delta([now]) if since else bank.everything([now])

    longest = 0
    for at in range(2500):
        now = Row(row=1, text=f"word{at}", vector=(1, 0))
        longest = max(longest, len(index.follow(read).live))

    assert 1000 < longest <= 1026
    assert holders(index.snapshot, "word2499") == {"m1"}
    assert index.snapshot.postings.memory_count == 1


@pytest.mark.parametrize("width", [1, 300])
def test_postings_beyond_the_sorted_base_are_found_too(width: int) -> None:
    bank = Bank()
    index = index_of(bank, Row(row=1, text="tea"))
    for row in range(2, 40):
        index.advance(
            bank.delta([Row(row=row, text="tea " + "tea " * (row % 3) + f"w{row} " * width)])
        )
    snapshot = index.snapshot
    slots, counts = snapshot.postings.of(snapshot.postings.terms["tea"])
    assert slots.tolist() == list(range(39))
    assert counts.tolist() == [1, *(1 + row % 3 for row in range(2, 40))]


def test_claims_know_what_replaced_them_whether_or_not_it_is_archived() -> None:
    bank = Bank()
    old, new = Row(row=1, key="home", age_hours=9), Row(row=2, key="home", age_hours=2)
    index = index_of(bank, old, new)

    def outdated(snapshot: Snapshot) -> list[bool]:
        return [bool(each <= T0) for each in snapshot.live.outdated_from]

    assert outdated(index.snapshot) == [True, False]
    index.advance(bank.delta(states=[Row(row=2, lifecycle=Lifecycle.ARCHIVED)]))
    assert outdated(index.snapshot)[0]
    index.advance(bank.delta(removed=[2]))
    assert not outdated(index.snapshot)[0]


def test_a_claim_that_changes_its_key_sets_free_what_it_had_replaced() -> None:
    bank = Bank()
    old, new = Row(row=1, key="home", age_hours=9), Row(row=2, key="home", age_hours=2)
    index = index_of(bank, old, new)
    snapshot = index.advance(bank.delta([Row(row=2, key="work", age_hours=2)]))
    assert snapshot.live.outdated_from[0] > T0
    moved_back = index.advance(bank.delta([new]))
    assert moved_back.live.outdated_from[0] <= T0


def test_what_changed_while_it_was_archived_is_not_restored_from_its_old_slot() -> None:
    bank = Bank()
    index = index_of(bank, Row(row=1, text="green tea"), Row(row=2))
    shelved = Row(row=1, text="green tea", lifecycle=Lifecycle.ARCHIVED)
    index.advance(bank.delta(states=[shelved]))
    changed = Row(row=1, text="black tea", lifecycle=Lifecycle.ARCHIVED)
    index.advance(bank.delta([changed]))
    restored = bank.delta(states=[Row(row=1, text="black tea")])
    with pytest.raises(ConflictError):
        index.advance(restored)
    whole = bank.everything([Row(row=1, text="black tea"), Row(row=2)])
    snapshot = index.follow(lambda since: restored if since else whole)
    assert holders(snapshot, "black") == {"m1"}


def test_readers_and_a_writer_do_not_disturb_each_other(
    run_threads: Callable[[list[Callable[[], None]]], None],
) -> None:
    bank = Bank(dimension=2)
    index = index_of(bank, Row(row=1, text="tea", vector=(1, 0)))
    deltas = [
        bank.delta([Row(row=row, text=f"tea w{row}", vector=(0, 1), key="k", tags=("t",))])
        for row in range(2, 400)
    ]
    seen: list[int] = []

    def write() -> None:
        for delta in deltas:
            index.advance(delta)

    def read() -> None:
        last = 0
        while last < 399:
            snapshot = index.snapshot
            last = snapshot.revision
            count = len(snapshot.live)
            slots, counts = snapshot.postings.of(snapshot.postings.terms["tea"])
            assert len(slots) == len(counts) == count == len(snapshot.vectors)
            assert len(snapshot.facets.slots(("tag", "", "t"), count)) == count - 1
            assert snapshot.live.find(f"m{count}") == count - 1
        seen.append(last)

    run_threads([write, read, read])
    assert seen == [399, 399]
