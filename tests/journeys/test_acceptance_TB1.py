"""TB1: a value is rejected and superseded; restated and corroborated twice, it stays inactive.

Control: a neighbouring value is recalled, and the conflict is listed.
"""

from pathlib import Path

from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import hit_ids


@on_every_store
def test_a_rejected_value_is_not_laundered(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        bank.remember("the port of the broker is 1883", id="old", key="broker/port", value="1883")
        bank.remember("the port of the mirror is 1884", id="near", key="mirror/port", value="1884")
        bank.used(["old"], source="rejected")
        place.clock.advance(days=1)
        bank.supersede(key="broker/port", new="the port of the broker is 8883", id="new")
        for text in ("the port of the broker is 1883", "broker port: 1883"):
            place.clock.advance(days=1)
            bank.remember(text, key="broker/port", value="1883")
        bank.remember("the port of the broker is 1883")
        bank.drain()
        assert set(hit_ids(bank.recall("which port"))) == {"new", "near"}
        assert not bank.get("old").memory.is_latest
        assert [each.memory_id for each in bank.conflicts()] == ["old"]
