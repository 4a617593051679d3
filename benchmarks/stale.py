"""Whether what went stale still comes up, where nobody said which memory replaces which.

Everything is told without a key, in order of time, and the bank decides by itself what takes the
place of what (`truth.detect` = act). Then each question is asked, with forgetting off.

fresh@5, stale@5        the present, a former value is among the first five hits
rest@5                  stale@5, where what remains of a stale memory counts as stale
stale_outranks_fresh    a former value comes first, or comes alone
innocent                share of memories retired though no label calls them stale
as_of                   share of questions for which, as of the moment before the change, a former
                        value that was retired comes up again among the first five
undo_exact              share of questions answered, once every replacement is taken back, by the
                        same first five memories in the same order as in a bank that never looked
                        (further down, words of remains that are gone still move a rank or two)
precision, found        of what was retired, the stale share; of what is stale, the retired share

    python -m benchmarks.stale --data letta_update.jsonl [--levels 0.3,0.5,0.7] [--perfect]
        [--first N] [--json]
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from benchmarks.common import (
    Json,
    add_data,
    add_first,
    arguments,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from benchmarks.labels import Labels
from benchmarks.updates import Story, Update, read_stories
from lapse import Lapse
from lapse.bank import Bank
from lapse.model.finding import Finder
from lapse.model.instants import Instant
from lapse.model.query import AsOf
from lapse.testing.fakes import FakeClock

DEPTH = 5
LEVEL = 0.5
"""The act level of the headline figures: what is more likely than not is done."""

MEASURES = (
    *("fresh@5", "stale@5", "rest@5", "stale_outranks_fresh", "innocent", "as_of", "undo_exact"),
    *("precision", "found"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What came up for one question.

    Attributes:
        fresh, stale, rest: Whether it was among the first five.
        outranked: Whether a stale one came first or alone.
        as_of: Whether a retired value came up as of before the change; None where none was retired.
        undone: Whether, all taken back, the hits were as if nothing had been looked for.
    """

    fresh: bool
    stale: bool
    rest: bool
    outranked: bool
    as_of: bool | None
    undone: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """How many memories there were, were retired, were stale, and were both."""

    memories: int
    retired: int
    stale: int
    rightly: int


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    add_data(parser, help="JSON lines of Letta's updates or LongMemEval's evidence; recognised")
    parser.add_argument(
        "--levels",
        type=lambda text: [float(each) for each in text.split(",")],
        default=[],
        metavar="L,L",
        help="act levels for the curve, beside the headline's",
    )
    parser.add_argument(
        "--perfect",
        action="store_true",
        help="ask a finder that reads the labels: a hook's ceiling",
    )
    add_first(parser, of="stories")
    options = parser.parse_args()
    stories = read_stories(options.data)[: options.first]
    finder = Labels(stories) if options.perfect else None
    outcome = envelope("stale", measure(stories, levels=options.levels, finder=finder))
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    rows = [
        (name, *(each.get(measure, "") for measure in MEASURES))
        for name, each in _rows(outcome.results)
    ]
    print_table("updates told without a key", ["act level", *MEASURES], rows)


def _rows(results: Mapping[str, Json]) -> Iterator[tuple[str, Mapping[str, Json]]]:
    for name, each in results.items():
        if isinstance(each, Mapping):
            yield name, each
    curve = results["curve"]
    assert isinstance(curve, Mapping)
    yield from ((name, each) for name, each in curve.items() if isinstance(each, Mapping))


def measure(
    stories: Sequence[Story], *, levels: Sequence[float] = (), finder: Finder | None = None
) -> dict[str, Json]:
    """All measures without looking, at the headline's level, and along the curve.

    Args:
        stories: What to tell and ask.
        levels: Act levels of the curve.
        finder: In place of the rules: what a model adds is measured by passing it.
    """
    results: dict[str, Json] = {"n": sum(len(each.updates) for each in stories)}
    results["off"] = _at(stories, None, finder)
    headline = _at(stories, LEVEL, finder)
    results["act"] = headline
    results["curve"] = {f"{level:g}": _at(stories, level, finder) for level in levels}
    return results | headline


def _at(stories: Sequence[Story], level: float | None, finder: Finder | None) -> dict[str, Json]:
    seen: list[Seen] = []
    counts = [_tell_and_ask(story, level, finder, seen) for story in stories]
    retired = sum(each.retired for each in counts)
    rightly = sum(each.rightly for each in counts)
    return {
        "fresh@5": fmean(each.fresh for each in seen),
        "stale@5": fmean(each.stale for each in seen),
        "rest@5": fmean(each.rest for each in seen),
        "stale_outranks_fresh": fmean(each.outranked for each in seen),
        "innocent": (retired - rightly) / sum(each.memories for each in counts),
        "as_of": _mean([each.as_of for each in seen]),
        "undo_exact": _mean([each.undone for each in seen]),
        "precision": rightly / retired if retired else None,
        "found": rightly / sum(each.stale for each in counts),
    }


def _mean(values: Sequence[bool | None]) -> float | None:
    given = [each for each in values if each is not None]
    return fmean(given) if given else None


def _tell_and_ask(
    story: Story, level: float | None, finder: Finder | None, seen: list[Seen]
) -> Retired:
    clock = FakeClock()
    with Lapse.open("memory://", background=False, clock=clock, finder=finder) as mind:
        plain = mind.bank("plain")
        _tell(plain, story, clock)
        bank = mind.bank("looking")
        if level is not None:
            bank.set_policy({"truth.detect": "act", "truth.act_level": level})
        ids = _tell(bank, story, clock)
        retired = [each for each in dict.fromkeys(ids) if not _stands(bank, each)]
        answers = [_ask(bank, update, ids, set(retired)) for update in story.updates]
        undone = _undo(bank, plain, story, retired)
    seen += [replace(answer, undone=same) for answer, same in zip(answers, undone, strict=True)]
    stale = {ids[number] for number in story.stale}
    return Retired(
        memories=len(set(ids)),
        retired=len(retired),
        stale=len(stale),
        rightly=len(stale.intersection(retired)),
    )


def _tell(bank: Bank, story: Story, clock: FakeClock) -> list[str]:
    """Tell everything in order of time; the id each telling has (equal texts are one memory)."""
    ids: list[str] = []
    for each in story.told:
        clock.set(each.at)
        ids.append(bank.remember(each.text, role=each.role).id)
    return ids


def _stands(bank: Bank, memory_id: str) -> bool:
    memory = bank.get(memory_id).memory
    return memory.superseded_by is None and memory.valid_to is None and memory.recorded_to is None


def _ask(bank: Bank, update: Update, ids: Sequence[str], retired: set[str]) -> Seen:
    fresh = {ids[number] for number in update.fresh}
    stale = {ids[number] for number in update.stale} - fresh
    hits = bank.recall(update.question, k=DEPTH, mode="off").hits
    ranks = {each.id: at for at, each in enumerate(hits)}
    first_stale = min((ranks[each] for each in stale if each in ranks), default=None)
    first_fresh = min((ranks[each] for each in fresh if each in ranks), default=DEPTH)
    rests = [each for each in hits if stale.intersection(each.memory.derived_from)]
    return Seen(
        fresh=first_fresh < DEPTH,
        stale=first_stale is not None,
        rest=first_stale is not None or bool(rests),
        outranked=first_stale is not None and first_stale < first_fresh,
        as_of=_came_back(bank, update, stale & retired),
    )


def _came_back(bank: Bank, update: Update, retired: set[str]) -> bool | None:
    """Whether a retired value comes up as of just before the first telling that ended one."""
    ends = [bank.get(each).memory.valid_to for each in retired]
    ended = [each for each in ends if each is not None]
    if not ended:
        return None
    before = AsOf(valid=Instant(min(ended) - 1))
    hits = bank.recall(update.question, k=DEPTH, mode="off", as_of=before).hits
    return any(each.id in retired for each in hits)


def _undo(bank: Bank, plain: Bank, story: Story, retired: Sequence[str]) -> list[bool | None]:
    """Take everything back, the latest first; whether each question's hits are as if untouched."""
    if not retired:
        return [None] * len(story.updates)
    for each in reversed(_by_end(bank, retired)):
        bank.unsupersede(each)
    return [
        _texts(bank, update.question) == _texts(plain, update.question) for update in story.updates
    ]


def _by_end(bank: Bank, retired: Sequence[str]) -> list[str]:
    """Retired memories in order of when what replaced them was told."""
    number = {each: at for at, each in enumerate(retired)}

    def told(memory_id: str) -> tuple[int, int]:
        by = bank.get(memory_id).memory.superseded_by
        return (0 if by is None else bank.get(by).memory.recorded_from), number[memory_id]

    return sorted(retired, key=told)


def _texts(bank: Bank, question: str) -> list[str]:
    return [each.text for each in bank.recall(question, k=DEPTH, mode="off").hits]


if __name__ == "__main__":
    main()
