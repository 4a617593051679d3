"""K20, not reported: counts add up replaced, merely offered and merely looked for memories."""

from lapse.model.memory import Kind
from lapse.model.paging import Listing
from lapse.model.retention import Lifecycle
from tests.reports.helping import Place, ago, everything, hit_ids


def test_every_count_is_the_number_of_those_that_a_list_shows(place: Place) -> None:
    bank = place.bank()
    for value in range(5):
        bank.remember(f"release {value}", key="release", value=str(value), kind="semantic")
    bank.remember("harbour", kind="episodic", pinned=True)
    bank.remember("harbour", kind="episodic")
    bank.remember("ferry", kind="working", expires_at=ago(days=1))
    stats, listed = bank.stats(), everything(bank)
    assert stats.memories == len(listed) == 7
    assert stats.by_kind == {Kind.EPISODIC: 1, Kind.SEMANTIC: 5, Kind.WORKING: 1}
    assert stats.by_lifecycle == {Lifecycle.ACTIVE: 7}
    assert stats.current == len(everything(bank, Listing(latest_only=True))) == 3
    assert stats.pinned == sum(each.state.pinned for each in listed) == 1
    assert stats.pending_events == 1


def test_looking_and_ranking_add_nothing_to_any_count(place: Place) -> None:
    bank = place.bank()
    bank.remember("harbour")
    before = bank.stats()
    bank.recall("ferry")
    bank.rank([{"id": f"c{at}", "text": f"ferry {at}"} for at in range(9)], query="ferry")
    assert bank.stats() == before
    bank.used(["c3"])
    assert bank.stats().memories == 2


def test_a_bank_that_was_only_asked_for_does_not_exist(place: Place) -> None:
    mind = place.open()
    ghost = mind.bank("ghost")
    ghost.recall("anything")
    assert ghost.stats().memories == 0
    assert everything(ghost) == []
    assert mind.banks() == []
    mind.bank("alice").remember("harbour")
    assert mind.banks() == ["alice"]


def test_the_answer_accounts_for_every_candidate_once(place: Place) -> None:
    bank = place.bank({"recall.pool_minimum": 100})
    for at in range(40):
        bank.remember(f"harbour {at}", id=f"m{at}", tags=["odd"] if at % 2 else ["even"])
    recall = bank.recall("harbour", k=5, tags=["even"])
    excluded = [each.id for each in recall.exclusions]
    assert len(recall.hits) == 5
    assert len({*hit_ids(recall), *excluded}) == 5 + len(excluded) == 40
