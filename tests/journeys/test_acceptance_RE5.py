"""RE5: a month in observe has the order of off, byte for byte; then rank, as if from the start.

Control: in rank the orders differ.
"""

from pathlib import Path

from lapse.bank import Bank
from lapse.model.codec import dumps
from tests.journeys.acceptance import on_every_store, order, place_on, tray
from tests.reports.helping import Place, everything

DAYS = 30
MODES = ("off", "observe", "rank")
QUERIES = ("the harbour", "note on the market", "harbour and market", "note 7")


def banks(place: Place) -> dict[str, Bank]:
    mind = place.open()
    made = {mode: mind.bank(mode) for mode in MODES}
    for mode, bank in made.items():
        bank.set_policy({"forgetting": {"mode": mode}})
    return made


def day(at: int, bank: Bank) -> None:
    """What happens on a day, the same in every bank."""
    about = ("harbour", "market")[at % 2]
    bank.remember(f"Note {at} on the {about}", id=f"m{at}", importance=at % 5 / 5)
    if at % 3 == 0:
        bank.used([f"m{at // 3}"], event_id=f"day {at}")
    if at % 7 == 6:
        bank.remember(f"Note {at - 5} on the {('harbour', 'market')[(at - 5) % 2]}")
    if at % 4 == 0:
        bank.drain()


@on_every_store
def test_a_month_of_observing_is_as_off_and_counts_as_rank(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        all_banks = banks(place)
        off, observe, rank = (all_banks[mode] for mode in MODES)
        differed = 0
        for at in range(DAYS):
            place.clock.advance(hours=23.5)
            for bank in all_banks.values():
                day(at, bank)
            for query in QUERIES:
                asked = {mode: bank.recall(query) for mode, bank in all_banks.items()}
                assert order(asked["observe"]) == order(asked["off"])
                differed += order(asked["rank"]) != order(asked["off"])
                assert asked["observe"].mode == "observe"
        assert differed > DAYS  # the control

        for bank in all_banks.values():
            bank.drain()
        states = {
            mode: [(each.memory.id, each.state.strength, each.state.fades_at) for each in rows]
            for mode, rows in ((m, everything(b)) for m, b in all_banks.items())
        }
        assert dumps(states["observe"]) == dumps(states["rank"])
        assert dumps(states["off"]) != dumps(states["rank"])  # off counts nothing

        observe.set_policy({"forgetting": {"mode": "rank"}})
        for query in QUERIES:
            assert tray(observe.recall(query)) == tray(rank.recall(query)).replace(
                '"bank":"rank"', '"bank":"observe"'
            )
        assert off.stats().mode == "off"
