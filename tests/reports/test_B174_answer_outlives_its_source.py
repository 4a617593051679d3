"""B174: a cached answer outlives the memory it was made from."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lapse.bank import Bank
from tests.reports.helping import Place

WHO = {"by": "anna", "reason": "asked for"}
QUESTION = "What opens the harbour gate?"
ANSWER = "Zyxquartz opens it, said Vombatiform."
CHANGES: dict[str, Callable[[Bank], object]] = {
    "supersede": lambda bank: bank.remember("The code is 77", key="gate/code", value="77"),
    "suppress": lambda bank: bank.suppress(["code"], **WHO),
    "edit": lambda bank: bank.update("code", text="The gate has no code any more"),
    "erase": lambda bank: bank.erase(["code"], **WHO),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_answer_goes_with_what_it_cites_in_every_process(in_file: Place, change: str) -> None:
    bank, other = in_file.bank(), in_file.bank()
    bank.remember("The code of the gate is Zyxquartz", id="code", key="gate/code", value="Z")
    bank.cache.put(QUESTION, ANSWER, sources=["code"])
    assert other.cache.get(QUESTION).hit
    CHANGES[change](bank)
    for each in (bank, other, in_file.bank()):
        assert not each.cache.get(QUESTION).hit
        assert each.cache.counts().answers == 0


def test_an_erasure_leaves_nothing_of_the_answer_on_disk(in_file: Place) -> None:
    bank = in_file.bank()
    bank.remember("The code of the gate is Zyxquartz", id="code")
    bank.cache.put(QUESTION, ANSWER, sources=["code"])
    done = bank.erase(["code"], **WHO)
    assert done.answers == 1
    assert done.receipt is not None
    assert done.receipt.residue == 0
    path = Path(in_file.target)
    kept = b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*"))
    assert b"ombatiform" not in kept
    assert b"harbour gate" not in kept
