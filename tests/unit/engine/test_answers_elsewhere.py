"""What may be said in no bank of a tenant is said by no cached answer of any of them."""

from collections.abc import Iterator

import pytest

from lapse.faces.app import Lapse
from tests.unit.engine.erasing import SECRET, WHO


@pytest.fixture
def lapse() -> Iterator[Lapse]:
    with Lapse.open("memory://", embedder=None, background=False) as mind:
        alice, team = mind.bank("alice"), mind.bank("team")
        alice.remember(SECRET, id="home", subject="maria")
        team.remember("The mill was built of stone.", id="mill")
        team.cache.put("Where does Maria live?", f"She told us. {SECRET}")
        team.cache.put("What is the mill made of?", "Of stone.", sources=["mill"])
        alice.cache.put("Where is home?", SECRET)
        yield mind


def test_an_erasure_for_a_subject_takes_answers_in_other_banks(lapse: Lapse) -> None:
    alice, team = lapse.bank("alice"), lapse.bank("team")
    assert alice.preview_erasure(subject="maria").answers == 2
    done = alice.erase(subject="maria", **WHO)
    assert done.answers == 2
    assert done.receipt is not None
    assert (done.receipt.answers, done.receipt.residue) == (2, 0)
    assert not team.cache.get("Where does Maria live?").hit
    assert team.cache.get("What is the mill made of?").hit
    assert team.verify_journal().sound


def test_an_erasure_in_one_bank_leaves_the_answers_of_another(lapse: Lapse) -> None:
    alice, team = lapse.bank("alice"), lapse.bank("team")
    assert alice.preview_erasure(["home"]).answers == 1
    done = alice.erase(["home"], **WHO)
    assert done.receipt is not None
    assert done.receipt.answers == 1
    assert team.cache.get("Where does Maria live?").hit


def test_erasing_over_banks_takes_what_one_bank_answered_of_another(lapse: Lapse) -> None:
    lapse.bank("team").remember("Maria likes the sea.", id="sea", subject="maria")
    done = lapse.erase(subject="maria", **WHO)
    assert done.receipt is not None
    assert done.receipt.answers == 2
    assert not lapse.bank("team").cache.get("Where does Maria live?").hit
