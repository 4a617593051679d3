"""What is lost when a bank may keep only part of what it was told: curves, not a point.

Each conversation is told session by session. A day after each session, the usage half of the
questions whose evidence is complete by then is asked, and what was found and answers them is
reported as cited. Then the policy lets go of all but a share of what was told so far, for good. The
other half of the questions is asked at the end (`end`: need does not depend on age), and each of
them once after a delay between an hour and the whole conversation, uniform in its logarithm
(`delayed`: need falls as 1/t). Which question is in which half, and its delay, hang on the seed
alone, so that all policies answer the same questions: recall of evidence among ten hits, as a share
of what the bank finds that forgets nothing.

    python -m benchmarks.forget --data locomo.json [--seeds 5] [--policies lapse,lru]
        [--first N] [--json]

`lapse` is the default of `plan_to_budget`, with `grace_days` 0. Decides what is told, asked and
kept by the other policies. Refuses to rank: every policy is asked through the same bank.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from benchmarks.common import (
    Json,
    add_data,
    add_first,
    arguments,
    at_least,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from benchmarks.conversations import Conversation, Turn, read_conversations
from benchmarks.forget_policies import KEEPERS, Keeper, Kept, by_plan
from lapse import Lapse
from lapse.bank import Bank
from lapse.laws import FloatArray
from lapse.model.memory import JsonValue
from lapse.testing.fakes import FakeClock

DEPTH = 10
FRACTIONS = (0.75, 0.5, 0.25)
SEEDS = 5
REST = timedelta(hours=25)
"""Between the last turn of a session and the questions: a use on the same day does not count."""

LEAST_DELAY = timedelta(hours=1)
RESAMPLES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, and when it is asked.

    Attributes:
        text: What is asked.
        evidence: Ids of the turns that answer it.
        known: Session after which its evidence is complete.
        delayed: Session after which it is asked in the delayed regime, if it is held out.
        held_out: Whether it judges; otherwise it is one of those whose answers are reported.
    """

    text: str
    evidence: frozenset[str]
    known: int
    delayed: int
    held_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A conversation under one seed: turns by session, and the questions."""

    sessions: tuple[tuple[Turn, ...], ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """Recall of evidence of every held-out question, in the order of the questions."""

    end: tuple[float, ...]
    delayed: tuple[float, ...]


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    add_data(parser, help="a file in LoCoMo's format")
    parser.add_argument("--seeds", type=at_least(1), default=SEEDS, help="random halves, default 5")
    parser.add_argument("--policies", default=",".join(KEEPERS), help="which, default all")
    add_first(parser, of="conversations")
    options = parser.parse_args()
    names = options.policies.split(",")
    unknown = [each for each in names if each not in KEEPERS]
    if unknown:
        parser.error(f"unknown policies {', '.join(unknown)}; there are {', '.join(KEEPERS)}")
    told = read_conversations(options.data)[: options.first]
    lives = measure(told, names, options.seeds)
    outcome = envelope("forget", results(lives))
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    columns = ["policy", *(f"{regime} {each}" for regime in ("end", "del") for each in FRACTIONS)]
    print_table("share of the unforgotten recall@10", columns, list(_table(lives)))


def measure(
    conversations: Sequence[Conversation], names: Sequence[str], seeds: int
) -> dict[tuple[str, float], list[Recalled]]:
    """Live every conversation under every policy, fraction and seed; `("none", 1.0)` keeps all."""
    lives: dict[tuple[str, float], list[Recalled]] = {}
    for conversation in conversations:
        for seed in range(seeds):
            story = told_as(conversation, seed)
            lives.setdefault(("none", 1.0), []).append(live(story, 1.0, KEEPERS["lapse"], seed))
            for name in names:
                for fraction in FRACTIONS:
                    life = live(story, fraction, KEEPERS[name], seed)
                    lives.setdefault((name, fraction), []).append(life)
    return lives


def results(lives: Mapping[tuple[str, float], Sequence[Recalled]]) -> dict[str, Json]:
    """Recall by policy, regime and fraction, with shares of the whole and their intervals."""
    whole = lives["none", 1.0]
    none = {"end": _mean(whole, "end"), "delayed": _mean(whole, "delayed")}
    found: dict[str, Json] = {"none": {key: round(value, 4) for key, value in none.items()}}
    for name in dict.fromkeys(policy for policy, _ in lives if policy != "none"):
        by_regime: dict[str, Json] = {}
        for regime in ("end", "delayed"):
            means = {each: _mean(lives[name, each], regime) for each in FRACTIONS}
            by_regime[regime] = {str(each): round(mean, 4) for each, mean in means.items()}
            by_regime[f"{regime}_share"] = {
                str(each): round(mean / none[regime], 4) for each, mean in means.items()
            }
            if name != "lapse" and ("lapse", FRACTIONS[0]) in lives:
                by_regime[f"lapse_minus_this_{regime}"] = {
                    str(each): [
                        round(number, 4)
                        for number in difference(lives["lapse", each], lives[name, each], regime)
                    ]
                    for each in FRACTIONS
                }
        found[name] = by_regime
    return found


def difference(
    ours: Sequence[Recalled], theirs: Sequence[Recalled], regime: str
) -> tuple[float, float, float]:
    """Mean paired difference in recall, and its 95 % interval by resampling the lives."""
    sums, counts = [], []
    for mine, other in zip(ours, theirs, strict=True):
        apart = np.subtract(_of(mine, regime), _of(other, regime))
        sums.append(float(apart.sum()))
        counts.append(len(apart))
    total, count = np.array(sums), np.array(counts)
    drawn = np.random.default_rng(0).integers(0, len(total), (RESAMPLES, len(total)))
    means: FloatArray = total[drawn].sum(axis=1) / np.maximum(count[drawn].sum(axis=1), 1)
    low, high = np.quantile(means, (0.025, 0.975)).tolist()
    return float(total.sum() / max(count.sum(), 1)), low, high


def told_as(conversation: Conversation, seed: int) -> Story:
    """Deal the questions into halves and draw their delays."""
    first: dict[str, str] = {}
    same: dict[str, str] = {}
    turns: list[Turn] = []
    for turn in sorted(conversation.turns, key=lambda each: each.at):
        same[turn.id] = first.setdefault(turn.text.casefold(), turn.id)
        if same[turn.id] == turn.id:
            turns.append(turn)
    names = list(dict.fromkeys(each.session for each in turns))
    sessions = tuple(tuple(t for t in turns if t.session == name) for name in names)
    place = {turn.id: at for at, session in enumerate(sessions) for turn in session}
    ends = [session[-1].at + REST for session in sessions]
    asked = []
    for each in conversation.questions:
        evidence = frozenset(same[name] for name in each.evidence if name in same)
        if evidence:
            asked.append((each.text, evidence, max(place[name] for name in evidence)))
    dice = np.random.default_rng(seed)
    used = set(dice.permutation(len(asked))[: len(asked) // 2].tolist())
    longest = max((ends[-1] - sessions[0][0].at) / LEAST_DELAY, 1.0)
    delays = np.exp(dice.random(len(asked)) * np.log(longest)).tolist()
    questions = tuple(
        Question(
            text=text,
            evidence=evidence,
            known=known,
            delayed=_latest(ends, ends[known] + delays[at] * LEAST_DELAY),
            held_out=at not in used,
        )
        for at, (text, evidence, known) in enumerate(asked)
    )
    return Story(sessions=sessions, questions=questions)


def live(story: Story, fraction: float, keeper: Keeper, seed: int) -> Recalled:
    """Tell, use and forget session by session, and ask."""
    clock = FakeClock(story.sessions[0][0].at)
    judging = [each for each in story.questions if each.held_out]
    delayed: dict[str, float] = {}
    with Lapse.open("memory://", clock=clock, background=False) as mind:
        bank = mind.bank("mind")
        settings: dict[str, JsonValue] = {
            "retention.grace_days": 0,
            "retention.plan_limit": 100_000,
        }
        bank.set_policy({**settings, **keeper.settings})
        kept = Kept(dice=np.random.default_rng(seed))
        for number, session in enumerate(story.sessions):
            now = session[-1].at
            clock.set(now)
            bank.remember_many(
                {"id": each.id, "text": each.text, "session": each.session, "created_at": each.at}
                for each in session
            )
            kept.told(session)
            clock.set(now + REST)
            _use(bank, story, number, kept, now + REST)
            if fraction < 1:
                let_go(bank, keeper, kept, fraction)
            for each in judging:
                if each.delayed == number:
                    delayed[each.text] = _found(bank, each)
        end = tuple(_found(bank, each) for each in judging)
    return Recalled(end=end, delayed=tuple(delayed[each.text] for each in judging))


def let_go(bank: Bank, keeper: Keeper, kept: Kept, fraction: float) -> None:
    """Suppress all but this share of what was told so far, by the bank's plan or by a list."""
    budget = max(round(fraction * kept.count), 1)
    if keeper.choose is None:
        gone = by_plan(bank, budget, keeper.score)
    else:
        gone = kept.worst(keeper.choose(kept), budget)
        if gone:
            bank.suppress(gone, by="benchmark", reason="over budget")
    kept.lost(gone)


def _use(bank: Bank, story: Story, session: int, kept: Kept, at: datetime) -> None:
    for each in story.questions:
        if each.known == session and not each.held_out:
            cited = [hit.id for hit in bank.recall(each.text, k=DEPTH).hits]
            cited = [name for name in cited if name in each.evidence]
            if cited:
                bank.used(cited, event_id=None, source="cited")
                kept.used(cited, at)
    bank.drain()


def _found(bank: Bank, question: Question) -> float:
    hits = {each.id for each in bank.recall(question.text, k=DEPTH, explain=False).hits}
    return len(hits & question.evidence) / len(question.evidence)


def _latest(ends: Sequence[datetime], when: datetime) -> int:
    return max(at for at, each in enumerate(ends) if each <= when)


def _of(life: Recalled, regime: str) -> tuple[float, ...]:
    return life.end if regime == "end" else life.delayed


def _mean(lives: Sequence[Recalled], regime: str) -> float:
    every = [value for life in lives for value in _of(life, regime)]
    return sum(every) / len(every) if every else 0.0


def _table(lives: Mapping[tuple[str, float], Sequence[Recalled]]) -> list[tuple[object, ...]]:
    whole = lives["none", 1.0]
    rows: list[tuple[object, ...]] = []
    for name in dict.fromkeys(policy for policy, _ in lives if policy != "none"):
        shares = [
            _mean(lives[name, each], regime) / (_mean(whole, regime) or 1.0)
            for regime in ("end", "delayed")
            for each in FRACTIONS
        ]
        rows.append((name, *shares))
    return rows


if __name__ == "__main__":
    main()
