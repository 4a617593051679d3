"""A process that goes back to a backup and dies at a chosen step, by a signal nobody can catch."""

import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from lapse.faces import restoring
from lapse.stores.sql import replacing

HALF = "half exchanged"
AFTER: Mapping[str, str] = {
    "held": "_clear",
    "copied": "copied",
    "brought up": "bring_up",
    "kept": "_keep",
    "exchanged": "exchange",
}
"""By step, the function after which it dies."""

STEPS = (*AFTER, HALF)


def die() -> None:
    """Be killed here and now."""
    os.kill(os.getpid(), signal.SIGKILL)


def dying_after(act: Callable[..., object]) -> Callable[..., None]:
    """The same act, and death at its end."""

    def acted(*given: object, **named: object) -> None:
        act(*given, **named)
        die()

    return acted


def main(step: str, folder: Path) -> None:
    """Go back to `copy.db` in the folder, and die."""
    name = AFTER.get(step)
    if name is not None:
        setattr(restoring, name, dying_after(getattr(restoring, name)))
    setattr(replacing, "PAGES_AT_ONCE", 3)  # noqa: B010 - the file of a test is small

    def progress(done: int, total: int) -> None:
        if step == HALF and done * 2 >= total:
            die()

    restoring.restore_backup(
        folder / "copy.db",
        folder / "agent.db",
        by="anna",
        reason="asked for",
        keep=folder / "kept.db" if step == "kept" else None,
        progress=progress,
    )


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
