"""No judge waits for a lock of its bank: whoever holds that one may be waiting for the store."""

import threading
from collections.abc import Callable

import pytest

from lapse.bank import Bank
from lapse.engine.runtime import BankRuntime
from lapse.model.changeset import ChangeSet
from lapse.model.verbs import Verb
from lapse.testing.fakes import ALICE
from tests.unit.engine.opening import Opened, WatchedStore, WordEmbedder, opened

WRITES: dict[Verb, Callable[[Bank], object]] = {
    Verb.REMEMBER: lambda bank: bank.remember("I prefer coffee", key="user/drink"),
    Verb.REMEMBER_MANY: lambda bank: bank.remember_many([{"text": "The harbour is quiet"}]),
    Verb.INGEST: lambda bank: bank.ingest([{"role": "user", "content": "The harbour is loud"}]),
    Verb.UPDATE: lambda bank: bank.update("m1", text="I prefer black tea"),
    Verb.PIN: lambda bank: bank.pin(["m1"]),
    Verb.EXEMPT: lambda bank: bank.exempt(["m1"], reason="for the trip"),
    Verb.VERIFY_OUTCOME: lambda bank: bank.verify_outcome(["m1"]),
    Verb.USED: lambda bank: bank.used(["m1"]),
    Verb.DRAIN: lambda bank: bank.drain(),
    Verb.SET_POLICY: lambda bank: bank.set_policy({"recall": {"k": 3}}),
    Verb.REDATE: lambda bank: bank.set_policy({"law": {"name": "ebbinghaus"}}),
    Verb.REREAD: lambda bank: bank.set_policy({"memory": {"language": "german"}}),
    Verb.EMBED: lambda bank: bank.reembed(),
    Verb.OVERLAY: lambda bank: bank.used(["theirs"]),
}


class Holder:
    """Holds a bank's lock in another thread while the store carries out one verb."""

    def __init__(self, lapse: Opened, store: WatchedStore, verb: Verb) -> None:
        self.waited_in_vain = False
        self.held = 0
        self._runtime: BankRuntime = lapse.core.runtime(ALICE)
        self._store, self._verb = store, verb
        store.seen[verb].clear()
        store.before = self._hold

    def _hold(self, change: ChangeSet) -> None:
        if change.verb is not self._verb:
            return
        holding = threading.Event()
        threading.Thread(target=self._until_committed, args=(holding,), daemon=True).start()
        assert holding.wait(20)
        self.held += 1

    def _until_committed(self, holding: threading.Event) -> None:
        with self._runtime.lock:
            holding.set()
            self.waited_in_vain |= not self._store.seen[self._verb].wait(5)


@pytest.mark.parametrize("verb", WRITES)
def test_a_write_is_judged_while_another_thread_holds_the_bank(verb: Verb) -> None:
    store = WatchedStore()
    lapse = opened(store, embedder=WordEmbedder())
    lapse.alice.remember("I prefer tea", id="m1", key="user/drink")
    lapse.clock.advance(days=2)
    lapse.alice.used(["m1"])
    lapse.alice.rank([{"id": "theirs", "text": "Tea from elsewhere"}], query="tea")
    holder = Holder(lapse, store, verb)

    WRITES[verb](lapse.alice)

    assert holder.held >= 1
    assert not holder.waited_in_vain


def test_the_first_write_of_a_bank_is_judged_so_too() -> None:
    store = WatchedStore()
    lapse = opened(store)
    holder = Holder(lapse, store, Verb.REMEMBER)

    lapse.alice.remember("I prefer tea", id="m1")

    assert (holder.held, holder.waited_in_vain) == (1, False)
