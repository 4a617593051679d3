"""own K09: the wording is new, but under the same claim stands the value that was erased."""

import pytest

from lapse.errors import TombstonedError
from tests.reports.helping import Place

WHO = {"by": "anna", "reason": "asked for"}


def test_the_value_is_refused_under_its_key_and_accepted_under_another(place: Place) -> None:
    bank = place.bank()
    bank.remember("She weighs 61 kg", id="weight", key="ute/weight", value="61 kg")
    bank.erase(["weight"], **WHO)
    with pytest.raises(TombstonedError):
        bank.remember("On the scales it says so", key="ute/weight", value="61 KG")
    bank.remember("On the scales it says more", key="ute/weight", value="62 kg")
    bank.remember("On the scales it says the same", key="otto/weight", value="61 kg")
