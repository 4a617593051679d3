"""What sparing a strong cue is worth, in whole conversations and in young banks.

The conversations of LoCoMo, the clock one day after the last session, nothing reported as used.
`whole` banks hold a conversation, `young` ones its first three sessions with the questions that
these answer. Each ranking is a policy; numbers are the share of questions with evidence among the
first 1, 3, 5 and 10.

    python -m benchmarks.cues --data locomo.json [--json]
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from types import MappingProxyType

from benchmarks.common import (
    add_data,
    arguments,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from benchmarks.conversations import Conversation, Turn, read_conversations
from benchmarks.retrieval import asked, load
from lapse import Lapse
from lapse.model.instants import DAY, Instant, parse_instant
from lapse.model.memory import JsonValue
from lapse.testing.fakes import FakeClock

DEPTHS = (1, 3, 5, 10)
YOUNG_SESSIONS = 3

_COMPANION: Mapping[str, JsonValue] = {"law.importance_weight": 4.5, "scoring.boost_alpha": 0.3}

RANKINGS: Mapping[str, Mapping[str, JsonValue]] = MappingProxyType(
    {
        "off": {"forgetting.mode": "off"},
        "bent": {"scoring.strong_cue": "bent"},
        "spared at 0.6": {},
        "spared at 0.5": {"forgetting.strong_cue_coverage": 0.5},
        "companion, relevance from 0": {**_COMPANION, "recall.min_relevance": 0.0},
        "companion, relevance from 0.1": {**_COMPANION, "recall.min_relevance": 0.1},
    }
)


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    add_data(parser, help="a file in LoCoMo's format")
    options = parser.parse_args()
    conversations = read_conversations(options.data)
    measured = {
        "whole": measure(conversations),
        "young": measure([_young(each) for each in conversations]),
    }
    outcome = envelope("cues", measured)
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    for name, table in measured.items():
        rows = [(ranking, *each.values()) for ranking, each in table.items()]
        print_table(f"{name} banks", ["ranking", *(f"hit@{each}" for each in DEPTHS)], rows)


def measure(conversations: Sequence[Conversation]) -> dict[str, dict[str, float]]:
    """Share of questions answered within each depth, by ranking."""
    firsts: dict[str, list[int]] = {name: [] for name in RANKINGS}
    clock = FakeClock()
    with Lapse.open("memory://", background=False, clock=clock) as mind:
        for conversation in conversations:
            last = parse_instant(conversation.turns[-1].at, "at")
            clock.set(Instant(last + DAY))
            bank = mind.bank(conversation.name)
            questions = list(asked(conversation, load(bank, conversation)))
            for name, policy in RANKINGS.items():
                bank.set_policy({**_reset(), **policy})
                for text, wanted in questions:
                    hits = bank.recall(text, k=DEPTHS[-1]).hits
                    found = (each.rank for each in hits if each.id in wanted)
                    firsts[name].append(next(found, DEPTHS[-1] + 1))
    return {
        name: {f"hit@{depth}": fmean(rank <= depth for rank in ranks) for depth in DEPTHS}
        for name, ranks in firsts.items()
    }


def _reset() -> dict[str, JsonValue]:
    return {path: "" for policy in RANKINGS.values() for path in policy}


def _young(conversation: Conversation) -> Conversation:
    turns = tuple(_of_first_sessions(conversation))
    known = {each.id for each in turns}
    answered = tuple(each for each in conversation.questions if known.issuperset(each.evidence))
    return replace(conversation, turns=turns, questions=answered)


def _of_first_sessions(conversation: Conversation) -> Iterator[Turn]:
    sessions = list(dict.fromkeys(each.session for each in conversation.turns))[:YOUNG_SESSIONS]
    return (each for each in conversation.turns if each.session in sessions)


if __name__ == "__main__":
    main()
