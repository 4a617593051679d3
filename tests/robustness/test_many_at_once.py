"""Sixteen threads and four processes on one file end as one worker after another would have."""

import os
from collections.abc import Mapping
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.model.journal import GENESIS, follows
from lapse.model.paging import Listing
from lapse.model.record import Record
from lapse.model.retention import UseEvent
from tests.robustness.mixing import KEY, acts_of, begin, opened, work, work_in

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts processes by fork")

THREADS = tuple(range(16))
PROCESSES = ((16, 17), (18, 19), (20, 21), (22, 23))


def ended(bank: Bank) -> Mapping[str, object]:
    """All that must not depend on who came first."""
    store = bank._core.parts.store
    records = {each.memory.id: each for each in store.page(bank.ref, Listing(limit=1000)).records}
    events = store.events(bank.ref, list(records))
    return {
        "memories": {name: content(each) for name, each in records.items()},
        "strengths": {name: each.state.strength for name, each in records.items()},
        "fading": {name: each.state.fades_at for name, each in records.items()},
        "events": sorted(map(told, events)),
        "pending": store.pending_count(bank.ref),
        "latest": [n for n, r in records.items() if r.memory.key == KEY and r.memory.is_latest],
        "versions": {name: len(store.versions(bank.ref, name)) for name in records},
    }


def content(record: Record) -> tuple[object, ...]:
    memory = record.memory
    return memory.text, memory.content_version, memory.tags, memory.valid_to, record.state.pinned


def told(event: UseEvent) -> tuple[object, ...]:
    return event.memory_id, event.event_id, event.source, event.weight, event.at


@pytest.mark.slow
def test_threads_and_processes_end_as_one_worker_after_another(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    with closing(opened(path)) as lapse:
        begin(lapse)
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.robustness.mixing"])
    others = [context.Process(target=work, args=(path, each)) for each in PROCESSES]
    for each in others:
        each.start()
    with closing(opened(path, background=True)) as lapse:
        work_in(lapse, THREADS)
    for each in others:
        each.join()
    assert [each.exitcode for each in others] == [0] * len(others)

    with closing(opened("memory://")) as alone, closing(opened(path)) as lapse:
        model, bank = begin(alone), lapse.bank("alice")
        for worker in (*THREADS, *(each for two in PROCESSES for each in two)):
            for act in acts_of(worker):
                act(model)
        model.drain()
        bank.drain()
        assert ended(bank) == ended(model)
        assert list(bank.doctor()) == []
        entries = bank._core.parts.store.journal(bank.ref, 0, 100_000)
        hashes = [GENESIS, *(each.hash for each in entries)]
        assert all(follows(e, before) for e, before in zip(entries, hashes, strict=False))
