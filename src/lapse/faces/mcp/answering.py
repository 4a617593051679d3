"""Answers: what a tool gives, as data for programs and as text for models.

Decides that what is empty is left out, that a recall is told in short unless its explanation was
asked for, and how the text of memories is fenced: as JSON between two lines that carry the digest
of what lies between them, which nothing stored before can know. Refuses to change a word of a
memory.
"""

import hashlib
import json
import unicodedata
from collections.abc import Mapping

from mcp import types

from lapse.faces.mcp.wording import NOTICE
from lapse.faces.operations.json_schema import DATE_TIME, DEFINITIONS, Schema, parts_of, schema_of
from lapse.model.codec import Plain, encode
from lapse.model.instants import to_iso
from lapse.model.left_out import reasons_of
from lapse.model.memory import JsonValue, Memory
from lapse.model.query import Candidate, Hit, Recall

Document = dict[str, Plain]

_EMPTY: tuple[Plain, ...] = (None, "", [], {})
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_TEXTS = frozenset({Memory, Candidate})
_DIGITS = 16

_FROM = ("session", "source", "derived_from")
_CONTENT = ("key", "value", "subject", "tags", "metadata")
_TIMES = ("occurred_at", "valid_from", "valid_to", "expires_at")


def plain(result: object) -> Document:
    """What the codec writes, without what is empty."""
    told = encode(result)
    kept = _without_empty(told)
    return kept if isinstance(kept, dict) else {}


def recalled(recall: Recall) -> Document:
    """A recall in short: each memory with where it comes from, and how many were left out and why.

    Scores are rounded to four places: they are comparable within one recall only.
    """
    left_out = {str(reason): count for reason, count in reasons_of(recall.exclusions).items()}
    told: Document = {
        "recall": recall.id,
        "at": to_iso(recall.at),
        "memories": [_memory(each) for each in recall.hits],
        "revived": [_memory(each) for each in recall.revived],
        "left_out": dict(sorted(left_out.items())),
        "warnings": list(recall.warnings),
        "approximate": recall.approximate,
    }
    return {name: each for name, each in told.items() if name == "memories" or each}


def recalled_schema() -> Schema:
    """Schema of `answer` of a recall."""
    instant: JsonValue = {"type": "string", "format": DATE_TIME}
    text: JsonValue = {"type": "string"}
    texts: JsonValue = {"type": "array", "items": text}
    memory: JsonValue = {
        "type": "object",
        "required": ["id", "text", "qualifier", "score", "kind", "from"],
        "properties": {
            "id": text,
            "text": text,
            "qualifier": {
                "type": "string",
                "description": "current, until …, retracted or disputed",
            },
            "score": {"type": "number"},
            "kind": text,
            "from": {
                "type": "object",
                "description": "Where it comes from: who said it, when it was told, in what.",
                "properties": {"role": text, "told_at": instant, **_anything(_FROM)},
            },
            **_anything(_CONTENT),
            **dict.fromkeys(_TIMES, instant),
        },
    }
    memories: JsonValue = {"type": "array", "items": memory}
    return {
        "type": "object",
        "required": ["notice", "recall", "at", "memories"],
        "properties": {
            "notice": text,
            "recall": text,
            "at": instant,
            "memories": memories,
            "revived": memories,
            "left_out": {"type": "object", "additionalProperties": {"type": "integer"}},
            "warnings": texts,
            "approximate": {"type": "boolean"},
            "result": {"type": "object", "description": "With explain: the whole recall."},
        },
    }


def result_schema(kind: type) -> Schema:
    """Schema of `answer` of any other result."""
    inner = schema_of(kind)
    text: JsonValue = {"type": "string"}
    return {
        "type": "object",
        "required": ["result"],
        "properties": {
            "notice": text,
            "result": {name: each for name, each in inner.items() if name != DEFINITIONS},
            "preview": text,
            "next": text,
            "going": {"type": "array", "items": {"type": "object"}},
        },
        DEFINITIONS: inner.get(DEFINITIONS, {}),
    }


def holds_text(kind: type) -> bool:
    """Whether a result of this type may hold the text of memories."""
    return not _TEXTS.isdisjoint(parts_of(kind))


def answer(told: Mapping[str, Plain], *, notice: str = "") -> types.CallToolResult:
    """A result, as structured content and, fenced, as text.

    Args:
        told: The result's fields.
        notice: What stands before it when it holds text that others wrote.
    """
    structured: Document = {"notice": notice, **told} if notice else dict(told)
    text = fenced(structured) if notice else shown(structured)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=structured
    )


def failed(name: str, message: str, faults: list[Plain] | None = None) -> types.CallToolResult:
    """An error that the model is meant to read."""
    error: Document = {"type": name, "message": message}
    if faults:
        error["faults"] = faults
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=f"{name}: {message}")],
        structured_content={"error": error},
        is_error=True,
    )


def fenced(told: Mapping[str, Plain]) -> str:
    """Data between two lines that name the digest of what lies between them."""
    lines = [shown(each) for each in _pieces(told)]
    within = "\n".join(lines)
    mark = hashlib.sha256(within.encode()).hexdigest()[:_DIGITS]
    return f"{NOTICE}\n<data {mark}>\n{within}\n</data {mark}>"


def shown(told: "Plain | Mapping[str, Plain]") -> str:
    """JSON on one line, with every character that cannot be seen written as its code."""
    text = json.dumps(told, ensure_ascii=False, separators=(", ", ": "))
    return "".join(map(_seen, text))


def _pieces(told: Mapping[str, Plain]) -> list[Plain]:
    """What stands on a line of its own: every memory of a recall, else the whole."""
    rest = {name: each for name, each in told.items() if name not in ("notice", "memories")}
    memories = told.get("memories")
    return [rest, *memories] if isinstance(memories, list) else [rest]


def _seen(character: str) -> str:
    if unicodedata.category(character) not in _UNSEEN:
        return character
    # JSON writes what lies beyond the first plane as a pair.
    return json.dumps(character)[1:-1]


def _memory(hit: Hit) -> Document:
    memory = hit.memory
    whole = plain(memory)
    origin: Document = {"role": whole.get("role"), "told_at": whole.get("created_at")}
    origin.update({name: whole.get(name) for name in _FROM})
    told: Document = {
        "id": hit.id,
        "text": hit.text,
        "qualifier": hit.qualifier,
        "score": round(hit.score, 4),
        "kind": str(memory.kind),
        "from": _without_empty(origin),
    }
    return told | {name: whole[name] for name in (*_CONTENT, *_TIMES) if name in whole}


def _anything(names: tuple[str, ...]) -> Schema:
    return {name: {} for name in names}


def _without_empty(told: Plain) -> Plain:
    """A document without empty fields of objects; what a list holds stays where it is."""
    match told:
        case dict():
            kept = {name: _without_empty(each) for name, each in told.items()}
            return {name: each for name, each in kept.items() if each not in _EMPTY}
        case list():
            return [_without_empty(each) for each in told]
        case _:
            return told
