"""No path by which words come into a store brings back what was erased; each takes its twin."""

from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.errors import TombstonedError
from lapse.faces.app import Lapse
from lapse.model.verbs import VERBS, Verb
from tests.unit.engine.copying import exported
from tests.unit.engine.erasing import SECRET, WHO
from tests.unit.engine.write_paths import LOSES_ITS_WORDS, PATHS, SILENT, World

TWIN = "Ben Adeyemi lives at 9 Oak Lane in Madrid."
OTHER = "The ferry leaves at noon on Sundays only."

NOT_EXPORTED = {
    (Verb.EXPORT, "reason"),
    (Verb.BACKUP, "reason"),
    (Verb.CACHE, "answer"),
    (Verb.CACHE, "question"),
    (Verb.CACHE, "domain"),
}
"""What is in no export of the bank as it is after the act."""

EACH = pytest.mark.parametrize(
    ("verb", "field"), [(verb, field) for verb, fields in PATHS.items() for field in fields]
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    mind = Lapse.open(tmp_path / "agent.db", embedder=None, background=False)
    alice, team = mind.bank("alice"), mind.bank("team")
    alice.remember(SECRET, id="secret")
    alice.remember(OTHER, id="other")
    for name, text in (
        ("bees", "Ben keeps bees behind the mill."),
        ("away", "The mill was built of stone."),
        ("taken back", "The river runs uphill."),
        ("replaced", "The bridge is open."),
        ("planned", "Lunch was noodles."),
    ):
        alice.remember(text, id=name)
    alice.remember(TWIN, id="in the copy")
    mind.backup(tmp_path / "copy.db")
    alice.archive(["in the copy"], **WHO)
    alice.update("in the copy", text="Nothing of it")
    named = {SECRET: team.remember(SECRET).id, TWIN: team.remember(TWIN).id}
    for name, text in (("secret", SECRET), ("twin", TWIN)):
        source = mind.bank(f"source of {name}")
        source.remember(text)
        with (tmp_path / f"{name}.jsonl").open("wb") as file:
            source.export(file)
    alice.suppress(["away"], **WHO)
    alice.retract("taken back", reason="never so")
    alice.supersede(old="replaced", new="The bridge is closed.")
    alice.hold("held", ids=["bees"], **WHO)
    alice.remember("Smith", id="smith", key="user/surname")
    alice.remember("Hartley", id="hartley", key="user/surname")
    alice.remember("Smith", key="user/surname", role="tool")
    plan = alice.plan(ids=["planned"], by="planner")
    alice.erase(["secret"], **WHO)
    alice.erase(["other"], **WHO)
    alice.release("held", **WHO)
    alice.hold("held", ids=["planned"], **WHO)
    return World(
        folder=tmp_path,
        mind=mind,
        named=named,
        proposal=alice.conflicts()[0].id,
        plan=plan.id,
        tombstone=alice.tombstones()[-1].tombstone.id,
    )


def said(bank: Bank) -> int:
    """How often the bank holds what was erased, wherever."""
    return exported(bank).decode().count(SECRET)


def test_every_verb_is_a_path_or_brings_no_words() -> None:
    # Whoever adds a verb says here what it brings in, with a case for each field.
    assert set(PATHS) | set(SILENT) == set(VERBS)
    assert not set(PATHS) & set(SILENT)


@EACH
def test_what_was_erased_comes_back_by_no_path(world: World, verb: Verb, field: str) -> None:
    assert said(world.alice) == 0
    act = PATHS[verb][field]
    if (verb, field) in LOSES_ITS_WORDS:
        act(world, SECRET)
    else:
        with pytest.raises(TombstonedError) as caught:
            act(world, SECRET)
        assert "Okafor" not in str(caught.value)
    assert said(world.alice) == 0
    assert world.alice.verify_journal().sound
    world.mind.close()


@EACH
def test_the_same_path_takes_what_was_never_erased(world: World, verb: Verb, field: str) -> None:
    before = exported(world.alice).decode().count(TWIN)
    PATHS[verb][field](world, TWIN)
    told = exported(world.alice).decode().count(TWIN)
    back = any(each.memory.text == TWIN for each in world.alice.list().records)
    assert told > before or back or (verb, field) in NOT_EXPORTED
    world.mind.close()
