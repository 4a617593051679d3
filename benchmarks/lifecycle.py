"""A conversation lived through with a budget: `python -m benchmarks.lifecycle --data FILE`.

Each conversation is told session by session, in its own time, to two banks. One is swept every day
to a budget of half of what will have been told; the other never is. At the end both are asked the
same questions, then the first is restored, and must answer as the second does: same memories, same
order, same scores.

Decides what is told, swept and asked. Refuses to say how much may be lost.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from benchmarks.common import (
    Json,
    add_data,
    arguments,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from benchmarks.conversations import Conversation, Turn, read_conversations
from lapse import Lapse
from lapse.bank import Bank
from lapse.model.query import Recall
from lapse.model.record import Record
from lapse.testing.fakes import FakeClock

DEPTH = 10
SHARE = 0.5
DAY = timedelta(days=1)
WAIT = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """What became of one conversation.

    Attributes:
        told: Turns told.
        active_over_time: Size of the active set after each sweep.
        before, after: Mean recall@10 of the questions' evidence, without and with the budget.
        restored_identical: Whether the restored bank answers as the one that was never swept.
        questions: How many were asked.
    """

    told: int
    active_over_time: tuple[int, ...]
    before: float
    after: float
    restored_identical: bool
    questions: int


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    add_data(parser, help="a file in LoCoMo's format")
    options = parser.parse_args()
    outcome = envelope("lifecycle", measure(read_conversations(options.data)))
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    shown = [pair for pair in outcome.results.items() if not isinstance(pair[1], dict)]
    print_table("half of each conversation kept", ["measure", "value"], shown)


def measure(conversations: Sequence[Conversation]) -> dict[str, Json]:
    """Live through every conversation; means are over all questions."""
    lives = {each.name: live(each) for each in conversations}
    asked = sum(each.questions for each in lives.values())
    return {
        "active_over_time": {name: list(each.active_over_time) for name, each in lives.items()},
        "told": {name: each.told for name, each in lives.items()},
        "questions": asked,
        "rec@10_before": _mean([(each.before, each.questions) for each in lives.values()]),
        "rec@10_after": _mean([(each.after, each.questions) for each in lives.values()]),
        "restored_identical": int(all(each.restored_identical for each in lives.values())),
    }


def live(conversation: Conversation) -> Life:
    """Tell, sweep day by day, ask, restore, ask again."""
    turns = _told(conversation)
    budget = max(round(SHARE * len(turns)), 1)
    clock = FakeClock(turns[0].at)
    with Lapse.open("memory://", clock=clock, background=False) as mind:
        swept, whole = mind.bank("swept"), mind.bank("whole")
        swept.set_policy(
            {
                "forgetting.mode": "lifecycle",
                "forgetting.auto_apply": True,
                "retention.max_active": budget,
                "retention.grace_days": 0,
                "retention.plan_limit": 100_000,
            }
        )
        # The same ranking, so that only what is kept differs.
        whole.set_policy({"forgetting.mode": "lifecycle", "retention.max_active": "none"})
        sizes = tuple(_lived(clock, turns, swept, whole))
        clock.set(turns[-1].at + WAIT)
        before = _answers(conversation, whole)
        after = _answers(conversation, swept)
        archived = [each.memory.id for each in _archived(swept)]
        if archived:
            swept.restore(archived, by="benchmark", reason="to compare")
        again = _answers(conversation, swept)
    return Life(
        told=len(turns),
        active_over_time=sizes,
        before=_recall(conversation, before),
        after=_recall(conversation, after),
        restored_identical=[_order(each) for each in again] == [_order(each) for each in before],
        questions=len(before),
    )


def _lived(clock: FakeClock, turns: Sequence[Turn], swept: Bank, whole: Bank) -> Iterator[int]:
    """Tell each session when it was, and sweep on every day between."""
    today = turns[0].at
    for session in _sessions(turns):
        while session[0].at - today >= DAY:
            today += DAY
            clock.set(today)
            yield _sweep(swept)
        clock.set(session[-1].at)
        for bank in (swept, whole):
            bank.remember_many(
                {"id": each.id, "text": each.text, "session": each.session, "created_at": each.at}
                for each in session
            )
    clock.set(turns[-1].at + WAIT)
    yield _sweep(swept)


def _sweep(bank: Bank) -> int:
    report = bank.sweep(by="benchmark").report
    return 0 if report is None else report.active_after


def _told(conversation: Conversation) -> list[Turn]:
    """Turns in order of time; of equal texts the first, as a bank keeps them."""
    first: dict[str, Turn] = {}
    for each in sorted(conversation.turns, key=lambda turn: turn.at):
        first.setdefault(each.text.casefold(), each)
    return list(first.values())


def _sessions(turns: Sequence[Turn]) -> Iterator[list[Turn]]:
    session: list[Turn] = []
    for each in turns:
        if session and session[-1].session != each.session:
            yield session
            session = []
        session.append(each)
    yield session


def _archived(bank: Bank) -> Iterator[Record]:
    after: int | None = 0
    while after is not None:
        page = bank.archived(after=after, limit=1000)
        yield from page.records
        after = page.next_after


def _answers(conversation: Conversation, bank: Bank) -> list[Recall]:
    return [bank.recall(each.text, k=DEPTH) for each in conversation.questions]


def _recall(conversation: Conversation, answers: Sequence[Recall]) -> float:
    shares = []
    for asked, answer in zip(conversation.questions, answers, strict=True):
        found = {each.id for each in answer.hits}
        shares.append(len(found & set(asked.evidence)) / len(set(asked.evidence)))
    return sum(shares) / len(shares)


def _order(answer: Recall) -> list[tuple[str, float]]:
    return [(each.id, each.score) for each in answer.hits]


def _mean(weighed: Sequence[tuple[float, int]]) -> float:
    total = sum(count for _, count in weighed)
    return round(sum(value * count for value, count in weighed) / total, 4) if total else 0.0


if __name__ == "__main__":
    main()
