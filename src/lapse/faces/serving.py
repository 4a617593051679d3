"""Serving a store over HTTP, from opening it to a graceful end.

Decides that a server nobody needs a key for listens to its own machine alone, and says so. Refuses
to bind anything else without a key. Uvicorn is imported here alone, and late.
"""

import ipaddress
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Final

from lapse.errors import AccessError, ValidationError
from lapse.faces.access import Door, KeyRing, OpenDoor
from lapse.faces.allocating import keep_little
from lapse.faces.app import Lapse, outside

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8377
QUIET_S: Final = 75
"""Seconds without a request after which a connection is closed.

Longer than clients keep theirs: one that the server closes first may take a request with it.
"""
ENDS_WITHIN_S: Final = 30
"""Seconds that requests under way have to end in."""

_LOCAL_NAMES: Final = frozenset({"localhost"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """Where a server listens.

    Attributes:
        host: Name or address.
        port: 1 to 65535, or 0 for any that is free.
        asks_for_keys: Whether the store has a key that holds, so that callers must show one.
    """

    host: str
    port: int
    asks_for_keys: bool


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens there."""
    if host.lower() in _LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bind(lapse: Lapse, host: str, port: int) -> Binding:
    """Decide how a store may be served there.

    Raises:
        ValidationError: No such port.
        AccessError: There is no key, and other machines would reach it.
    """
    if not 0 <= port <= 65535:
        raise ValidationError.of("port", port, "needs 1 to 65535, or 0 for any that is free")
    now = lapse.parts.clock.now()
    keys = any(each.holds(now) for each in KeyRing(lapse.notes).all())
    if not keys and not is_loopback(host):
        raise AccessError(
            f"no key opens this store, so that anybody who reaches {host} would: make one with"
            " `lapse keys create`, or listen at 127.0.0.1",
            fields={"host": host},
        )
    return Binding(host=host, port=port, asks_for_keys=keys)


def described(binding: Binding) -> str:
    """What is said when a server starts."""
    where = f"http://{binding.host}:{binding.port}"
    if binding.asks_for_keys:
        return f"serving at {where}; callers show a key"
    return (
        f"serving at {where} WITHOUT KEYS, to this machine alone: whoever runs a program here may"
        " do everything. `lapse keys create` makes a key, which is asked for from then on"
    )


def serve(lapse: Lapse, binding: Binding, say: Callable[[str], None]) -> None:
    """Serve until the process is told to end; then finish what is under way.

    Args:
        lapse: The store; whoever opened it closes it.
        binding: Where.
        say: Told once where it listens.

    Raises:
        ValidationError: The extra `server` is not installed.
    """
    try:
        # Late: FastAPI and Uvicorn take half a second, and only this needs them.
        import uvicorn  # noqa: PLC0415

        from lapse.faces.whole import compose  # noqa: PLC0415 - as above
    except ModuleNotFoundError as error:
        problem = f"needs {error.name}; run: pip install 'lapse[server]'"
        raise ValidationError.of("serve", "…", problem) from None

    keep_little(outside().environment)
    ring, entropy = KeyRing(lapse.notes), lapse.parts.entropy
    door = Door(ring, entropy) if binding.asks_for_keys else OpenDoor(ring, entropy)
    whole = compose(lapse, door)
    config = uvicorn.Config(
        whole.app,
        host=binding.host,
        port=binding.port,
        log_level=logging.WARNING,
        access_log=False,  # paths hold the names of banks and memories
        server_header=False,
        timeout_keep_alive=QUIET_S,
        timeout_graceful_shutdown=ENDS_WITHIN_S,
    )
    say(described(binding))
    with _outlived():
        whole.tender.start()
        try:
            uvicorn.Server(config).run()
        finally:
            whole.tender.stop()


@contextmanager
def _outlived() -> Iterator[None]:
    """Let the signals that end a server end it, and not what it has to do after that.

    Uvicorn raises again what ended it, which would kill the process with a round of upkeep under
    way and its lease held.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread alone
        return

    def stay(_number: int, _frame: FrameType | None) -> None:
        """Nothing: whoever waits for the round under way goes on waiting."""

    before = {each: signal.signal(each, stay) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
