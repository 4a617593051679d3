"""What PostgreSQL and the way to it can fail at, in Lapse's words; and what is done again."""

import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import pytest

from lapse.errors import StoreBusyError, StoreError
from lapse.model.changeset import Changes
from lapse.model.view import View
from lapse.stores.postgres import redrawing
from lapse.stores.postgres.connections import Transaction
from lapse.stores.postgres.store import PostgresStore
from lapse.testing.fakes import ALICE, memory, record, writes
from lapse.testing.store_contract_snapshots import all_records
from lapse.testing.store_contract_writes import remember
from tests.postgres_server import with_owner

_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
_OURS = f"{_CUT} AND usename IS NOT NULL AND backend_type = 'client backend'"


def cut(url: str) -> None:
    """Break every connection to the server but the one that does it."""
    with_owner(url, [_OURS])


def test_connections_that_broke_in_the_meantime_are_not_noticed(
    store: PostgresStore, url: str
) -> None:
    remember(store, "m1")
    cut(url)
    assert store.revision(ALICE) == 1
    cut(url)
    remember(store, "m2")
    cut(url)
    assert [each.memory.id for each in all_records(store, ALICE)] == ["m1", "m2"]


def test_many_connections_that_broke_at_once_are_not_noticed_either(
    store: PostgresStore, url: str
) -> None:
    remember(store, "m1")
    asked: list[Callable[[], object]] = [
        lambda: store.revision(ALICE),
        lambda: all_records(store, ALICE),
        lambda: remember(store, "m2"),
        store.size_bytes,
    ]
    for ask in asked:
        hold_many(store)
        cut(url)
        ask()
    assert [each.memory.id for each in all_records(store, ALICE)] == ["m1", "m2"]


def hold_many(store: PostgresStore) -> None:
    """Have as many readers at once as the pool keeps connections."""
    together = threading.Barrier(8)

    def read() -> None:
        with store._connections.reading(ALICE.tenant) as link:
            link.execute("SELECT 1").fetchall()
            together.wait(20)

    readers = [threading.Thread(target=read) for _ in range(8)]
    for each in readers:
        each.start()
    for each in readers:
        each.join()


def test_a_write_whose_connection_breaks_half_way_is_made_once(
    store: PostgresStore, url: str
) -> None:
    remember(store, "m1")
    asked: list[int] = []

    def judge(view: View) -> Changes:
        asked.append(view.bank.revision)
        if len(asked) < 3:
            cut(url)
        return writes(Changes(created=(record(memory("m2")),))).judge(view)

    change = writes(Changes(created=(record(memory("m2")),)))
    done = store.commit(replace(change, judge=judge))
    assert (done.revision, asked) == (2, [1, 1, 1])
    assert len(all_records(store, ALICE)) == 2


def test_a_commit_that_was_made_before_the_connection_broke_is_not_made_again(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(store, "m1")
    execute = Transaction.execute
    left = [1]

    def commit_and_break(self: Transaction, statement: str, *values: object) -> object:
        found = execute(self, statement, *values)  # type: ignore[arg-type] # passed on as it came
        if statement == "COMMIT" and left:
            left.pop()
            cut(url)
            execute(self, "SELECT 1")
        return found

    monkeypatch.setattr(Transaction, "execute", commit_and_break)
    done = store.commit(writes(Changes(created=(record(memory("m2")),))))
    assert not left
    assert done.revision == 2
    assert store.revision(ALICE) == 2
    assert len(all_records(store, ALICE)) == 2


def broken_once(url: str, tries: list[int]) -> Callable[[View], Changes]:
    """A judge that has its connection cut the first time it is asked."""

    def judge(view: View) -> Changes:
        tries.append(view.bank.revision)
        if len(tries) == 1:
            cut(url)
        return writes(Changes(created=(record(memory("m2")),))).judge(view)

    return judge


def test_writes_to_several_banks_are_all_made_once_when_the_connection_breaks(
    store: PostgresStore, url: str
) -> None:
    tries: list[int] = []
    beside = replace(ALICE, name="beside")
    drawn = iter(
        [
            writes(Changes(created=(record(memory("m1", ref=beside)),)), ref=beside),
            replace(writes(Changes()), judge=broken_once(url, tries)),
        ]
    )
    done = store.commit_each(drawn)
    assert ([each.revision for each in done], tries) == ([1, 1], [0, 0])
    assert [store.count(each) for each in (ALICE, beside)] == [1, 1]


def test_more_writes_than_are_kept_say_that_they_may_be_tried_again(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redrawing, "MOST_KEPT", 1)
    tries: list[int] = []
    drawn = [
        writes(Changes(created=(record(memory("m1")),))),
        replace(writes(Changes()), judge=broken_once(url, tries)),
    ]
    with pytest.raises(StoreBusyError, match="try again"):
        store.commit_each(iter(drawn))
    assert (tries, store.count(ALICE)) == ([1], 0)


def test_a_write_that_another_holds_up_too_long_says_so(url: str) -> None:
    with_short = PostgresStore.open(f"{url}&lock_timeout_s=0.2")
    remember(with_short, "m1")
    with with_short._connections.writing(ALICE), pytest.raises(StoreBusyError, match="too long"):
        remember(with_short, "m2")
    remember(with_short, "m2")
    with_short.close()


def test_a_statement_that_takes_too_long_says_so(url: str) -> None:
    store = PostgresStore.open(f"{url}&statement_timeout_s=0.2")
    slow, told = store._connections.reading(ALICE.tenant), "statement_timeout_s"
    with pytest.raises(StoreBusyError, match=told), slow as link:
        link.execute("SELECT pg_sleep(20)")
    store.close()


def test_more_readers_at_once_than_there_may_be_connections_are_told_so(url: str) -> None:
    store = PostgresStore.open(f"{url}&pool=1&lock_timeout_s=0.2")
    reading = store._connections.reading
    with reading("a"), reading("a"), pytest.raises(StoreBusyError, match="in use"):
        store.revision(ALICE)
    assert store.revision(ALICE) == 0
    store.close()


def test_a_transaction_that_the_server_ends_for_its_length_says_what_to_raise(
    store: PostgresStore, url: str
) -> None:
    def judge(view: View) -> Changes:
        with store._connections.glancing(ALICE.tenant) as link:
            link.execute("SELECT pg_sleep(0.2)").fetchall()
        return writes(Changes(created=(record(memory("m1")),))).judge(view)

    limit = "idle_in_transaction_session_timeout"
    with_owner(url, [f"ALTER ROLE postgres SET {limit} = '50ms'"])
    try:
        with closing(PostgresStore.open(url)) as limited:
            change = replace(writes(Changes()), judge=judge)
            with pytest.raises(StoreBusyError, match=limit):
                limited.commit(change)
    finally:
        with_owner(url, [f"ALTER ROLE postgres RESET {limit}"])
    assert store.count(ALICE) == 0
    remember(store, "m1")


def test_writers_that_wait_for_each_other_in_a_circle_all_get_through(
    store: PostgresStore,
) -> None:
    remember(store, "m1")
    both = threading.Barrier(2, timeout=20)
    told: list[int] = []

    def work(name: str, first: int, second: int) -> Callable[[], None]:
        tries: list[int] = []

        def judge(view: View) -> Changes:
            tries.append(1)
            link = held[name]
            link.execute("SELECT pg_advisory_xact_lock(?)", (first,))
            if len(tries) == 1:
                both.wait()
            link.execute("SELECT pg_advisory_xact_lock(?)", (second,))
            return writes(Changes(created=(record(memory("new", ref=refs[name])),))).judge(view)

        def run() -> None:
            change = writes(
                Changes(created=(record(memory("new", ref=refs[name])),)), ref=refs[name]
            )
            done = store.commit(replace(change, judge=judge))
            told.append(done.revision)

        return run

    refs = {"one": type(ALICE)(name="one"), "two": type(ALICE)(name="two")}
    held: dict[str, Transaction] = {}
    carry_out = store._carry_out

    def noting(link: Transaction, change: object) -> object:
        held[change.ref.name] = link  # type: ignore[attr-defined] # a change set
        return carry_out(link, change)  # type: ignore[arg-type] # likewise

    store._carry_out = noting  # type: ignore[method-assign,assignment] # to lock on its connection
    threads = [
        threading.Thread(target=work("one", 71, 72)),
        threading.Thread(target=work("two", 72, 71)),
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(30)
    assert told == [1, 1]


def test_no_error_tells_what_a_memory_says(store: PostgresStore) -> None:
    secret = "the safe opens with 4711"
    remember(store, "m1")
    with pytest.raises(StoreError) as caught, store._connections.working(ALICE.tenant) as link:
        link.execute(
            "INSERT INTO note (shelf, name, place, version) VALUES (?, ?, ?, ?)",
            (secret,) * 3 + (1,),
        )
    assert caught.value.__cause__ is None
    assert secret not in f"{caught.value} {caught.value.fields}"
