"""B060: the graph is cleared but conversation logs and queued events of the person remain.

Design differs: what a person owns elsewhere (an agent) is its own bank, erased by its own call.
"""

from tests.reports.helping import Place, everything

WHO = {"by": "anna", "reason": "asked for"}


def test_a_subject_is_erased_with_everything_that_hangs_on_it(place: Place) -> None:
    bank = place.bank({"reinforcement.weight_returned": 0.1})
    bank.remember("Ute sings in a choir", id="fact", subject="ute", kind="semantic")
    bank.remember("Ute said the choir meets on Friday", id="log", subject="ute", kind="episodic")
    bank.remember("Choirs meet weekly", id="derived", derived_from=["fact"])
    bank.remember("Otto sings as well", id="otto", subject="otto")
    bank.recall("choir")
    bank.used(["fact", "log"])
    done = bank.erase(subject="ute", **WHO)
    bank.drain()
    assert (set(done.erased), done.derived, done.cut) == ({"fact", "log"}, ("derived",), ())
    assert done.receipt is not None
    assert (done.receipt.erased, done.receipt.derived, done.receipt.residue) == (2, 1, 0)
    assert [each.memory.id for each in everything(bank)] == ["otto"]
    assert bank.stats().pending_events == 0
