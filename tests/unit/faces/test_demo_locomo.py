"""The demo's reader of conversations in the format of LoCoMo."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lapse.errors import ValidationError
from lapse.faces.demo.conversation import Conversation, Part
from lapse.faces.demo.locomo import read_locomo
from lapse.model.instants import parse_instant

_DAYS = ("1:05 pm on 3 March, 2024", "9:30 am on 11 March, 2024", "12:00 am on 2 April, 2024")
_SAID = (
    ("Mo: I planted two quince trees.", "Ulla: Which kind?"),
    ("Mo: Vranja, from the nursery in Ostby.", "Ulla: Mine died of frost."),
    ("Mo: One of them is in leaf.", "Ulla: Hurrah!"),
)


def _turn(session: int, number: int, said: str) -> dict[str, str]:
    speaker, text = said.split(": ", maxsplit=1)
    return {"speaker": speaker, "dia_id": f"D{session}:{number}", "text": text}


def _sample() -> dict[str, object]:
    talk: dict[str, object] = {"speaker_a": "Mo", "speaker_b": "Ulla"}
    for session, (day, said) in enumerate(zip(_DAYS, _SAID, strict=True), start=1):
        talk[f"session_{session}_date_time"] = day
        talk[f"session_{session}"] = [
            _turn(session, number, each) for number, each in enumerate(said, start=1)
        ]
    talk["session_4_date_time"] = "1:00 pm on 9 May, 2024"  # a date without a session
    return {
        "conversation": talk,
        "qa": [
            {"question": "What did Mo plant?", "evidence": ["D1:1"], "category": 4},
            {"question": "Which kind are they?", "evidence": ["D2:1; D1:1"], "category": 1},
            {"question": "Whose cat is it?", "evidence": ["D1:2"], "category": 5},
            {"question": "Where is the answer?", "evidence": ["D9:9"], "category": 2},
            {"question": "What killed Ulla's tree?", "evidence": ["D2:2"], "category": 3},
        ],
    }


def _read(folder: Path, content: object) -> Conversation:
    path = folder / "talk.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return read_locomo(path)


def test_sessions_keep_their_dates_and_turns_follow_each_other(tmp_path: Path) -> None:
    read = _read(tmp_path, [_sample()])
    assert [each.id for each in read.sessions] == ["session_1", "session_2", "session_3"]
    assert read.sessions[0].at == parse_instant("2024-03-03T13:05Z", "at")
    assert read.sessions[2].at == parse_instant("2024-04-02T00:00Z", "at")
    times = [each.at for each in read.remarks.values()]
    assert times == sorted(times)
    assert len(set(times)) == len(times) == 6


def test_a_memory_names_its_speaker_and_what_was_shared(tmp_path: Path) -> None:
    sample = _sample()
    talk = sample["conversation"]
    assert isinstance(talk, dict)
    talk["session_1"][0]["blip_caption"] = "two thin trees"
    read = _read(tmp_path, [sample])
    assert read.remarks["D1:1"].text == "Mo: I planted two quince trees. [shares two thin trees]"
    assert read.remarks["D1:2"].text == "Ulla: Which kind?"


def test_half_of_the_questions_stand_for_use_and_the_other_half_is_asked(tmp_path: Path) -> None:
    read = _read(tmp_path, [_sample()])
    assert [each.text for each in read.questions] == ["Which kind are they?"]
    assert read.questions[0].evidence == {"D1:1", "D2:1"}
    # "What did Mo plant?" can come up from the second session on, and then in every third one.
    assert [each.used for each in read.sessions] == [(), ("D1:1",), ()]


def test_no_session_draws_on_what_was_said_later(tmp_path: Path) -> None:
    read = _read(tmp_path, [_sample()])
    said: set[str] = set()
    for session in read.sessions:
        assert set(session.used) <= said
        said |= {each.id for each in session.remarks}


def test_questions_without_an_answer_in_the_talk_are_not_asked(tmp_path: Path) -> None:
    sample = _sample()
    sample["qa"] = [{"question": "Whose cat is it?", "evidence": ["D1:2"], "category": 5}]
    with pytest.raises(ValidationError, match="needs a question with evidence"):
        _read(tmp_path, [sample])


def test_followed_memories_are_chosen_by_their_uses_alone(tmp_path: Path) -> None:
    read = _read(tmp_path, [_sample()])
    chosen = {each.name: (each.remark_id, each.part) for each in read.followed}
    assert chosen == {"used once": ("D1:1", Part.DRAWN), "never used": ("D1:2", Part.FADES)}


def test_the_visits_are_the_end_and_thirty_ninety_and_two_hundred_and_forty_days_after(
    tmp_path: Path,
) -> None:
    read = _read(tmp_path, _sample())  # a single conversation needs no list around it
    end = read.sessions[-1].ends_at
    assert [(each.at - end) // (24 * 3600 * 10**6) for each in read.visits] == [0, 30, 90, 240]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ([], "data"),
        ("words", "0"),
        ([{"qa": []}], "conversation"),
        ([{"conversation": {"session_1": [{"text": "a"}]}}], "conversation"),
        (
            [{"conversation": {"session_1": [{"text": "a"}], "session_1_date_time": "soon"}}],
            "session_1_date_time",
        ),
        (
            [{"conversation": {"session_1": [{"text": "a"}], "session_1_date_time": _DAYS[0]}}],
            "session_1",
        ),
        ([{"conversation": {"session_1": 7, "session_1_date_time": _DAYS[0]}}], "session_1"),
    ],
)
def test_another_format_is_refused_by_the_name_of_what_is_wrong(
    tmp_path: Path, content: object, named: str
) -> None:
    with pytest.raises(ValidationError, match=named):
        _read(tmp_path, content)


def test_a_file_that_is_not_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    path.write_bytes(b"\xff\xfe nothing")
    with pytest.raises(ValidationError, match="needs a readable JSON file"):
        read_locomo(path)
    with pytest.raises(ValidationError, match="needs a readable JSON file"):
        read_locomo(tmp_path / "absent.json")


def test_the_real_file_gives_five_questions_and_three_memories_to_follow(
    shared_data: Callable[[str], Path],
) -> None:
    read = read_locomo(shared_data("data/locomo_dev.json"))
    assert len(read.questions) == 5
    assert [each.name for each in read.followed] == ["used most", "used once", "never used"]
    assert len(read.remarks) > 300
    assert sum(len(each.used) for each in read.sessions) > 50
