import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import ValidationError
from lapse.text.stemming import LANGUAGES
from lapse.text.tokens import Tokeniser


@pytest.fixture(scope="module")
def english() -> Tokeniser:
    return Tokeniser()


def finds(tokeniser: Tokeniser, query: str, text: str) -> bool:
    """Whether every term of a query that has some is in the text."""
    wanted = set(tokeniser.query_terms(query))
    return bool(wanted) and wanted <= set(tokeniser.terms(text))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("预算", "明天上午在会议室讨论预算"),
        ("会议室讨论", "明天上午在会议室讨论预算"),
        ("出張", "来週の出張を取り消した"),
        ("회의실", "내일 회의실 예약을 취소했다"),
        ("예약", "내일 회의실 예약을 취소했다"),
        ("โรงพยาบาล", "พรุ่งนี้ไปโรงพยาบาลกับแม่"),
        ("ໂຮງຮຽນ", "ລູກໄປໂຮງຮຽນ"),
        ("សាលា", "កូនទៅសាលារៀន"),
        ("ဆေးရုံ", "မနက်ဖြန်ဆေးရုံသွားမယ်"),
        ("株式会社", "LINE株式会社のAPI"),
        ("API", "LINE株式会社のAPI"),
    ],
)
def test_part_of_an_unspaced_sentence_is_found(english: Tokeniser, query: str, text: str) -> None:
    assert finds(english, query, text)


@pytest.mark.parametrize("query", ["预", "算", "明", "室"])
def test_one_character_finds_an_unspaced_sentence(english: Tokeniser, query: str) -> None:
    assert finds(english, query, "明天上午在会议室讨论预算")


def test_characters_in_another_order_are_not_a_whole_match(english: Tokeniser) -> None:
    assert not finds(english, "算预", "明天上午在会议室讨论预算")


def test_a_query_of_an_unspaced_script_matches_by_pairs_only(english: Tokeniser) -> None:
    assert english.query_terms("会议室") == ["会议", "议室"]
    assert english.terms("会议室") == ["会", "会议", "议", "议室", "室"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("check-in", "check-in desk"),
        ("km/h", "km/h cap"),
        ('said "later', 'he said "later" twice'),
        ("status:open", "status:open"),
        ("C++", "C++ build"),
        ("can't", "can't log in"),
        ("can’t", "can't log in"),
        ("(draft", "the draft (second)"),
        ("NEAR(", "near the station"),
        ("red OR", "red or blue"),
        ("foo-bar", "the foo bar"),
        ("foo_bar", "calls foo_bar() twice"),
        ("user@example.com", "mail to user@example.com."),
        ("v1.2.3", "release v1.2.3 is out"),
    ],
)
def test_punctuation_of_a_query_is_plain_text(english: Tokeniser, query: str, text: str) -> None:
    assert finds(english, query, text)


@pytest.mark.parametrize("query", ["", " ", "*", "???", '"', "-", "\0", "\u200b"])
def test_a_query_without_a_word_has_no_terms(english: Tokeniser, query: str) -> None:
    assert english.query_terms(query) == []


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("cafe", "Café de Flore"),
        ("Lodz", "trip to Łódź"),
        ("STRASSE", "Straße"),
        ("ａｂｃ", "abc"),
        ("12", "room ١٢"),
        ("office", "oﬃce"),
        ("Mary", "Mary's dog"),
        ("eau", "l'eau"),
        ("Brien", "O’Brien called"),
        ("run", "she was running"),
        ("conversations", "a conversation"),
        ("zerowidth", "zero\u200bwidth"),
        ("🎉", "party🎉 tonight"),
        ("👍", "great👍🏽"),
        ("हिन्दी", "यह हिन्दी है"),
    ],
)
def test_spellings_of_one_word_meet(english: Tokeniser, query: str, text: str) -> None:
    assert finds(english, query, text)


def test_a_vowel_sign_does_not_break_a_word(english: Tokeniser) -> None:
    assert english.terms("हिन्दी") == ["हिन्दी"]


def test_programming_languages_differ_by_their_signs(english: Tokeniser) -> None:
    assert english.terms("C") == ["c"]
    assert english.terms("C++") == ["c", "c++"]
    assert english.terms("C#.") == ["c", "c#"]
    assert english.terms("1+1 #tag a+b") == ["1", "1", "tag", "a", "b"]


def test_terms_keep_their_order_and_repeats(english: Tokeniser) -> None:
    assert english.terms("Tea, then more tea: teas!") == ["tea", "then", "more", "tea", "tea"]


@pytest.mark.parametrize(
    ("language", "query", "text"),
    [
        ("german", "Häuser", "das Haus"),
        ("french", "mangeait", "manger"),
        ("spanish", "corriendo", "correr"),
        ("russian", "книги", "книга"),
        ("finnish", "taloissa", "talo"),
        ("turkish", "İSTANBUL", "istanbul"),
        ("turkish", "ISPARTA", "ısparta"),
        ("arabic", "الكتاب", "كتاب"),
    ],
)
def test_each_language_has_its_own_stems(language: str, query: str, text: str) -> None:
    assert finds(Tokeniser(language), query, text)


def test_no_language_leaves_words_as_they_stand() -> None:
    exact = Tokeniser("none")
    assert exact.terms("Running conversations") == ["running", "conversations"]
    assert not finds(exact, "conversation", "conversations")


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValidationError, match=r"'klingon'.*english.*none"):
        Tokeniser("klingon")


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_reads_every_script(language: str) -> None:
    tokeniser = Tokeniser(language)
    text = "The 3 cats — Мария, Ελλάδα, 東京, ไทย, हिन्दी, العربية, 🎉 naïve C++ l'eau can't"
    assert set(tokeniser.query_terms(text)) <= set(tokeniser.terms(text))
    assert all(tokeniser.terms(text))


def test_the_identity_tells_languages_apart() -> None:
    ids = {Tokeniser(each).id for each in ("english", "german", "none")}
    assert len(ids) == 3
    assert Tokeniser("german").id in ids


def test_very_long_words_are_cut_and_very_long_texts_are_read(english: Tokeniser) -> None:
    assert len(english.terms("x" * 60_000)[0]) == 64
    text = "filler " * 28_000 + "zanzibar"
    assert english.terms(text)[-1] == "zanzibar"
    assert english.query_terms("红" * 5_000)[0] == "红红"


@given(st.text())
def test_any_text_has_terms_that_find_it(text: str) -> None:
    tokeniser = Tokeniser()
    terms = tokeniser.terms(text)
    assert set(tokeniser.query_terms(text)) <= set(terms)
    assert all(term and not any(map(str.isspace, term)) for term in terms)
    assert tokeniser.terms(text) == terms


def test_threads_sharing_one_tokeniser_get_the_terms_of_one(english: Tokeniser) -> None:
    generator = random.Random(7)
    stems = ["run", "walk", "nation", "happi", "convers", "relat", "organ", "hope"]
    ends = ["ning", "ed", "ality", "ness", "ation", "ational", "ization", "fulness", "s", ""]
    texts = [
        " ".join(
            generator.choice(stems) + generator.choice(ends) + str(n) * (n % 3 == 0)
            for n in range(30)
        )
        for _ in range(200)
    ]
    alone = Tokeniser()
    expected = [alone.terms(each) for each in texts]
    shared = Tokeniser()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(shared.terms, texts)) == expected


def test_forgetting_cached_words_changes_no_term(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lapse.text.tokens._CACHED_PIECES", 2)
    small, large = Tokeniser(), Tokeniser()
    texts = ["tea and coffee", "running dogs", "tea again", "明天 running"]
    assert [small.terms(each) for each in texts * 2] == [large.terms(each) for each in texts * 2]
    assert len(small._cache) <= 2
