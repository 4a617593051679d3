"""Chat logs: the messages of a conversation become drafts.

Decides which fields of a message are read and what they mean. Refuses to leave messages out: what
is not worth keeping fades.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from lapse.errors import Fault, ValidationError, at_position, fault, raise_all
from lapse.intake.drafts import as_items, read_draft
from lapse.model.memory import Draft, Kind, name_faults

_RENAMED = {"content": "text", "at": "created_at"}
_WRITTEN = {field: name for name, field in _RENAMED.items()}
_READ = frozenset(
    {"role", "content", "at", "id", "importance", "session", "metadata", "tags", "key"}
)


def drafts_of_messages(
    messages: Iterable[object],
    *,
    session: str | None,
    kind: Kind,
    max_text_bytes: int,
) -> list[Draft]:
    """Turn `{role, content, at}` messages into drafts, in order.

    Args:
        messages: Each with `content`; `role`, `at`, `id`, `importance`, `tags`, `key`, `metadata`
            and a `session` of its own are optional.
        session: Session of the messages that name none.
        kind: Kind of every draft.
        max_text_bytes: Longest text allowed.

    Raises:
        ValidationError: Unknown fields or bad values, by position; all at once.
    """
    drafts: list[Draft] = []
    faults = [] if session is None else list(name_faults("session", session))
    common = {"session": None if faults else session, "kind": kind.value}
    for at, message in enumerate(as_items("messages", messages)):
        if not isinstance(message, Mapping):
            faults.append(fault(f"[{at}]", type(message).__name__, "needs an object"))
            continue
        faults.extend(_unknown(at, message))
        try:
            drafts.append(read_draft(common | _fields(message), max_text_bytes))
        except ValidationError as error:
            faults.extend(at_position(at, ValidationError(map(_as_written, error.faults))))
    raise_all(faults)
    return drafts


def _fields(message: Mapping[str, object]) -> dict[str, object]:
    return {
        _RENAMED.get(name, name): value
        for name, value in message.items()
        if name in _READ and value is not None
    }


def _as_written(told: Fault) -> Fault:
    return replace(told, field=_WRITTEN.get(told.field, told.field))


def _unknown(at: int, message: Mapping[str, object]) -> list[Fault]:
    known = ", ".join(sorted(_READ))
    return [
        fault(f"[{at}].{name}", "…", f"unknown field of a message; known are {known}")
        for name in message
        if name not in _READ
    ]
