"""Chat logs: what a message may hold, and what it becomes."""

import pytest

from lapse.errors import ValidationError
from lapse.intake.messages import drafts_of_messages
from lapse.model.memory import Draft, Kind, Role
from lapse.testing.fakes import START

LIMIT = 64 * 1024


def _read(*messages: object, session: str | None = None) -> list[Draft]:
    return drafts_of_messages(
        messages,
        session=session,
        kind=Kind.EPISODIC,
        max_text_bytes=LIMIT,
    )


def _faults(*messages: object, session: str | None = None) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        _read(*messages, session=session)
    return [each.field for each in caught.value.faults]


def test_messages_become_drafts_in_order() -> None:
    drafts = _read(
        {"role": "user", "content": "I prefer tea", "at": "2026-03-01T09:00Z"},
        {"role": "assistant", "content": "Noted."},
        session="s1",
    )

    assert drafts == [
        Draft(
            text="I prefer tea",
            role=Role.USER,
            created_at=START,
            kind=Kind.EPISODIC,
            session="s1",
        ),
        Draft(text="Noted.", role=Role.ASSISTANT, kind=Kind.EPISODIC, session="s1"),
    ]


def test_a_message_may_say_more_of_itself() -> None:
    (draft,) = _read(
        {
            "content": "tea",
            "id": "m1",
            "importance": 0.2,
            "tags": ["a"],
            "key": "user/drink",
            "metadata": {"n": 1},
            "session": "own",
        },
        session="common",
    )

    assert (draft.id, draft.importance, draft.tags, draft.key) == ("m1", 0.2, ("a",), "user/drink")
    assert (draft.session, draft.metadata) == ("own", {"n": 1})


def test_a_message_without_a_session_of_its_own_belongs_to_the_common_one() -> None:
    (draft,) = _read({"content": "tea", "session": None}, session="common")

    assert draft.session == "common"


def test_faults_are_named_as_the_message_names_its_fields_and_all_at_once() -> None:
    assert _faults(
        {"content": "fine"},
        {"role": "boss", "at": "soon"},
        {"content": "", "importance": 2, "text": "not this name"},
        "not an object",
    ) == ["[1].content", "[1].role", "[1].at", "[2].text", "[2].content", "[2].importance", "[3]"]


def test_a_bad_common_session_is_told_once_for_what_it_is() -> None:
    assert _faults({"content": "tea"}, {"content": "milk"}, session="") == ["session"]


def test_no_messages_are_no_drafts() -> None:
    assert _read() == []
