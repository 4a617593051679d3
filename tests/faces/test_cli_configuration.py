"""`lapse init` and `lapse config show`, and which file of settings commands go by."""

from pathlib import Path

from lapse.model import presets
from lapse.model.policy_layers import Origin
from tests.faces.conftest import Cli


def test_a_file_that_init_wrote_is_in_force_for_every_command(cli: Cli, apart: Path) -> None:
    assert cli("init", "--preset", "companion").code == 0
    assert (apart / "lapse.toml").is_file()
    told = cli("config", "show", "--changed", "--json").json
    assert isinstance(told, dict)
    changed = presets.diff("companion").values
    assert {path for path, each in told["origins"].items() if each == Origin.TOML} == set(changed)
    assert cli("remember", "tea, please", "--db", "own.db").code == 0
    policy = cli("policy", "--db", "own.db", "--json").json
    assert isinstance(policy, dict)
    assert policy["policy"]["law"]["importance_weight"] == changed["law.importance_weight"]


def test_a_bank_of_its_own_mind_is_told_apart(cli: Cli) -> None:
    cli("remember", "tea, please", "--db", "own.db")
    cli("set-policy", "--set", "recall.k=3", "--by", "ann", "--db", "own.db")
    shown = cli("config", "show", "--changed", "--db", "own.db").out
    line = next(each for each in shown.splitlines() if each.startswith("recall.k"))
    assert line.split() == ["recall.k", "3", "memories", "bank"]


def test_init_leaves_what_is_there_alone(cli: Cli, apart: Path) -> None:
    (apart / "lapse.toml").write_text("[recall]\nk = 2\n", encoding="utf-8")
    ended = cli("init")
    assert (ended.code, ended.out) == (4, "")
    assert "lapse.toml exists already" in ended.err
    assert (apart / "lapse.toml").read_text(encoding="utf-8") == "[recall]\nk = 2\n"


def test_every_mistake_of_a_file_is_told_by_every_command(cli: Cli, apart: Path) -> None:
    (apart / "odd.toml").write_text("[recall]\nk = 0\n[law]\ndecai = 1\n", encoding="utf-8")
    ended = cli("config", "show", "--config", "odd.toml")
    assert ended.out == ""
    assert "recall.k" in ended.err
    assert "law.decay" in ended.err
    again = cli("remember", "tea", "--config", "odd.toml", "--db", "own.db")
    assert again.code == ended.code != 0


def test_a_preset_nobody_knows_writes_nothing(cli: Cli, apart: Path) -> None:
    ended = cli("init", "--preset", "assistent")
    assert ended.code != 0
    assert "assistant" in ended.err
    assert not (apart / "lapse.toml").exists()
