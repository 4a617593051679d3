"""What an endpoint answered, as far as every endpoint answers alike.

Decides what an error reply means, and which failures are worth another attempt. Refuses to let the
words of a reply through: they may repeat the texts that were sent.
"""

import re
from collections.abc import Mapping
from typing import Final

_ADVICE: Final[Mapping[int, str]] = {
    400: "the endpoint does not understand the request; check the model and its settings",
    401: "check the API key",
    403: "check the API key and what it may use",
    404: "check the address and the name of the model",
    413: "make the batches smaller",
    422: "the endpoint does not understand the request; check the model and its settings",
    429: "slow down, or raise the quota",
}

# An error's code is a name such as `insufficient_quota`; whatever is not one is not repeated.
_CODE: Final = re.compile(r"[A-Za-z][A-Za-z_.-]{0,40}")


class MalformedReplyError(ValueError):
    """The reply is not what the protocol promises: cut short, or something else altogether.

    Never leaves `lapse`: whoever asks raises an error of its own.
    """


class FinalReplyError(ValueError):
    """The reply is whole, and not to what was asked: asking again would not help.

    Never leaves `lapse`: whoever asks raises an error of its own.
    """


def refusal(status: int, payload: object) -> str:
    """One sentence on an error status: what it was and what to do next."""
    error = payload.get("error") if isinstance(payload, dict) else None
    code = error.get("code") or error.get("type") if isinstance(error, dict) else None
    named = f" ({code})" if isinstance(code, str) and _CODE.fullmatch(code) else ""
    advice = _ADVICE.get(status, "try again later" if status >= 500 else "check the configuration")
    return f"the endpoint answered {status}{named}: {advice}"
