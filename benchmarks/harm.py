"""How much of what a question asks for is lost because time has passed.

The conversations of LoCoMo, as in `benchmarks.retrieval`; the clock stands one day after the last
session, and nothing was ever reported as used. In this data age says nothing about what will be
asked, so whatever a ranking loses against `off` is harm done by forgetting. `default` is the
default policy, `<law>_<scorer>` every pair of the two; the rest are rankings by unbounded decay,
which are no part of the product (`benchmarks.unbounded`).

    python -m benchmarks.harm --data locomo.json [--json]
"""

from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.common import (
    add_data,
    arguments,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from benchmarks.conversations import Conversation, read_conversations
from benchmarks.retrieval import DEPTH, Score, asked, load, means, score
from benchmarks.unbounded import UNBOUNDED
from lapse import Lapse
from lapse.bank import Bank
from lapse.model.instants import DAY, HOUR, Instant, parse_instant
from lapse.model.policy import LawName, Scorer
from lapse.testing.fakes import FakeClock

EVERYTHING = 1000
"""Hits asked for where a whole conversation is to be ranked."""


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    add_data(parser, help="a file in LoCoMo's format")
    options = parser.parse_args()
    measured = measure(read_conversations(options.data))
    outcome = envelope("harm", measured)
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    base = measured["off"]["hit@10"]
    rows = [(name, *each.values(), each["hit@10"] - base) for name, each in measured.items()]
    columns = ["ranking", *measured["off"], "− off"]
    title = "evidence of categories 1-4, a day after the last session; last: hit@10 against off"
    print_table(title, columns, rows)


def measure(conversations: Sequence[Conversation]) -> dict[str, dict[str, float]]:
    """Mean scores of every ranking over all questions of all conversations."""
    scores: dict[str, list[Score]] = {}
    clock = FakeClock()
    with Lapse.open("memory://", background=False, clock=clock) as mind:
        for conversation in conversations:
            now = clock.set(_a_day_after(conversation))
            bank = mind.bank(conversation.name)
            # A turn that repeats a text would otherwise be a use of its first telling.
            bank.set_policy({"reinforcement.enabled": False})
            questions = list(asked(conversation, load(bank, conversation)))
            for name, found, wanted in rankings(bank, questions, now):
                scores.setdefault(name, []).append(score(found[:DEPTH], wanted))
    return {name: means(each) for name, each in scores.items()}


def rankings(
    bank: Bank, questions: Sequence[tuple[str, set[str]]], now: Instant
) -> Iterator[tuple[str, Sequence[str], set[str]]]:
    """Name of a ranking, the ids it puts first, and the ids that were wanted."""
    for text, wanted in questions:
        yield "off", [each.id for each in bank.recall(text, k=DEPTH, mode="off").hits], wanted
        yield "default", [each.id for each in bank.recall(text, k=DEPTH).hits], wanted
    for law in LawName:
        bank.set_policy({"law.name": law.value})
        bank.drain()
        for text, wanted in questions:
            for scorer in Scorer:
                hits = bank.recall(text, k=DEPTH, scorer=scorer).hits
                yield f"{law}_{scorer}", [each.id for each in hits], wanted
    for text, wanted in questions:
        hits = bank.recall(text, k=EVERYTHING, mode="off", explain=False).hits
        relevance = np.array([each.score for each in hits])
        age_hours = np.array([(now - each.memory.created_at) / HOUR for each in hits])
        for name, ranked in UNBOUNDED.items():
            yield name, [hits[at].id for at in ranked(relevance, age_hours)[:DEPTH]], wanted


def _a_day_after(conversation: Conversation) -> Instant:
    last = max(turn.at for turn in conversation.turns)
    return Instant(parse_instant(last, "at") + DAY)


if __name__ == "__main__":
    main()
