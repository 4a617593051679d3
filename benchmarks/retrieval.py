"""How well recall finds the evidence of a question, with forgetting off.

A memory is one turn of a conversation (`speaker: text [shares caption]`), a bank one conversation,
a query one question of categories 1 to 4. A question counts once for hit@5, hit@10, rec@10 (share
of its evidence turns among the first ten) and mrr (of the first evidence turn).

    python -m benchmarks.retrieval --data locomo.json [--json]
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.common import add_data, arguments, envelope, print_json, print_machine, print_table
from benchmarks.conversations import Conversation, read_conversations
from lapse import Lapse
from lapse.bank import Bank

DEPTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What one question scored."""

    hit5: float
    hit10: float
    rec10: float
    mrr: float


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    add_data(parser, help="a file in LoCoMo's format")
    options = parser.parse_args()
    outcome = envelope("retrieval", measure(read_conversations(options.data)))
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    print_table("evidence of categories 1-4", ["measure", "value"], outcome.results.items())


def measure(conversations: Sequence[Conversation]) -> dict[str, float]:
    """Mean scores over all questions of all conversations."""
    scores: list[Score] = []
    with Lapse.open("memory://", background=False) as mind:
        for conversation in conversations:
            bank = mind.bank(conversation.name)
            stored = load(bank, conversation)
            for text, wanted in asked(conversation, stored):
                hits = bank.recall(text, k=DEPTH, mode="off").hits
                scores.append(score([each.id for each in hits], wanted))
    return means(scores)


def means(scores: Sequence[Score]) -> dict[str, float]:
    """Mean of each measure, by the name it has in results."""
    return {
        "hit@5": fmean(each.hit5 for each in scores),
        "hit@10": fmean(each.hit10 for each in scores),
        "rec@10": fmean(each.rec10 for each in scores),
        "mrr": fmean(each.mrr for each in scores),
    }


def asked(conversation: Conversation, stored: Mapping[str, str]) -> Iterator[tuple[str, set[str]]]:
    """Every question with the ids of the memories that answer it, where any are stored."""
    for question in conversation.questions:
        wanted = {stored[each] for each in question.evidence if each in stored}
        if wanted:
            yield question.text, wanted


def load(bank: Bank, conversation: Conversation) -> dict[str, str]:
    """Remember every turn. Gives the memory's id by the turn's: equal texts are one memory."""
    told = bank.remember_many(
        {"id": turn.id, "text": turn.text, "created_at": turn.at, "session": turn.session}
        for turn in conversation.turns
    )
    return {turn.id: memory.id for turn, memory in zip(conversation.turns, told, strict=True)}


def score(found: Sequence[str], wanted: set[str]) -> Score:
    """Score one ranking of at most ten ids against the ids of the evidence."""
    ranks = [rank for rank, each in enumerate(found, start=1) if each in wanted]
    return Score(
        hit5=float(any(rank <= 5 for rank in ranks)),
        hit10=float(bool(ranks)),
        rec10=len(ranks) / len(wanted),
        mrr=1 / ranks[0] if ranks else 0.0,
    )


if __name__ == "__main__":
    main()
