"""A process forked while others used a Lapse: it goes on by itself, and hangs on nobody's lock."""

import os
import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.embed.wordllama import WordLlamaEmbedder
from lapse.faces.outside import TimeOrderedIds
from lapse.model.memory import BankRef
from lapse.stores.memory import MemoryStore

PATIENCE_S = 20

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]


def _exit_code_of_child(act: Callable[[], object]) -> int:
    child = os.fork()
    if child == 0:
        code = 1
        signal.alarm(PATIENCE_S)
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_forked_process_goes_on_though_threads_of_the_parent_held_every_lock(
    tmp_path: Path,
) -> None:
    mind = Lapse.open(tmp_path / "agent.db", embedder=None)
    bank = mind.bank("alice")
    bank.remember("I prefer tea", id="m1", created_at="2020-01-01")
    core, worker = mind._core, mind._worker  # a moment that no outside can bring about
    ids = core.parts.new_id
    assert worker is not None
    assert isinstance(ids, TimeOrderedIds)
    runtime = core.runtime(BankRef(tenant="default", name="alice"))
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with ExitStack() as stack:
            for lock in (core._lock, runtime.lock, worker._lock, ids._lock):
                stack.enter_context(lock)
            held.set()
            done.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()

    def go_on() -> None:
        assert [each.id for each in bank.recall("tea").hits] == ["m1"]
        bank.remember("I prefer milk", id="m2")
        bank.used(["m1"])
        mind.close()

    code = _exit_code_of_child(go_on)
    done.set()
    holder.join()

    assert code == 0
    assert bank.get("m2").memory.text == "I prefer milk"
    assert bank.get("m1").state.strength.access_count == 1
    mind.close()


def test_a_forked_process_goes_on_though_store_and_embedder_in_memory_were_locked() -> None:
    embedder = WordLlamaEmbedder()
    mind = Lapse.open("memory://", embedder=embedder, background=False)
    bank = mind.bank("alice")
    bank.remember("I prefer tea", id="m1")
    store = mind._core.parts.store
    assert isinstance(store, MemoryStore)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with store._lock, embedder._loading:
            held.set()
            done.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()

    def go_on() -> None:
        bank.remember("I prefer milk", id="m2")
        assert [each.id for each in bank.recall("milk").hits][:1] == ["m2"]

    code = _exit_code_of_child(go_on)
    done.set()
    holder.join()

    assert code == 0
    assert bank.stats().memories == 1
    mind.close()
