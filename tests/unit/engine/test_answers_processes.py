"""Two processes put answers and erase their sources at once: no answer outlives what it says."""

import os
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import ConflictError, NotFoundError, TombstonedError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts processes by fork")

SOURCES = 12


def _name(at: int) -> str:
    return f"m{at}"


def put_all(path: Path, together: Barrier) -> None:
    """Put an answer of every source while another erases them, one after another."""
    with Lapse.open(path, embedder=None, background=False) as mind:
        bank = mind.bank("shared")
        for at in range(SOURCES):
            together.wait()
            for _ in range(3):
                try:
                    bank.cache.put(f"what is in box {at}?", "see there", sources=[_name(at)])
                except (ConflictError, NotFoundError, TombstonedError):
                    break


def erase_all(path: Path, together: Barrier) -> None:
    """Erase every source while another puts answers of it."""
    with Lapse.open(path, embedder=None, background=False) as mind:
        bank = mind.bank("shared")
        for at in range(SOURCES):
            together.wait()
            bank.erase([_name(at)], by="anna", reason="asked for")


def test_no_answer_of_an_erased_source_survives_whichever_commits_first(tmp_path: Path) -> None:
    path = tmp_path / "lapse.db"
    with Lapse.open(path, embedder=None, background=False) as mind:
        bank = mind.bank("shared")
        for at in range(SOURCES):
            bank.remember(f"Box {at} holds the papers of year {1900 + at}", id=_name(at))
        bank.remember("The twin stays", id="twin")
        bank.cache.put("who stays?", "The twin.", sources=["twin"])
    context = get_context("forkserver")
    together = context.Barrier(2, timeout=60)
    started = [context.Process(target=each, args=(path, together)) for each in (put_all, erase_all)]
    for each in started:
        each.start()
    for each in started:
        each.join()
    assert [each.exitcode for each in started] == [0, 0]
    with Lapse.open(path, embedder=None, background=False) as mind:
        bank = mind.bank("shared")
        assert bank.cache.counts().answers == 1
        assert bank.cache.get("who stays?").hit
        assert [bank.cache.get(f"what is in box {at}?").hit for at in range(SOURCES)] == (
            [False] * SOURCES
        )
