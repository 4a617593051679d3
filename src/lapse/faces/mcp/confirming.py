"""Saying yes to what takes memories away: the name of a preview, and for erasure a person's word.

Decides what a preview is called: by what would go, so that a yes to something else than was shown
is none, by when that may be confirmed, so that a yes holds no longer here than by REST, and by a
word of its own, so that what was shown twice is two previews. A
client that can ask its user is made to, before anything is erased. Refuses to take a yes from the
first call.
"""

import hashlib
import re
from enum import Enum, auto

from mcp import types
from mcp.server import ServerRequestContext
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from lapse.engine.attending import Moved
from lapse.engine.erasing import Erasure
from lapse.engine.erasing_widely import WideErasure
from lapse.faces.mcp.answering import shown
from lapse.faces.mcp.places import Caller
from lapse.faces.previewed import PREVIEW_S, versions_shown
from lapse.model.codec import Plain
from lapse.model.instants import SECOND, Instant
from lapse.model.memory import BankRef, JsonValue
from lapse.ports import Entropy

_DIGITS = 16
_BETWEEN = "-"
_END = re.compile(r"[0-9a-f]{1,16}")
_NONCE_BYTES = 4
_SHOWN_IDS = 10
_AGREE = "erase"
_FORM: dict[str, JsonValue] = {
    "type": "object",
    "properties": {
        _AGREE: {"type": "boolean", "title": "Erase for good", "description": "Cannot be undone."}
    },
    "required": [_AGREE],
}


class Word(Enum):
    """What the person at the client said."""

    YES = auto()
    NO = auto()
    NOT_ASKED = auto()
    """The client cannot ask: the name of the preview has to do."""


def gone(preview: object) -> list[str]:
    """The memories that would go.

    Raises:
        TypeError: It is a preview of something else.
    """
    match preview:
        case Moved():
            return list(preview.ids)
        case Erasure():
            return [*preview.erased, *preview.derived]
        case WideErasure():
            return [
                f"{bank.bank}/{each}"
                for bank in preview.banks
                for each in (*bank.erased, *bank.derived)
            ]
        case _:
            raise TypeError("what takes memories away gives Moved or an erasure")


def begin_of_name(now: Instant, entropy: Entropy) -> str:
    """What the name of a preview begins with: when it ends, and a word of its own."""
    end = now // SECOND + PREVIEW_S
    return f"{end:x}{_BETWEEN}{entropy(_NONCE_BYTES).hex()}"


def begin_named(confirm: object, now: Instant) -> str | None:
    """What a name of a preview begins with whose end is still to come, or None.

    None, too, for an end that no preview of today could have.
    """
    begin, between, _ = str(confirm).rpartition(_BETWEEN)
    told = begin.partition(_BETWEEN)[0]
    if not between or not _END.fullmatch(told):
        return None
    end = int(told, 16)
    return begin if now < end * SECOND <= now + PREVIEW_S * SECOND else None


def name_of_preview(caller: Caller, name: str, preview: object, begin: str) -> str:
    """Name a preview by who asked for what, where, what would go in which version, and its begin.

    Reads the store.
    """
    verb = str(preview.verb) if isinstance(preview, Moved) else name
    where = BankRef(tenant=caller.tenant, name=caller.bank)
    versions: list[Plain] = [list(each) for each in versions_shown(caller.lapse, where, preview)]
    ids = sorted(gone(preview))
    whole: Plain = [caller.tenant, caller.bank, caller.actor, name, verb, begin, *ids, versions]
    digest = hashlib.sha256(shown(whole).encode()).hexdigest()[:_DIGITS]
    return f"{begin}{_BETWEEN}{digest}"


async def word_of(
    context: ServerRequestContext, params: types.CallToolRequestParams, preview: str, ids: list[str]
) -> Word | types.InputRequiredResult:
    """Ask the person at the client whether memories shall be erased, where it can ask.

    Args:
        context: The request.
        params: The call, which holds the person's word when it comes back with it.
        preview: Name of the preview.
        ids: What would go.

    Returns:
        The word, or the question that the client has to put first (2026-07-28 and later).
    """
    if not _can_ask(context):
        return Word.NOT_ASKED
    question = types.ElicitRequestFormParams(message=_question(ids), requested_schema=_FORM)
    if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        said = await context.session.elicit_form(
            question.message, question.requested_schema, context.request_id
        )
        return _read(said)
    key = f"erase-{preview}"
    answers = params.input_responses or {}
    if key in answers:
        answered = answers[key]
        return _read(answered) if isinstance(answered, types.ElicitResult) else Word.NO
    return types.InputRequiredResult(input_requests={key: types.ElicitRequest(params=question)})


def _can_ask(context: ServerRequestContext) -> bool:
    """Whether the client declared forms, and the connection can carry the question."""
    declared = context.session.client_capabilities
    forms = None if declared is None else declared.elicitation
    if forms is None or (forms.form is None and forms.url is not None):
        return False
    modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    return modern or context.session.can_send_request


def _question(ids: list[str]) -> str:
    more = f" and {len(ids) - _SHOWN_IDS} more" if len(ids) > _SHOWN_IDS else ""
    named = ", ".join(ids[:_SHOWN_IDS])
    return f"Erase {len(ids)} memories for good? {named}{more}. This cannot be undone."


def _read(said: types.ElicitResult) -> Word:
    agreed = said.action == "accept" and said.content is not None and said.content.get(_AGREE)
    return Word.YES if agreed is True else Word.NO
