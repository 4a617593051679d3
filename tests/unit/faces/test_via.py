"""The journal says through which face something was done."""

from concurrent.futures import ThreadPoolExecutor

from lapse import Lapse
from lapse.faces.via import Via


def test_the_journal_says_through_which_face_it_was_done() -> None:
    with Lapse.open("memory://", background=False) as lapse:
        bank = lapse.bank("alice")
        with lapse.through("rest"):
            bank.remember("Tea is nice", id="tea", by="ada")
        bank.pin(["tea"], by="ada")
        told = [(each.what, each.by, each.via) for each in bank.history("tea").happenings]
        assert told[0] == ("remember", "ada", "rest")
        assert told[-1] == ("pin", "ada", "")
        assert bank.verify_journal().sound


def test_a_face_is_named_for_its_own_thread_and_while_it_acts() -> None:
    via = Via()
    with via.through("rest"), ThreadPoolExecutor(max_workers=1) as pool:
        assert via() == "rest"
        assert pool.submit(via).result() == ""
        with via.through("mcp"):
            assert via() == "mcp"
        assert via() == "rest"
    assert via() == ""
