"""Opening Lapse: where it keeps, which policy holds, and what closing does."""

import threading
from pathlib import Path

import pytest

from lapse import Lapse, presets
from lapse.embed.hashing import HashingEmbedder
from lapse.errors import LapseError, PolicyError, StoreError, ValidationError
from lapse.faces.opening import IN_MEMORY
from lapse.model.policy import Mode
from lapse.model.policy_layers import Origin
from lapse.model.verbs import Verb
from lapse.testing.fakes import FakeClock, SeededEntropy, SequentialIds
from tests.unit.engine.opening import WatchedStore, opened

WAIT_S = 30


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def _open(target: str | Path, clock: FakeClock, **options: object) -> Lapse:
    settings: dict[str, object] = {
        "clock": clock,
        "new_id": SequentialIds(),
        "entropy": SeededEntropy(),
        "embedder": None,
        "background": False,
    }
    return Lapse.open(target, **(settings | options))  # type: ignore[arg-type]  # named by the test


@pytest.mark.parametrize("form", ["{path}", "sqlite:///{path}", "Path"])
def test_what_was_remembered_is_there_when_the_file_is_opened_again(
    tmp_path: Path, clock: FakeClock, form: str
) -> None:
    path = tmp_path / "agent.db"
    target = path if form == "Path" else form.format(path=path)
    with _open(target, clock) as mind:
        told = mind.bank("alice").remember("I prefer tea")

    with _open(path, clock) as again:
        assert again.bank("alice").get(told.id).memory == told.memory
        assert list(again.banks()) == ["alice"]
    assert path.stat().st_mode & 0o077 == 0


def test_a_bank_in_memory_is_gone_with_its_lapse(clock: FakeClock) -> None:
    with _open(IN_MEMORY, clock) as mind:
        mind.bank("alice").remember("I prefer tea")
        assert mind.bank("alice").stats().store_bytes == 0

    assert list(_open(IN_MEMORY, clock).banks()) == []


@pytest.mark.parametrize("target", ["postgres://host/db", "memory://x", "oracle://x", "", " "])
def test_a_target_that_is_none_is_refused_by_name(target: str, clock: FakeClock) -> None:
    with pytest.raises(ValidationError) as caught:
        _open(target, clock)
    assert [each.field for each in caught.value.faults] == ["target"]


def test_a_folder_that_does_not_exist_is_no_place_and_says_so(
    tmp_path: Path, clock: FakeClock
) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        _open(tmp_path / "nowhere" / "agent.db", clock)


# --- policy --------------------------------------------------------------------------------


def test_environment_wins_over_file_wins_over_preset(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "lapse.toml"
    config.write_text("[recall]\nk = 5\nrrf_k = 50\n", encoding="utf-8")
    monkeypatch.setenv("LAPSE_RECALL__K", "4")

    with _open(IN_MEMORY, clock, policy=presets.companion(), config=config) as mind:
        resolved = mind.bank("alice").policy()
        mind.bank("alice").set_policy({"recall": {"k": 3}}, by="owner")
        changed = mind.bank("alice").policy()

    assert (resolved.policy.recall.k, resolved.origin_of("recall.k")) == (4, Origin.ENVIRONMENT)
    assert (resolved.policy.recall.rrf_k, resolved.origin_of("recall.rrf_k")) == (50, Origin.TOML)
    assert resolved.policy.law == presets.companion().law
    assert (changed.policy.recall.k, changed.origin_of("recall.k")) == (3, Origin.BANK)


def test_forgetting_can_be_switched_off_from_the_environment(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAPSE_FORGETTING__ENABLED", "False")

    with _open(IN_MEMORY, clock) as mind:
        mind.bank("alice").remember("I prefer tea")
        assert mind.bank("alice").recall("tea").mode is Mode.OFF


def test_b156_bad_settings_stop_the_start_all_at_once(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "lapse.toml"
    config.write_text("[law]\ndecay = 'high'\n", encoding="utf-8")
    monkeypatch.setenv("LAPSE_RECALL__K", "thirty")

    with pytest.raises(PolicyError) as caught:
        _open(tmp_path / "agent.db", clock, config=config)

    assert {each.field for each in caught.value.faults} == {"recall.k", "law.decay"}
    assert not (tmp_path / "agent.db").exists()


@pytest.mark.parametrize("name", ["missing.toml", "latin.toml", "."])
def test_a_configuration_that_cannot_be_read_is_an_error_of_lapse(
    tmp_path: Path, clock: FakeClock, name: str
) -> None:
    (tmp_path / "latin.toml").write_bytes(b'[recall]\nk = "\xe9"\n')

    with pytest.raises(ValidationError) as caught:
        _open(IN_MEMORY, clock, config=tmp_path / name)
    assert [each.field for each in caught.value.faults] == ["config"]


@pytest.mark.parametrize(
    ("name", "embedder_id"), [("hashing", HashingEmbedder().id), ("none", None)]
)
def test_the_policy_names_the_embedder(
    clock: FakeClock, name: str, embedder_id: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAPSE_MEMORY__EMBEDDER", name)

    with _open(IN_MEMORY, clock, embedder="policy") as mind:
        mind.bank("alice").remember("I prefer tea")
        assert mind.bank("alice").stats().embedder == embedder_id


def test_an_embedder_of_the_callers_wins_over_the_policys(clock: FakeClock) -> None:
    own = HashingEmbedder(64)

    with _open(IN_MEMORY, clock, embedder=own) as mind:
        mind.bank("alice").remember("I prefer tea")
        assert mind.bank("alice").stats().embedder == own.id


def test_an_embedder_nobody_knows_is_refused(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAPSE_MEMORY__EMBEDDER", "oracle-at-delphi")

    with pytest.raises(LapseError, match="embedder"):
        _open(IN_MEMORY, clock, embedder="policy")


# --- upkeep --------------------------------------------------------------------------------


def test_closing_folds_in_what_waits(tmp_path: Path, clock: FakeClock) -> None:
    with _open(tmp_path / "agent.db", clock) as mind:
        mind.bank("alice").remember("I prefer tea", id="m1")
        clock.advance(days=2)
        mind.bank("alice").used(["m1"])
        assert mind.bank("alice").stats().pending_events == 1

    with _open(tmp_path / "agent.db", clock) as again:
        assert again.bank("alice").stats().pending_events == 0
        assert again.bank("alice").get("m1").state.strength.reinforcement_count == 1


def test_closing_after_a_failure_in_the_block_keeps_what_was_written(
    tmp_path: Path, clock: FakeClock
) -> None:
    def turn() -> None:
        with _open(tmp_path / "agent.db", clock) as mind:
            mind.bank("alice").remember("I prefer tea", id="m1")
            raise RuntimeError("the agent failed")

    with pytest.raises(RuntimeError):
        turn()
    with _open(tmp_path / "agent.db", clock) as again:
        assert again.bank("alice").get("m1").memory.text == "I prefer tea"


def test_in_the_background_a_use_is_folded_in_without_a_drain() -> None:
    store = WatchedStore()
    lapse = opened(store, background=True)
    lapse.alice.remember("I prefer tea", id="m1")
    lapse.clock.advance(days=2)

    lapse.alice.used(["m1"])

    assert store.seen[Verb.DRAIN].wait(WAIT_S)
    assert lapse.alice.get("m1").state.strength.reinforcement_count == 1
    lapse.mind.close()


def test_closing_waits_for_the_work_under_way_and_leaves_no_thread(tmp_path: Path) -> None:
    clock = FakeClock()
    mind = _open(tmp_path / "agent.db", clock, background=True)
    mind.bank("alice").remember_many({"text": f"tea {at}", "id": f"m{at}"} for at in range(50))
    clock.advance(days=2)
    mind.bank("alice").used([f"m{at}" for at in range(50)])

    mind.close()

    assert "lapse-upkeep" not in {each.name for each in threading.enumerate()}
    with _open(tmp_path / "agent.db", clock) as again:
        assert again.bank("alice").stats().pending_events == 0
        assert again.bank("alice").stats().memories == 50


def test_a_closed_lapse_says_that_it_is_closed(clock: FakeClock) -> None:
    mind = _open(IN_MEMORY, clock)
    mind.close()
    mind.close()

    with pytest.raises(StoreError, match="closed"):
        mind.bank("alice").remember("I prefer tea")


def test_a_backup_is_a_whole_copy_made_while_open(tmp_path: Path, clock: FakeClock) -> None:
    with _open(tmp_path / "agent.db", clock) as mind:
        told = mind.bank("alice").remember("I prefer tea")
        mind.backup(tmp_path / "copy.db")
        mind.bank("alice").remember("I prefer milk")
        with pytest.raises(StoreError):
            mind.backup(tmp_path / "copy.db")

    with _open(tmp_path / "copy.db", clock) as copy:
        assert [each.memory.id for each in copy.bank("alice").list().records] == [told.id]


def test_a_language_nobody_knows_is_refused_before_a_store_is_made(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAPSE_MEMORY__LANGUAGE", "klingon")

    with pytest.raises(PolicyError) as caught:
        _open(tmp_path / "agent.db", clock)

    assert [each.field for each in caught.value.faults] == ["memory.language"]
    assert not list(tmp_path.iterdir())
