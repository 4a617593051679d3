"""What an erased text refuses, and what it must let pass."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.erasure.marking import Erased
from lapse.erasure.matching import TombstoneIndex
from lapse.model.instants import Instant
from lapse.model.tombstone import Lift, TombstoneKey
from tests.unit.erasure.stones import KEY, index_of, stone

ADDRESS = "Maria Okafor lives at 14 Elm Street in Lisbon."
DRINK = "user's favourite drink is oolong tea"


@pytest.mark.parametrize(
    "told",
    [
        ADDRESS,
        "maria okafor lives at 14 elm street in lisbon",
        "MARIA OKAFOR LIVES AT 14 ELM STREET IN LISBON",
        "  Maria   Okafor lives\nat 14 Elm Street in Lisbon !",
        "M a r i a  O k a f o r lives at 14 Elm Street in Lisbon",
        "MariaOkafor livesat 14 ElmStreet in Lisbon",
        "Mаriа Оkаfоr lives at 14 Еlm Street in Lisbon",
        "Ｍａｒｉａ Okafor lives at １４ Elm Street in Lisbon",
        "Ma\u200bria Ok\u00adafor lives at 14 Elm\u2060 Street in Lisbon",
        "Maria Okafor lives at ١٤ Elm Street in Lisbon",
        "Maria Okafor lives at fourteen Elm Street in Lisbon",
        "María Okafor lives at 14 Elm Street in Lisbon",
        "𝐌𝐚𝐫𝐢𝐚 Okafor lives at 14 Elm Street in Lisbon",
        "“Maria Okafor lives — at 14, Elm Street, in Lisbon”",
        "Maria Okafor actually lives at 14 Elm Street in Lisbon",
        "Maria Okafor livs at 14 Elm Street in Lisbon",
        "Maria Okafor livess at 14 Elm Street in Lisbon",
        "Maria Okafor lvies at 14 Elm Street in Lisbon",
        "Does Maria Okafor lives at 14 Elm Street in Lisbon?",
        "<p>Maria Okafor lives at 14 Elm Street in Lisbon.</p>",
        "<b>Maria</b> <a href='/okafor'>Ok</a>afor lives at 14 <i>Elm</i> Street in Lisbon",
        "Maria&nbsp;Okafor lives at &#49;4 Elm Street in Lisbon",
        "".join(f"{each}\u0336" for each in ADDRESS),
    ],
)
def test_the_same_told_in_another_form_is_refused(told: str) -> None:
    assert index_of([ADDRESS]).told(told) == "t1"


@pytest.mark.parametrize(
    "told",
    [
        "Users favourite drink is oolong tea.",
        "user's favorite drink is oolong tea",
        "user's favourite drnik is oolong tea",
        "user's favourite drink's oolong tea",
    ],
)
def test_a_text_without_capitals_is_known_again_by_small_slips(told: str) -> None:
    assert index_of([DRINK]).told(told) == "t1"


@pytest.mark.parametrize(
    "told",
    [
        f"Yesterday was fine. {ADDRESS} It rains a lot there.",
        "- a list\n- Maria Okafor lives at 14 Elm Street in Lisbon\n- with more",
        "Ben told me that Maria Okafor lives at 14 Elm Street in Lisbon, which is far.",
        "Note: Maria Okafor lives at 14 Elm Street in Lisbon",
        "Maria Okafor lives at 14 Elm Street in Lisbon and works from home.",
        "It rained. maria okafor livs at 14 elm street in lisbon. It stopped.",
        "<ul><li>Rain</li><li>Maria Okafor lives at 14 Elm Street in Lisbon</li></ul>",
    ],
)
def test_an_erased_sentence_is_refused_within_another_text(told: str) -> None:
    assert index_of([ADDRESS]).told(told) == "t1"


@pytest.mark.parametrize(
    "told",
    [
        "Maria Okafor lives at 15 Elm Street in Lisbon.",
        "Maria Okafor lives at 1.4 Elm Street in Lisbon.",
        "Maria Okafor lives at -14 Elm Street in Lisbon.",
        "Mario Okafor lives at 14 Elm Street in Lisbon.",
        "Maria Okafor lives at 14 Elm Street in Lisboa.",
        "Maria Okafor lives at 14 Oak Street in Lisbon.",
        "Maria Okafor doesn't live at 14 Elm Street in Lisbon.",
        "Maria Okafor no longer lives at 14 Elm Street in Lisbon.",
        "It is not true that Maria Okafor lives at 14 Elm Street in Lisbon.",
        "Anna Maria Okafor lives at 14 Elm Street in Lisbon.",
        "Maria Okafor lives at 14 Elm Street in Lisbon 3.",
        "Maria Okafor works at 14 Elm Street in Lisbon.",
        "Maria Okafor loves Lisbon.",
        "Elm Street is in Lisbon.",
        "Maria Okafor",
        "14",
        "…",
    ],
)
def test_a_neighbour_passes(told: str) -> None:
    index = index_of([ADDRESS])
    assert index.told(told) is None
    assert index.told(ADDRESS) == "t1"


@pytest.mark.parametrize(
    ("erased", "neighbour"),
    [
        ("Send the parcel to <Anna> at noon", "Send the parcel to <Ben> at noon"),
        ("The yield is 10<sup>2</sup> tons of steel", "The yield is 102 tons of steel"),
        ("Мой брат живёт в доме на углу", "Мои брат живёт в доме на углу"),
        ("The rate is a <b in the second table", "The rate is a <c in the second table"),
    ],
)
def test_what_only_looks_like_setting_keeps_texts_apart(erased: str, neighbour: str) -> None:
    index = index_of([erased])
    assert index.told(neighbour) is None
    assert index.told(erased) == "t1"


def test_the_stress_of_a_vowel_is_no_letter() -> None:
    assert index_of(["Мария Иванова живёт на улице Ленина"]).told(
        "Мари\u0301я Ивано\u0301ва живёт на у\u0301лице Ле\u0301нина"
    )


def test_what_anybody_may_say_is_not_forbidden_because_it_stood_beside_a_secret() -> None:
    index = index_of(["Thanks a lot! My PIN is 4821. See you soon."])
    assert index.told("Thanks a lot!") is None
    assert index.told("See you soon.") is None
    assert index.told("Thanks a lot! The weather is fine. See you soon.") is None
    assert index.told("my pin is 4821") == "t1"


def test_a_short_text_is_refused_only_where_it_is_all_that_is_said() -> None:
    index = index_of(["Tea"])
    assert index.told("tea!") == "t1"
    assert index.told("Anna drinks tea.") is None


def test_sentences_of_scripts_without_spaces_are_found() -> None:
    index = index_of(["我住在里斯本"])
    assert index.told("今天很好。我住在里斯本。明天见。") == "t1"
    assert index.told("我住在波尔图") is None


def test_earlier_versions_are_refused_like_the_last() -> None:
    erased = Erased(memory_id="m", texts=(ADDRESS, "Maria Okafor lives at 2 Oak Road in Porto."))
    index = TombstoneIndex()
    index.advance([stone(1, erased)], {KEY.id: KEY}.get)
    assert index.told("maria okafor lives at 2 oak road in porto") == "t1"


def test_a_claim_is_refused_whatever_its_wording() -> None:
    erased = Erased(memory_id="m", texts=("x",), claims=(("user/Drink", "Oolong tea"),))
    index = TombstoneIndex()
    index.advance([stone(1, erased)], {KEY.id: KEY}.get)
    assert index.claimed("user/drink", "oolong  TEA") == "t1"
    assert index.claimed("user/drink", "green tea") is None
    assert index.claimed("user/food", "oolong tea") is None


def test_an_erased_id_and_an_erased_identifier_are_known() -> None:
    erased = Erased(memory_id="m-7", texts=("x",), identifiers=(("email", "a@b.io"),))
    index = TombstoneIndex()
    index.advance([stone(1, erased)], {KEY.id: KEY}.get)
    assert (index.named("m-7"), index.named("m-70")) == ("t1", None)
    assert index.identified([("email", "c@b.io"), ("email", "a@b.io")]) == "t1"
    assert index.identified([("handle", "a@b.io")]) is None


def test_a_lifted_tombstone_refuses_nothing_and_others_stay() -> None:
    index = index_of([ADDRESS, DRINK])
    lift = Lift(at=Instant(1), by="anna", reason="asked for")
    lifted = stone(1, Erased(memory_id="m1", texts=(ADDRESS,)))
    lifted = replace(lifted, number=3, tombstone=replace(lifted.tombstone, lift=lift))
    index.advance([lifted], {KEY.id: KEY}.get)
    assert index.told(ADDRESS) is None
    assert index.named("m1") is None
    assert index.told(DRINK) == "t2"
    assert len(index) == 1


def test_old_keys_are_honoured_and_unknown_ones_are_named() -> None:
    other = TombstoneKey(id="second", secret=b"o" * 32)
    kept = [
        stone(1, Erased(memory_id="a", texts=(ADDRESS,))),
        stone(2, Erased(memory_id="b", texts=(DRINK,)), other),
    ]
    index = TombstoneIndex()
    index.advance(kept, {KEY.id: KEY, other.id: other}.get)
    assert (index.told(ADDRESS), index.told(DRINK)) == ("t1", "t2")
    assert index.unknown_keys == ()
    poorer = TombstoneIndex()
    poorer.advance(kept, {KEY.id: KEY}.get)
    assert poorer.unknown_keys == ("second",)


def test_digests_of_another_key_meet_nothing() -> None:
    other = TombstoneKey(id=KEY.id, secret=b"o" * 32)
    index = TombstoneIndex()
    index.advance([stone(1, Erased(memory_id="a", texts=(ADDRESS,)))], {KEY.id: other}.get)
    assert index.told(ADDRESS) is None


def test_nothing_of_the_text_stays_in_a_tombstone() -> None:
    kept = stone(1, Erased(memory_id="canary-id", texts=(ADDRESS,), claims=(("home", "Lisbon"),)))
    held = kept.tombstone.exact + kept.tombstone.sums + kept.tombstone.slips
    for word in ("Maria", "maria", "okafor", "lisbon", "canary", "home", "street"):
        assert word.encode() not in held


def test_thousands_are_held_as_one_is() -> None:
    texts = [
        f"Order {number} goes to street number {number * 7} in town." for number in range(5000)
    ]
    index = index_of(texts)
    assert all(index.told(texts[at]) == f"t{at + 1}" for at in range(0, 5000, 97))
    assert index.told("Order 5000 goes to street number 35000 in town.") is None


def test_nothing_unrelated_is_refused(shared_data: Callable[[str], Path]) -> None:
    conversations = json.loads(shared_data("data/locomo_dev.json").read_text(encoding="utf-8"))
    said = list(dict.fromkeys(_turns(conversations)))
    erased, others = said[0:1000:2], [*said[1:1000:2], *said[1000:2000]]
    index = index_of(erased)
    refused = [each for each in others if index.told(each) is not None]
    assert len(others) >= 1000
    assert refused == []
    assert all(index.told(each) is not None for each in erased)


def _turns(found: object) -> Iterator[str]:
    if isinstance(found, dict):
        text = found.get("text")
        if isinstance(text, str) and len(text.split()) > 3:
            yield text
        for each in found.values():
            yield from _turns(each)
    elif isinstance(found, list):
        for each in found:
            yield from _turns(each)


NAMES = ("Anna", "Anne", "Hannah", "Jon", "John", "Marie", "Maria", "Mario")
CASES = (
    ("{name} pays {number} euros for the garage every month.", (120, 12, 1200, 121)),
    ("the dentist saw {name} on March {number} at noon", (3, 4, 13, 30)),
    ("{name} {does} like working after {number} pm.", (5, 6, 15)),
)


def test_two_hundred_near_neighbours_pass() -> None:
    texts = [
        form.format(name=name, number=number, does=does)
        for form, numbers in CASES
        for name, number, does in product(NAMES, numbers, ("does", "doesn't", "would never"))
    ]
    texts = list(dict.fromkeys([*texts, *(each.lower() for each in texts)]))
    same = {each: each.lower() for each in texts}
    checked = 0
    for erased in texts[::29]:
        index = index_of([erased])
        for other in texts:
            met = index.told(other) is not None
            assert met == (same[other] == same[erased]), (erased, other)
            checked += 1
    assert checked > 200


@given(st.text(max_size=200))
def test_any_text_meets_itself(text: str) -> None:
    index = index_of([text])
    assert index.told(text) == "t1"


@given(st.text(max_size=60), st.text(alphabet="ab12 .,-'\n", max_size=60))
def test_asking_gives_the_tombstone_or_nothing(erased: str, told: str) -> None:
    assert index_of([erased]).told(told) in {"t1", None}
