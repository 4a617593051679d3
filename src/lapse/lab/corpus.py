"""Labelled corpora: what was told, what was asked, and which memories answer it.

Each line of a file is one JSON object. A memory is `{at, memory, text, …}` with any field of
`remember` besides, a question `{question, evidence: [ids], at, stale: [ids]}`, where `stale` names
what was true once and should not be shown any more. `conversation` tells several apart; questions
without `at` are asked at the end.

Decides the form. Refuses to ask.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lapse.errors import Fault, ValidationError, fault
from lapse.intake.drafts import read_draft
from lapse.lab.log import told_at_once
from lapse.model.instants import Instant, parse_instant
from lapse.model.policy_layers import DEFAULT
from lapse.transfer.rows import Unreadable, json_rows, text_of

_OWN = frozenset({"at", "memory", "conversation"})
_ASKED = frozenset({"question", "evidence", "at", "stale", "conversation"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Something that is told.

    Attributes:
        at: When.
        id: Its id.
        session: Its session, or None: a new one begins every day then.
        draft: Fields of `remember`, its text among them.
    """

    at: Instant
    id: str
    session: str | None
    draft: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something that is asked.

    Attributes:
        at: When; None for the end.
        text: The question.
        evidence: Ids of the memories that answer it, at least one.
        stale: Ids of what must not be shown any more.
    """

    at: Instant | None
    text: str
    evidence: frozenset[str]
    stale: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What belongs to one bank, in order of time."""

    name: str
    told: tuple[Told, ...]
    questions: tuple[Question, ...]


def read_corpus(path: Path) -> list[Conversation]:
    """Read a corpus of JSON Lines, conversations in order of their first line.

    Raises:
        ValidationError: Lines that are none of these, or a conversation with nothing to ask or
            nothing told; up to twenty are named at once.
    """
    return corpus_of((f"line {number}", row) for number, row in json_rows(text_of(path)))


def corpus_of(rows: Iterable[tuple[str, object]]) -> list[Conversation]:
    """Conversations of lines, each with what faults name it by. See `read_corpus`.

    Raises:
        ValidationError: As for that.
    """
    told: dict[str, list[tuple[str, Told]]] = {}
    asked: dict[str, list[tuple[str, Question]]] = {}
    faults: list[Fault] = []
    for place, row in rows:
        if not isinstance(row, Mapping):
            problem = row.problem if isinstance(row, Unreadable) else "needs a JSON object"
            faults.append(fault(place, "…", problem))
            continue
        given = row.get("conversation")
        name = "" if given is None else str(given)
        found = _question(place, row, faults) if "question" in row else _told(place, row, faults)
        if isinstance(found, Question):
            asked.setdefault(name, []).append((place, found))
        elif found is not None:
            told.setdefault(name, []).append((place, found))
    names = list(dict.fromkeys([*told, *asked]))
    if not names and not faults:
        faults.append(fault("corpus", "", "needs at least one line"))
    if not faults:
        for name in names:
            faults += _unmatched(name, told.get(name, []), asked.get(name, []))
    if faults:
        raise told_at_once(faults)
    return [
        Conversation(
            name=name,
            told=tuple(sorted((each for _, each in told[name]), key=lambda each: each.at)),
            questions=tuple(each for _, each in asked[name]),
        )
        for name in names
    ]


def _unmatched(
    name: str, told: Sequence[tuple[str, Told]], asked: Sequence[tuple[str, Question]]
) -> Iterator[Fault]:
    """What of a conversation does not fit together; nothing of it is wrong by itself."""
    if not (told and asked):
        yield fault("conversation", name, "needs something told and something asked")
        return
    known: set[str] = set()
    for place, each in told:
        if each.id in known:
            yield fault(f"{place}.memory", each.id, "is told before in this conversation")
        known.add(each.id)
    for place, question in asked:
        for field, ids in (("evidence", question.evidence), ("stale", question.stale)):
            for one in sorted(ids - known):
                yield fault(f"{place}.{field}", one, "names nothing that is told there")


def _told(place: str, row: Mapping[str, object], faults: list[Fault]) -> Told | None:
    memory, session = row.get("memory"), row.get("session")
    draft = {name: each for name, each in row.items() if name not in _OWN}
    if not isinstance(memory, str) or not memory:
        faults.append(fault(f"{place}.memory", memory, "needs an id, or a question"))
    elif isinstance(row.get("text"), str):
        faults += _draft_faults(place, {**draft, "id": memory})
    if not isinstance(row.get("text"), str):
        faults.append(fault(f"{place}.text", "…", "needs text"))
    at = _instant(f"{place}.at", row.get("at"), faults)
    if at is None or not isinstance(memory, str):
        return None
    return Told(
        at=at,
        id=memory,
        session=None if session is None else str(session),
        draft={**draft, "id": memory, "created_at": at},
    )


def _draft_faults(place: str, draft: Mapping[str, object]) -> list[Fault]:
    try:
        read_draft(draft, DEFAULT.memory.max_text_bytes)
    except ValidationError as error:
        return [replace(each, field=f"{place}.{each.field}") for each in error.faults]
    return []


def _question(place: str, row: Mapping[str, object], faults: list[Fault]) -> Question | None:
    unknown = sorted(set(row) - _ASKED)
    if unknown:
        faults.append(fault(f"{place}.{unknown[0]}", "…", f"known are {', '.join(sorted(_ASKED))}"))
    text, evidence = row.get("question"), _ids(row.get("evidence"))
    if not isinstance(text, str) or not text.strip():
        faults.append(fault(f"{place}.question", "…", "needs text"))
        return None
    if not evidence:
        faults.append(fault(f"{place}.evidence", "…", "needs a list of at least one id"))
    at = None if row.get("at") is None else _instant(f"{place}.at", row["at"], faults)
    return Question(at=at, text=text, evidence=evidence, stale=_ids(row.get("stale")))


def _ids(value: object) -> frozenset[str]:
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset()


def _instant(name: str, value: object, faults: list[Fault]) -> Instant | None:
    try:
        return parse_instant(value, name)
    except ValidationError as error:
        faults.extend(error.faults)
        return None
