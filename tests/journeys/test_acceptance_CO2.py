"""CO2: retracted without a replacement, then fed again; it is not recalled.

Control: what else the source said is recalled.
"""

from pathlib import Path

from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import T0, hit_ids

SOURCE = (
    {"role": "user", "content": "My sister is called Ines", "at": T0},
    {"role": "user", "content": "My brother is called Jon", "at": T0},
)


@on_every_store
def test_a_retraction_outlives_its_source(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        sister, brother = bank.ingest(SOURCE, session="one")
        place.clock.advance(days=1)
        bank.retract(sister.id, reason="she is called Inez")
        place.clock.advance(days=1)
        bank.ingest(SOURCE, session="two")
        bank.remember_many([{"text": each["content"]} for each in SOURCE])
        bank.drain()
        assert hit_ids(bank.recall("what are my sister and my brother called")) == [brother.id]
        assert {each.memory_id for each in bank.conflicts()} == {sister.id}
