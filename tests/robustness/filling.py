"""A process that writes until it cannot: every id it prints was acknowledged before.

    python -m tests.robustness.filling PATH WAY

Decides how it is hindered: `limit` lets no file grow beyond a size, `disk` relies on the disk that
the path lies on being small. Refuses to judge: the test counts.
"""

import resource
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

from lapse.errors import LapseError
from lapse.faces.app import Lapse
from lapse.testing.fakes import FakeClock

LIMIT_BYTES: Final = 1_500_000
MOST: Final = 5_000
FILLER: Final = "words enough to fill a page or two of the file " * 40


def main(path: Path, way: str) -> None:
    """Write memories until one is refused; print each id that was not, then the refusal."""
    if way == "limit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT_BYTES, LIMIT_BYTES))
    try:
        with closing(Lapse.open(path, embedder=None, clock=FakeClock(), background=False)) as lapse:
            bank = lapse.bank("alice")
            for each in range(MOST):
                memory_id = bank.remember(f"{each} {FILLER}", id=f"{way}{each}").memory.id
                say(memory_id)
    except LapseError as error:
        say(f"refused: {type(error).__name__}: {error}")


def say(line: str) -> None:
    """Write a line that whoever waits reads at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
