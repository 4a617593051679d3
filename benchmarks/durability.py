"""Whether what was erased stays gone, whatever runs afterwards.

A distinctive fact is written and found, with a twin beside it that is never erased. The fact is
erased; its source is fed again by another way of writing; every job of upkeep runs; the store is
opened again; and everything that may hold a trace is looked through. A step counts where the fact
is absent and the twin is found. Steps that need parts which do not exist yet are named as waiting
and do not count.

    python -m benchmarks.durability [--json]
"""

import io
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.common import arguments, envelope, print_json, print_machine, print_table
from lapse import Lapse
from lapse.bank import Bank
from lapse.errors import NotFoundError, TombstonedError
from lapse.model.codec import dumps
from lapse.model.verbs import Verb
from lapse.testing.fakes import FakeClock

FACT: Final = "The code word of the harbour gate is Zyxquartz Vombatiform."
TWIN: Final = "The code word of the garden gate is Bluebell Hornbeam."
SOURCE: Final = f"It rained on Monday. {FACT} We left before noon. {TWIN}"
QUESTION: Final = "What is the code word of the gate, Zyxquartz or Bluebell?"
TRACES: Final = ("zyxquartz", "vombatiform", "yxquart", "ombatif")

OTHER: Final = "another bank"
"""Where both are shared to before the erasure."""

WAITING: Final[tuple[str, ...]] = ()
"""Steps that cannot be taken yet."""


@dataclass(slots=True, kw_only=True)
class Stage:
    """A store of one kind, and what has been written to it.

    Attributes:
        target: What is opened.
        clock: Its clock.
        opened: What to close at the end.
        mind: What was opened last.
    """

    target: str
    clock: FakeClock = field(default_factory=FakeClock)
    opened: ExitStack = field(default_factory=ExitStack)
    mind: Lapse = field(init=False)

    def open(self) -> Bank:
        """Open it anew; a store in RAM is opened once."""
        self.mind = Lapse.open(self.target, clock=self.clock, background=False)
        return self.opened.enter_context(self.mind).bank("durability")


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__ or "").parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measured = {
            "memory": steps_of("memory://"),
            "sqlite": steps_of(str(Path(folder) / "durability.db")),
        }
    outcome = envelope(
        "durability",
        {
            store: {"passed": passed_of(steps), "of": len(steps), "steps": steps}
            for store, steps in measured.items()
        },
    )
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    rows = [(name, *(each[name] for each in measured.values())) for name in measured["memory"]]
    rows.append(("passed", *(f"{passed_of(each)} of {len(each)}" for each in measured.values())))
    print_table("absent, and the twin found", ["step", *measured], rows)


def steps_of(target: str) -> dict[str, str]:
    """What became of every step on one kind of store."""
    stage = Stage(target=target)
    with stage.opened:
        steps = dict(_steps(stage))
    return steps | dict.fromkeys(WAITING, "waits")


def passed_of(steps: dict[str, str]) -> int:
    """How many steps were passed; one that waits is not."""
    return sum(each == "passed" for each in steps.values())


def _steps(stage: Stage) -> Iterator[tuple[str, str]]:
    bank = stage.open()
    told = ((FACT, "fact"), (TWIN, "twin"))
    bank.remember_many([{"text": text, "id": name, "session": "gates"} for text, name in told])
    summary = _consolidated(bank)
    bank.remember("There is a word for the harbour", id="derived", derived_from=["fact"])
    bank.remember("There are words for gates", id="both", derived_from=["fact", "twin"])
    found = {each.id for each in bank.recall(QUESTION).hits}
    yield "found before", _told(found >= {"fact", "twin"})
    bank.share(["fact", "twin"], OTHER, by="benchmark", reason="a rehearsal")
    for name, text in (("fact", FACT), ("twin", TWIN)):
        bank.cache.put(f"Which words open the {name} gate?", text, sources=[name])
    bank.cache.put("Which gates have words?", f"Two. {FACT}", sources=["twin"])
    older = _exported(bank)
    done = bank.erase(["fact"], by="benchmark", reason="a rehearsal")
    yield "erased", _told(_gone(bank))
    bank.ingest([{"role": "user", "content": SOURCE}, {"role": "user", "content": FACT}])
    yield "source fed again", _told(_gone(bank))
    for name, job in JOBS.items():
        job(bank)
        stage.clock.advance(days=30)
        yield name, _told(_gone(bank))
    if stage.target != "memory://":
        bank = stage.open()
    yield "restart", _told(_gone(bank))
    unmade = frozenset(done.derived) == {"derived", summary} and _absent(bank, "derived")
    yield "derived texts", _told(unmade and done.answers == 2 and _answers_gone(bank))
    yield "vectors", _told("fact" not in {each.id for each in bank.recall(FACT, k=50).hits})
    yield "file bytes", _told(not _left(stage.target) and _gone(bank))
    yield "copies", _told(_kept_out(stage, bank, older))
    yield "audit", _told(_audited(bank) and done.receipt is not None)


def _consolidated(bank: Bank) -> str:
    """The summary of the session that holds both. From now on upkeep reads sessions by itself."""
    bank.set_policy({"reflection.enabled": True, "reflection.threshold": 0.1})
    (done,) = bank.consolidate("gates")
    return done.memory_id or ""


JOBS: Final[dict[str, Callable[[Bank], object]]] = {
    "drain": lambda bank: bank.drain(),
    "sweep": lambda bank: bank.sweep(),
    "re-embedding": lambda bank: bank.reembed(),
    "re-indexing": lambda bank: bank.set_policy({"memory.language": "german"}),
}


def _told(passed: bool) -> str:  # noqa: FBT001 - one word for each of two outcomes
    return "passed" if passed else "FAILED"


def _gone(bank: Bank) -> bool:
    """Whether no read shows the fact, and the twin is found."""
    recall = bank.recall(QUESTION, k=50)
    texts = dumps([each.memory for each in bank.list().records])
    shown = dumps([recall.hits, list(recall.exclusions), recall.revived, texts]).lower()
    twin = "twin" in {each.id for each in recall.hits}
    return twin and not any(each in shown for each in TRACES)


def _answers_gone(bank: Bank) -> bool:
    """Whether no answer of or with the fact is given, and the twin's would be kept again."""
    asked = ("Which words open the fact gate?", "Which gates have words?")
    given = any(bank.cache.get(each).hit for each in asked)
    bank.cache.put("Which words open the twin gate?", TWIN, sources=["twin"])
    try:
        bank.cache.put(asked[1], f"Two. {FACT}", sources=["twin"])
    except TombstonedError:
        return not given and bank.cache.get("Which words open the twin gate?").hit
    return False


def _exported(bank: Bank) -> bytes:
    sink = io.BytesIO()
    bank.export(sink)
    return sink.getvalue()


def _kept_out(stage: Stage, bank: Bank, older: bytes) -> bool:
    """Whether neither a shared copy nor an older export brings the fact back."""
    shared = stage.mind.bank(OTHER)
    texts = [each.memory.text for each in shared.list().records]
    refused = bank.import_(io.BytesIO(older)).refused
    named = {each.memory_id for each in refused}
    again = _exported(bank).decode().lower()
    clean = not any(each in again for each in TRACES)
    return texts == [TWIN] and named >= {"fact"} and clean and _gone(bank)


def _absent(bank: Bank, memory_id: str) -> bool:
    try:
        bank.get(memory_id)
    except NotFoundError:
        return bank.get("both").memory.derived_from == ("twin",)
    return False


def _left(target: str) -> list[str]:
    """Traces in any file of the store."""
    if target == "memory://":
        return []
    path = Path(target)
    kept = b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*")).lower()
    return [each for each in TRACES if each.encode() in kept]


def _audited(bank: Bank) -> bool:
    """Whether the journal tells the erasure, is whole, and says nothing of the text."""
    told = dumps([bank.history("both"), bank.tombstones()]).lower()
    whole = bank.verify_journal().sound
    return whole and Verb.ERASE.value in told and not any(each in told for each in TRACES)


if __name__ == "__main__":
    main()
