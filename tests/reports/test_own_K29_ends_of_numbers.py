"""Own case of K29: the smallest and largest numbers, and what is empty, come back as told."""

import math

import pytest

from lapse.model.memory import JsonValue
from tests.reports.helping import Place

CONFIDENCES = (0.0, 1.0, 5e-324, 0.1, 1 - 2**-53)


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_a_confidence_comes_back_to_the_last_bit(place: Place, confidence: float) -> None:
    bank = place.bank()
    bank.remember("The harbour is quiet", id="m", confidence=confidence)
    assert bank.get("m").memory.confidence == confidence


def test_what_is_empty_is_not_what_is_absent(place: Place) -> None:
    bank = place.bank()
    metadata: dict[str, JsonValue] = {"": "", "none": None, "zero": 0, "no": False}
    bank.remember("The harbour is quiet", id="m", metadata=metadata)
    kept = bank.get("m").memory
    assert dict(kept.metadata) == metadata
    assert kept.metadata["no"] is False
    assert (kept.key, kept.session, kept.subject, kept.tags) == (None, None, None, ())


def test_large_whole_numbers_in_metadata_stay_whole(place: Place) -> None:
    bank = place.bank()
    for at, number in enumerate((2**53 + 1, 2**63 - 1, -(2**63), 10**30)):
        bank.remember(f"harbour number{at}", id=f"m{at}", metadata={"n": number})
        assert bank.get(f"m{at}").memory.metadata["n"] == number
    assert math.isfinite(float(bank.get("m0").state.strength.traces_at))
