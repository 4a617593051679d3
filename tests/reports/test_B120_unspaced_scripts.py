"""B120: searching by words finds nothing inside a Chinese, Japanese or Korean sentence."""

import pytest

from tests.reports.helping import Place, hit_ids

SENTENCES = {
    "budget": "明天上午在会议室讨论预算",
    "journey": "来週の出張を取り消した",
    "booking": "내일 회의실 예약을 취소했다",
}

ASKED = {
    "预算": "budget",
    "会议室讨论": "budget",
    "会议室": "budget",
    "出張": "journey",
    "取り消した": "journey",
    "회의실": "booking",
    "예약": "booking",
}

ELSEWHERE = ("天气预报", "自転車", "고양이", "discussion of the budget")


@pytest.mark.parametrize("query", ASKED)
def test_part_of_a_sentence_without_spaces_finds_it_by_its_words(place: Place, query: str) -> None:
    bank = place.bank()
    for name, text in SENTENCES.items():
        bank.remember(text, id=name)
    assert hit_ids(bank.recall(query)) == [ASKED[query]]


@pytest.mark.parametrize("query", ELSEWHERE)
def test_words_that_are_not_in_a_sentence_do_not_find_it(place: Place, query: str) -> None:
    bank = place.bank()
    for name, text in SENTENCES.items():
        bank.remember(text, id=name)
    assert hit_ids(bank.recall(query)) == []
    assert bank.stats().memories == len(SENTENCES)
