"""own K08: the text is gone, but the words that only it held stay in the index's dictionary."""

from tests.reports.helping import Place

WHO = {"by": "anna", "reason": "asked for"}


def test_a_file_holds_no_word_that_only_the_erased_text_held(in_file: Place) -> None:
    bank = in_file.bank()
    bank.remember("The password is Zyxquartz-Vombatiform", id="word", entities=["Quokkaster"])
    bank.remember("The password is changed monthly", id="rule")
    done = bank.erase(["word"], **WHO)
    assert done.receipt is not None
    assert done.receipt.residue == 0
    with open(in_file.target, "rb") as file:  # noqa: PTH123 - the bytes as they lie there
        kept = file.read().lower()
    assert [each for each in (b"zyxquartz", b"vombat", b"quokka") if each in kept] == []
    assert b"monthly" in kept
