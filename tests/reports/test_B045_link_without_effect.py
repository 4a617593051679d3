"""B045: a link says that a memory was superseded, and yet it stays active."""

from lapse.model.query import Reason
from tests.reports.helping import Place, hit_ids


def test_a_superseded_memory_is_out_and_says_by_what(place: Place) -> None:
    bank = place.bank()
    bank.remember("the release train leaves on Monday", id="a")
    place.clock.advance(days=1)
    new = bank.supersede(old="a", new="the release train leaves on Friday", id="b")
    recall = bank.recall("when does the release train leave")
    assert hit_ids(recall) == ["b"]
    assert {each.id: each.reason for each in recall.exclusions} == {"a": Reason.SUPERSEDED}
    old = bank.get("a").memory
    assert (old.superseded_by, old.valid_to, old.is_latest) == ("b", new.memory.valid_from, False)


def test_with_history_both_are_told_and_marked(place: Place) -> None:
    bank = place.bank({"recall.latest_per_key": False})
    bank.remember("the release train leaves on Monday", id="a")
    place.clock.advance(days=1)
    bank.supersede(old="a", new="the release train leaves on Friday", id="b")
    recall = bank.recall("when does the release train leave")
    marks = {each.id: each.qualifier.split()[0] for each in recall.hits}
    assert marks == {"a": "until", "b": "current"}
