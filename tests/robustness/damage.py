"""A store on file, and ways to damage a copy of it.

Decides what the store holds and how it is damaged: cut off, or overwritten with noise that is the
same on every run. Refuses to judge what comes of it.
"""

import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from lapse.bank import Bank
from lapse.embed.hashing import HashingEmbedder
from lapse.faces.app import Lapse
from lapse.testing.fakes import FakeClock

BANK: Final = "alice"
SIDES: Final = ("-wal", "-shm")


def opened(path: Path) -> Lapse:
    """Open a store with nothing in it that depends on the machine."""
    return Lapse.open(path, embedder=HashingEmbedder(), clock=FakeClock(), background=False)


def make(path: Path, memories: int = 40) -> None:
    """Make a store with memories, claims, versions, uses, vectors and a policy of its own."""
    with closing(opened(path)) as lapse:
        bank = lapse.bank(BANK)
        bank.remember_many(
            [
                {
                    "text": f"fact number {each} about tea and {each * 7} cups",
                    "id": f"m{each}",
                    "key": f"k/{each % 10}",
                    "value": str(each),
                    "tags": ["a"],
                    "metadata": {"x": each},
                }
                for each in range(memories)
            ]
        )
        bank.used([f"m{each}" for each in range(0, memories, 3)])
        bank.update("m5", text="another thing")
        bank.set_policy({"recall.k": 5})


def copied(source: Path, target: Path) -> Path:
    """A copy of a closed store, without what SQLite kept beside an earlier copy."""
    for side in SIDES:
        Path(f"{target}{side}").unlink(missing_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o600)
    return target


def overwritten(path: Path, seed: int) -> None:
    """Write noise over a few bytes somewhere in a file."""
    noise = random.Random(seed)
    at = noise.randrange(path.stat().st_size)
    with path.open("r+b") as file:
        file.seek(at)
        file.write(noise.randbytes(noise.choice([1, 4, 64, 4096])))


def acts(bank: Bank) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every kind of work on a bank, reading first."""
    everything: Mapping[str, Callable[[], object]] = {
        "stats": bank.stats,
        "list": bank.list,
        "policy": bank.policy,
        "recall": lambda: bank.recall("tea and cups", k=100),
        "get": lambda: bank.get("m7"),
        "why": lambda: bank.why("tea", "m7"),
        "rank": lambda: bank.rank([{"id": "m7", "text": "tea"}], query="tea"),
        "remember": lambda: bank.remember("something new", id="new"),
        "used": lambda: bank.used(["m3"]),
        "update": lambda: bank.update("m9", text="something else"),
        "pin": lambda: bank.pin(["m4"]),
        "drain": bank.drain,
    }
    yield from everything.items()
