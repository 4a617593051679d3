"""Planning on the command line, and the commands of the first seed that stand for it."""

import json
from pathlib import Path

import pytest

from lapse.faces.app import Lapse
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, Cli

LATER = "2026-09-01T09:00Z"


def _on(store: Path, now: str = LATER) -> tuple[str, ...]:
    return ("--db", str(store), "--bank", "alice", "--now", now)


def test_a_plan_is_made_listed_shown_approved_and_applied(cli: Cli, store: Path) -> None:
    planned = cli("plan", *_on(store), "--json").json
    assert isinstance(planned, dict)
    assert [each["memory_id"] for each in planned["items"]] == ["lunch"]
    name = planned["id"]

    assert name in cli("plans", *_on(store)).out
    shown = cli("get-plan", name, *_on(store))
    assert "lunch" in shown.out
    assert "waits for approval" in shown.out
    refused = cli("apply", name, *_on(store))
    assert (refused.code, "not approved" in refused.err) == (4, True)
    approved = cli("approve", name, *_on(store), "--by", "operator-7", "--reason", "tidy")
    assert "operator-7: tidy" in approved.out
    applied = cli("apply", name, *_on(store))
    assert "1 memory" in applied.out
    assert cli("get", "lunch", *_on(store), "--json").out.count("suppressed") >= 1
    again = cli("apply", name, *_on(store), "--json")
    assert again.code == 0


def test_suggestions_are_a_histogram_and_levels(cli: Cli, store: Path) -> None:
    shown = cli("plan", "--suggest", *_on(store))
    assert shown.code == 0
    assert "█" in shown.out
    assert "10 %" in shown.out
    assert "20 %" in shown.out
    assert shown.out == cli("suggest", *_on(store)).out
    mixed = cli("plan", "--suggest", "--percentile", "10", *_on(store))
    assert (mixed.code, "exclude each other" in mixed.err) == (2, True)


@pytest.fixture
def agent(apart: Path) -> Path:
    """A store whose agent `helper` has two conversations."""
    path = apart / "agent.db"
    with Lapse.open(path, clock=FakeClock("2026-03-01T09:00Z"), background=False) as lapse:
        bank = lapse.bank("helper")
        for name, session in (("a", "monday"), ("b", "tuesday")):
            bank.remember(f"small talk {name}", id=name, session=session, importance=0.1)
    return path


def _learning(cli: Cli, store: Path, *typed: str) -> dict[str, object]:
    place = ("--db", str(store), "--now", LATER, "--json")
    ended = cli("learning", *typed, "--agent-id", "helper", *place)
    assert (ended.code, ended.err) == (0, "")
    document: dict[str, object] = json.loads(ended.out)
    return document


def test_the_first_seeds_commands_plan_apply_list_and_undo(cli: Cli, agent: Path) -> None:
    plan = _learning(
        cli, agent, "retention-plan", "--memory-id", "monday", "--memory-type", "conversation"
    )
    assert plan["items"] == []
    plan = _learning(
        cli, agent, "retention-plan", "--memory-id", "monday", "--planned-by", "planner"
    )
    assert plan["by"] == "planner"
    assert isinstance(plan["items"], list)
    assert [each["memory_id"] for each in plan["items"]] == ["a"]

    name = str(plan["id"])
    done = _learning(cli, agent, "retention-apply", name, "--approved-by", "operator-7")
    assert isinstance(done["approval"], dict)
    assert isinstance(done["application"], dict)
    assert done["approval"]["by"] == "operator-7"
    assert done["application"]["applied"] == ["a"]

    listed = _learning(cli, agent, "suppressed")
    assert isinstance(listed["records"], list)
    assert [each["memory"]["id"] for each in listed["records"]] == ["a"]

    undone = _learning(
        cli, agent, "unsuppress", "a", "--memory-type", "knowledge_base", "--approved-by", "boss"
    )
    assert undone["ids"] == ["a"]
    assert _learning(cli, agent, "suppressed")["records"] == []


def test_an_agent_and_another_bank_exclude_each_other(cli: Cli, agent: Path) -> None:
    ended = cli("learning", "suppressed", "--agent-id", "helper", "--bank", "x", "--db", str(agent))
    assert (ended.code, "named as well" in ended.err) == (2, True)
    wrong = cli(
        "learning", "retention-plan", "--agent-id", "helper", "--memory-type", "dream",
        "--db", str(agent),
    )  # fmt: skip
    assert (wrong.code, "memory-type" in wrong.err) == (2, True)


def test_what_the_command_line_planned_is_there_for_the_library(cli: Cli, store: Path) -> None:
    planned = cli("plan", *_on(store, NOW), "--id", "lunch", "--json").json
    assert isinstance(planned, dict)
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as lapse:
        plan = lapse.bank("alice").get_plan(planned["id"])
    assert [each.memory_id for each in plan.items] == ["lunch"]
