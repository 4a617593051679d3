"""Reading conversations in LoCoMo's format, for measuring.

Decides what a turn's text is and which questions count. Refuses to score.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any  # the file's JSON has no type before it is read

ANSWERABLE = (1, 2, 3, 4)
"""Categories whose questions have evidence; the fifth is adversarial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn: its id, when, in which session, and its text with speaker and caption."""

    id: str
    at: datetime
    session: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question with the ids of the turns that answer it."""

    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation, turns in order of time."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Asked, ...]


def read_conversations(path: Path) -> list[Conversation]:
    """Read all conversations of a file, with the questions of categories 1 to 4."""
    return [
        Conversation(
            name=str(each.get("sample_id", f"conversation-{at}")),
            turns=tuple(_turns(each["conversation"])),
            questions=tuple(_questions(each["qa"])),
        )
        for at, each in enumerate(json.loads(path.read_text(encoding="utf-8")))
    ]


def _turns(conversation: Mapping[str, Any]) -> Iterator[Turn]:
    sessions = sorted(
        int(found.group(1))
        for key in conversation
        if (found := re.fullmatch(r"session_(\d+)", key)) is not None
    )
    for number in sessions:
        start = _when(conversation[f"session_{number}_date_time"])
        for at, turn in enumerate(conversation[f"session_{number}"]):
            caption = turn.get("blip_caption")
            shared = f" [shares {caption}]" if caption else ""
            yield Turn(
                id=turn["dia_id"],
                at=start + timedelta(minutes=at),
                session=f"s{number}",
                text=f"{turn['speaker']}: {turn['text']}{shared}",
            )


def _questions(asked: list[Mapping[str, Any]]) -> Iterator[Asked]:
    for each in asked:
        evidence = tuple(
            found for cited in each.get("evidence", ()) for found in re.findall(r"D\d+:\d+", cited)
        )
        if each["category"] in ANSWERABLE and evidence:
            yield Asked(text=each["question"], category=each["category"], evidence=evidence)


def _when(written: str) -> datetime:
    return datetime.strptime(written, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
