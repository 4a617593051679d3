"""One contract for every way to hold a bank: open, served by a real server, and both awaited."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

from lapse import Lapse
from lapse.bank import Bank
from lapse.client import LapseClient
from lapse.testing.fakes import FakeClock
from tests.contracts.bank_contract import CLAUSES
from tests.faces.awaited import over_http, over_threads
from tests.faces.remote_helping import listening
from tests.faces.rest.serving import Served

Held = Callable[[Lapse], AbstractContextManager[Bank]]


@contextmanager
def held_open(lapse: Lapse) -> Iterator[Bank]:
    yield lapse.bank("notes")


@contextmanager
def served(lapse: Lapse) -> Iterator[Bank]:
    with listening(lapse) as (url, _), LapseClient.open(url) as client:
        yield client.bank("notes")


@contextmanager
def awaited(lapse: Lapse) -> Iterator[Bank]:
    with over_threads(lapse) as store:
        yield store.bank("notes")


@contextmanager
def served_and_awaited(lapse: Lapse) -> Iterator[Bank]:
    with over_http(Served(lapse, keys=False).app) as store:
        yield store.bank("notes")


@pytest.mark.parametrize("held", [held_open, served, awaited, served_and_awaited])
@pytest.mark.parametrize("check", CLAUSES, ids=lambda each: each.__name__)
def test_a_bank_keeps_what_it_promises(
    check: Callable[[Bank], None], held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAPSE_MEMORY__EMBEDDER", "none")
    clock = FakeClock("2026-03-01T09:00Z")
    with Lapse.open("memory://", clock=clock, background=False) as lapse, held(lapse) as bank:
        check(bank)


def test_the_contract_has_clauses() -> None:
    assert len(CLAUSES) >= 22
