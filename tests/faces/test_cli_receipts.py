"""Checking a receipt from the command line, as a script does: by the code it ends with."""

import json
from pathlib import Path

from lapse.faces.app import Lapse
from lapse.model.receipt import told_of
from tests.faces.conftest import Cli


def test_a_receipt_that_was_changed_is_found_and_ends_in_a_code_of_its_own(
    cli: Cli, tmp_path: Path
) -> None:
    with Lapse.open("memory://", embedder=None, background=False) as mind:
        bank = mind.bank("alice")
        bank.remember("Ann's door code is 4821.", id="code")
        receipt = bank.erase(["code"], by="ann", reason="asked for").receipt
    assert receipt is not None
    told, file = told_of(receipt), tmp_path / "receipt.json"
    file.write_text(json.dumps(told))
    genuine = cli("verify-receipt", str(file))
    assert (genuine.code, genuine.out.splitlines()[0]) == (0, "genuine")
    for name in ("erased", "answers", "residue"):
        file.write_text(json.dumps(told | {name: 7}))
        forged = cli("verify-receipt", str(file))
        assert (forged.code, "NOT genuine" in forged.out) == (1, True)
