"""K15, not reported: memories are used, told and swept at once, by many threads."""

from concurrent.futures import ThreadPoolExecutor

from lapse.model.retention import Lifecycle
from tests.reports.helping import Place, everything

AUTO = {
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.max_active": "none",
    "retention.grace_days": 0,
}


def test_what_was_used_before_a_sweep_began_is_never_swept(place: Place) -> None:
    bank = place.bank(AUTO)
    for at in range(40):
        bank.remember(f"The ship {at} docked", id=f"m{at:02}", importance=0.0)
    place.clock.advance(days=20)
    used = [f"m{at:02}" for at in range(0, 40, 4)]
    for _ in range(3):  # uses on other days, so that each counts
        bank.used(used)
        place.clock.advance(days=1)

    def work(at: int) -> None:
        if at % 3 == 0:
            bank.sweep()
        elif at % 3 == 1:
            bank.used([used[at % len(used)]], event_id=f"e{at}")
        else:
            bank.remember(f"The ferry {at} docked", id=f"new{at:02}", importance=0.5)

    with ThreadPoolExecutor(max_workers=8) as pool:
        list(pool.map(work, range(24)))
    bank.sweep()
    active = {
        each.memory.id for each in everything(bank) if each.state.lifecycle is Lifecycle.ACTIVE
    }
    assert active == {*used, *(f"new{at:02}" for at in range(24) if at % 3 == 2)}
    assert bank.doctor() == []


def test_readers_see_a_memory_either_active_or_archived_and_never_half(place: Place) -> None:
    bank = place.bank(AUTO)
    for at in range(30):
        bank.remember(f"The ship {at} docked", id=f"m{at}", importance=0.0)
    place.clock.advance(days=60)

    def look(at: int) -> bool:
        if at == 5:
            bank.sweep()
        state = bank.get("m7").state
        return (state.lifecycle is Lifecycle.ARCHIVED) == (state.transition is not None)

    with ThreadPoolExecutor(max_workers=6) as pool:
        assert all(pool.map(look, range(40)))
    assert bank.get("m7").state.lifecycle is Lifecycle.ARCHIVED
