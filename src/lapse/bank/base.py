"""What every part of a bank's façade shares: its name, its engine, how a verb is handed over.

Decides nothing of its own. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable, Mapping, Sequence

from lapse.engine import people, writing
from lapse.engine.core import Core
from lapse.engine.detecting import detect
from lapse.engine.embedding import Progress
from lapse.engine.preparing import Writing
from lapse.engine.results import Remembered, remembered
from lapse.engine.runtime import BankRuntime
from lapse.engine.untyped import as_names
from lapse.errors import StoreError
from lapse.lifecycle import marks
from lapse.model.memory import BankRef, Draft, Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.verbs import Verb

HOST = people.HOST
"""The actor when the caller names none."""


class BankBase:
    """One bank of one tenant, without a verb."""

    def __init__(self, core: Core, ref: BankRef) -> None:
        """Name the bank; `Lapse.bank` does this."""
        self.ref = ref
        self._core = core

    @property
    def engine(self) -> Core:
        """The engine beneath it, for what measures it."""
        return self._core

    @property
    def _runtime(self) -> BankRuntime:
        return self._core.runtime(self.ref)

    @property
    def _limit(self) -> int:
        return self._runtime.rule.policy.memory.max_text_bytes

    def _writing(self, verb: Verb, by: str, reason: str | None = None) -> Writing:
        return Writing(verb=verb, now=self._core.now(), by=by, reason=reason)

    def _write(
        self, verb: Verb, drafts: Sequence[Draft], by: str, progress: Progress
    ) -> Sequence[Remembered]:
        act = self._writing(verb, by)
        told = writing.write_drafts(self._core, self._runtime, act, drafts, progress)
        outcomes = detect(self._core, self._runtime, act, told)
        known = told.written if outcomes is told.outcomes else {}
        return self._read_back(outcomes, known, told)

    def _read_back(
        self, outcomes: Sequence[Outcome], known: Mapping[str, Memory], told: writing.Told
    ) -> Sequence[Remembered]:
        try:
            return remembered(self._core, self._runtime, outcomes, known)
        except StoreError:
            # All was written: what this wrote itself need not be read back.
            return remembered(self._core, self._runtime, outcomes, told.written)

    def _mark(
        self, verb: Verb, ids: Iterable[str], mark: marks.Mark, by: str, reason: str | None
    ) -> int:
        told = self._writing(verb, by, reason)
        outcomes = writing.write_mark(self._core, self._runtime, told, as_names("ids", ids), mark)
        return sum(each.action is Action.UPDATED for each in outcomes)
