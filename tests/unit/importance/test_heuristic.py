"""The heuristic rater: what a rating comes from, and what it may not come from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.importance.heuristic import (
    CHATTER_MOST,
    HOST_LEAST,
    LEAST,
    MOST,
    SIGNED_LEAST,
    importance_of,
    informativeness,
)
from lapse.importance.signs import said, signs_of
from lapse.model.memory import Kind, Role
from lapse.model.policy import RetentionPolicy
from lapse.model.term_counts import TermCounts

EMPTY = TermCounts()
BANK = TermCounts(
    memory_count=1000, frequency={"mira": 990, "regard": 700, "tea": 40, "kombucha": 1}
)


def rated(text: str, role: Role | None = None, counts: TermCounts = EMPTY) -> float:
    return importance_of(text, said(text).casefold().split(), counts, role=role)


def test_informativeness_is_the_mass_of_the_rarest_terms_on_a_fixed_scale() -> None:
    # ln(1020 / 1.2) = 6.745236; 6.745236² = 45.49821
    assert informativeness(["kombucha"], BANK) == pytest.approx(45.49821 / 245.49821, rel=1e-6)


def test_a_rare_word_says_more_than_a_common_one_and_twice_no_more_than_once() -> None:
    assert informativeness(["kombucha"], BANK) > informativeness(["tea"], BANK)
    assert informativeness(["tea", "tea"], BANK) == informativeness(["tea"], BANK)


def test_what_every_memory_holds_says_nearly_nothing() -> None:
    assert informativeness(["mira"], BANK) < 0.001
    assert informativeness([], BANK) == 0.0


def test_a_text_without_end_is_no_weightier_than_its_rarest_words() -> None:
    words = [f"word{each}" for each in range(500)]
    assert informativeness(words, BANK) == informativeness(words[:12], BANK)


def test_a_new_bank_is_not_read_as_if_it_knew_its_own_words() -> None:
    three = TermCounts(memory_count=3, frequency={"oat": 1})
    assert informativeness(["oat", "milk"], three) == pytest.approx(
        informativeness(["oat", "milk"], EMPTY), abs=0.05
    )


def test_a_speaker_s_name_before_the_text_is_left_out() -> None:
    assert said("Mira: the lease ends in May") == "the lease ends in May"
    assert said("Mira van Berg:  the lease") == "the lease"
    assert said("the lease: ends") == "ends"
    assert said("at 10:30 we met") == "at 10:30 we met"
    assert said("Mira: ") == "Mira: "
    assert said("小明：我喜欢猫") == "我喜欢猫"


@pytest.mark.parametrize(
    "text",
    ["Decision: we ship in May", "Correction: it is Room 5", "My birthday: 5 May", "决定：用红色"],
)
def test_a_label_that_says_what_follows_is_no_speaker_s_name(text: str) -> None:
    assert said(text) == text
    assert rated(text) >= SIGNED_LEAST


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "ok, cool",
        "Yeah, that's great, see you soon",
        "danke",
        "Merci beaucoup",
        "好的",
        "谢谢你",
        "ありがとうございます",
        "Ha ha",
        "No problem!",
    ],
)
def test_an_acknowledgement_is_rated_low_whoever_says_it(text: str) -> None:
    for role in (None, *Role):
        assert rated(text, role) <= CHATTER_MOST


@pytest.mark.parametrize(
    "text", ["No meat, thanks", "Yes, book it", "Ok, moved to Lisbon", "+351 912", "Zürich"]
)
def test_a_short_answer_with_content_is_no_acknowledgement(text: str) -> None:
    assert not signs_of(text).chatter


def test_the_host_s_word_counts_most_and_a_tool_s_least() -> None:
    text = "the release owner is mira since monday"
    by_role = {role: rated(text, role) for role in Role}
    assert max(by_role, key=by_role.__getitem__) is Role.HOST
    assert min(by_role, key=by_role.__getitem__) is Role.TOOL
    assert by_role[Role.HOST] >= HOST_LEAST
    assert by_role[Role.USER] > by_role[Role.ASSISTANT] > by_role[Role.TOOL]


@pytest.mark.parametrize(
    ("weightier", "plain"),
    [
        ("we decided on blue paint walls", "we talked on blue paint walls"),
        ("correction blue paint walls", "mention blue paint walls"),
        ("i promised blue paint walls", "i painted blue paint walls"),
        ("allergic blue paint walls", "general blue paint walls"),
        ("blue paint walls 2027", "blue paint walls soon"),
        ("the walls of Anna and Piet", "the walls of anna and piet"),
        ("blue paint walls", "blue paint walls?"),
        ("die farbe ist entschieden", "die farbe ist besprochen"),
    ],
)
def test_a_sign_of_weight_is_worth_something(weightier: str, plain: str) -> None:
    assert rated(weightier) > rated(plain)


def test_a_statement_kept_on_purpose_is_more_than_a_turn_of_a_conversation() -> None:
    words = ["user", "drinks", "oat", "milk"]
    kept = importance_of("user drinks oat milk", words, EMPTY, kind=Kind.SEMANTIC)
    turn = importance_of("user drinks oat milk", words, EMPTY, kind=Kind.EPISODIC)
    passing = importance_of("user drinks oat milk", words, EMPTY, kind=Kind.WORKING)
    assert kept > turn > passing


def test_a_guess_never_protects_by_itself() -> None:
    protected = RetentionPolicy().protect_importance
    assert protected is not None
    assert protected > MOST


@given(
    text=st.text(max_size=200),
    role=st.sampled_from([None, *Role]),
    kind=st.sampled_from([None, *Kind]),
    memories=st.integers(0, 10**9),
    frequency=st.integers(0, 10**9),
)
def test_any_text_is_rated_within_bounds_and_alike_each_time(
    text: str, role: Role | None, kind: Kind | None, memories: int, frequency: int
) -> None:
    counts = TermCounts(memory_count=memories, frequency=dict.fromkeys(text.split(), frequency))
    found = importance_of(text, text.split(), counts, role=role, kind=kind)
    assert LEAST <= found <= MOST
    assert found == importance_of(text, reversed(text.split()), counts, role=role, kind=kind)


@pytest.mark.parametrize(
    "text",
    ["I am vegan", "We decided no", "Correction: two", "I promise", "Ana is allergic"],
)
def test_what_binds_or_lasts_is_not_slight_because_it_is_short(text: str) -> None:
    assert importance_of(text, text.casefold().split(), BANK) >= SIGNED_LEAST
    assert importance_of("it is two", ["two"], BANK) < SIGNED_LEAST


def test_a_bank_that_knows_little_rates_the_same_form_alike() -> None:
    few = TermCounts(memory_count=31, frequency={"harbour": 31})
    many = TermCounts(memory_count=32, frequency={"harbour": 31})
    assert importance_of("harbour", ["harbour"], few) == importance_of(
        "harbour", ["harbour"], EMPTY
    )
    assert informativeness(["harbour"], many) < informativeness(["harbour"], few)


@pytest.mark.parametrize("text", ["I am not well", "I am not ok", "I had a problem"])
def test_a_complaint_of_common_words_is_no_acknowledgement(text: str) -> None:
    assert not signs_of(text).chatter
    assert rated(text) > CHATTER_MOST


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We met Anna and Bob", 2 / 3),
        ("Вчера мы были с Анной в Москве", 2 / 3),
        ("Nous avons vu Émile à Évry", 2 / 3),
        ("Μίλησα με την Ελένη", 1 / 3),
        ("IT WAS IN ROME", 0),
        ("Rome was not built", 0),
    ],
)
def test_names_are_read_in_every_script_that_has_capitals(text: str, names: float) -> None:
    assert signs_of(text).names == pytest.approx(names)


def test_words_are_found_within_a_text_that_writes_no_spaces() -> None:
    assert signs_of("我们已经决定用红色").decided
    assert signs_of("我对花生过敏").personal
    assert signs_of("彼は猫が好きです").personal
    assert not signs_of("我们用红色").decided


def test_a_semicolon_asks_in_greek_and_nowhere_else() -> None:
    assert signs_of("Πού είναι;").question
    assert not signs_of("x = 5;").question
    assert not signs_of("use it; then stop;").question


def test_agreeing_politely_decides_nothing_and_no_longer_corrects() -> None:
    assert not signs_of("I totally agree, Melanie.").decided
    assert signs_of("We agreed on Friday").decided
    assert signs_of("She no longer works there").corrected
    assert signs_of("J'ai un rendez-vous demain").committed


@pytest.mark.parametrize(
    "text", ["we met on Saturday", "I ran a race last week", "Wir sahen uns gestern", "我明天去"]
)
def test_a_date_in_words_is_a_date(text: str) -> None:
    assert signs_of(text).figures
    assert not signs_of("we met there").figures
