"""B054: deletion removes the row but not the index entries; ghosts take slots, live ones vanish.

Waits: retention's own pruning.
"""

import pytest

from lapse.bank import Bank
from tests.reports.helping import ChosenVectors, Place, hit_ids

WHO = {"by": "anna", "reason": "asked for"}
TEXTS = {f"r{at}": f"harbour report number {at}" for at in range(10)}
VECTORS = {"harbour report": (1.0, 0.0)} | {
    text: (1.0, 0.02 * at) for at, text in enumerate(TEXTS.values())
}


def _by_single(bank: Bank) -> None:
    for each in ("r0", "r1", "r2"):
        bank.erase([each], **WHO)


def _by_bulk(bank: Bank) -> None:
    bank.erase(["r0", "r1", "r2"], **WHO)


def _by_archive(bank: Bank) -> None:
    bank.archive(["r0", "r1", "r2"], **WHO)


ROUTES = {"single": _by_single, "bulk": _by_bulk, "archive": _by_archive}


@pytest.mark.parametrize("arm", ["words", "vector", "both"])
@pytest.mark.parametrize("route", ROUTES)
def test_three_live_records_are_found_and_no_deleted_one(
    place: Place, route: str, arm: str
) -> None:
    settings = {"vector": {"recall.relevance": "vector"}}.get(arm, {})
    embedder = None if arm == "words" else ChosenVectors(VECTORS)
    bank = place.bank(settings, embedder=embedder)
    for name, text in TEXTS.items():
        bank.remember(text, id=name)
    assert len(hit_ids(bank.recall("harbour report", k=3))) == 3
    ROUTES[route](bank)
    found = hit_ids(bank.recall("harbour report", k=3))
    assert len(found) == 3
    assert not {"r0", "r1", "r2"} & set(found)
