"""How untyped values are read, and which are refused with which words."""

from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import PolicyError
from lapse.model.memory import Kind
from lapse.model.policy import SETTINGS, LawName, LawPolicy, Policy, ScoringPolicy, value_at
from lapse.model.policy_sources import from_diff, from_mapping
from lapse.model.setting_values import Section, Unfit, read
from lapse.model.settings import ValueType, interval, setting

BOOLEANS = [spec for spec in SETTINGS.values() if spec.type is ValueType.BOOLEAN]
NUMBERS = [spec for spec in SETTINGS.values() if spec.type in (ValueType.NUMBER, ValueType.INTEGER)]


def problem(path: str, raw: object) -> str:
    """What is said of a value that must be refused."""
    with pytest.raises(PolicyError) as caught:
        from_diff({path: raw})
    (found,) = caught.value.faults
    assert found.field == path
    return found.problem


@pytest.mark.parametrize("word", ["true", "1", "yes", "on", "TRUE", " Yes ", "oN", True, 1])
def test_these_words_and_no_others_switch_on(word: object) -> None:
    for spec in BOOLEANS:
        assert read(spec, word) is True


@pytest.mark.parametrize("word", ["false", "0", "no", "off", "False", "NO", "oFF", False, 0])
def test_these_words_and_no_others_switch_off(word: object) -> None:
    for spec in BOOLEANS:
        assert read(spec, word) is False


@given(word=st.text())
def test_no_other_word_is_a_boolean(word: str) -> None:
    known = {"true", "1", "yes", "on", "false", "0", "no", "off"}
    result = read(SETTINGS["forgetting.enabled"], word)
    assert isinstance(result, Unfit) is (word.strip().lower() not in known)


@pytest.mark.parametrize("word", ["maybe", "2", "y", "t", "enabled", 2, 1.0, None, [], "１"])
def test_what_is_nearly_a_boolean_is_refused_with_the_words_that_are(word: object) -> None:
    assert "true or false (also 1/0, yes/no, on/off)" in problem("forgetting.enabled", word)


WORDS = [
    *("50%", "high", "0.9;", "1,5", "1e400", "nan", "NaN", "inf", "-inf", "Infinity"),
    *("1_0", "0x1", "١", "-", ".", "e5", "½", "²", "1 2", ""),
]
TYPED = [float("nan"), float("inf"), float("-inf"), 10**400, True, [], {}, b"1"]


@pytest.mark.parametrize("raw", [*WORDS, *TYPED])
def test_no_number_accepts_what_is_not_a_finite_number(raw: object) -> None:
    for spec in NUMBERS:
        result = read(spec, raw)
        assert isinstance(result, Unfit), spec.path
        assert str(spec.within) in result.problem


def test_a_percentage_is_named_as_such() -> None:
    assert "percentage" in problem("retention.max_canary_drop", "5%")


@pytest.mark.parametrize(
    ("path", "raw"),
    [
        ("law.decay_per_hour", 0),
        ("law.decay_per_hour", 1.5),
        ("law.decay_per_hour", -0.1),
        ("law.half_life_hours", 0),
        ("law.half_life_hours", -5),
        ("scoring.weight_recency", -0.001),
        ("scoring.weight_importance", "-1"),
        ("scoring.weight_relevance", -1),
        ("reinforcement.weight_cited", -1),
        ("law.decay", 0.19),
        ("law.decay", 0.91),
        ("law.archive_level", 0),
        ("law.archive_level", 1),
        ("forgetting.recall_threshold", 1),
        ("recall.k", 0),
        ("recall.k", "8.0"),
        ("recall.k", 8.5),
        ("recall.k", True),
        ("retention.max_canary_drop", 50),
    ],
)
def test_a_value_out_of_range_is_refused_by_path_with_the_range(path: str, raw: object) -> None:
    words = problem(path, raw)
    assert str(SETTINGS[path].within) in words
    assert SETTINGS[path].unit in words


@pytest.mark.parametrize(
    ("path", "raw", "value"),
    [
        ("law.decay_per_hour", 1, 1.0),
        ("law.decay_per_hour", "1e-3", 0.001),
        ("law.decay", " .5 ", 0.5),
        ("law.decay", "+0.5", 0.5),
        ("forgetting.recall_threshold", 0, 0.0),
        ("forgetting.recall_threshold", "none", None),
        ("recall.k", " 12 ", 12),
        ("recall.budget_words", None, None),
        ("recall.budget_words", "None", None),
        ("recall.max_age_hours", "168", 168.0),
        ("law.name", "Half-Life", LawName.HALF_LIFE),
        ("law.name", "none", LawName.NONE),
        ("retention.kinds", "semantic, working", (Kind.SEMANTIC, Kind.WORKING)),
        ("retention.kinds", ["episodic"], (Kind.EPISODIC,)),
        ("cache.freshness_hours", "weather=1, news=6.5", (("news", 6.5), ("weather", 1.0))),
        ("cache.freshness_hours", {"weather": 1}, (("weather", 1.0),)),
        ("importance.purpose", "none", None),
        ("memory.language", "none", "none"),
    ],
)
def test_a_right_value_is_read_from_text_and_from_typed_values(
    path: str, raw: object, value: object
) -> None:
    found = from_diff({path: raw}).values[path]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("path", "raw"),
    [
        ("law.fsrs_weights", "1,2,3"),
        ("law.fsrs_weights", [1.0] * 20 + ["x"]),
        ("law.fsrs_weights", 3),
        ("retention.kinds", "semantic,semantic"),
        ("retention.kinds", []),
        ("retention.kinds", "semantic,,working"),
        ("cache.freshness_hours", "weather"),
        ("cache.freshness_hours", "weather=1,weather=2"),
        ("cache.freshness_hours", {"weather": 0}),
        ("cache.freshness_hours", {"": 1}),
        ("cache.freshness_hours", 5),
        ("memory.embedder", "a\nb"),
        ("memory.embedder", "x" * 256),
        ("memory.embedder", 5),
        ("memory.embedder", None),
        ("law.name", 5),
    ],
)
def test_a_list_or_text_of_the_wrong_form_is_refused(path: str, raw: object) -> None:
    assert SETTINGS[path].expected in problem(path, raw)


def test_an_unknown_choice_is_answered_with_the_choices_and_the_nearest_one() -> None:
    words = problem("law.name", "activaton")
    assert "activation, exponential, half_life" in words
    assert words.endswith("did you mean activation?")


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("law.decya", "law.decay"),
        ("forgetting.mod", "forgetting.mode"),
        ("scoring.weight_recencey", "scoring.weight_recency"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_known_one(path: str, nearest: str) -> None:
    assert problem(path, 1).endswith(f"did you mean {nearest}?")


def test_an_unknown_section_is_refused_by_name() -> None:
    assert problem("forgeting", {"mode": "off"}).endswith("did you mean forgetting?")


def test_a_section_needs_settings_and_not_a_value() -> None:
    assert "settings of its own" in problem("law", 5)


def test_every_fault_is_reported_at_once_by_dotted_path() -> None:
    with pytest.raises(PolicyError) as caught:
        from_mapping(
            {
                "law": {"decay": "50%", "half_life_hours": 0, "decya": 1},
                "recall.k": "many",
                "nothing": {},
                "forgetting": {"auto_apply": "on"},
                "retention": {"two_person": "yes"},
            }
        )
    assert {each.field for each in caught.value.faults} == {
        "law.decay",
        "law.half_life_hours",
        "law.decya",
        "recall.k",
        "nothing",
        "retention.two_person, forgetting.auto_apply",
    }
    assert "'50%'" in str(caught.value)


def test_a_contradiction_with_a_refused_value_is_not_reported() -> None:
    with pytest.raises(PolicyError) as caught:
        from_mapping({"retention": {"score": "mean", "level": "low"}})
    assert [each.field for each in caught.value.faults] == ["retention.level"]


def test_blank_text_is_unset_and_a_section_may_be_blank_too() -> None:
    diff = from_diff({"law": {"decay": "  "}, "recall": "", "recall.k": "\t"})
    assert dict(diff.values) == {}
    assert diff.unset == {"law.decay", "recall.k"}


def test_a_setting_given_twice_is_refused() -> None:
    assert problem_of_two({"law": {"decay": 0.5}, "law.decay": 0.5}) == "is given twice"


def problem_of_two(mapping: dict[str, object]) -> str:
    """What is said of a mapping that names one setting twice."""
    with pytest.raises(PolicyError) as caught:
        from_diff(mapping)
    return caught.value.faults[0].problem


def test_a_section_made_by_hand_is_checked_and_brought_to_its_types() -> None:
    law = LawPolicy(decay_per_hour=1)
    assert type(law.decay_per_hour) is float
    with pytest.raises(PolicyError) as caught:
        ScoringPolicy(weight_recency=-1.0, boost_alpha=3.0)
    assert {each.field for each in caught.value.faults} == {
        "scoring.weight_recency",
        "scoring.boost_alpha",
    }


def test_every_setting_has_a_sentence_and_a_default_within_its_range() -> None:
    policy = Policy()
    for path, spec in SETTINGS.items():
        assert spec.help.endswith("."), path
        assert spec.help[0].isupper(), path
        assert spec.default == value_at(policy, path)
        assert not isinstance(read(spec, spec.default), Unfit), path


@pytest.mark.parametrize(
    ("suffix", "unit"),
    [("_days", "days"), ("_hours", "hours"), ("_s", "seconds"), ("_words", "words")],
)
def test_the_unit_is_in_the_name_and_in_the_description(suffix: str, unit: str) -> None:
    named = [spec for spec in SETTINGS.values() if spec.name.endswith(suffix)]
    assert named
    assert all(spec.unit == unit for spec in named)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("[0, 1]", [0, 1, 0.5], [-1e-12, 1.0000001]),
        ("(0, 1)", [0.5], [0, 1]),
        ("[0, inf)", [0, 1e300], [-1]),
        ("(-inf, 3]", [-1e300, 3], [3.1]),
    ],
)
def test_round_brackets_exclude_an_end_and_square_ones_include_it(
    text: str, inside: list[float], outside: list[float]
) -> None:
    found = interval(text)
    assert all(each in found for each in inside)
    assert not any(each in found for each in outside)


def test_a_range_that_is_no_interval_is_a_mistake_of_the_programmer() -> None:
    with pytest.raises(ValueError, match="no interval"):
        interval("0..1")


def test_a_range_reads_as_words() -> None:
    assert str(interval("(-inf, inf)")) == "any finite"
    assert str(interval("[0, inf)")) == "at least 0"
    assert str(interval("(0, inf)")) == "above 0"
    assert str(interval("[0, 1]")) == "from 0 to 1"
    assert str(interval("(0, 1]")) == "above 0 and at most 1"
    assert str(interval("[0, 10000000)")) == "at least 0 and below 10000000"


def test_a_field_that_is_not_declared_as_a_setting_is_a_mistake_of_the_programmer() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Careless(Section):
        section: ClassVar[str] = "careless"

        speed: float = 1.0

    with pytest.raises(TypeError, match=r"Careless\.speed is not declared"):
        Careless()


def test_a_setting_of_a_type_that_nobody_can_write_is_a_mistake_of_the_programmer() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Strange(Section):
        section: ClassVar[str] = "strange"

        speed: complex = setting(default=1j, help="Speed.")

    with pytest.raises(TypeError, match="complex"):
        Strange()
