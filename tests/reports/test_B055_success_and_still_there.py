"""B055: delete answers success but the memory is still there and searchable."""

import pytest

from lapse.errors import NotFoundError
from tests.reports.helping import Place, everything, hit_ids

WHO = {"by": "anna", "reason": "asked for"}


def test_what_was_erased_is_gone_on_every_read_before_and_after_a_restart(in_file: Place) -> None:
    bank = in_file.bank()
    bank.remember("The gate code is 4821", id="code")
    bank.remember("The gate is green", id="gate")
    assert bank.erase(["code"], **WHO).erased == ("code",)
    for now in (bank, in_file.bank()):
        with pytest.raises(NotFoundError):
            now.get("code")
        assert [each.memory.id for each in everything(now)] == ["gate"]
        assert hit_ids(now.recall("gate code 4821")) == ["gate"]


def test_an_unknown_id_is_not_found_and_a_second_deletion_says_so(place: Place) -> None:
    bank = place.bank()
    bank.remember("The gate code is 4821", id="code")
    with pytest.raises(NotFoundError):
        bank.erase(["nobody"], **WHO)
    assert len(bank.erase(["code"], **WHO).erased) == 1
    again = bank.erase(["code"], **WHO)
    assert (again.erased, again.unchanged) == ((), ("code",))
