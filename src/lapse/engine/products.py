"""One product of all of a bank's vectors with a question's, shared out among cores.

Decides when sharing pays and how a matrix is divided. Refuses to know what the vectors mean. The
product is what a recall of a large bank spends most of its time on, and memory is what it waits
for: two idle cores read twice as much of it. On a busy machine the caller does all of it alone.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from lapse.model.index_delta import Float32Array

LEAST_NUMBERS: Final = 8_000_000
"""From this many numbers on, handing a share to another thread costs less than it saves."""

PORTION: Final = 4096
"""Rows that a thread takes at a time."""


class SharedProduct:
    """Multiplies on several threads. Thread-safe."""

    def __init__(self, threads: int) -> None:
        """Start no thread yet.

        Args:
            threads: Threads that share one product, the caller's own among them.
        """
        self._threads = max(threads, 1)
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget the threads, which a forked process does not have."""
        self._lock = threading.Lock()
        self._helpers: ThreadPoolExecutor | None = None

    def close(self) -> None:
        """Let the threads end. A product asked for later starts them again."""
        with self._lock:
            helpers, self._helpers = self._helpers, None
        if helpers is not None:
            helpers.shutdown()

    def __call__(self, matrix: Float32Array, vector: Float32Array) -> Float32Array:
        """Multiply.

        Args:
            matrix: Shape (m, dimension), float32.
            vector: Shape (dimension,), float32.

        Returns:
            Shape (m,), float32.
        """
        if self._threads == 1 or matrix.size < LEAST_NUMBERS:
            product: Float32Array = matrix @ vector
            return product
        product = np.empty(len(matrix), np.float32)
        # One iterator for all: who is slow takes less, and who never gets a core takes nothing.
        places = iter(range(0, len(matrix), PORTION))

        def work() -> None:
            for start in places:
                rows = slice(start, start + PORTION)
                np.dot(matrix[rows], vector, product[rows])

        helpers = self._started()
        others = [helpers.submit(work) for _ in range(self._threads - 1)]
        work()
        for other in others:
            if not other.cancel():
                other.result()
        return product

    def _started(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._helpers is None:
                self._helpers = ThreadPoolExecutor(self._threads - 1, thread_name_prefix="lapse")
            return self._helpers
