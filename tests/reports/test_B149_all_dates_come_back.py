"""B149: export and import make the temporary permanent, and everything look just edited."""

import io

from lapse import Lapse
from lapse.testing.fakes import FakeClock
from tests.reports.helping import T0, Place, ago


def test_every_date_is_the_same_to_the_microsecond(place: Place) -> None:
    bank = place.bank()
    past, future = ago(days=400, seconds=0.000_003), ago(days=-20, seconds=0.000_001)
    bank.remember("A permit that runs out", id="r", created_at=past, expires_at=future)
    bank.remember(
        "A permit that has run out",
        id="gone",
        created_at=ago(days=90),
        occurred_at=ago(days=95),
        expires_at=ago(days=3),
        valid_from=ago(days=94),
    )
    place.clock.advance(days=1.000_000_1)
    bank.update("r", text="A permit that runs out soon")
    bank.used(["r"])
    bank.drain()
    bundle = io.BytesIO()
    bank.export(bundle)
    with Lapse.open("memory://", clock=FakeClock(T0), background=False) as other:
        copy = other.bank("alice")
        assert copy.import_(bundle).created == 2
        for name in ("r", "gone"):
            here, there = bank.get(name), copy.get(name)
            assert there.memory == here.memory
            assert there.state == here.state
        assert there.memory.expires_at == ago(days=3)
        told = copy.get("r")
        assert (told.memory.created_at, told.memory.expires_at) == (past, future)
        assert told.state.strength.last_counted_at == place.clock.now()
        assert copy.get("r").state.updated_at == bank.get("r").state.updated_at
