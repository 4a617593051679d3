"""B022: confirmed decisions fade like chatter and drop out of the prompt."""

from collections.abc import Callable

import pytest

from lapse.bank import Bank
from lapse.model.retention import Lifecycle
from tests.reports.helping import VECTORS, WEIGHTED, Place, ago, hit_ids, turned

NOTES = {f"note {number}": 0.3 for number in range(1, 10)}
EMBEDDER = turned({"we decided on the blue one": 0.9, **NOTES}, query="the decision")

HARSH: dict[str, object] = {**VECTORS, **WEIGHTED, "scoring.weight_recency": 10}
"""Recency counts so much that an old memory is out, unless something spares it."""

LASTING: dict[str, Callable[[Bank], object]] = {
    "pinned": lambda bank: bank.pin(["p"]),
    "exempt": lambda bank: bank.exempt(["p"], reason="a standing decision"),
    "verified": lambda bank: bank.verify_outcome(["p"]),
}


def told(place: Place, settings: dict[str, object]) -> Bank:
    bank = place.bank(settings, embedder=EMBEDDER)
    bank.remember("we decided on the blue one", id="p", importance=0.5, created_at=ago(days=300))
    for days, text in enumerate(NOTES, start=1):
        bank.remember(text, id=f"n{days}", importance=0.5, created_at=ago(days=days))
    return bank


@pytest.mark.parametrize("policy", ["harsh", "default"])
@pytest.mark.parametrize("kept", LASTING)
def test_a_lasting_decision_is_first_in_the_tray_and_stays_as_it_was(
    place: Place, policy: str, kept: str
) -> None:
    bank = told(place, HARSH if policy == "harsh" else dict(VECTORS))
    ordinary = hit_ids(bank.recall("the decision", k=8))
    assert ordinary[0] != "p"
    assert ("p" not in ordinary) is (policy == "harsh")
    LASTING[kept](bank)
    before = bank.get("p").state
    for _ in range(20):
        bank.drain()
        recall = bank.recall("the decision", k=8)
    assert hit_ids(recall)[0] == "p"
    assert recall.hits[0].explanation.retrievability == 1.0
    assert bank.get("p").state == before
    assert before.lifecycle is Lifecycle.ACTIVE
    assert before.importance == (1.0 if kept == "verified" else 0.5)
    assert before.fades_at is None
