"""B117: read, add one, write back: most increments vanish under load."""

import os
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

import pytest

from lapse import Lapse
from tests.journeys.sharing_banks import use
from tests.reports.helping import Place

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts processes by fork")

THREADS, PROCESSES = 50, 4


def test_every_one_of_a_thousand_uses_is_counted(in_file: Place) -> None:
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.journeys.sharing_banks"])
    path = in_file.target
    # A server waits for its disk with each of them: there, fewer prove as much.
    touches = 200 if path.startswith("postgresql") else 1000
    by_threads = touches // 2
    each = (touches - by_threads) // PROCESSES
    with Lapse.open(path, embedder=None, background=False) as mind:
        bank = mind.bank("alice")
        bank.remember("The first ship docked", id="first")
        started = [
            context.Process(target=use, args=(path, f"p{number}", each))
            for number in range(PROCESSES)
        ]
        for process in started:
            process.start()
        with ThreadPoolExecutor(max_workers=THREADS) as pool:
            reports = list(
                pool.map(lambda at: bank.used(["first"], event_id=f"t-{at}"), range(by_threads))
            )
        for process in started:
            process.join()
        assert [process.exitcode for process in started] == [0] * PROCESSES
        assert sum(report.enqueued for report in reports) == by_threads
        bank.drain()
        assert bank.get("first").state.strength.access_count == touches
        bank.used(["first"], event_id="t-0")
        bank.drain()
        assert bank.get("first").state.strength.access_count == touches
