"""Threads that hand their failure on."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture
def run_threads() -> Callable[[list[Callable[[], None]]], None]:
    """Run functions side by side; the first failure is raised here."""

    def run(functions: list[Callable[[], None]]) -> None:
        with ThreadPoolExecutor(len(functions)) as pool:
            for done in [pool.submit(each) for each in functions]:
                done.result(timeout=60)

    return run
