"""A served bank with a few memories in it."""

from collections.abc import Iterator

import pytest

from lapse import Lapse
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.rest.serving import Client, Served


@pytest.fixture
def served() -> Iterator[Served]:
    """Tenant `acme` with its bank `notes`, and a bank of the same name of somebody else's."""
    with Lapse.open("memory://", clock=FakeClock(NOW), background=False) as lapse:
        own = lapse.bank("notes", tenant="acme")
        own.remember("I prefer tea, not coffee", id="tea", key="user/drink")
        own.remember("Lunch was noodles at the corner", id="lunch", importance=0.1)
        theirs = lapse.bank("notes", tenant="other")
        theirs.remember("The harbour is guarded", id="secret", key="k")
        yield Served(lapse)


@pytest.fixture
def operator(served: Served) -> Client:
    """Ada, who may do everything with acme's banks."""
    return served.client(served.key())
