"""Asking in tests: a bank of rows, a question in words, and a policy written as changes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lapse.index.bank_index import BankIndex
from lapse.index.snapshot import Snapshot
from lapse.laws import law_for
from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.model.policy import Policy
from lapse.model.query import AsOf, Reason, Scope
from lapse.recall.pipeline import recall, why
from lapse.recall.question import Answer, Instruments, Question, Rerank, TokenCounts, Verdict
from tests.unit.index.deltas import T0, Bank, Row, terms_of

NOW = Instant(T0)


def policy_of(**changes: object) -> Policy:
    """The default policy with settings changed: `recall__k=3` is `recall.k = 3`."""
    policy = Policy()
    sections: dict[str, dict[str, object]] = {}
    for path, value in changes.items():
        section, name = path.split("__")
        sections.setdefault(section, {})[name] = value
    changed = {name: replace(getattr(policy, name), **each) for name, each in sections.items()}
    return replace(policy, **changed)


def snapshot_of(*rows: Row) -> Snapshot:
    """A bank of these rows; its vectors have the dimension of the first one given."""
    dimension = next((len(each.vector) for each in rows if each.vector is not None), 0)
    return BankIndex(BankRef(name="alice")).advance(Bank(dimension).delta(rows))


def ask(
    text: str = "tea",
    vector: Sequence[float] | None = None,
    *,
    k: int = 8,
    now: int = NOW,
    words: int | None = None,
    tokens: int | None = None,
    valid: int | None = None,
    recorded: int | None = None,
    scope: Scope | None = None,
) -> Question:
    """A question in words."""
    return Question(
        text=text,
        terms=terms_of(text),
        vector=None if vector is None else np.array(vector, dtype=np.float32),
        scope=scope or Scope(),
        as_of=AsOf(
            valid=None if valid is None else Instant(valid),
            recorded=None if recorded is None else Instant(recorded),
        ),
        now=Instant(now),
        k=k,
        budget_words=words,
        budget_tokens=tokens,
    )


def recalled(
    snapshot: Snapshot,
    question: Question | None = None,
    policy: Policy | None = None,
    *,
    token_counts: TokenCounts | None = None,
    rerank: Rerank | None = None,
) -> Answer:
    """Recall with a stopwatch that stands still."""
    policy = policy or Policy()
    instruments = Instruments(stopwatch=lambda: 0.0, token_counts=token_counts, rerank=rerank)
    law = law_for(policy.law)
    return recall(snapshot, question or ask(), policy, law, instruments)


def asked_why(
    snapshot: Snapshot,
    memory_id: str,
    question: Question | None = None,
    policy: Policy | None = None,
) -> Verdict | None:
    """Why one memory is or is not an answer."""
    policy = policy or Policy()
    return why(snapshot, question or ask(), policy, law_for(policy.law), memory_id)


def ids(answer: Answer) -> list[str]:
    """Ids of the hits, in order."""
    return [each.id for each in answer.picks]


def reasons(answer: Answer) -> dict[str, Reason]:
    """Reason of every exclusion, by id."""
    return {each.id: each.reason for each in answer.exclusions}
