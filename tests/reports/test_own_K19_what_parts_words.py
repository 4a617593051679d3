"""K19, not reported: unusual white space makes a text look shorter than it is."""

import pytest

from tests.reports.helping import Place, hit_ids

PARTED: dict[str, str] = {
    "spaces": "harbour two three four",
    "many spaces": "harbour   two \t three\n\n\nfour",
    "no-break space": "harbour\u00a0two\u202fthree\u00a0four",
    "ideographic space": "harbour\u3000two\u3000three\u3000four",
    "line and paragraph separator": "harbour\u2028two\u2029three\u0085four",
    "at both ends": "\n harbour two three four \u3000",
}


@pytest.mark.parametrize("name", PARTED)
def test_a_text_of_four_words_takes_four_whatever_parts_them(place: Place, name: str) -> None:
    bank = place.bank()
    bank.remember(PARTED[name], id="four")
    assert hit_ids(bank.recall("harbour", budget_words=3)) == []
    recall = bank.recall("harbour", budget_words=4)
    assert hit_ids(recall) == ["four"]
    assert recall.words == recall.hits[0].words == len(PARTED[name].split()) == 4


@pytest.mark.parametrize("name", PARTED)
def test_another_stores_candidate_takes_as_many_words_as_a_memory(place: Place, name: str) -> None:
    bank = place.bank()
    candidates = [{"id": "four", "text": PARTED[name]}]
    assert hit_ids(bank.rank(candidates, query="harbour", budget_words=3)) == []
    assert bank.rank(candidates, query="harbour", budget_words=4).words == 4


def test_words_that_look_empty_are_words_all_the_same(place: Place) -> None:
    bank = place.bank()
    bank.remember("harbour \u200b \u2060 lights", id="a")
    recall = bank.recall("harbour", budget_words=4)
    assert recall.words == len(recall.hits[0].text.split())
