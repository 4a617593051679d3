"""Every way in which words come into a store, each as something that one can do to a bank."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lapse.bank import Bank
from lapse.engine.results import Remembered
from lapse.errors import TombstonedError
from lapse.faces.app import Lapse
from lapse.faces.restoring import restore_backup
from lapse.model.consolidation import ConsolidationEnding
from lapse.model.outcome import Action
from lapse.model.verbs import Verb
from tests.unit.engine.erasing import WHO

Path_ = Callable[["World", str], object]


@dataclass(slots=True, kw_only=True)
class World:
    """A store in which `alice` has erased a text that `team` still holds.

    Attributes:
        folder: Where the store and the files made before the erasure lie.
        mind: The open store.
        named: Ids of the team's memories, by their text.
        proposals, plan: What waits for a word in alice's bank.
    """

    folder: Path
    mind: Lapse
    named: Mapping[str, str]
    proposal: str
    plan: str
    tombstone: str

    @property
    def alice(self) -> Bank:
        """The bank."""
        return self.mind.bank("alice")

    @property
    def team(self) -> Bank:
        """The bank beside it."""
        return self.mind.bank("team")


def settled(told: Remembered) -> None:
    """Refuse as a single write does what a batch only reports.

    Raises:
        TombstonedError: It was refused.
    """
    if told.action is Action.REFUSED:
        raise TombstonedError("refused within a batch")


def _import(world: World, text: str) -> None:
    name = "secret" if "Okafor" in text else "twin"
    with (world.folder / f"{name}.jsonl").open("rb") as file:
        if world.alice.import_(file, **WHO).refused:
            raise TombstonedError("left out of an import")


def _adopt(world: World, text: str) -> None:
    # The words of a hold come in by the records of a file, ahead of its memories.
    sink = io.BytesIO()
    with Lapse.open("memory://", background=False) as other:
        bank = other.bank("source")
        bank.remember("Nothing to say", id="nothing")
        bank.hold("matter", ids=["nothing"], by="anna", reason=text)
        bank.export(sink)
    world.alice.import_(io.BytesIO(sink.getvalue()), **WHO)


def _restore_backup(world: World, text: str) -> None:
    del text
    world.mind.close()
    restore_backup(world.folder / "copy.db", world.folder / "agent.db", **WHO)
    world.mind = Lapse.open(world.folder / "agent.db", embedder=None, background=False)


def _overlay(world: World, text: str) -> None:
    offered = [{"id": "theirs", "text": text, "created_at": "2026-01-01T00:00Z"}]
    world.alice.rank(offered, query="home")
    world.alice.used(["theirs"])


def _consolidate(world: World, text: str) -> None:
    world.mind.close()
    world.mind = Lapse.open(
        world.folder / "agent.db",
        embedder=None,
        background=False,
        generate=lambda _: f"{text} [1] [2]",
    )
    world.alice.remember(" ".join(reversed(text.split())), session="s1")
    world.alice.remember("Home is where the bees are.", session="s1")
    (done,) = world.alice.consolidate("s1")
    if done.ending is ConsolidationEnding.REFUSED:
        raise TombstonedError("left out of what was derived")


def _apply(world: World, text: str) -> None:
    world.alice.approve(world.plan, by="anna", reason=text)
    world.alice.apply(world.plan)


PATHS: Mapping[Verb, Mapping[str, Path_]] = {
    Verb.REMEMBER: {
        "text": lambda w, t: w.alice.remember(t),
        "within a text": lambda w, t: w.alice.remember(f"It rained. {t} It stopped."),
        "value": lambda w, t: w.alice.remember("Her home", key="her/home", value=t),
        "derived": lambda w, t: w.alice.remember(f"In short: {t}", derived_from=["bees"]),
        "metadata": lambda w, t: w.alice.remember("A note", metadata={"a": [{"b": t}]}),
        "name within metadata": lambda w, t: w.alice.remember("A note", metadata={"a": [{t: 1}]}),
        "tag": lambda w, t: w.alice.remember("A note", tags=[t]),
        "actor": lambda w, t: w.alice.remember("A note", by=t),
        "id": lambda w, t: w.alice.remember("A note", id=t),
    },
    Verb.REMEMBER_MANY: {
        "text": lambda w, t: settled(w.alice.remember_many([{"text": t}])[0]),
    },
    Verb.INGEST: {
        "message": lambda w, t: settled(
            w.alice.ingest([{"role": "user", "content": t}], session="s9")[0]
        ),
        "session": lambda w, t: settled(
            w.alice.ingest([{"role": "user", "content": "Hello there"}], session=t)[0]
        ),
    },
    Verb.UPDATE: {
        "text": lambda w, t: w.alice.update("bees", text=t),
        "metadata": lambda w, t: w.alice.update("bees", metadata={"line": t}),
        "tag": lambda w, t: w.alice.update("bees", tags=[t]),
    },
    Verb.SUPERSEDE: {
        "new text": lambda w, t: w.alice.supersede(old="bees", new=t),
        "reason": lambda w, t: w.alice.supersede(old="bees", new="Ben has hens", reason=t),
    },
    Verb.UNSUPERSEDE: {"reason": lambda w, t: w.alice.unsupersede("replaced", reason=t)},
    Verb.RETRACT: {"reason": lambda w, t: w.alice.retract("bees", reason=t)},
    Verb.UNRETRACT: {"reason": lambda w, t: w.alice.unretract("taken back", reason=t)},
    Verb.ACCEPT: {"reason": lambda w, t: w.alice.accept(w.proposal, reason=t)},
    Verb.DISMISS: {"reason": lambda w, t: w.alice.dismiss(w.proposal, reason=t)},
    Verb.OVERLAY: {"text": _overlay},
    Verb.EXEMPT: {"reason": lambda w, t: w.alice.exempt(["bees"], reason=t)},
    Verb.VERIFY_OUTCOME: {"reason": lambda w, t: w.alice.verify_outcome(["bees"], reason=t)},
    Verb.SUPPRESS: {"reason": lambda w, t: w.alice.suppress(["bees"], by="anna", reason=t)},
    Verb.ARCHIVE: {"reason": lambda w, t: w.alice.archive(["bees"], by="anna", reason=t)},
    Verb.RESTORE: {"reason": lambda w, t: w.alice.restore(["away"], by="anna", reason=t)},
    Verb.HOLD: {
        "name": lambda w, t: w.alice.hold(t, ids=["bees"], **WHO),
        "reason": lambda w, t: w.alice.hold("matter", ids=["bees"], by="anna", reason=t),
        "tag": lambda w, t: w.alice.hold("matter", tag=t, **WHO),
    },
    Verb.RELEASE: {"reason": lambda w, t: w.alice.release("held", by="anna", reason=t)},
    Verb.ERASE: {"reason": lambda w, t: w.alice.erase(["bees"], by="anna", reason=t)},
    Verb.LIFT_TOMBSTONE: {
        "reason": lambda w, t: w.alice.lift_tombstone(w.tombstone, by="anna", reason=t)
    },
    Verb.EXPORT: {"reason": lambda w, t: w.alice.export(io.BytesIO(), reason=t)},
    Verb.IMPORT: {"file": _import},
    Verb.ADOPT: {"reason of a hold": _adopt},
    Verb.SHARE: {
        "memory": lambda w, t: w.team.share([w.named[t]], "alice", **WHO),
        "reason": lambda w, t: w.alice.share(["bees"], "team", by="anna", reason=t),
    },
    Verb.BACKUP: {"reason": lambda w, t: w.mind.backup(w.folder / "second.db", reason=t)},
    Verb.RESTORE_BACKUP: {"memory": _restore_backup},
    Verb.ADD_CANARY: {
        "question": lambda w, t: w.alice.canaries.add(t, expected_ids=["bees"], by="anna")
    },
    Verb.USED: {
        "event": lambda w, t: w.alice.used(["bees"], event_id=t),
        "recall": lambda w, t: w.alice.used(["bees"], recall=t),
    },
    Verb.SET_POLICY: {
        "name within a setting": lambda w, t: w.alice.set_policy(
            {"cache": {"freshness_hours": {t: 1}}}
        ),
        "actor": lambda w, t: w.alice.set_policy({"cache": {"ttl_hours": 2}}, by=t),
    },
    Verb.PLAN: {
        "session": lambda w, t: w.alice.plan(level=0.5, sessions=[t]),
        "actor": lambda w, t: w.alice.plan(ids=["bees"], by=t),
    },
    Verb.CACHE: {
        "answer": lambda w, t: w.alice.cache.put("Where is home?", t),
        "question": lambda w, t: w.alice.cache.put(t, "Indeed"),
        "domain": lambda w, t: w.alice.cache.put("Where is home?", "There", domain=t),
    },
    Verb.CONSOLIDATE: {"summary": _consolidate},
    Verb.APPROVE: {"reason": lambda w, t: w.alice.approve(w.plan, by="anna", reason=t)},
    Verb.APPLY: {"reason of its approval": _apply},
}
"""By verb, each field by which somebody's words may come in with it."""

SILENT: Mapping[Verb, str] = {
    Verb.CREATE_BANK: "a name of a place",
    Verb.PROPOSE: "what is stored already, found by Lapse",
    Verb.RETURNED: "ids",
    Verb.DRAIN: "numbers",
    Verb.PIN: "a mark",
    Verb.UNPIN: "a mark",
    Verb.REDATE: "dates",
    Verb.REREAD: "what is stored already",
    Verb.EMBED: "vectors",
    Verb.REPAIR: "a state",
    Verb.RATE: "a number",
    Verb.PRUNE: "words of the approval",
    Verb.SWEEP: "words of Lapse",
    Verb.DROP_CANARY: "a name",
}
"""Verbs that bring no words of anybody's into a store, and what they write instead."""

LOSES_ITS_WORDS = {
    (Verb.ERASE, "reason"),
    (Verb.ADOPT, "reason of a hold"),
    (Verb.SHARE, "reason"),
    (Verb.RESTORE_BACKUP, "memory"),
}
"""Paths that are not refused for their words: the act is done, and the words are left out."""
