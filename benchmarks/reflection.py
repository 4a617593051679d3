"""What summaries keep within reach when most of a conversation has been put away.

Each conversation is told session by session, and upkeep derives what the policy asks for (the
built-in summary: sentences as they stand). At its end the turns are archived down to a share by the
default plan, with `protect_cited` off: what is archived is out of recall, and readable as the
provenance of what was derived from it. Every question is asked before and after, ten hits each. Its
evidence is reached directly where the turn is a hit, and through a derived memory where a hit names
the turn among its sources.

    python -m benchmarks.reflection --data locomo.json [--threshold 15] [--keep 0.3] [--json]

`cited` is the share of all evidence that any derived memory names; what is not cited no question
can reach through one. Decides what is told and asked. Refuses to rank and to choose: the bank does.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.common import add_data, arguments, envelope, print_json, print_machine, print_table
from benchmarks.conversations import Conversation, read_conversations
from lapse import Lapse
from lapse.bank import Bank
from lapse.model.paging import PAGE_LIMIT, Listing
from lapse.testing.fakes import FakeClock

DEPTH = 10
THRESHOLDS = (15.0, 8.0, 4.0)
"""The default, and what makes two and four times as many summaries."""

KEPT = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Of one question's evidence, the share that was reached, each in [0, 1].

    Attributes:
        before: Directly, before anything was put away.
        direct: Directly, afterwards.
        derived: Through a derived memory, afterwards.
        either: One way or the other, afterwards.
        cited: Named by any derived memory at all.
    """

    before: float
    direct: float
    derived: float
    either: float
    cited: float


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    add_data(parser, help="a file in LoCoMo's format")
    parser.add_argument("--threshold", type=float, help="only this one, default 15, 8 and 4")
    parser.add_argument("--keep", type=float, default=KEPT, help="share of turns, default 0.3")
    options = parser.parse_args()
    wanted = THRESHOLDS if options.threshold is None else (options.threshold,)
    conversations = read_conversations(options.data)
    found = {f"{each:g}": measure(conversations, each, options.keep) for each in wanted}
    outcome = envelope("reflection", {"kept": options.keep, "thresholds": found})
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    columns = ["threshold", *next(iter(found.values()))]
    rows = [(name, *each.values()) for name, each in found.items()]
    print_table(f"share of evidence reached, {options.keep:.0%} of the turns kept", columns, rows)


def measure(
    conversations: Sequence[Conversation], threshold: float, keep: float
) -> Mapping[str, float]:
    """Mean shares over all questions, and how many summaries there are to a hundred turns."""
    reached: list[Reached] = []
    made = turns = words = 0
    for conversation in conversations:
        clock = FakeClock(conversation.turns[0].at)
        with Lapse.open("memory://", clock=clock, background=False) as mind:
            bank = mind.bank(conversation.name)
            stored = tell(bank, clock, conversation, threshold)
            derived = sources_of(bank)
            reached += ask(bank, conversation, stored, derived, keep)
            made += len(derived)
            turns += len(set(stored.values()))
            words += sum(len(bank.get(each).memory.text.split()) for each in derived)
    return {
        "before": round(fmean(each.before for each in reached), 4),
        "direct": round(fmean(each.direct for each in reached), 4),
        "derived": round(fmean(each.derived for each in reached), 4),
        "either": round(fmean(each.either for each in reached), 4),
        "cited": round(fmean(each.cited for each in reached), 4),
        "summaries per 100 turns": round(100 * made / turns, 2),
        "words per summary": round(words / max(made, 1), 1),
    }


def tell(
    bank: Bank, clock: FakeClock, conversation: Conversation, threshold: float
) -> dict[str, str]:
    """Tell every session, with upkeep after each. Gives the memory's id by the turn's."""
    bank.set_policy(
        {
            "reflection.enabled": True,
            "reflection.threshold": threshold,
            "retention.protect_cited": False,
            "retention.grace_days": 0,
            "retention.plan_limit": 100_000,
        }
    )
    stored: dict[str, str] = {}
    for session in dict.fromkeys(each.session for each in conversation.turns):
        turns = [each for each in conversation.turns if each.session == session]
        clock.set(turns[-1].at)
        told = bank.remember_many(
            {
                "id": each.id,
                "text": each.text,
                "kind": "episodic",
                "session": each.session,
                "created_at": each.at,
            }
            for each in turns
        )
        stored |= {turn.id: each.id for turn, each in zip(turns, told, strict=True)}
        bank.drain()
    clock.advance(days=1)
    return stored


def sources_of(bank: Bank) -> dict[str, frozenset[str]]:
    """The sources of every derived memory, by its id."""
    found: dict[str, frozenset[str]] = {}
    after: int | None = 0
    while after is not None:
        page = bank.list(Listing(limit=PAGE_LIMIT, after=after))
        found |= {
            each.memory.id: frozenset(each.memory.derived_from)
            for each in page.records
            if each.memory.derived_from
        }
        after = page.next_after
    return found


def ask(
    bank: Bank,
    conversation: Conversation,
    stored: Mapping[str, str],
    derived: Mapping[str, frozenset[str]],
    keep: float,
) -> Iterator[Reached]:
    """Ask every question, put most turns away, and ask again."""
    questions = [
        (each.text, frozenset(stored[name] for name in each.evidence if name in stored))
        for each in conversation.questions
    ]
    asked = [(text, wanted) for text, wanted in questions if wanted]
    before = [_direct(bank, text, wanted) for text, wanted in asked]
    budget = round(keep * len(set(stored.values()))) + len(derived)
    plan = bank.plan_to_budget("archive", max_active=budget, kinds=["episodic"])
    bank.approve(plan.id, by="benchmark", reason="over budget")
    bank.apply(plan.id)
    named = frozenset(one for each in derived.values() for one in each)
    for (text, wanted), earlier in zip(asked, before, strict=True):
        hits = [each.id for each in bank.recall(text, k=DEPTH).hits]
        direct = wanted.intersection(hits)
        through = wanted & {one for each in hits for one in derived.get(each, ())}
        yield Reached(
            before=earlier,
            direct=len(direct) / len(wanted),
            derived=len(through) / len(wanted),
            either=len(direct | through) / len(wanted),
            cited=len(wanted & named) / len(wanted),
        )


def _direct(bank: Bank, text: str, wanted: frozenset[str]) -> float:
    return len(wanted.intersection(each.id for each in bank.recall(text, k=DEPTH).hits)) / len(
        wanted
    )


if __name__ == "__main__":
    main()
