"""What a bank promises to whoever holds one, however it is reached.

Each clause is put to a bank of an open store, to one of a served store, and to their asynchronous
twins. Decides what has to be the same; what only one of them can do is tested with that one.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from io import BytesIO

import pytest

from lapse.bank import Bank
from lapse.errors import (
    ConflictError,
    GuardedError,
    NotFoundError,
    PlanError,
    PolicyError,
    TombstonedError,
    ValidationError,
    VersionConflictError,
)
from lapse.model.memory import Kind
from lapse.model.outcome import Action
from lapse.model.paging import Listing
from lapse.model.query import Candidate
from lapse.model.retention import Lifecycle, UseSource

WHO = {"by": "host", "reason": "a test"}


def told_again_is_one_memory(bank: Bank) -> None:
    first = bank.remember("I prefer tea", id="tea", key="user/drink", kind=Kind.SEMANTIC)
    again = bank.remember("I prefer tea", key="user/drink")
    assert (first.action, again.action) == (Action.CREATED, Action.RECONFIRMED)
    assert bank.get("tea").memory.key == "user/drink"


def a_question_finds_what_was_told_and_says_why_not_the_rest(bank: Bank) -> None:
    bank.remember_many({"id": f"n{at}", "text": text} for at, text in enumerate(("tea", "rain")))
    found = bank.recall("tea", k=1)
    assert [each.memory.id for each in found.hits] == ["n0"]
    assert bank.why("tea", "n0").rank == 1
    assert bank.why("tea", "n1").rank is None
    assert bank.recall("tea", kinds=[Kind.PROCEDURAL]).hits == ()


def faults_come_all_at_once(bank: Bank) -> None:
    with pytest.raises(ValidationError) as caught:
        bank.remember(" ", importance=7)
    assert [each.field for each in caught.value.faults] == ["text", "importance"]


def what_is_not_there_is_named(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    with pytest.raises(NotFoundError) as caught:
        bank.pin(["tea", "nobody"])
    assert caught.value.fields == {"ids": "nobody"}


def another_version_is_a_conflict(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea", source="chat")
    assert bank.update("tea", text="I prefer green tea", if_version=1).memory.content_version == 2
    with pytest.raises(VersionConflictError):
        bank.update("tea", text="I prefer coffee", if_version=1)
    assert bank.update("tea", source=None).memory.source is None


def marks_are_counted_once(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    assert (bank.pin(["tea"]), bank.pin(["tea"]), bank.unpin(["tea"])) == (1, 0, 1)
    assert bank.exempt(["tea"], reason="a contract") == 1
    assert bank.exempt(["tea"], reason=None) == 1


def use_is_counted_once_for_each_event(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    assert bank.used(["tea"], source=UseSource.EXPLICIT, event_id="e").enqueued == 1
    assert bank.used(["tea"], source=UseSource.EXPLICIT, event_id="e").repeated == 1
    with pytest.raises(ValidationError):
        bank.used("tea")


def a_reflection_counts_only_when_its_block_succeeds(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")

    def broken() -> None:
        with bank.reflect() as reflection:
            reflection.cited(["tea"])
            raise RuntimeError("the answer was not given")

    with pytest.raises(RuntimeError):
        broken()
    assert bank.stats().pending_events == 0
    with bank.reflect(limit=1) as reflection:
        reflection.cited(["tea"])
    assert bank.stats().pending_events == 1


def what_is_put_out_of_mind_comes_back(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    ahead = bank.forget(["tea"])
    assert (ahead.applied, ahead.ids) == (False, ("tea",))
    assert bank.suppress(["tea"], **WHO).applied
    assert bank.get("tea").state.lifecycle is Lifecycle.SUPPRESSED
    assert [each.memory.id for each in bank.suppressed().records] == ["tea"]
    assert bank.restore(["tea"], **WHO).ids == ("tea",)
    assert bank.recall("tea").hits


def a_guard_spares_and_says_so(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea", pinned=True)
    with pytest.raises(GuardedError):
        bank.suppress(["tea"], **WHO)
    assert bank.get("tea").state.lifecycle is Lifecycle.ACTIVE


def what_is_erased_may_not_come_back(bank: Bank) -> None:
    bank.remember("The harbour is guarded", id="secret")
    assert bank.preview_erasure(["secret"]).erased == ("secret",)
    assert bank.get("secret").memory.text == "The harbour is guarded"
    assert bank.erase(["secret"], **WHO).receipt is not None
    with pytest.raises(NotFoundError):
        bank.get("secret")
    with pytest.raises(TombstonedError) as caught:
        bank.remember("The harbour is guarded")
    lift = bank.lift_tombstone(caught.value.fields["tombstones"], **WHO)
    assert lift.by == "host"
    assert bank.remember("The harbour is guarded").action is Action.CREATED


def nothing_chosen_is_a_mistake_and_chooses_nothing(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    for act in (bank.suppress, bank.archive, bank.erase):
        with pytest.raises(ValidationError):
            act([], **WHO)
    with pytest.raises(ValidationError):
        bank.plan(ids=[])
    plan = bank.plan(ids=["tea"])
    with pytest.raises(ValidationError):
        bank.approve(plan.id, ids=[], **WHO)


def a_plan_names_all_that_have_something_in_common(bank: Bank) -> None:
    bank.remember("Zoe likes green tea", id="zoe", subject="zoe", tags=["trip"])
    bank.remember("Ann plays chess", id="ann", subject="ann")
    for plan in (bank.plan(subject="zoe"), bank.plan(tag="trip", until="2100-01-01")):
        assert [each.memory_id for each in plan.items] == ["zoe"]
    with pytest.raises(ValidationError):
        bank.plan(subject="zoe", ids=["ann"])


def a_plan_is_approved_before_it_is_applied(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    plan = bank.plan("suppress", ids=["tea"])
    with pytest.raises(PlanError):
        bank.apply(plan.id)
    bank.approve(plan.id, **WHO)
    assert bank.apply(plan.id).id == plan.id
    assert [each.id for each in bank.plans()] == [plan.id]
    assert bank.get("tea").state.lifecycle is Lifecycle.SUPPRESSED


def a_newer_value_takes_the_place_of_the_older(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea", key="user/drink")
    bank.supersede(new="I prefer coffee", old="tea", id="coffee")
    assert not bank.get("tea").memory.is_latest
    assert [each.memory.id for each in bank.recall("prefer").hits] == ["coffee"]
    bank.unsupersede("tea")
    assert bank.get("tea").memory.is_latest
    assert [each.memory.id for each in bank.retract("tea", reason="never so")] == ["tea"]
    assert len(bank.unretract(["tea"])) == 1
    assert list(bank.conflicts(status=None)) == list(bank.conflicts())


def an_earlier_time_is_read_through_a_view(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea", valid_from="2026-01-01")
    before = bank.as_of(valid="2025-12-31")
    assert list(before.list()) == []
    assert bank.as_of(valid="2026-01-02").get("tea").holds
    assert [each.memory.id for each in bank.as_of(valid="2026-01-02").list()] == ["tea"]
    assert before.recall("tea").hits == ()


def pages_go_on_where_they_ended(bank: Bank) -> None:
    bank.remember_many([{"id": f"n{at}", "text": f"note {at}"} for at in range(5)])
    first = bank.list(Listing(limit=3))
    assert first.next_after is not None
    rest = bank.list(Listing(after=first.next_after, limit=3))
    ids = [each.memory.id for each in (*first.records, *rest.records)]
    assert (ids, rest.next_after) == ([f"n{at}" for at in range(5)], None)


def a_policy_is_changed_or_stays_as_it_was(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    assert bank.set_policy({"recall.k": 3}).policy.recall.k == 3
    with pytest.raises(PolicyError) as caught:
        bank.set_policy({"recall.k": -1, "no.such": 1})
    assert {each.field for each in caught.value.faults} == {"recall.k", "no.such"}
    assert bank.policy().policy.recall.k == 3
    assert bank.policy().origin_of("recall.k").value == "bank"


def a_canary_is_kept_asked_and_dropped(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    canary = bank.canaries.add("what about tea", ["tea"])
    assert [each.id for each in bank.canaries.list()] == [canary.id]
    check = bank.canaries.check()
    assert (check.recall, check.results[0].missing) == (1.0, ())
    assert bank.canaries.drop("what about tea").id == canary.id


def the_question_of_a_recall_becomes_a_canary(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    found = bank.recall("what about tea")
    canary = bank.canaries.capture(found.id)
    assert (canary.query, list(canary.expected_ids)) == ("what about tea", ["tea"])
    with pytest.raises(NotFoundError):
        bank.canaries.capture("no such recall")


def a_bank_goes_into_a_file_and_comes_back(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    file, seen = BytesIO(), list[tuple[int, int]]()
    done = bank.export(file, reason="a copy", progress=lambda *each: seen.append(each))
    written = file.getvalue()
    assert (done.memories, done.bytes) == (1, len(written))
    assert (done.lines, done.sha256) == (written.count(b"\n"), sha256(written).hexdigest())
    assert seen[-1] == (1, 1)
    assert bank.import_(file).unchanged == 1
    with pytest.raises(ValidationError):
        bank.import_(BytesIO(written[:-20]))
    with pytest.raises(ValidationError):
        bank.export("no file")  # type: ignore[arg-type]  # that is what is tested


def a_memory_is_shared_with_another_bank(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    shared = bank.share(["tea"], "team", **WHO)
    assert (shared.bank, shared.created) == ("team", 1)
    assert bank.share(["tea"], "team", **WHO).created == 0
    with pytest.raises(ValidationError):
        bank.share(["tea"], "notes", **WHO)


def what_was_erased_is_told_without_its_content(bank: Bank) -> None:
    bank.remember_many({"id": f"n{at}", "text": f"Note {at} is about tea"} for at in range(3))
    bank.erase(["n0", "n1"], **WHO)
    told = bank.tombstones()
    assert [(each.tombstone.by, each.tombstone.bank) for each in told] == [("host", "notes")] * 2
    later = bank.tombstones(after=told[0].number, limit=1)
    assert [each.tombstone.id for each in later] == [told[1].tombstone.id]
    bank.lift_tombstone(told[0].tombstone.id, **WHO)
    lifted = bank.tombstones()[-1].tombstone
    assert lifted.lift is not None
    assert (lifted.id, lifted.lift.reason) == (told[0].tombstone.id, "a test")


def a_hold_keeps_everything_in_its_place(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea", subject="ann")
    bank.hold("matter", by="host", reason="a claim", subject="ann")
    assert [each.name for each in bank.holds()] == ["matter"]
    with pytest.raises(GuardedError):
        bank.erase(["tea"], **WHO)
    with pytest.raises(ConflictError):
        bank.hold("matter", by="host", reason="a claim", tag="x")
    assert bank.release("matter", **WHO).name == "matter"


def another_stores_candidates_are_ranked(bank: Bank) -> None:
    offered: list[Candidate | Mapping[str, object]] = [
        Candidate(id="a", text="tea with milk", vector=(1.0, 0.0)),
        {"id": "b", "text": "rain", "vector": [0.0, 1.0]},
    ]
    ranked = bank.rank(offered, query="tea", query_vector=[1.0, 0.0])
    assert ranked.hits[0].memory.id == "a"


def a_life_is_told_and_the_journal_is_whole(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    bank.pin(["tea"])
    assert len(bank.history("tea").happenings) == 2
    assert bank.verify_journal().sound
    assert list(bank.doctor()) == []


def upkeep_and_a_sweep_are_done_on_request(bank: Bank) -> None:
    bank.remember("I prefer tea", id="tea")
    bank.used(["tea"])
    assert bank.drain().drained == 1
    assert bank.sweep().ref.name == "notes"


CLAUSES: tuple[Callable[[Bank], None], ...] = tuple(
    each
    for name, each in list(globals().items())
    if "_" in name and callable(each) and getattr(each, "__module__", "") == __name__
)
"""Every clause above."""
