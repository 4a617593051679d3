"""B099: a search for one user returns everybody's memories, in both forms of the filter."""

import pytest

from lapse.bank import Bank
from lapse.errors import ValidationError
from lapse.model.paging import Listing
from tests.reports.helping import Place, everything, hit_ids
from tests.reports.helping_b import Ask, spoken

FORMS: dict[str, Ask] = {
    "field": lambda bank, user: bank.recall("lunch", subject=user),
    "nested": lambda bank, user: bank.recall("lunch", metadata={"user": user}),
    "tag": lambda bank, user: bank.recall("lunch", tags=[user]),
}


def told(place: Place) -> Bank:
    """A bank with one memory of u1 and two of u2."""
    bank = place.bank()
    for user, dish in (("u1", "soup"), ("u2", "rice"), ("u2", "bread")):
        bank.remember(
            f"lunch was {dish}", id=dish, subject=user, tags=[user], metadata={"user": user}
        )
    return bank


@pytest.mark.parametrize("form", FORMS)
def test_a_user_without_memories_is_told_nothing_in_any_form_of_the_filter(
    place: Place, form: str
) -> None:
    bank, ask = told(place), FORMS[form]
    assert hit_ids(ask(bank, "nobody")) == []
    assert hit_ids(ask(bank, "u1")) == ["soup"]
    assert sorted(hit_ids(ask(bank, "u2"))) == ["bread", "rice"]


def test_a_listing_for_a_user_without_memories_is_empty(place: Place) -> None:
    bank = told(place)
    assert everything(bank, Listing(subject="nobody")) == []
    assert everything(bank, Listing(tag="nobody")) == []
    assert len(everything(bank, Listing(subject="u2"))) == 2


def test_a_misspelt_filter_is_an_error_that_names_the_right_one(place: Place) -> None:
    bank = told(place)
    with pytest.raises(ValidationError, match="subject") as caught:
        bank.recall("lunch", subjekt="nobody")  # type: ignore[call-arg]  # what the report is about
    assert [each.field for each in caught.value.faults] == ["subjekt"]


def test_a_misspelt_filter_of_the_command_line_is_an_error(
    in_file: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told(in_file)
    asked = ("recall", "lunch", "--json", "--db", in_file.target, "--bank", "alice")
    wrong = spoken(capsys, monkeypatch, *asked, "--subjekt", "nobody")
    assert (wrong.code, wrong.out) == (2, "")
    assert "--subjekt" in wrong.err
    assert spoken(capsys, monkeypatch, *asked, "--subject", "nobody").hit_ids == []
    assert spoken(capsys, monkeypatch, *asked, "--subject", "u1").hit_ids == ["soup"]
