"""Reading corpora of updated facts: what is told, in order of time, and which of it went stale.

Decides how two public formats are recognised and what in them is fresh and what stale. Refuses to
score, and to tell anybody which memory replaces which: a label is for judging only.

Letta's core-memory updates (JSON lines with `agent_args`): one store per line, ten facts and one
that contradicts some of them. LongMemEval's evidence (JSON lines with `question_type`): one store
of all evidence turns of the file; of a knowledge update the turns of the last session are fresh,
the earlier ones stale.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any  # the file's JSON has no type before it is read

BEGINNING = datetime(2024, 1, 1, tzinfo=UTC)
"""When a corpus without dates begins; its facts are told a day apart."""

_WRITTEN = re.compile(r"(\d{4})/(\d\d)/(\d\d) \(\w+\) (\d\d):(\d\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """One thing told: its text, when, and by whom."""

    text: str
    at: datetime
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """One question about something that changed.

    Attributes:
        question: What is asked.
        fresh: Numbers of the tellings that give the present value.
        stale: Numbers of those that give a former one.
    """

    question: str
    fresh: tuple[int, ...]
    stale: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One store's worth: what is told, in order of time, and the updates in it."""

    name: str
    told: tuple[Telling, ...]
    updates: tuple[Update, ...]

    @property
    def stale(self) -> frozenset[int]:
        """Numbers of all tellings that some label calls stale."""
        return frozenset(number for each in self.updates for number in each.stale)


def read_stories(path: Path) -> list[Story]:
    """Read a file in either format.

    Raises:
        ValueError: The file is in neither.
    """
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    if rows and "agent_args" in rows[0]:
        return [_letta(number, row) for number, row in enumerate(rows)]
    if rows and "question_type" in rows[0]:
        return [_longmemeval(path.stem, rows)]
    raise ValueError(f"{path} is in no known format: JSON lines of Letta or LongMemEval")


def _letta(number: int, row: Mapping[str, Any]) -> Story:
    given = row["agent_args"]["extra"]
    texts = [*given["facts"], given["contradicting_fact"]]
    told = tuple(
        Telling(text=text, at=BEGINNING + timedelta(days=day), role="user")
        for day, text in enumerate(texts)
    )
    update = Update(
        question=row["input"],
        fresh=(len(texts) - 1,),
        stale=tuple(given["supporting_fact_indices"]),
    )
    return Story(name=f"letta-{number}", told=told, updates=(update,))


def _longmemeval(name: str, rows: Sequence[Mapping[str, Any]]) -> Story:
    turns = sorted(set(_turns(rows)), key=lambda each: (each.at, each.text))
    numbers = {each: number for number, each in enumerate(turns)}
    return Story(name=name, told=tuple(turns), updates=tuple(_updates(rows, numbers)))


def _turns(rows: Iterable[Mapping[str, Any]]) -> Iterator[Telling]:
    for row in rows:
        for evidence in row["evidence"]:
            yield _turn(evidence)


def _turn(evidence: Mapping[str, Any]) -> Telling:
    match = _WRITTEN.match(evidence["date"])
    if match is None:
        raise ValueError(f"cannot read the date {evidence['date']!r}; needs 2023/05/22 (Mon) 23:19")
    year, month, day, hour, minute = map(int, match.groups())
    at = datetime(year, month, day, hour, minute, tzinfo=UTC)
    return Telling(text=evidence["content"], at=at, role=evidence["role"])


def _updates(rows: Iterable[Mapping[str, Any]], numbers: Mapping[Telling, int]) -> Iterator[Update]:
    for row in rows:
        sessions = {each["session"] for each in row["evidence"]}
        if row["question_type"] != "knowledge-update" or len(sessions) < 2:
            continue
        last = max(sessions)
        turns = [(each["session"] == last, numbers[_turn(each)]) for each in row["evidence"]]
        yield Update(
            question=row["question"],
            fresh=tuple(number for fresh, number in turns if fresh),
            stale=tuple(number for fresh, number in turns if not fresh),
        )
