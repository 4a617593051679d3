"""Every path on which a memory may be taken away passes the gate; a new path is noticed here."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import lapse
from lapse.errors import GuardedError, LapseError
from lapse.lifecycle.moving import Move, archived, suppressed
from lapse.model.changeset import Changes
from lapse.model.journal import JournalDraft
from lapse.model.verbs import VERBS, Verb
from lapse.model.view import Reads, View
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened, opened, store_of

SOURCE = Path(lapse.__file__).parent
KEPT_APART = ("stores", "testing")
"""What implements the port, and what tests implementations: they call no gate by design."""

WRITERS = {"engine/core.py", "engine/repairing.py"}
"""The files that hand a store a write: both put the gate around the judge."""

MAKERS = {"lifecycle/moving.py", "index/rewound.py"}
"""The one file that makes a state of another lifecycle; and columns for a question of the past."""


def _calls() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(KEPT_APART):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            yield from ((name, each) for each in ast.walk(tree) if isinstance(each, ast.Call))


def _is_store_commit(call: ast.Call) -> bool:
    function = call.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "commit"
        and ast.unparse(function.value).endswith("store")
    )


def test_only_two_places_hand_a_store_a_write() -> None:
    assert {name for name, call in _calls() if _is_store_commit(call)} == WRITERS
    assert {name for name, call in _calls() if ast.unparse(call.func) == "ChangeSet"} == WRITERS


def test_both_of_them_put_the_gate_around_the_judge() -> None:
    gated = {name for name, call in _calls() if ast.unparse(call.func).endswith(".around")}
    assert gated >= WRITERS


def test_only_one_place_makes_a_state_of_another_lifecycle() -> None:
    made = {
        name
        for name, call in _calls()
        if ast.unparse(call.func) in {"replace", "RetentionState"}
        and any(each.arg == "lifecycle" for each in call.keywords)
    }
    assert made == MAKERS


@pytest.fixture(params=["memory", "sqlite"])
def held(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """A bank with a memory that is held."""
    made = opened(store_of(request.param, tmp_path))
    made.alice.remember("The crane is red", id="a", importance=0.1)
    made.alice.hold("case 7", ids=["a"], by="clerk", reason="a claim")
    yield made
    made.mind.close()


@pytest.mark.parametrize("verb", Verb)
@pytest.mark.parametrize("way", ["suppressed", "archived", "removed"])
def test_no_verb_takes_away_what_is_held(held: Opened, verb: Verb, way: str) -> None:
    ref = held.alice.ref
    before = held.store.get(ref, ["a"])
    journal = JournalDraft(verb=verb, at=START, by="mallory", memory_ids=("a",))
    entry = journal if VERBS[verb].journalled else None
    move = Move(at=START, by="mallory", reason="no reason")

    def judge(view: View) -> Changes:
        state = view.records["a"].state
        moved = suppressed(state, move) if way == "suppressed" else archived(state, move)
        if way == "removed":
            return Changes(removed=("a",), journal=entry)
        return Changes(states=(("a", moved),), journal=entry)

    with pytest.raises(LapseError):
        held.core.commit(verb, ref, START, Reads(ids=("a",)), judge)
    assert held.store.get(ref, ["a"]) == before
    last = held.store.journal(ref, 0, 100)[-1]
    assert (last.by == "mallory") == VERBS[verb].departs
    if VERBS[verb].departs:
        assert last.counts == (("refused_hold", 1),)
        assert last.items[0].was is last.items[0].now


def test_a_hold_placed_between_judging_and_acting_is_seen(held: Opened) -> None:
    # The judge answers from what it knew before; the gate looks at what is so.
    bank = held.alice
    bank.remember("The crane is blue", id="b")
    move = Move(at=START, by="anna", reason="over")
    known = held.store.get(bank.ref, ["b"])[0].state
    bank.hold("case 8", ids=["b"], by="clerk", reason="a claim")
    journal = JournalDraft(verb=Verb.SUPPRESS, at=START, by="anna", memory_ids=("b",))
    changes = Changes(states=(("b", suppressed(known, move)),), journal=journal)
    with pytest.raises(GuardedError, match=r"b \(hold\)"):
        held.core.commit(
            Verb.SUPPRESS, bank.ref, START, Reads(ids=("b",)), lambda _view: replace(changes)
        )
    assert held.store.get(bank.ref, ["b"])[0].state == known
