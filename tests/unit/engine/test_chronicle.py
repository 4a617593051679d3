"""History and the check of the journal, on each kind of store, and on a file tampered with."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.engine.chronicle import lifecycle_at
from lapse.engine.rewinding import lifecycles_at
from lapse.errors import NotFoundError
from lapse.model.instants import DAY, Instant
from lapse.model.query import AsOf, Reason
from lapse.model.retention import Lifecycle
from lapse.model.verbs import VERBS, Verb
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened, opened, store_of


@pytest.fixture(params=["memory", "sqlite"])
def lapse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """An engine over each kind of store."""
    made = opened(store_of(request.param, tmp_path))
    yield made
    made.mind.close()


def _live(lapse: Opened) -> Bank:
    bank = lapse.alice
    bank.remember("The crane is red", id="a", by="anna")
    lapse.clock.advance(days=1)
    bank.update("a", text="The crane is blue", by="ben")
    bank.used(["a"])
    lapse.clock.advance(days=1)
    bank.suppress(["a"], by="carla", reason="unwanted")
    lapse.clock.advance(days=1)
    bank.restore(["a"], by="dora", reason="wanted")
    bank.remember("The ferry is late", id="b")
    return bank


def test_a_memorys_life_is_told_with_names_and_reasons(lapse: Opened) -> None:
    told = _live(lapse).history("a").happenings
    assert [(each.what, each.by, each.reason) for each in told] == [
        ("remember", "anna", None),
        ("update", "ben", None),
        ("used", "", None),
        ("suppress", "carla", "unwanted"),
        ("restore", "dora", "wanted"),
    ]
    assert [each.now for each in told][-2:] == [Lifecycle.SUPPRESSED, Lifecycle.ACTIVE]
    assert told[1].changed


def test_an_unknown_memory_has_no_history(lapse: Opened) -> None:
    with pytest.raises(NotFoundError):
        _live(lapse).history("nobody")


def test_a_memory_stood_where_it_was_recorded_to_stand(lapse: Opened) -> None:
    _live(lapse)
    runtime = lapse.core.runtime(lapse.alice.ref)
    stood = [
        lifecycle_at(lapse.core, runtime, "a", Instant(round(START + days * DAY)))
        for days in (-1, 0, 2, 2.5, 3)
    ]
    suppressed = Lifecycle.SUPPRESSED
    assert stood == [None, Lifecycle.ACTIVE, suppressed, suppressed, Lifecycle.ACTIVE]
    row = lapse.alice.get("a").row
    assert lifecycles_at(lapse.core, runtime, Instant(START + 2 * DAY)) == {row: suppressed}
    assert lifecycles_at(lapse.core, runtime, Instant(START + 3 * DAY)) == {}


def test_an_untouched_journal_is_whole(lapse: Opened) -> None:
    bank = _live(lapse)
    check = bank.verify_journal()
    assert (check.sound, check.first_fault, check.problem) == (True, None, "")
    assert check.entries == len(lapse.store.journal(bank.ref, 0, 1000))
    assert lapse.mind.bank("nobody").verify_journal().entries == 0


TAMPERED = {
    "UPDATE journal SET \"by\" = 'mallory' WHERE seq = 2": 2,
    "UPDATE journal SET reason = 'a better one' WHERE seq = 3": 3,
    "UPDATE journal SET at = at + 1 WHERE seq = 4": 4,
    "UPDATE journal SET items = zeroblob(74) WHERE seq = 2": 2,
    "UPDATE journal SET verb = 'burn' WHERE seq = 3": 3,
    "UPDATE journal SET counts = 'x' WHERE seq = 5": 5,
    "DELETE FROM journal WHERE seq = 1": 1,
    "DELETE FROM journal WHERE seq = 3": 3,
    "DELETE FROM journal WHERE seq = 5": 5,
    "DELETE FROM journal WHERE seq > 2": 3,
    "UPDATE journal SET seq = CASE seq WHEN 2 THEN -3 ELSE -2 END WHERE seq IN (2, 3);"
    "UPDATE journal SET seq = -seq WHERE seq < 0": 2,
}


@pytest.mark.parametrize("tampering", TAMPERED)
def test_the_first_entry_that_was_changed_left_out_or_moved_is_named(
    tampering: str, tmp_path: Path
) -> None:
    lapse = opened(store_of("sqlite", tmp_path))
    bank = _live(lapse)
    assert bank.verify_journal().entries == 5
    with closing(sqlite3.connect(tmp_path / "lapse.db")) as connection:
        connection.executescript(tampering)
    check = bank.verify_journal()
    assert (check.sound, check.first_fault) == (False, TAMPERED[tampering])
    assert f"entry {TAMPERED[tampering]} " in check.problem
    lapse.mind.close()


def test_what_is_written_after_an_end_was_cut_off_does_not_hide_it(tmp_path: Path) -> None:
    lapse = opened(store_of("sqlite", tmp_path))
    bank = _live(lapse)
    with closing(sqlite3.connect(tmp_path / "lapse.db")) as connection:
        connection.executescript("DELETE FROM journal WHERE seq > 3")
    bank.remember("Another thing")
    assert bank.verify_journal().first_fault == 4
    lapse.mind.close()


def _acts(lapse: Opened) -> Mapping[Verb, Callable[[], object]]:
    """One act for every verb that changes what is stored and leaves an entry."""
    bank = lapse.alice
    who = {"by": "anna", "reason": "a rehearsal"}
    planned: list[str] = []
    return {
        Verb.REMEMBER: lambda: bank.remember("The crane is red", id="a"),
        Verb.REMEMBER_MANY: lambda: bank.remember_many(
            {"text": f"The {name} ferry is late", "id": name} for name in ("b", "c", "d", "e")
        ),
        Verb.INGEST: lambda: bank.ingest([{"role": "user", "content": "hello there"}]),
        Verb.UPDATE: lambda: bank.update("a", text="The crane is blue"),
        Verb.PIN: lambda: bank.pin(["a"]),
        Verb.UNPIN: lambda: bank.unpin(["a"]),
        Verb.EXEMPT: lambda: bank.exempt(["b"], reason="contract"),
        Verb.VERIFY_OUTCOME: lambda: bank.verify_outcome(["b"]),
        Verb.SET_POLICY: lambda: bank.set_policy({"forgetting.mode": "lifecycle"}),
        Verb.SUPERSEDE: lambda: bank.supersede(old="c", new="The c ferry is on time"),
        Verb.UNSUPERSEDE: lambda: bank.unsupersede("c"),
        Verb.RETRACT: lambda: bank.retract(["d"], reason="never so"),
        Verb.UNRETRACT: lambda: bank.unretract(["d"]),
        Verb.ACCEPT: lambda: bank.accept(_listed(lapse, "d")),
        Verb.DISMISS: lambda: bank.dismiss(_listed(lapse, "e")),
        Verb.ADD_CANARY: lambda: bank.canaries.add("which ferry", ["c"]),
        Verb.DROP_CANARY: lambda: bank.canaries.drop("which ferry"),
        Verb.SUPPRESS: lambda: bank.suppress(["a"], **who),
        Verb.ARCHIVE: lambda: bank.archive(["a"], **who),
        Verb.RESTORE: lambda: bank.restore(["a"], **who),
        Verb.HOLD: lambda: bank.hold("case 7", ids=["a"], by="anna", reason="a claim"),
        Verb.RELEASE: lambda: bank.release("case 7", **who),
        Verb.PLAN: lambda: planned.append(bank.plan(ids=["b", "a"]).id),
        Verb.APPROVE: lambda: bank.approve(planned[0], **who),
        Verb.APPLY: lambda: bank.apply(planned[0]),
        Verb.DRAIN: lambda: (bank.used(["a"]), bank.drain()),
    }


def _listed(lapse: Opened, name: str) -> str:
    """Have something put out of mind and told again by who may not bring it back."""
    bank = lapse.alice
    bank.suppress([name], by="anna", reason="a rehearsal")
    bank.remember(bank.get(name).memory.text, role="assistant")
    (proposal,) = lapse.store.proposals_naming(bank.ref, [name])
    return proposal.id


ELSEWHERE = {
    Verb.CREATE_BANK,  # a bank comes with its first write
    Verb.OVERLAY,
    Verb.REPAIR,
    Verb.PRUNE,
    Verb.ERASE,
    Verb.LIFT_TOMBSTONE,
    Verb.SWEEP,
    Verb.EXPORT,
    Verb.SHARE,
    Verb.CONSOLIDATE,
    Verb.RATE,
}
"""Verbs whose entries are shown where they are made, or that nothing does yet."""


def test_every_verb_that_changes_what_is_stored_leaves_its_entry_with_the_change(
    lapse: Opened,
) -> None:
    acts = _acts(lapse)
    for verb, act in acts.items():
        revision, (seq, _) = (
            lapse.store.revision(lapse.alice.ref),
            lapse.store.journal_head(lapse.alice.ref),
        )
        act()
        entries = lapse.store.journal(lapse.alice.ref, seq, 10)
        assert entries[-1].verb is verb
        assert lapse.store.revision(lapse.alice.ref) > revision
    assert lapse.alice.verify_journal().sound
    missing = {verb for verb, spec in VERBS.items() if spec.journalled} - acts.keys() - ELSEWHERE
    # Plans, sweeps, canaries and truths show theirs beside their own verbs.
    assert not missing & {verb for verb in VERBS if hasattr(Bank, verb.value)}


def _days(count: float) -> Instant:
    return Instant(round(START + count * DAY))


@pytest.mark.parametrize("verb", ["suppress", "archive"])
def test_a_question_as_of_then_finds_what_was_in_mind_then(lapse: Opened, verb: str) -> None:
    bank = lapse.alice
    who = {"by": "anna", "reason": "over"}
    bank.remember("The red crane", id="red")
    bank.remember("The blue crane", id="blue")
    bank.suppress(["blue"], **who)
    lapse.clock.advance(days=2)
    getattr(bank, verb)(["red"], **who)
    bank.restore(["blue"], **who)
    lapse.clock.advance(days=2)

    def found(days: float) -> set[str]:
        as_of = AsOf(recorded=_days(days))
        return {each.id for each in bank.recall("crane", as_of=as_of).hits}

    assert {each.id for each in bank.recall("crane").hits} == {"blue"}
    assert found(1) == {"red"}
    assert found(3) == {"blue"}
    assert found(-1) == set()
    assert bank.why("crane", "blue", as_of=AsOf(recorded=_days(1))).reason is Reason.SUPPRESSED
    assert bank.why("crane", "red", as_of=AsOf(recorded=_days(1))).rank == 1
    bank.restore(["red"], **who)
    assert found(1) == {"red"}
    assert found(5) == {"red", "blue"}
