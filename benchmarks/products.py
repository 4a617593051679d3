"""What the one product costs that a recall of a large bank waits for, and other ways to have it.

100,000 unit vectors of 256 numbers are multiplied with one: plainly, on two threads, from bytes and
from halves that are turned into single floats block by block, and as a bound. `left_by_bound` is
the share of vectors that the inequality of Cauchy and Schwarz over the first principal components
cannot rule out of the best hundred; vectors are drawn with a falling spectrum, as static word
vectors have one.

    python -m benchmarks.products [--count 100000] [--json]
"""

import time
from collections.abc import Callable
from statistics import median

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import (
    Json,
    arguments,
    at_least,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from lapse.engine.products import SharedProduct

DIMENSION = 256
BLOCK = 512
ROUNDS = 15
BEST = 100
COMPONENTS = (64, 128, 192)
STEPS = 127
"""A byte holds this many steps on each side of 0."""

Rows = NDArray[np.float32]


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--count", type=at_least(BEST), default=100_000, help="vectors")
    options = parser.parse_args()
    results = measure(options.count)
    outcome = envelope("products", results)
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    print_table(f"{options.count:,} vectors", ["", "ms, or share"], list(results.items()))


def measure(count: int) -> dict[str, Json]:
    """Medians in milliseconds, and the shares that bounds leave."""
    rows, question = vectors(count)
    largest = float(np.abs(rows).max())
    packed = np.round(rows * (STEPS / largest)).astype(np.int8)
    halves = rows.astype(np.float16)
    shared = SharedProduct(2)
    found: dict[str, Json] = {
        "plain_ms": _median_ms(lambda: rows @ question),
        "two_threads_ms": _median_ms(lambda: shared(rows, question)),
        "from_bytes_ms": _median_ms(lambda: _by_block(packed, question)),
        "from_halves_ms": _median_ms(lambda: _by_block(halves, question)),
    }
    shared.close()
    for components in COMPONENTS:
        found[f"left_by_bound_{components}"] = left_by_bound(rows, question, components)
    return found


def vectors(count: int) -> tuple[Rows, Rows]:
    """Unit vectors, and one more for the question, in the order of their principal components."""
    dice = np.random.default_rng(0)
    spread = np.sqrt(1 / (8 + np.arange(DIMENSION)))
    rows = dice.standard_normal((count + 1, DIMENSION)) * spread
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    single = rows.astype(np.float32)
    return single[:-1].copy(), single[-1].copy()


def left_by_bound(rows: Rows, question: Rows, components: int) -> float:
    """Share of the vectors whose upper bound reaches the hundredth best product."""
    bar = np.partition(rows @ question, -BEST)[-BEST]
    head, tail = rows[:, :components], rows[:, components:]
    rest = np.linalg.norm(tail, axis=1) * np.linalg.norm(question[components:])
    return float(np.mean(head @ question[:components] + rest >= bar))


def _by_block(rows: NDArray[np.number], question: Rows) -> Rows:
    """The product of rows that have to be turned into single floats first."""
    product = np.empty(len(rows), np.float32)
    block = np.empty((BLOCK, DIMENSION), np.float32)
    for start in range(0, len(rows), BLOCK):
        part = rows[start : start + BLOCK]
        np.copyto(block[: len(part)], part)
        np.dot(block[: len(part)], question, out=product[start : start + len(part)])
    return product


def _median_ms(act: Callable[[], object]) -> float:
    spent: list[float] = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        act()
        spent.append(1e3 * (time.perf_counter() - started))
    return median(spent)


if __name__ == "__main__":
    main()
