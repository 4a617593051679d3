"""B067: importing an older bundle brings back what the store has forgotten since."""

import io

import pytest

from lapse.errors import TombstonedError
from tests.reports.helping import Place

WHO = {"by": "anna", "reason": "asked for"}
FACT = "Anna keeps her spare key under the third flower pot."


def test_the_same_bundle_again_leaves_it_out_and_says_so(place: Place) -> None:
    bank = place.bank()
    bank.remember(FACT, id="key")
    bank.remember("Anna likes green olives", id="olives")
    bundle = io.BytesIO()
    bank.export(bundle)
    bank.erase(["key"], **WHO)
    done = bank.import_(bundle)
    assert [each.memory_id for each in done.refused] == ["key"]
    assert (done.created, done.unchanged) == (0, 1)
    assert [each.memory.id for each in bank.list().records] == ["olives"]
    with pytest.raises(TombstonedError):
        bank.remember(FACT)
