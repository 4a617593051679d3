"""The lab on the command line: logs from files, a report in a folder, policies that are taken."""

import json
from pathlib import Path

from lapse.faces.app import Lapse
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, Cli

COMMON = ("--bank", "alice", "--now", NOW)


def _log(path: Path, days: int = 400) -> Path:
    """Forty memories; eight of them are used every few days, in the form of CSV."""
    lines = ["at,memory,event"]
    lines += [f"{at * 3600},m{at},created" for at in range(40)]
    lines += [f"{day * 86400 + 7200},m{day * day % 8},used" for day in range(3, days)]
    lines += [f"{day * 86400 + 9000},m{day * 7 % 40},used" for day in range(3, days, 3)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_log_of_csv_is_read_and_counted(store: Path, cli: Cli) -> None:
    ended = cli("lab", "import", str(_log(store.with_name("log.csv"))))
    assert (ended.code, ended.err) == (0, "")
    assert "memories  40" in ended.out
    wrong = store.with_name("wrong.csv")
    wrong.write_text("at,memory,event\nsoon,a,used\n", encoding="utf-8")
    refused = cli("lab", "import", str(wrong), "--json")
    assert refused.code != 0
    assert "log[0].at" in str(refused.error)


def test_a_log_that_is_no_log_is_refused_and_never_a_fault_of_lapse(store: Path, cli: Cli) -> None:
    wrong = store.with_name("wrong.jsonl")
    wrong.write_text('{"at": "2026-01-01", "memory": "a", "event": []}\n', encoding="utf-8")
    refused = cli("lab", "import", str(wrong))
    assert refused.code == 2
    assert "log[0].event" in refused.err
    endless = store.with_name("endless.csv")
    endless.write_text(f"at,memory,event\n2026-01-01,{'x' * 200_000},used\n", encoding="utf-8")
    refused = cli("lab", "import", str(endless))
    assert refused.code == 2
    assert "line 2" in refused.err


def test_a_fit_is_proposed_taken_and_taken_back(store: Path, cli: Cli) -> None:
    log = str(_log(store.with_name("log.csv")))
    window = ("--horizon-days", "10", "--warm-up-days", "30")
    ended = cli("--db", str(store), *COMMON, "lab", "fit", "--log", log, *window, "--json")
    assert (ended.code, ended.err) == (0, "")
    document = ended.json
    assert isinstance(document, dict)
    assert document["fit"]["missing"] == []
    proposal = document["proposal"]
    decay = proposal["settings"]["law.decay"]
    assert _policy(store)["law"]["decay"] == 0.5

    at = ("--db", str(store), *COMMON)
    taken = cli(*at, "policy", "apply", proposal["id"], "--by", "ann")
    assert (taken.code, taken.err) == (0, "")
    assert _policy(store)["law"]["decay"] == decay
    assert cli(*at, "policy", "revert").code == 0
    assert _policy(store)["law"]["decay"] == 0.5


def test_a_fit_names_the_command_that_takes_its_proposal(store: Path, cli: Cli) -> None:
    log = str(_log(store.with_name("log.csv")))
    window = ("--horizon-days", "10", "--warm-up-days", "30")
    at = ("--db", str(store), *COMMON)
    told = cli(*at, "lab", "fit", "--log", log, *window).out
    taking, back = [each.rpartition("lapse ")[2] for each in told.splitlines()[-2:]]
    assert cli(*at, *taking.split()).code == 0
    assert cli(*at, *back.split()).code == 0


def test_too_short_a_log_is_refused_with_what_is_missing(store: Path, cli: Cli) -> None:
    ended = cli("--db", str(store), *COMMON, "lab", "fit")
    assert ended.code == 0
    assert "nothing is proposed" in ended.out
    assert "a longer log" in ended.out
    assert "report uses" not in ended.out  # a log without an instant says nothing of uses


def test_a_report_is_a_page_with_its_figures_and_pictures(store: Path, cli: Cli) -> None:
    folder = store.with_name("report")
    ended = cli("--db", str(store), *COMMON, "lab", "report", "--days", "30", "--out", str(folder))
    assert ended.code == 0
    assert "index.html" in ended.err
    assert (folder / "index.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert json.loads((folder / "report.json").read_text())["bank"] == "alice"
    assert (folder / "active-set.png").read_bytes().startswith(b"\x89PNG")


def test_a_corpus_is_lived_under_every_policy_that_is_named(store: Path, cli: Cli) -> None:
    corpus = store.with_name("corpus.jsonl")
    lines = [
        {"at": "2026-01-01T09:00Z", "memory": "tea", "text": "She drinks green tea"},
        {"question": "what does she drink", "evidence": ["tea"]},
    ]
    corpus.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    at = ("--db", str(store), *COMMON)
    ended = cli(*at, "lab", "compare", "current", "support", "--corpus", str(corpus), "--json")
    assert (ended.code, ended.err) == (0, "")
    document = ended.json
    assert isinstance(document, dict)
    assert list(document["lived"]) == ["current", "support"]
    assert document["lived"]["current"][0]["recall"] == 1


def test_a_comparison_tells_the_words_of_answers_where_the_log_knows_them(
    store: Path, cli: Cli
) -> None:
    at = ("--db", str(store), *COMMON)
    assert cli(*at, "set-policy", "--set", "reinforcement.access_log=true", "--by", "ann").code == 0
    assert cli(*at, "recall", "tea or coffee", "--k", "1").code == 0
    assert cli(*at, "drain").code == 0
    document = cli(*at, "lab", "compare", "current", "rfc", "--json").json
    assert isinstance(document, dict)
    assert document["words"] == {"current": 5, "rfc": 5}
    assert "words of an answer" in cli(*at, "lab", "compare", "current").out


def test_words_after_policy_that_mean_nothing_are_refused(store: Path, cli: Cli) -> None:
    at = ("--db", str(store), *COMMON)
    for words in (["apply"], ["revert", "now"], ["burn", "it"]):
        assert cli(*at, "policy", *words).code == 2
    assert cli(*at, "policy", "revert", "--set", "recall.k=3").code == 2


def _policy(store: Path) -> dict[str, dict[str, object]]:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as lapse:
        policy = lapse.bank("alice").policy().policy
        return {"law": {"decay": policy.law.decay}}
