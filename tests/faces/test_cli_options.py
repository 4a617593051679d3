"""What can be typed: options anywhere, text and files from a pipe, values of every kind."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lapse.faces.cli.writing import typed_out
from lapse.faces.operations import TABLE, Presence, Subject
from tests.faces.conftest import NOW, Cli

ALICE = ("--db", "agent.db", "--bank", "alice")


@pytest.mark.usefixtures("store")
def test_common_options_stand_before_or_after_the_command_and_the_later_wins(cli: Cli) -> None:
    before = cli("--json", "--db", "agent.db", "--bank", "alice", "--now", NOW, "get", "tea")
    after = cli("get", "tea", "--json", "--db", "agent.db", "--bank", "alice", "--now", NOW)
    both = cli("--bank", "bob", *ALICE[:2], "get", "tea", "--bank", "alice", "--json")
    assert before.code == after.code == both.code == 0
    assert before.json == after.json == both.json


@pytest.mark.usefixtures("store")
def test_the_environment_names_the_store_unless_it_is_typed(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAPSE_DB", "agent.db")
    assert cli("--bank", "alice", "get", "tea").code == 0
    assert cli("--bank", "alice", "get", "tea", "--db", "other.db").code == 3
    assert cli("--bank", "alice", "--db", "other.db", "get", "tea").code == 3


def test_a_new_store_is_lapse_db_and_only_its_owner_may_read_it(cli: Cli, apart: Path) -> None:
    assert cli("remember", "The bicycle is in the cellar").code == 0
    mode = stat.S_IMODE((apart / "lapse.db").stat().st_mode)
    assert mode == 0o600
    assert "bicycle" in cli("list").out


@pytest.mark.parametrize(
    "name",
    [
        each.name
        for each in TABLE.values()
        if each.presence is Presence.EXISTING and each.subject is not Subject.NOTHING
    ],
)
def test_no_command_makes_a_store_only_to_read_it(name: str, cli: Cli, apart: Path) -> None:
    typed = typed_out(TABLE[name], TABLE[name].examples[0].given)
    before = set(apart.iterdir())
    ended = cli(*typed.arguments, stdin=typed.stdin)
    assert ended.code == 3
    assert "there is no database lapse.db" in ended.err
    assert "lapse remember" in ended.err
    assert set(apart.iterdir()) == before


@pytest.mark.usefixtures("store")
def test_a_bank_that_does_not_exist_is_mentioned_with_those_that_do(cli: Cli) -> None:
    ended = cli("--db", "agent.db", "--bank", "alise", "recall", "tea", "--json")
    assert ended.code == 0
    assert "has no bank alise: it has alice" in ended.err
    assert json.loads(ended.out)["hits"] == []


def test_text_comes_from_a_pipe(cli: Cli) -> None:
    assert cli("remember", "-", "--id", "note", stdin="Two lines\nof text\n").code == 0
    found = cli("get", "note", "--json").json
    assert isinstance(found, dict)
    assert found["memory"]["text"] == "Two lines\nof text"
    assert "note" in cli("recall", "-", stdin="lines of text?").out


def test_text_that_begins_with_a_dash_stands_after_two(cli: Cli) -> None:
    assert cli("remember", "--id", "cold", "--", "--json is five degrees below").code == 0
    assert "--json is five degrees below" in cli("get", "cold").out


def test_every_field_of_a_memory_can_be_typed(cli: Cli) -> None:
    typed = {
        "id": ["m1"],
        "kind": ["experience"],
        "key": ["user/drink"],
        "value": ["tea"],
        "subject": ["Alice"],
        "entity": ["Assam", "Alice"],
        "session": ["s1"],
        "role": ["user"],
        "source": ["chat"],
        "tag": ["drink", "home"],
        "metadata": ["channel=phone", '{"floor": 3, "paid": true}'],
        "created-at": ["2026-03-01"],
        "occurred-at": ["2026-02-28T10:00:00+01:00"],
        "valid-from": ["2026-02-01"],
        "valid-to": ["2027-02-01"],
        "importance": ["0.7"],
        "confidence": [".9"],
        "proof-count": ["2"],
        "expires-at": ["2028-01-01"],
        "exempt": ["contract"],
    }
    options = [
        part for name, values in typed.items() for each in values for part in (f"--{name}", each)
    ]
    assert cli("remember", "I prefer tea", *options, "--pinned", "--audit-evidence").code == 0
    found = cli("get", "m1", "--json").json
    assert isinstance(found, dict)
    memory, state = found["memory"], found["state"]
    assert memory["kind"] == "episodic"
    assert memory["tags"] == ["drink", "home"]
    assert memory["entities"] == ["Assam", "Alice"]
    assert memory["metadata"] == {"channel": "phone", "floor": 3, "paid": True}
    assert memory["occurred_at"] == "2026-02-28T09:00:00Z"
    assert memory["proof_count"] == 2
    assert memory["confidence"] == 0.9
    assert (state["importance"], state["pinned"], state["audit_evidence"]) == (0.7, True, True)
    assert state["exempt_reason"] == "contract"


@pytest.mark.parametrize("form", ["array", "lines", "pipe", "spaced lines"])
def test_a_chat_log_is_read_from_an_array_from_lines_or_from_a_pipe(
    form: str, cli: Cli, apart: Path
) -> None:
    messages = [{"role": "user", "content": f"Remark {each}", "id": f"m{each}"} for each in (1, 2)]
    lines = "".join(json.dumps(each) + "\n" for each in messages)
    texts = {"array": json.dumps(messages), "spaced lines": f"\ufeff\n{lines}\n\n"}
    text = texts.get(form, lines)
    (apart / "chat.json").write_text(text, encoding="utf-8")
    source = "-" if form == "pipe" else "chat.json"
    ended = cli("ingest", source, "--session", "s", "--json", stdin=text)
    assert ended.code == 0
    assert isinstance(ended.json, dict)
    assert [each["memory"]["id"] for each in ended.json["remembered"]] == ["m1", "m2"]


def test_what_is_wrong_with_a_file_is_told_line_by_line(cli: Cli, apart: Path) -> None:
    (apart / "chat.jsonl").write_text('{"content": "fine"}\n{"content": \nNaN\n', encoding="utf-8")
    ended = cli("ingest", "chat.jsonl")
    assert ended.code == 2
    assert "chat.jsonl, line 2" in ended.err
    assert "chat.jsonl, line 3" in ended.err
    assert "line 1" not in ended.err
    assert not (apart / "lapse.db").exists()


@pytest.mark.parametrize("content", [b"\xff\xfe", None, b"[1, 2", b'["text"]', b'"text"'])
def test_a_file_that_cannot_be_used_is_refused(
    content: bytes | None, cli: Cli, apart: Path
) -> None:
    if content is not None:
        (apart / "chat.json").write_bytes(content)
    ended = cli("remember-many", "chat.json")
    assert ended.code == 2
    assert ended.out == ""


@pytest.mark.usefixtures("store")
def test_a_field_is_emptied_by_name(cli: Cli) -> None:
    assert cli(*ALICE, "update", "tea", "--unset", "source", "--tag", "drink").code == 0
    found = cli(*ALICE, "get", "tea", "--json").json
    assert isinstance(found, dict)
    assert (found["memory"]["source"], found["memory"]["tags"]) == (None, ["drink"])
    assert cli(*ALICE, "update", "tea", "--unset", "tags").code == 0
    refused = cli(*ALICE, "update", "tea", "--unset", "text")
    assert refused.code == 2
    assert "these can be emptied: key" in refused.err
    both = cli(*ALICE, "update", "tea", "--unset", "tags", "--tag", "x")
    assert both.code == 2
    assert "--tag and --unset tags exclude each other" in both.err
    both = cli(*ALICE, "policy", "--unset", "recall.k", "--set", "recall.k=3")
    assert both.code == 2
    assert "--set recall.k and --unset recall.k exclude each other" in both.err


@pytest.mark.usefixtures("store")
def test_json_that_is_nested_too_deeply_is_refused(cli: Cli, apart: Path) -> None:
    deep = "[" * 100_000
    (apart / "deep.json").write_text(deep)
    (apart / "deep.jsonl").write_text(f'{{"text": {deep}')
    for typed in (
        ["ingest", "deep.json"],
        ["remember-many", "deep.jsonl"],
        ["recall", "tea", "--metadata", f'{{"a": {deep}'],
    ):
        ended = cli(*ALICE, *typed)
        assert ended.code == 2
        assert "nested too deeply" in ended.err


@pytest.mark.usefixtures("store")
def test_an_exemption_is_given_or_ended_but_not_both(cli: Cli) -> None:
    given = cli(*ALICE, "exempt", "lunch", "--reason", "audit", "--json")
    ended = cli(*ALICE, "exempt", "lunch", "--no-reason", "--json")
    assert given.json == ended.json == {"changed": 1}
    assert cli(*ALICE, "exempt", "lunch").code == 2
    assert cli(*ALICE, "exempt", "lunch", "--reason", "audit", "--no-reason").code == 2


@pytest.mark.usefixtures("store")
def test_a_policy_is_shown_changed_replaced_and_inherited_again(cli: Cli) -> None:
    def origins() -> dict[str, str]:
        found = cli(*ALICE, "policy", "--json").json
        assert isinstance(found, dict)
        return {path: origin for path, origin in found["origins"].items() if origin == "bank"}

    assert set(origins()) == {"retention.plan_expiry_days"}
    assert cli(*ALICE, "policy", "--preset", "assistant").code == 0
    assert origins() == {}
    assert cli(*ALICE, "policy", "--set", "law.decay=0.7", "--set", "recall.k=12").code == 0
    assert set(origins()) == {"law.decay", "recall.k"}
    assert cli(*ALICE, "set-policy", "--unset", "law.decay").code == 0
    assert set(origins()) == {"recall.k"}
    assert cli(*ALICE, "policy", "--preset", "research", "--set", "recall.k=3").code == 0
    assert {"law.decay", "recall.k"} <= set(origins())
    assert cli(*ALICE, "policy", "--preset", "assistant").code == 0
    assert origins() == {}
    assert cli(*ALICE, "set-policy").code == 2
    assert cli(*ALICE, "policy", "--preset", "nobody").code == 2


def test_help_says_that_policy_changes_what_it_shows(cli: Cli) -> None:
    said = "change the bank's policy first"
    assert said in " ".join(cli("policy", "--help").out.split())
    assert said not in " ".join(cli("set-policy", "--help").out.split())
    assert "now if left out" in " ".join(cli("remember", "--help").out.split())


@pytest.mark.usefixtures("store")
def test_every_fault_of_a_policy_is_named_and_nothing_changes(cli: Cli) -> None:
    before = cli(*ALICE, "policy", "--json").json
    ended = cli(*ALICE, "policy", "--set", "law.decay=50%", "--set", "recall.kk=2")
    assert ended.code == 2
    assert ended.err.count("\n") == 3
    assert "did you mean recall.k?" in ended.err
    assert cli(*ALICE, "policy", "--json").json == before


@pytest.mark.usefixtures("store")
def test_now_is_the_instant_that_is_typed(cli: Cli) -> None:
    def need(now: str) -> float:
        found = cli(*ALICE, "why", "noodles", "lunch", "--now", now, "--json").json
        assert isinstance(found, dict)
        value: float = found["explanation"]["need"]
        return value

    assert need("2026-03-02") > need("2026-04-02") > need("2027-03-02")
    assert cli(*ALICE, "recall", "tea", "--now", "tomorrow").code == 2


@pytest.mark.usefixtures("store")
def test_uses_are_folded_in_when_the_command_ends(cli: Cli) -> None:
    assert cli(*ALICE, "used", "lunch", "tea", "--source", "cited", "--now", NOW).code == 0
    found = cli(*ALICE, "get", "lunch", "--json").json
    assert isinstance(found, dict)
    assert found["state"]["strength"]["reinforcement_count"] == 1


@pytest.mark.usefixtures("store")
def test_a_page_says_how_to_go_on(cli: Cli) -> None:
    first = cli(*ALICE, "list", "--limit", "2")
    cursor = first.out.rpartition("--after ")[2].strip()
    rest = cli(*ALICE, "list", "--after", cursor, "--json").json
    assert isinstance(rest, dict)
    assert [each["memory"]["id"] for each in rest["records"]] == ["name", "smith", "hartley"]
    assert rest["next_after"] is None


@pytest.mark.usefixtures("store")
def test_a_reason_may_be_given_with_because(cli: Cli) -> None:
    gone = cli(*ALICE, "suppress", "lunch", "--by", "alice", "--because", "it is over", "--yes")
    assert gone.code == 0
    told = cli(*ALICE, "history", "lunch", "--json").out
    assert "it is over" in told


def test_python_runs_the_package_as_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lapse", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[0] == "lapse"
