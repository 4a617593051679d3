"""Sessions that have something to say, and models that say something or fail.

Decides what the tests of consolidation tell a bank. The models are callables, as a host's are.
"""

from collections.abc import Mapping, Sequence

from lapse.bank import Bank
from lapse.errors import GeneratorError
from lapse.model.journal import JournalEntry
from lapse.model.memory import Memory
from lapse.model.verbs import Verb
from lapse.ports import Store

ON: Mapping[str, object] = {
    "reflection.enabled": True,
    "reflection.threshold": 2.0,
    "importance.rater": "off",
}
"""Four memories that nobody rated are enough."""

SAID = (
    "My name is Ann and I moved to Rome in 2021.",
    "I am allergic to peanuts.",
    "The project deadline is 5 May 2027.",
    "We decided to use PostgreSQL for Orion.",
)


def tell(bank: Bank, said: Sequence[str] = SAID, session: str = "s1") -> None:
    """Tell a session, one memory after the other."""
    bank.ingest([{"role": "user", "content": each} for each in said], session=session)


def derived(bank: Bank) -> list[Memory]:
    """What was derived, in order."""
    return [each.memory for each in bank.list().records if each.memory.derived_from]


def stages(store: Store, bank: Bank) -> list[str]:
    """The stages that the journal tells, in order."""
    told = store.journal_by(bank.ref, Verb.CONSOLIDATE, 0)
    return [stage for each in told for stage in _stage(each)]


def _stage(entry: JournalEntry) -> list[str]:
    return [name for name, _ in entry.counts if name in {"scheduled", "done", "failed"}]


class Model:
    """A model that answers what it is told to, and counts.

    Attributes:
        reply: What it answers; None to be out of order.
        prompts: What it was asked.
    """

    def __init__(self, reply: str | None) -> None:
        self.reply = reply
        self.prompts: list[str] = []

    def __call__(self, prompt: str, /) -> str:
        self.prompts.append(prompt)
        if self.reply is None:
            raise GeneratorError("out of order")
        return self.reply
