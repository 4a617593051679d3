"""Processes that use the same bank of the same file as anybody would: telling, asking, using.

A process that meets a lock, or any other error, ends with another exit code than 0.
"""

from multiprocessing.synchronize import Event
from pathlib import Path

from lapse import Lapse


def _opened(path: Path | str) -> Lapse:
    return Lapse.open(path, embedder=None, background=False)


def tell(path: Path | str, count: int) -> None:
    """Tell so many memories, one by one."""
    with _opened(path) as mind:
        bank = mind.bank("alice")
        for at in range(count):
            bank.remember(f"Ship number{at} docked", id=f"m{at}")


def ask_until(path: Path | str, over: Event) -> None:
    """Ask, get and list until it is over.

    Raises:
        AssertionError: The first memory was not found.
    """
    with _opened(path) as mind:
        bank = mind.bank("alice")
        while not over.is_set():
            assert bank.recall("first ship").hits
            assert bank.get("first").memory.id == "first"
            assert bank.list().records


def use(path: Path | str, name: str, count: int) -> None:
    """Report so many uses of one memory, each an event of its own."""
    with _opened(path) as mind:
        bank = mind.bank("alice")
        for at in range(count):
            bank.used(["first"], event_id=f"{name}-{at}")
