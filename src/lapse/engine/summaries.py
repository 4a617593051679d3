"""Having a session summarised: by the host's model where there is one, else by its own sentences.

Decides what is handed to whom, and that sentences which say what was erased are left out before
anything is made of them. Refuses to write, and to say what a good summary is (`reflection`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lapse.engine.core import Core
from lapse.engine.gathered import Waiting, Work, unchanged
from lapse.engine.runtime import BankRuntime
from lapse.errors import StoppedError
from lapse.model.consolidation import SummarisedBy
from lapse.model.memory import Memory
from lapse.model.record import Record
from lapse.ports import Generate
from lapse.reflection.corroborating import as_said, new_proofs, says_again
from lapse.reflection.extracting import (
    Sentence,
    Summary,
    all_terms,
    extracted,
    sentences,
    without,
)
from lapse.reflection.summarising import prompt, read_summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """An observation that was said again, and the memories that prove it anew."""

    observation: Memory
    by: tuple[Memory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a pass would store.

    Attributes:
        summary: The summary, or None where there is nothing to tell.
        proved: Observations with further proof.
        records: What was read, as it was read.
        refused: Sentences left out, or a whole summary refused, because of what was erased.
        summarised_by: Who wrote the summary.
    """

    summary: Summary | None
    proved: tuple[Proved, ...]
    records: tuple[Record, ...]
    refused: int
    summarised_by: SummarisedBy

    @property
    def sources(self) -> tuple[Memory, ...]:
        """What the summary rests on."""
        return () if self.summary is None else self.summary.sources

    def holds(self, again: Work) -> bool:
        """Whether what was read is still as it was read."""
        return unchanged(self.records, again.records[: len(self.records)])

    def refused_whole(self) -> "Made":
        """The same without its summary, which says what was erased."""
        return replace(self, summary=None, refused=self.refused + 1)


def summary_of(
    core: Core, runtime: BankRuntime, waiting: Waiting, work: Work, generate: Generate | None
) -> Made | None:
    """Have a session summarised; None where the host's model failed.

    Args:
        core, runtime: The bank.
        waiting: The bank as it was read.
        work: The session.
        generate: The host's model; None to do without one.
    """
    terms = runtime.tokeniser.terms
    counts = core.parts.store.term_counts(runtime.ref, all_terms(work.memories, terms))
    told, refused = without(sentences(work.memories, terms, counts), _erased(runtime))
    found, proved = _proofs(core, runtime, waiting, told)
    if generate is None:
        summary: Summary | None = _by_sentences(runtime, found)
        by = SummarisedBy.SENTENCES
    else:
        kept = {each.memory.id for each in found}
        memories = [each for each in work.memories if each.id in kept]
        summary = _by_model(runtime, generate, memories)
        by = SummarisedBy.MODEL
        if summary is None:
            return None
    return Made(
        summary=_worth_keeping(summary, work.memories),
        proved=tuple(proved),
        records=work.records,
        refused=refused,
        summarised_by=by,
    )


def _erased(runtime: BankRuntime) -> Callable[[str], bool]:
    """What tells whether a sentence says what was erased from the bank."""
    index = runtime.watch_again()
    return lambda sentence: len(index) > 0 and index.told(sentence) is not None


def _by_sentences(runtime: BankRuntime, found: Sequence[Sentence]) -> Summary:
    policy = runtime.rule.policy
    return extracted(found, policy.reflection.max_sentences, policy.memory.max_text_bytes)


def _by_model(
    runtime: BankRuntime, generate: Generate, memories: Sequence[Memory]
) -> Summary | None:
    if not memories:
        return Summary(text="", sources=())
    policy = runtime.rule.policy
    asked = prompt(memories, policy.reflection.max_sentences, policy.importance.purpose)
    try:
        reply: object = generate(asked)
    except StoppedError:
        raise
    except Exception:  # noqa: BLE001 - a host's own code may raise anything; the pass has failed
        return None
    if not isinstance(reply, str):
        return None
    terms = runtime.tokeniser.terms
    summary = read_summary(reply, memories, terms, policy.memory.max_text_bytes)
    return summary if summary.text else None


def _worth_keeping(summary: Summary | None, memories: Sequence[Memory]) -> Summary | None:
    """A summary that says no more than one of its memories is none."""
    if summary is None or not summary.text or not summary.sources:
        return None
    alone = {each.text.strip() for each in memories}
    return None if summary.text.strip() in alone else summary


def _proofs(
    core: Core, runtime: BankRuntime, waiting: Waiting, told: Sequence[Sentence]
) -> tuple[list[Sentence], list[Proved]]:
    """The sentences that say something new, and the observations that the others say again."""
    left = list(told)
    proved: list[Proved] = []
    for record in waiting.observations():
        observation = record.memory
        lines = [as_said(each, runtime.tokeniser.terms) for each in observation.text.splitlines()]
        again = [each for each in left if any(says_again(each.said, one) for one in lines)]
        if not again:
            continue
        known = core.contents(runtime.ref, observation.derived_from)
        saying = {each.memory.id: each.memory for each in again}
        new = new_proofs(observation, known, saying.values())
        left = [each for each in left if each not in again]
        if new:
            proved.append(Proved(observation=observation, by=tuple(new)))
    return left, proved
