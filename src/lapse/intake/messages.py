"""Chat logs: the messages of a conversation become drafts.

Decides which fields of a message are read and what they mean. Refuses to leave messages out: what
is not worth keeping fades.
"""

from collections.abc import Iterable, Mapping

from lapse.errors import Fault, ValidationError, fault
from lapse.intake.drafts import read_drafts
from lapse.model.memory import Draft, Kind

_RENAMED = {"content": "text", "at": "created_at"}
_READ = frozenset(
    {"role", "content", "at", "id", "importance", "session", "metadata", "tags", "key"}
)


def drafts_of_messages(
    messages: Iterable[Mapping[str, object]],
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
    fields, faults = [], []
    for at, message in enumerate(messages):
        faults.extend(_unknown(at, message))
        named = {
            _RENAMED.get(name, name): value for name, value in message.items() if name in _READ
        }
        fields.append({"session": session, "kind": kind.value} | named)
    try:
        drafts = read_drafts(fields, max_text_bytes)
    except ValidationError as error:
        raise ValidationError([*faults, *error.faults]) from None
    if faults:
        raise ValidationError(faults)
    return drafts


def _unknown(at: int, message: Mapping[str, object]) -> list[Fault]:
    known = ", ".join(sorted(_READ))
    return [
        fault(f"[{at}].{name}", "…", f"unknown field of a message; known are {known}")
        for name in message
        if name not in _READ
    ]
