"""What an MCP client is offered: which tools, with which arguments, words and schemas."""

import pytest

from lapse.errors import ValidationError
from lapse.faces.operations import TABLE, Effect

pytest.importorskip("mcp", reason="needs the extra mcp: pip install 'lapse[mcp]'")

from jsonschema import Draft202012Validator

from lapse.faces.mcp.profiles import AGENT, Profile, Reach, offered, reaches_no_further
from lapse.faces.mcp.tools import OfferedTool, toolbox
from lapse.faces.mcp.wording import WORDS

PROFILES = pytest.mark.parametrize("profile", Profile)
EVERY_TOOL = [
    pytest.param(each, id=f"{profile}: {name}")
    for profile in Profile
    for name, each in toolbox(profile, Reach.LOCAL).items()
]
TOOLS = pytest.mark.parametrize("offered_tool", EVERY_TOOL)


def arguments(offered_tool: OfferedTool) -> set[str]:
    return set(offered_tool.tool.input_schema["properties"])


def test_an_agent_is_offered_exactly_ten_operations() -> None:
    assert list(toolbox(Profile.DEFAULT, Reach.REMOTE)) == [
        "remember",
        "recall",
        "used",
        "why",
        "supersede",
        "retract",
        "forget",
        "restore",
        "conflicts",
        "stats",
    ]


def test_the_full_profile_is_the_table_and_each_profile_holds_the_smaller_one() -> None:
    default, operator, full = (set(offered(each, Reach.LOCAL)) for each in Profile)
    assert full == set(TABLE)
    assert default < operator < full


@PROFILES
def test_a_client_elsewhere_is_offered_nothing_that_names_a_file_of_this_machine(
    profile: Profile,
) -> None:
    far = offered(profile, Reach.REMOTE)
    assert not any("path" in {field.name for field in each.fields} for each in far.values())
    missing = offered(profile, Reach.LOCAL).keys() - far.keys()
    assert not any(reaches_no_further(TABLE[each]) for each in missing)


def test_nothing_that_destroys_for_good_is_offered_to_an_agent() -> None:
    assert "erase" not in AGENT
    assert "mode" not in arguments(toolbox(Profile.DEFAULT, Reach.LOCAL)["forget"])
    assert "mode" in arguments(toolbox(Profile.OPERATOR, Reach.LOCAL)["forget"])


@TOOLS
def test_no_tool_takes_the_name_of_who_acts_or_a_bare_yes(offered_tool: OfferedTool) -> None:
    assert not arguments(offered_tool) & {"by", "approved_by", "yes", "tenant", "banks"}


@TOOLS
def test_what_takes_memories_away_wants_the_name_of_a_preview(offered_tool: OfferedTool) -> None:
    shows_first = any(each.name == "yes" for each in offered_tool.operation.fields)
    assert ("confirm" in arguments(offered_tool)) is shows_first
    assert shows_first is (offered_tool.operation.effect is Effect.DESTRUCTIVE)


@TOOLS
def test_annotations_say_what_the_table_says(offered_tool: OfferedTool) -> None:
    hints, effect = offered_tool.tool.annotations, offered_tool.operation.effect
    assert hints is not None
    assert hints.read_only_hint is (effect is Effect.READ)
    assert hints.destructive_hint is (effect is Effect.DESTRUCTIVE)
    assert hints.open_world_hint is False
    assert hints.idempotent_hint is not None


@TOOLS
def test_schemas_are_json_schema_and_every_argument_is_described(
    offered_tool: OfferedTool,
) -> None:
    takes, gives = offered_tool.tool.input_schema, offered_tool.tool.output_schema
    assert gives is not None
    for schema in (takes, gives):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
    assert takes["additionalProperties"] is False
    assert all(each["description"] for each in takes["properties"].values())


@TOOLS
def test_the_examples_of_the_table_fit_the_schema_of_the_tool(offered_tool: OfferedTool) -> None:
    validator = Draft202012Validator(offered_tool.tool.input_schema)
    for example in offered_tool.operation.examples:
        hidden = {"by", "approved_by", "yes", "tenant", "banks", *offered_tool.fixed}
        given = {name: each for name, each in example.given.items() if name not in hidden}
        assert list(validator.iter_errors(given)) == []


def test_a_model_is_told_in_few_words_when_to_use_each_of_the_ten() -> None:
    assert set(WORDS) == set(AGENT)
    for name, words in WORDS.items():
        assert words.startswith("Use "), name
        assert len(words) <= 400, name


def test_a_hidden_argument_that_is_required_cannot_be_forgotten_by_the_server() -> None:
    with pytest.raises(ValidationError, match="by"):
        TABLE["restore"].read({"ids": ["tea"], "reason": "wanted"})
    takes = toolbox(Profile.DEFAULT, Reach.LOCAL)["restore"].tool.input_schema
    assert takes["required"] == ["reason"]
