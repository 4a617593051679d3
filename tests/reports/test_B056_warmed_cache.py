"""B056: a warmed recall cache keeps serving the removed record until its time is over."""

from collections.abc import Callable

import pytest

from lapse.bank import Bank
from tests.reports.helping import Place

WHO = {"by": "anna", "reason": "asked for"}
CHANGES: dict[str, Callable[[Bank], object]] = {
    "erase": lambda bank: bank.erase(["code"], **WHO),
    "suppress": lambda bank: bank.suppress(["code"], **WHO),
    "supersede": lambda bank: bank.remember("The gate code is 77", key="gate/code", value="77"),
    "edit": lambda bank: bank.update("code", text="The gate code is secret"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_question_asked_before_never_gets_the_old_answer(in_file: Place, change: str) -> None:
    bank = in_file.bank()
    bank.remember("The gate code is 4821", id="code", key="gate/code", value="4821")
    other = in_file.bank()
    for each in (bank, other, bank, other):
        assert "4821" in str([hit.text for hit in each.recall("gate code").hits])
    CHANGES[change](bank)
    for each in (bank, other, in_file.bank()):
        told = each.recall("gate code")
        assert "4821" not in str([hit.text for hit in told.hits])
        # What is suppressed may be revived by a strong cue, and is shown as that.
        assert change == "suppress" or "4821" not in str([hit.text for hit in told.revived])
