"""A conversation in the format of LoCoMo, read for the demo.

The file is a list of conversations. Each has `conversation` (`session_1` with turns of `speaker`,
`dia_id`, `text` and perhaps `blip_caption`, `session_1_date_time` as in "1:56 pm on 8 May, 2023")
and `qa` (`question`, `evidence` as ids of turns, `category`). Nothing in it says what was used, and
no memory is singled out.

Decides what stands for use, which questions are asked and which memories are followed, by rules
that look only at the file, never at how a tray came out. Refuses files in which nothing can be
asked.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeGuard

from lapse.errors import ValidationError
from lapse.faces.demo.conversation import (
    Conversation,
    Followed,
    Part,
    Question,
    Remark,
    Session,
    visits_from,
)
from lapse.intake.drafts import DraftFields
from lapse.model.instants import MINUTE, Instant, parse_instant
from lapse.model.memory import Kind

QUESTIONS_ASKED = 5
"""Questions that the story asks at every visit."""

SESSIONS_BETWEEN = 3
"""A question that stands for use comes up in every n-th session after its evidence."""

ANSWERABLE = frozenset({1, 2, 3, 4})
"""Categories of questions that the conversation answers; 5 asks what was never said."""

_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D\d+:\d+")
_ORDINALS = {2: "second", 3: "third", 4: "fourth"}
_DATE = "%I:%M %p on %d %B, %Y"


def read_locomo(path: Path) -> Conversation:
    """Read the first conversation of a file.

    Raises:
        ValidationError: The file is not of this format; the message says where.
    """
    sample = _first(path)
    talk = _mapping(sample.get("conversation"), "conversation")
    sessions = _sessions(talk)
    if not sessions:
        raise ValidationError.of("conversation", path.name, "needs at least one dated session")
    asked, held_out = _halves(_questions(sample, sessions))
    if not (asked or held_out):
        raise ValidationError.of("qa", path.name, "needs a question with evidence in the turns")
    uses = _uses(asked, sessions)
    used = tuple(
        Session(id=each.id, at=each.at, used=tuple(uses.get(each.id, ())), remarks=each.remarks)
        for each in sessions
    )
    end = used[-1].ends_at
    speakers = " and ".join(
        str(talk[name]) for name in ("speaker_a", "speaker_b") if isinstance(talk.get(name), str)
    )
    return Conversation(
        title=f"{speakers or 'A conversation'}, from {path.name}",
        sessions=used,
        questions=_spread(held_out or asked, QUESTIONS_ASKED),
        followed=_followed(used),
        visits=visits_from(Instant(end + MINUTE), end, "at the end", "{days} days later"),
        notes=(
            "The file does not say what was used, so half of its questions stand in: each comes up "
            f"again in every {_ORDINALS[SESSIONS_BETWEEN]} session after its evidence, which then "
            "counts as cited.",
            "The questions asked below are of the other half, spread evenly over it; ✓ marks their "
            "evidence. Nobody rated importance, so every memory counts as 0.5.",
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A question with evidence; `after` is the number of the first session that can know it all."""

    question: Question
    turns: tuple[str, ...]
    after: int


def _first(path: Path) -> Mapping[str, object]:
    try:
        read: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValidationError.of(
            "data", path.name, f"needs a readable JSON file: {error}"
        ) from None
    samples = read if isinstance(read, list) else [read]
    if not samples:
        raise ValidationError.of("data", path.name, "needs at least one conversation")
    return _mapping(samples[0], "[0]")


def _sessions(talk: Mapping[str, object]) -> list[Session]:
    numbers = sorted(int(found[1]) for found in map(_SESSION.fullmatch, talk) if found)
    sessions = [
        _session(number, talk)
        for number in numbers
        if talk[f"session_{number}"] and f"session_{number}_date_time" in talk
    ]
    return sorted(sessions, key=lambda each: each.at)


def _session(number: int, talk: Mapping[str, object]) -> Session:
    name = f"session_{number}"
    at = _date(talk[f"{name}_date_time"], f"{name}_date_time")
    turns = talk[name]
    if not isinstance(turns, list):
        raise ValidationError.of(name, turns, "needs a list of turns")
    return Session(
        id=name,
        at=at,
        used=(),
        remarks=tuple(
            _remark(_mapping(turn, f"{name}[{index}]"), Instant(at + index * MINUTE), name)
            for index, turn in enumerate(turns)
        ),
    )


def _remark(turn: Mapping[str, object], at: Instant, session: str) -> Remark:
    words = {name: turn.get(name) for name in ("speaker", "dia_id", "text")}
    if not all(_is_said(each) for each in words.values()):
        raise ValidationError.of(session, words, "a turn needs speaker, dia_id and text")
    caption = turn.get("blip_caption")
    shared = f" [shares {caption}]" if _is_said(caption) else ""
    return Remark(
        id=str(words["dia_id"]),
        at=at,
        text=f"{words['speaker']}: {words['text']}{shared}",
        details=DraftFields(kind=Kind.EPISODIC, session=session),
    )


def _questions(sample: Mapping[str, object], sessions: Sequence[Session]) -> list[_Asked]:
    number_of = {
        remark.id: number for number, session in enumerate(sessions) for remark in session.remarks
    }
    rows = sample.get("qa")
    return [
        asked
        for row in (rows if isinstance(rows, list) else [])
        if (asked := _question(_mapping(row, "qa"), number_of)) is not None
    ]


def _question(row: Mapping[str, object], number_of: Mapping[str, int]) -> _Asked | None:
    text, evidence = row.get("question"), row.get("evidence")
    if not _is_said(text) or row.get("category", 1) not in ANSWERABLE:
        return None
    named = " ".join(str(each) for each in evidence) if isinstance(evidence, list) else ""
    turns = tuple(dict.fromkeys(each for each in _TURN.findall(named) if each in number_of))
    if not turns:
        return None
    return _Asked(
        question=Question(text=text, evidence=frozenset(turns)),
        turns=turns,
        after=max(number_of[each] for each in turns) + 1,
    )


def _halves(questions: Sequence[_Asked]) -> tuple[list[_Asked], list[_Asked]]:
    return list(questions[::2]), list(questions[1::2])


def _uses(asked: Sequence[_Asked], sessions: Sequence[Session]) -> Mapping[str, list[str]]:
    """Ids cited in each session; the questions take turns, so that no session has them all."""
    uses: dict[str, dict[str, None]] = {}
    for turn, each in enumerate(asked):
        for session in sessions[each.after + turn % SESSIONS_BETWEEN :: SESSIONS_BETWEEN]:
            uses.setdefault(session.id, {}).update(dict.fromkeys(each.turns))
    return {session: list(ids) for session, ids in uses.items()}


def _spread(questions: Sequence[_Asked], count: int) -> tuple[Question, ...]:
    if len(questions) <= count:
        return tuple(each.question for each in questions)
    return tuple(questions[index * len(questions) // count].question for index in range(count))


def _followed(sessions: Sequence[Session]) -> tuple[Followed, ...]:
    """The memory used most, the first that was used once, the first that never was.

    The earliest wins a tie.
    """
    uses = Counter(each for session in sessions for each in session.used)
    spoken = [remark.id for session in sessions for remark in session.remarks]
    most = max(spoken, key=lambda each: uses[each])
    wanted = (
        ("used most", Part.GROWS, [most] if uses[most] > 1 else []),
        ("used once", Part.DRAWN, [each for each in spoken if uses[each] == 1]),
        ("never used", Part.FADES, [each for each in spoken if uses[each] == 0]),
    )
    return tuple(
        Followed(name=name, remark_id=found[0], part=part) for name, part, found in wanted if found
    )


def _date(value: object, name: str) -> Instant:
    try:
        read = datetime.strptime(str(value).strip(), _DATE).replace(tzinfo=UTC)
    except ValueError:
        raise ValidationError.of(
            name, value, "needs a date such as 1:56 pm on 8 May, 2023"
        ) from None
    return parse_instant(read, name)


def _mapping(value: object, name: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValidationError.of(name, type(value).__name__, "needs an object")
    return {str(key): each for key, each in value.items()}


def _is_said(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value.strip())
