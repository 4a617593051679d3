"""A model that settings name reaches ratings and summaries, whoever opens the store."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lapse.errors import PolicyError
from lapse.faces import background
from lapse.faces.app import Lapse
from lapse.faces.background import Counted, counted, model_of
from lapse.faces.tending import Tender
from lapse.model.consolidation import SummarisedBy
from lapse.model.policy import Policy
from lapse.model.policy_layers import apply
from lapse.model.policy_sources import from_diff
from lapse.model.retention import ImportanceSource
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, Cli
from tests.project_files import ROOT
from tests.unit.remote.chat_service import KEY, Bad, ChatService, chat_service

TOLD = "We decided to move the launch of Osprey to 14 March"
SOON = {"Retry-After": "0"}
MODEL, AWAITED, FALLBACK = (
    ImportanceSource.MODEL,
    ImportanceSource.AWAITED,
    ImportanceSource.FALLBACK,
)


@pytest.fixture
def service() -> Iterator[ChatService]:
    with chat_service() as served:
        yield served


@pytest.fixture
def settings(apart: Path, service: ChatService, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of settings that names the service's model, beside a key in the environment."""
    monkeypatch.setenv("OWN_MODEL_KEY", KEY)
    path = apart / "lapse.toml"
    path.write_text(
        "[importance]\n"
        'rater = "llm"\n'
        'model = "small"\n'
        f'endpoint = "{service.url}"\n'
        'key_variable = "OWN_MODEL_KEY"\n'
        "timeout_s = 0.2\n",
        encoding="utf-8",
    )
    return path


def _sources(lapse: Lapse) -> list[ImportanceSource]:
    return [each.state.importance_source for each in lapse.bank("alice").list().records]


def test_the_library_asks_the_model_that_a_file_of_settings_names(
    service: ChatService, settings: Path
) -> None:
    with Lapse.open("memory://", config=settings, background=False) as lapse:
        bank = lapse.bank("alice")
        told = bank.remember(TOLD)
        assert service.requests == []
        assert bank.drain().rated == 1
        state = bank.get(told.id).state
        assert (state.importance, state.importance_source) == (0.7, MODEL)
        assert bank.stats().by_rater == {MODEL: 1}
    assert service.requests[0]["model"] == "small"
    assert service.requests[0]["path"] == "/v1/chat/completions"
    assert service.keys == [f"Bearer {KEY}"]


def test_the_same_model_summarises_sessions(service: ChatService, settings: Path) -> None:
    service.answer = lambda _: "Osprey launches on 14 March. [1]"
    with Lapse.open("memory://", config=settings, background=False) as lapse:
        bank = lapse.bank("alice")
        bank.ingest([{"role": "user", "content": f"{TOLD}, not before"}], session="monday")
        (told,) = bank.consolidate("monday")
        assert told.summarised_by is SummarisedBy.MODEL
        made = [each.memory.text for each in bank.list().records if each.memory.derived_from]
    assert made == ["Osprey launches on 14 March."]
    assert service.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    "bad",
    [
        Bad(status=429, headers=SOON),
        Bad(status=500, headers=SOON, body=b"<html>"),
        Bad(body=b'{"choices": [{"mess'),
        Bad(body=b""),
        Bad(hold=True),
    ],
    ids=["429", "500", "truncated", "empty", "slow"],
)
def test_what_passes_costs_another_attempt_and_no_rating(
    service: ChatService, settings: Path, bad: Bad
) -> None:
    service.faults = [bad]
    with Lapse.open("memory://", config=settings, background=False) as lapse:
        lapse.bank("alice").remember(TOLD)
        assert lapse.bank("alice").drain().rated == 1
        assert _sources(lapse) == [MODEL]
    assert len(service.requests) == 2


def test_what_does_not_pass_leaves_the_rating_waiting_for_a_later_round(
    service: ChatService, settings: Path
) -> None:
    clock = FakeClock(NOW)
    service.faults = [Bad(status=429, headers={"Retry-After": "3600"})]
    with Lapse.open("memory://", config=settings, clock=clock, background=False) as lapse:
        bank = lapse.bank("alice")
        bank.remember(TOLD)
        assert bank.drain().rated == 0
        assert bank.drain().rated == 0
        assert bank.stats().by_rater == {AWAITED: 1}
        assert len(service.requests) == 1
        clock.advance(hours=1)
        assert bank.drain().rated == 1


@pytest.mark.parametrize(
    ("answer", "importance", "source"),
    [
        ("On a scale of 1 to 10, I would say 6", 0.6, MODEL),
        ("It depends on many things.", None, FALLBACK),
        ("7 out of 9, or 85 %", None, FALLBACK),
    ],
)
def test_prose_is_read_or_counted_as_a_fallback(
    service: ChatService,
    settings: Path,
    answer: str,
    importance: float | None,
    source: ImportanceSource,
) -> None:
    service.answer = lambda _: answer
    with Lapse.open("memory://", config=settings, background=False) as lapse:
        bank = lapse.bank("alice")
        told = bank.remember(TOLD)
        before = bank.get(told.id).state.importance
        done = bank.drain()
        after = bank.get(told.id).state.importance
        assert after == (before if importance is None else importance)
        assert (done.rated, done.rating_fallbacks) == ((1, 0) if source is MODEL else (0, 1))
        assert bank.stats().by_rater == {source: 1}


def test_whoever_ends_waits_for_no_model(service: ChatService, settings: Path, apart: Path) -> None:
    service.faults = [Bad(hold=True)] * 9
    with Lapse.open(apart / "own.db", config=settings, background=False) as lapse:
        lapse.bank("alice").remember(TOLD)
    assert service.requests == []
    service.faults.clear()
    with Lapse.open(apart / "own.db", config=settings, background=False) as lapse:
        assert _sources(lapse) == [AWAITED]
        assert lapse.bank("alice").drain().rated == 1


def test_no_command_but_those_that_ask_for_it_waits_for_the_model(
    cli: Cli, service: ChatService, settings: Path
) -> None:
    del settings
    assert cli("remember", TOLD, "--bank", "alice", "--db", "own.db").code == 0
    assert cli("recall", "launch", "--bank", "alice", "--db", "own.db").code == 0
    assert service.requests == []
    ended = cli("rate", "--bank", "alice", "--db", "own.db", "--json")
    assert isinstance(ended.json, dict)
    assert ended.json["by_model"] == 1
    assert "rated by the model" in cli("stats", "--bank", "alice", "--db", "own.db").out


def test_a_worker_asks_the_model_that_its_settings_name(
    cli: Cli, service: ChatService, settings: Path
) -> None:
    del settings
    cli("remember", TOLD, "--bank", "alice", "--db", "own.db")
    assert cli("worker", "--once", "--db", "own.db").code == 0
    assert len(service.requests) == 1
    told = cli("stats", "--bank", "alice", "--db", "own.db", "--json").json
    assert isinstance(told, dict)
    assert told["by_rater"] == {"model": 1}


def test_a_served_store_goes_by_the_file_of_settings_too(cli: Cli, apart: Path) -> None:
    (apart / "lapse.toml").write_text('[importance]\nmodel = "small"\n', encoding="utf-8")
    ended = cli("keys", "create", "ann", "--db", "own.db")
    assert ended.code != 0
    assert "importance.endpoint" in ended.err


def test_what_is_in_force_is_shown_with_its_origin_and_without_the_key(
    cli: Cli, settings: Path
) -> None:
    del settings
    cli("remember", TOLD, "--db", "own.db")
    for shown in (
        cli("config", "show", "--changed"),
        cli("config", "show", "--changed", "--db", "own.db"),
        cli("config", "show", "--json", "--db", "own.db"),
    ):
        assert "OWN_MODEL_KEY" in shown.out
        assert "small" in shown.out
        assert KEY not in shown.out + shown.err
    line = next(
        each
        for each in cli("config", "show", "--changed").out.splitlines()
        if each.startswith("importance.model")
    )
    assert line.split() == ["importance.model", "small", "toml"]


def test_a_key_that_is_nowhere_is_told_by_name_before_anything_is_done(
    cli: Cli, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OWN_MODEL_KEY")
    with pytest.raises(PolicyError, match=r"importance\.key_variable.*OWN_MODEL_KEY"):
        Lapse.open("memory://", config=settings)
    assert "OWN_MODEL_KEY" in cli("remember", TOLD, "--db", "own.db").err


def test_without_its_driver_a_named_model_is_refused_when_the_store_is_opened(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "find_spec", lambda _: None)
    with pytest.raises(PolicyError, match=r"lapse\[remote\]"):
        Lapse.open("memory://", config=settings)


def test_the_guide_shows_settings_that_hold(cli: Cli, apart: Path) -> None:
    guide = (ROOT / "docs" / "how-to" / "ratings.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)
    (apart / "lapse.toml").write_text(shown, encoding="utf-8")
    told = cli("config", "show", "--json").json
    assert isinstance(told, dict)
    assert told["policy"]["importance"]["model"] == "small"


def test_settings_that_name_no_model_make_none_and_the_hosts_own_wins() -> None:
    assert model_of(Policy(), {}, float) is None
    assert counted(None) is None
    policy = apply(
        Policy(),
        from_diff({"importance.model": "small", "importance.endpoint": "http://127.0.0.1:1/v1"}),
    )
    asked: list[str] = []

    def own(prompt: str, /) -> str:
        asked.append(prompt)
        return "3"

    rater = apply(policy, from_diff({"importance.rater": "llm"}))
    with Lapse.open("memory://", policy=rater, generate=own, background=False) as lapse:
        lapse.bank("alice").remember(TOLD)
        assert lapse.bank("alice").drain().rated == 1
    assert len(asked) == 1


def test_questions_are_counted_by_how_they_ended() -> None:
    def moody(prompt: str, /) -> str:
        if prompt == "no":
            raise ValueError(prompt)
        return "7"

    model = Counted(moody)
    assert model("yes") == "7"
    with pytest.raises(ValueError, match="no"):
        model("no")
    assert (model.answered, model.failed) == (1, 1)
    model.begin_anew()
    assert (model.answered, model.failed) == (0, 0)


def test_the_metrics_of_a_served_store_tell_of_ratings_and_questions(
    service: ChatService, settings: Path, apart: Path
) -> None:
    meter_of: Callable[..., object] = pytest.importorskip(
        "lapse.faces.metrics.meter", reason="needs the extra server"
    ).Meter
    service.answer = lambda prompt: "1: 7\n2: 8" if "Memories:" in prompt else "no idea"
    with Lapse.open(apart / "own.db", config=settings, background=False) as lapse:
        bank = lapse.bank("alice")
        bank.remember_many([{"text": TOLD}, {"text": "Ben has two cats"}, {"text": "ok"}])
        bank.remember("I am vegan", importance=0.9)
        assert Tender(lapse).round()
        meter = meter_of(lapse.parts.stopwatch)
        meter.take_census(lapse)  # type: ignore[attr-defined]  # the extra's own type
        meter.take_census(lapse)  # type: ignore[attr-defined]  # as above
        told = meter.text().decode()  # type: ignore[attr-defined]  # as above
    assert 'lapse_ratings{mode="rank",source="model"} 2.0' in told
    assert 'lapse_ratings{mode="rank",source="fallback"} 1.0' in told
    assert 'lapse_ratings{mode="rank",source="caller"} 1.0' in told
    assert 'lapse_model_questions_total{outcome="answered"} 2.0' in told
