"""What a caller may do, and in whose name they do it."""

import pytest

from lapse.errors import AccessError, NotFoundError
from lapse.faces.access import ALLOWED, Caller, Grant, Role, Voice, acting, open_caller
from lapse.faces.operations import TABLE, Effect, Permission


def caller(role: Role = Role.OPERATOR, voice: Voice = Voice.HOST) -> Caller:
    grant = Grant(owner="ada", role=role, tenant="acme", banks=("notes",), voice=voice)
    return Caller(key_id="k", grant=grant)


def may(role: Role, name: str, **given: object) -> bool:
    try:
        caller(role).check(TABLE[name], given)
    except AccessError:
        return False
    return True


def test_every_permission_is_somebodys_and_an_operator_has_all() -> None:
    assert set(ALLOWED) == set(Role)
    assert ALLOWED[Role.OPERATOR] == set(Permission)
    assert {each for role in Role if role is not Role.OPERATOR for each in ALLOWED[role]} == set(
        Permission
    ) - {Permission.OPERATE}


def test_roles_do_what_they_are_for_and_no_more() -> None:
    assert may(Role.READER, "recall")
    assert not may(Role.READER, "remember")
    assert not may(Role.READER, "history")
    assert may(Role.WRITER, "remember")
    assert not may(Role.WRITER, "erase")
    assert not may(Role.WRITER, "approve")
    assert may(Role.APPROVER, "approve")
    assert not may(Role.APPROVER, "apply")
    assert not may(Role.APPROVER, "remember")
    assert may(Role.AUDITOR, "verify_journal")
    assert not may(Role.AUDITOR, "recall")
    assert all(may(Role.OPERATOR, name) for name in TABLE)


def test_an_agent_may_forget_what_can_be_brought_back_and_nothing_else() -> None:
    assert may(Role.WRITER, "forget")
    assert may(Role.WRITER, "forget", mode="suppress")
    for mode in ("erase", "archive", "ERASE", "Suppress", 7, ["suppress"]):
        assert not may(Role.WRITER, "forget", mode=mode)


def test_nothing_that_changes_is_open_to_those_who_only_look() -> None:
    for name, operation in TABLE.items():
        if operation.effect is not Effect.READ:
            assert not may(Role.READER, name)
            assert not may(Role.AUDITOR, name)


def test_what_is_out_of_reach_is_not_there() -> None:
    caller().check_reach("acme", "notes")
    for tenant, bank in (("acme", "other"), ("other", "notes"), ("*", "notes"), ("acme", None)):
        with pytest.raises(NotFoundError):
            caller().check_reach(tenant, bank)


def test_the_actor_is_the_owner_of_the_key() -> None:
    remember = TABLE["remember"]
    assert acting(caller(), remember, {"text": "x"})["by"] == "ada"
    assert acting(caller(), remember, {"text": "x", "by": "ada"})["by"] == "ada"
    assert "by" not in acting(caller(), TABLE["recall"], {"query": "x"})
    for field in ("by", "approved_by"):
        with pytest.raises(AccessError) as caught:
            acting(caller(), TABLE["erase"], {"ids": ["x"], field: "bob"})
        assert caught.value.fields == {"field": field}


def test_without_keys_whoever_reaches_the_server_names_themselves() -> None:
    given = {"text": "x", "by": "bob"}
    assert acting(open_caller(), TABLE["remember"], given) == given


@pytest.mark.parametrize("role", [None, "user", "host", "system", "User", "user ", 7])
def test_a_model_never_speaks_for_somebody_else(role: object) -> None:
    model = caller(voice=Voice.MODEL)
    given: dict[str, object] = {"text": "x", "role": role}
    assert acting(model, TABLE["remember"], given)["role"] == "model"
    many = acting(model, TABLE["remember_many"], {"drafts": [given, {"text": "y"}]})["drafts"]
    assert isinstance(many, list)
    assert [each["role"] for each in many] == ["model", "model"]
    chat = acting(model, TABLE["ingest"], {"messages": [{"content": "x", "role": role}]})
    assert chat["messages"] == [{"content": "x", "role": "model"}]


def test_a_model_may_say_what_an_assistant_or_a_tool_said() -> None:
    for role in ("assistant", "tool"):
        told = acting(caller(voice=Voice.MODEL), TABLE["remember"], {"text": "x", "role": role})
        assert told["role"] == role


def test_a_host_keeps_the_role_it_hands_on() -> None:
    assert acting(caller(), TABLE["remember"], {"text": "x", "role": "user"})["role"] == "user"


def test_a_model_vouches_for_nothing() -> None:
    model = caller(voice=Voice.MODEL)
    for name in ("verify_outcome", "exempt", "pin"):
        with pytest.raises(AccessError):
            acting(model, TABLE[name], {"ids": ["x"], "reason": "sure"})
    for claim in ({"pinned": True}, {"exempt": "law"}, {"audit_evidence": True}):
        with pytest.raises(AccessError):
            acting(model, TABLE["remember"], {"text": "x", **claim})
        with pytest.raises(AccessError):
            acting(model, TABLE["remember_many"], {"drafts": [{"text": "x", **claim}]})
    told = acting(model, TABLE["used"], {"ids": ["x"], "source": "explicit"})
    assert told["source"] == "cited"
    assert (
        acting(model, TABLE["used"], {"ids": ["x"], "source": "evidence"})["source"] == "evidence"
    )
