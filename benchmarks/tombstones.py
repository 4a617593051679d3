"""What erasing costs: holding a write against tombstones, and erasing one memory of many.

The texts are drawn words, of which nothing erased comes back; every check is of a text of 64 words
in four sentences. Checks are timed without a store; an erasure with all that belongs to it but the
search of the file, which is timed apart; then again after many memories were moved, each for a
reason of its own, since reasons are looked through for what they repeat.

    python -m benchmarks.tombstones [--size 100000] [--bank 100000] [--json]
"""

import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.common import arguments, envelope, print_json, print_machine, print_table
from lapse import Lapse
from lapse.erasure.checking import erased_among
from lapse.erasure.digests import Digester
from lapse.erasure.marking import Erased, mark
from lapse.erasure.matching import TombstoneIndex
from lapse.model.instants import Instant
from lapse.model.paging import Listing
from lapse.model.query import Candidate
from lapse.model.tombstone import KeptTombstone, Tombstone, TombstoneKey, TombstoneScope

KEY = TombstoneKey(id="benchmark", secret=b"b" * 32)
CHECKS = 300
REPEATS = 5
ERASURES = 15
CANDIDATES = 1_000
ABSENT = [f"nothing like this stands in any text of number {at}".encode() for at in range(3)]
"""As many byte sequences, and as long ones, as an erasure of one memory looks for."""


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--size", type=int, default=100_000, help="tombstones")
    parser.add_argument("--bank", type=int, default=100_000, help="memories of the bank")
    options = parser.parse_args()
    measured = {**checks(options.size), **erasures(options.bank)}
    outcome = envelope("tombstones", measured)
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    print_table("what erasing costs", ["measure", "value"], list(measured.items()))


def checks(size: int) -> dict[str, float]:
    """Median milliseconds of a check against so many tombstones, and what they take."""
    chance = random.Random(1)  # noqa: S311 - the same texts in every run
    words = _vocabulary(chance)
    digester = Digester(KEY)
    kept = [_stone(digester, at, _sentence(chance, words, 6, 14)) for at in range(size)]
    index = TombstoneIndex()
    began = time.perf_counter()
    index.advance(kept, {KEY.id: KEY}.get)
    loaded_s = time.perf_counter() - began
    texts = [" ".join(_sentence(chance, words, 16, 16) for _ in range(4)) for _ in range(CHECKS)]
    times = [min(_timed(index, text) for _ in range(REPEATS)) for text in texts]
    offered = [
        Candidate(id=f"theirs{at}", text=_sentence(chance, words, 8, 16), score=0.5)
        for at in range(CANDIDATES)
    ]
    ranked = min(_timed_among(index, offered) for _ in range(REPEATS))
    stored = sum(
        len(each.tombstone.exact) + len(each.tombstone.sums) + len(each.tombstone.slips)
        for each in kept
    )
    return {
        "tombstones": size,
        "check_ms": median(times) * 1000,
        "check_p95_ms": sorted(times)[int(len(times) * 0.95)] * 1000,
        "check_1000_candidates_ms": ranked * 1000,
        "load_s": loaded_s,
        "bytes_each": stored / size,
    }


def erasures(size: int) -> dict[str, float]:
    """Median milliseconds of erasing one memory of so many, without and with the file's search."""
    chance = random.Random(2)  # noqa: S311 - the same texts in every run
    words = _vocabulary(chance)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bank.db"
        with Lapse.open(path, background=False, embedder=None) as mind:
            bank = mind.bank("large")
            bank.remember_many(
                {"text": _sentence(chance, words, 8, 16), "id": f"m{at}"} for at in range(size)
            )
            bank.recall("warm up")
            searches: list[float] = []
            # Timed from outside: the search is the last thing an erasure does before its receipt.
            store = bank._core.parts.store  # noqa: SLF001 - there is no other way to part the two
            times = []
            for at in range(ERASURES):
                began = time.perf_counter()
                bank.erase([f"m{at * (size // ERASURES)}"], by="benchmark", reason="a rehearsal")
                whole_s = time.perf_counter() - began
                began = time.perf_counter()
                store.scrub(ABSENT)
                searches.append(time.perf_counter() - began)
                times.append(whole_s)
            file_bytes = path.stat().st_size
            left = [each.memory.id for each in bank.list(Listing(limit=1000)).records]
            for name in left[ERASURES:]:
                reason = _sentence(chance, words, 6, 14)
                bank.suppress([name], by="benchmark", reason=reason)
            worded = []
            for name in left[:ERASURES]:
                began = time.perf_counter()
                bank.erase([name], by="benchmark", reason="a rehearsal")
                worded.append(time.perf_counter() - began)
    return {
        "memories": size,
        "erase_ms": (median(times) - median(searches)) * 1000,
        "erase_and_search_ms": median(times) * 1000,
        "erase_among_1000_reasons_ms": (median(worded) - median(searches)) * 1000,
        "file_mb": file_bytes / 1e6,
    }


def _timed(index: TombstoneIndex, text: str) -> float:
    began = time.perf_counter()
    assert index.told(text) is None
    return time.perf_counter() - began


def _timed_among(index: TombstoneIndex, offered: Sequence[Candidate]) -> float:
    began = time.perf_counter()
    assert not erased_among(index, offered)
    return time.perf_counter() - began


def _vocabulary(chance: random.Random) -> list[str]:
    letters = "abcdefghijklmnoprstu"
    return ["".join(chance.choices(letters, k=chance.randint(3, 10))) for _ in range(8000)]


def _sentence(chance: random.Random, words: Sequence[str], least: int, most: int) -> str:
    return " ".join(chance.choices(words, k=chance.randint(least, most))).capitalize() + "."


def _stone(digester: Digester, at: int, text: str) -> KeptTombstone:
    salt = at.to_bytes(16, "big")
    digests = mark(digester, salt, Erased(memory_id=f"m{at}", texts=(text,)))
    return KeptTombstone(
        number=at + 1,
        tombstone=Tombstone(
            id=f"t{at}",
            tenant="default",
            bank="large",
            scope=TombstoneScope.BANK,
            key_id=KEY.id,
            salt=salt,
            exact=digests.exact,
            sums=digests.sums,
            slips=digests.slips,
            at=Instant(0),
            by="benchmark",
        ),
    )


if __name__ == "__main__":
    main()
