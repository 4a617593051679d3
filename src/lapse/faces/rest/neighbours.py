"""Who may ask a server that asks for no key: programs of its own machine, and no page of the web.

A browser runs strangers' pages on the same machine. One that had its own name resolved to this
machine would read as if it were the server's own page (its `Host` gives it away), and one that
posts without a media type writes unasked (its `Origin` does).

Decides that either has to name this machine alone. Refuses to judge callers with a key: a page has
none.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from lapse.errors import AccessError
from lapse.faces.serving import is_loopback


def check_at_home(headers: Mapping[str, str]) -> None:
    """Refuse what a page of elsewhere had its reader's browser send.

    Args:
        headers: Of the request, by name in lower case.

    Raises:
        AccessError: It was sent to a name of another machine, or by a page of one.
    """
    host, origin = headers.get("host"), headers.get("origin")
    for name, where in (("Host", None if host is None else f"//{host}"), ("Origin", origin)):
        if where is not None and not is_loopback(_machine(where)):
            raise AccessError(
                f"{name} is no name of this machine, and this server asks for no key: make one with"
                " `lapse keys create`, or ask at 127.0.0.1",
                fields={"header": name},
            )


def _machine(where: str) -> str:
    try:
        return urlsplit(where).hostname or ""
    except ValueError:
        return ""
