"""What settings may say of the background model: whom to ask, where, and where its key lies.

Decides which of these settings go together, and what an address and the name of a variable look
like. Refuses to look into the environment and to show what may be a key.
"""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from lapse.errors import Fault, fault

MODEL: Final = "importance.model"
ENDPOINT: Final = "importance.endpoint"
KEY_VARIABLE: Final = "importance.key_variable"

_VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9_]*")


def model_faults(model: str | None, endpoint: str | None, variable: str | None) -> Iterator[Fault]:
    """What is wrong with these three, each by itself and together."""
    if endpoint is not None:
        yield from _address_faults(endpoint)
    if variable is not None and not _VARIABLE.fullmatch(variable):
        # Not shown: it may be the key itself.
        problem = "needs the name of an environment variable in capitals, such as OPENAI_API_KEY"
        yield Fault(field=KEY_VARIABLE, value=f"text of {len(variable)}", problem=problem)
    if model is not None and endpoint is None:
        problem = (
            f"names a model, but nowhere to ask it: set {ENDPOINT} to the root of its API, such as"
            " http://127.0.0.1:11434/v1"
        )
        yield fault(MODEL, model, problem)
    if model is None:
        for path, value in ((ENDPOINT, endpoint), (KEY_VARIABLE, variable)):
            if value is not None:
                problem = f"is set, but no model to ask: set {MODEL}, or take this away"
                yield Fault(field=path, value="…", problem=problem)


def shown_variable(variable: str) -> str:
    """The name of a variable, or its length alone where it may be a key that was put there."""
    return variable if "_" in variable else f"text of {len(variable)}"


def _address_faults(endpoint: str) -> Iterator[Fault]:
    try:
        parts = urlsplit(endpoint)
        right = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        yield Fault(field=ENDPOINT, value="…", problem="needs an http or https address")
        return
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        # Not shown: it may hold a key.
        problem = f"needs an address without credentials or query; name the key in {KEY_VARIABLE}"
        yield Fault(field=ENDPOINT, value="…", problem=problem)
    elif not right:
        yield fault(ENDPOINT, endpoint, "needs an http or https address")
