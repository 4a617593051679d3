"""The bundled conversation: what the demo's story needs of it, checked without running the demo."""

import json
import re
import unicodedata
from collections import Counter
from datetime import datetime, timedelta
from importlib.resources import files
from itertools import pairwise
from typing import Literal, NotRequired, TypedDict

import pytest


class Remark(TypedDict):
    """One sentence worth remembering."""

    id: str
    role: Literal["user", "assistant"]
    at: str
    kind: Literal["semantic", "episodic", "procedural"]
    importance: float
    text: str
    key: NotRequired[str]
    value: NotRequired[str]
    subject: NotRequired[str]


class Session(TypedDict):
    """One talk; `used` are earlier remarks that it drew on."""

    id: str
    at: str
    used: list[str]
    remarks: list[Remark]


class Question(TypedDict):
    """What is asked at each visit; `cue_of` names the key memory it asks after."""

    id: str
    text: str
    cue_of: NotRequired[str]


class Conversation(TypedDict):
    """The whole file."""

    title: str
    person: str
    companion: str
    start: str
    key_memories: dict[str, str]
    questions: list[Question]
    sessions: list[Session]


@pytest.fixture(scope="module")
def talk() -> Conversation:
    """The file as an installed package carries it."""
    path = files("lapse") / "faces" / "demo" / "companion.json"
    conversation: Conversation = json.loads(path.read_text(encoding="utf-8"))
    return conversation


@pytest.fixture(scope="module")
def remarks(talk: Conversation) -> list[Remark]:
    """All remarks in the order of the file."""
    return [remark for session in talk["sessions"] for remark in session["remarks"]]


def _when(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _named(talk: Conversation, remarks: list[Remark], name: str) -> Remark:
    return next(remark for remark in remarks if remark["id"] == talk["key_memories"][name])


def _claims(remarks: list[Remark]) -> dict[str, list[Remark]]:
    claims: dict[str, list[Remark]] = {}
    for remark in remarks:
        if "key" in remark:
            claims.setdefault(remark["key"], []).append(remark)
    return claims


def _retold(remarks: list[Remark]) -> set[str]:
    """Ids of remarks that only tell again what already holds, so that no memory bears their id."""
    return {
        newer["id"]
        for told in _claims(remarks).values()
        for older, newer in pairwise(told)
        if older.get("value") == newer.get("value")
    }


def test_every_remark_carries_the_fields_of_the_format_and_no_others(
    remarks: list[Remark],
) -> None:
    needed = {"id", "role", "at", "kind", "importance", "text"}
    for remark in remarks:
        fields = set(remark)
        assert needed <= fields <= needed | {"key", "value", "subject"}, remark["id"]
        assert remark["role"] in {"user", "assistant"}, remark["id"]
        assert remark["kind"] in {"semantic", "episodic", "procedural"}, remark["id"]
        assert ("key" in fields) == ("value" in fields), remark["id"]


def test_there_are_enough_remarks_from_enough_sessions(
    talk: Conversation, remarks: list[Remark]
) -> None:
    assert 18 <= len(talk["sessions"]) <= 26
    assert len(remarks) >= 150
    spoken = Counter(remark["role"] for remark in remarks)
    assert spoken["user"] > 4 * spoken["assistant"] > 0


def test_ids_are_unique_and_begin_with_the_id_of_their_session(talk: Conversation) -> None:
    ids = [session["id"] for session in talk["sessions"]]
    for session in talk["sessions"]:
        for remark in session["remarks"]:
            assert remark["id"].startswith(f"{session['id']}-")
            ids.append(remark["id"])
    assert len(ids) == len(set(ids))


def test_time_only_moves_forward_and_covers_eight_months(
    talk: Conversation, remarks: list[Remark]
) -> None:
    times = [_when(remark["at"]) for remark in remarks]
    assert all(time.utcoffset() == timedelta(0) for time in times)
    assert all(newer - older >= timedelta(minutes=1) for older, newer in pairwise(times))
    assert talk["start"] == talk["sessions"][0]["at"] == remarks[0]["at"]
    assert timedelta(days=235) <= times[-1] - times[0] < timedelta(days=240)
    for session in talk["sessions"]:
        lasted = _when(session["remarks"][-1]["at"]) - _when(session["at"])
        assert session["at"] == session["remarks"][0]["at"]
        assert lasted < timedelta(hours=1)


def test_the_bank_is_worth_asking_at_the_first_visit_and_grows_until_the_last(
    remarks: list[Remark],
) -> None:
    first = _when(remarks[0]["at"])

    def told_by(days: int) -> int:
        return sum(_when(each["at"]) - first <= timedelta(days=days) for each in remarks)

    assert told_by(30) >= 50
    assert told_by(90) >= told_by(30) + 40
    assert told_by(240) == len(remarks) >= told_by(90) + 80


def test_a_remark_is_one_tidy_sentence_of_six_to_thirty_words(remarks: list[Remark]) -> None:
    for remark in remarks:
        text = remark["text"]
        assert 6 <= len(text.split()) <= 30, remark["id"]
        assert text == " ".join(unicodedata.normalize("NFC", text).split()), remark["id"]
        assert text[0].isupper(), remark["id"]
        assert text[-1] in ".!?", remark["id"]


def test_importance_is_a_share_and_most_remarks_are_trivial(remarks: list[Remark]) -> None:
    rated = [remark["importance"] for remark in remarks]
    assert all(0 < importance < 1 for importance in rated)
    assert sum(importance <= 0.3 for importance in rated) > len(rated) / 2
    assert sum(importance >= 0.6 for importance in rated) >= 12
    assert sum(importance >= 0.9 for importance in rated) == 1, (
        "only the name is protected by its importance alone"
    )


def test_the_four_memories_of_the_story_are_there(
    talk: Conversation, remarks: list[Remark]
) -> None:
    assert set(talk["key_memories"]) == {"name", "loss", "lunch", "tea"}
    named = {name: _named(talk, remarks, name) for name in talk["key_memories"]}
    assert all(remark["role"] == "user" for remark in named.values())
    assert all(remark["id"].startswith(("s01-", "s02-")) for remark in named.values())
    importance = {name: remark["importance"] for name, remark in named.items()}
    assert importance == pytest.approx({"name": 0.95, "loss": 0.85, "tea": 0.5, "lunch": 0.1})
    assert talk["person"] in named["name"]["text"]
    assert "Rex" in named["loss"]["text"]
    assert "noodles for lunch" in named["lunch"]["text"]
    assert (named["tea"].get("key"), named["tea"].get("value")) == ("user/drink", "tea")


def test_the_name_is_told_once(talk: Conversation, remarks: list[Remark]) -> None:
    telling = [remark["id"] for remark in remarks if talk["person"] in remark["text"]]
    assert telling == [talk["key_memories"]["name"]]


def test_the_tea_preference_is_told_again_in_five_sessions_weeks_apart(
    talk: Conversation, remarks: list[Remark]
) -> None:
    told = _claims(remarks)["user/drink"]
    assert told[0]["id"] == talk["key_memories"]["tea"]
    assert len({remark["id"].split("-")[0] for remark in told}) == len(told) >= 6
    assert {remark.get("value") for remark in told} == {"tea"}
    assert len({remark["text"] for remark in told}) == len(told)
    gaps = [_when(newer["at"]) - _when(older["at"]) for older, newer in pairwise(told)]
    assert min(gaps) >= timedelta(days=14)


def test_the_lunch_is_never_told_again_nor_drawn_on(
    talk: Conversation, remarks: list[Remark]
) -> None:
    lunch = talk["key_memories"]["lunch"]
    assert [remark["id"] for remark in remarks if "noodle" in remark["text"].casefold()] == [lunch]
    assert not any(lunch in session["used"] for session in talk["sessions"])


@pytest.mark.parametrize(
    ("topic", "cue", "at_least"),
    [
        ("other meals", r"lunch|supper|breakfast|sandwich|baguette|fish and chips", 12),
        ("other drinks", r"coffee|cocoa|cider|wine|shandy|gin|cordial|drink|latte|flat white", 12),
        ("other animals and losses", r"cat|dog|greyhound|tortoise|rabbit|parrot|puppies|died", 12),
        ("other names", r"Priya|Hannah|Margaret|Ines|Dan|Fenwick|Okafor|Marcus|Leonard", 25),
        ("moods", r"feel|feeling|felt", 30),
        ("plans", r"weekend|Saturday|Sunday|tomorrow", 25),
    ],
)
def test_each_question_has_many_near_misses(
    remarks: list[Remark], talk: Conversation, topic: str, cue: str, at_least: int
) -> None:
    key = set(talk["key_memories"].values())
    near = [
        remark["id"]
        for remark in remarks
        if remark["id"] not in key and re.search(rf"\b({cue})\b", remark["text"])
    ]
    assert len(near) >= at_least, topic


def test_no_two_remarks_say_the_same_words(remarks: list[Remark]) -> None:
    said = Counter(" ".join(_words(remark["text"])) for remark in remarks)
    assert [text for text, times in said.items() if times > 1] == []


def test_some_facts_change_and_each_change_brings_a_new_value(remarks: list[Remark]) -> None:
    changed = {
        key: [remark.get("value") for remark in told]
        for key, told in _claims(remarks).items()
        if len({remark.get("value") for remark in told}) > 1
    }
    assert 3 <= len(changed) <= 5
    assert all(len(values) == len(set(values)) for values in changed.values())


def test_a_session_draws_only_on_memories_that_hold_and_are_older(talk: Conversation) -> None:
    retold = _retold([remark for session in talk["sessions"] for remark in session["remarks"]])
    holding: set[str] = set()
    latest: dict[str, str] = {}
    for session in talk["sessions"]:
        assert set(session["used"]) <= holding, session["id"]
        assert len(session["used"]) == len(set(session["used"])), session["id"]
        for remark in session["remarks"]:
            if remark["id"] in retold:
                continue
            if "key" in remark:
                holding.discard(latest.get(remark["key"], ""))
                latest[remark["key"]] = remark["id"]
            holding.add(remark["id"])


def test_what_matters_is_drawn_on_more_often_than_what_does_not(
    talk: Conversation, remarks: list[Remark]
) -> None:
    uses = Counter(each for session in talk["sessions"] for each in session["used"])
    weighty = [remark for remark in remarks if remark["importance"] >= 0.5]
    trivial = [remark for remark in remarks if remark["importance"] <= 0.2]
    assert sum(uses[remark["id"]] for remark in weighty) >= 40
    assert sum(uses[remark["id"]] for remark in trivial) == 0
    assert uses[talk["key_memories"]["tea"]] >= 5
    assert uses[talk["key_memories"]["loss"]] >= 4


def test_there_are_five_questions_and_three_ask_after_a_key_memory(talk: Conversation) -> None:
    ids = [question["id"] for question in talk["questions"]]
    assert ids == ["drink", "lunch", "dog", "feeling", "weekend"]
    cued = {each["id"]: each["cue_of"] for each in talk["questions"] if "cue_of" in each}
    assert cued == {"drink": "tea", "lunch": "lunch", "dog": "loss"}
    assert all(question["text"].endswith("?") for question in talk["questions"])


def test_the_lunch_answers_its_own_question_better_than_any_other_remark(
    talk: Conversation, remarks: list[Remark]
) -> None:
    question = next(each for each in talk["questions"] if each.get("cue_of") == "lunch")
    told_in = Counter(word for remark in remarks for word in set(_words(remark["text"])))

    def rare_words_shared(remark: Remark) -> int:
        shared = set(_words(question["text"])) & set(_words(remark["text"]))
        return sum(told_in[word] < len(remarks) / 20 for word in shared)

    ranked = sorted(remarks, key=rare_words_shared, reverse=True)
    assert ranked[0]["id"] == talk["key_memories"]["lunch"]
    assert rare_words_shared(ranked[0]) >= 2 * rare_words_shared(ranked[1])
