"""Metrics: what is counted, by which labels, and that nobody's content or name is among them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

pytest.importorskip("prometheus_client", reason="needs the extra server")

from prometheus_client.parser import text_string_to_metric_families

from docs.generate import metrics as page
from lapse.bank import Bank
from lapse.errors import NotFoundError, StoreBusyError
from lapse.faces.app import Lapse
from lapse.faces.metrics.catalogue import METRICS, Form
from lapse.faces.metrics.census import Counting
from lapse.faces.metrics.meter import Meter
from lapse.faces.metrics.shadow import shadow_of
from lapse.faces.operations import TABLE, Operation
from lapse.faces.operations.operation import Target
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.project_files import ROOT


@pytest.fixture
def lapse(store: Path) -> Iterator[Lapse]:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as opened:
        yield opened


@pytest.fixture
def bank(lapse: Lapse) -> Bank:
    return lapse.bank("alice")


@pytest.fixture
def meter() -> Meter:
    ticks = count()
    return Meter(lambda: next(ticks) / 8)


def plainly(operation: Operation, target: Target, request: object) -> object:
    return operation.call(target, request)


def call(meter: Meter, bank: Bank, name: str, **given: object) -> object:
    operation = TABLE[name]
    return meter.around("mcp", plainly)(operation, bank, operation.read(given))


def samples(meter: Meter) -> dict[str, float]:
    """Every sample that is not 0, as it is written."""
    families = text_string_to_metric_families(meter.text().decode())
    return {
        f"{each.name}{sorted(each.labels.items())}": each.value
        for family in families
        for each in family.samples
        if each.value and not each.name.endswith("_created")
    }


def test_a_recall_is_counted_with_its_stages_hits_and_reasons(meter: Meter, bank: Bank) -> None:
    call(meter, bank, "recall", query="tea or coffee", k=1)
    found = samples(meter)
    called = [("face", "mcp"), ("operation", "recall")]
    assert found[f"lapse_operations_total{[*called[:1], called[1], ('outcome', 'ok')]}"] == 1
    assert found[f"lapse_operation_seconds_sum{called}"] == 0.125
    assert found["lapse_recall_hits_total[]"] == 1
    assert found["lapse_recall_exclusions_total[('reason', 'over_count')]"] >= 1
    assert found["lapse_recall_stage_seconds_count[('stage', 'total')]"] == 1


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (NotFoundError("no such memory"), "refused"),
        (StoreBusyError("locked"), "failed"),
        (RuntimeError("broken"), "failed"),
    ],
    ids=["refused", "store", "fault"],
)
def test_an_error_is_counted_as_the_callers_or_the_servers(
    meter: Meter, error: Exception, outcome: str
) -> None:
    def fail() -> object:
        raise error

    with pytest.raises(type(error)):
        meter.count("rest", TABLE["get"], fail)
    labels = [("face", "rest"), ("operation", "get"), ("outcome", outcome)]
    assert samples(meter)[f"lapse_operations_total{labels}"] == 1


def test_a_census_counts_banks_by_mode_and_what_they_hold(
    meter: Meter, lapse: Lapse, bank: Bank
) -> None:
    bank.suppress(["lunch"], by="alice", reason="over")
    bank.erase(["tea"], by="alice", reason="asked for")
    lapse.bank("bob").remember("Bob's own")
    meter.take_census(lapse)
    found = samples(meter)
    mode = ("mode", "rank")
    assert found[f"lapse_banks{[mode]}"] == 2
    assert found[f"lapse_memories{[('lifecycle', 'suppressed'), mode]}"] == 1
    assert found[f"lapse_tombstones{[mode]}"] >= 1
    assert found["lapse_store_bytes[]"] > 0
    assert found["lapse_census_timestamp_seconds[]"] > 1.7e9


def test_what_scheduled_sweeps_moved_is_counted(meter: Meter, store: Path) -> None:
    clock = FakeClock(NOW)
    with Lapse.open(store, clock=clock, background=False) as lapse:
        bank = lapse.bank("alice")
        bank.set_policy({"forgetting.mode": "lifecycle", "forgetting.auto_apply": True})
        bank.remember("It drizzled", id="rain", importance=0.0)
        clock.advance(days=3_650, hours=13)  # at night, when sweeps are due
        swept = lapse.tend()
    meter.note_sweeps(swept)
    moved = sum(each.report.applied for each in swept if each.report is not None)
    assert moved > 0
    assert samples(meter)["lapse_swept_total[]"] == moved


def test_a_bank_that_takes_long_to_count_is_not_counted_each_time(lapse: Lapse, bank: Bank) -> None:
    now = [0.0]

    def slowly() -> float:
        now[0] += 1.0  # counting takes from one reading to the next
        return now[0]

    counting = Counting(slowly)
    mode = ("rank",)
    first = counting.take(lapse).figures["lapse_memories", (*mode, "active")]
    bank.remember("The harbour is closed")
    assert counting.take(lapse).figures["lapse_memories", (*mode, "active")] == first
    now[0] += 100.0
    assert counting.take(lapse).figures["lapse_memories", (*mode, "active")] == first + 1


def test_how_long_uses_wait_to_be_counted_is_told_of_the_bank_where_it_is_longest(
    tmp_path: Path,
) -> None:
    clock = FakeClock("2026-03-01T09:00Z")
    with Lapse.open(tmp_path / "s.db", clock=clock, embedder=None, background=False) as lapse:
        meter = Meter(lapse.parts.stopwatch)
        for name in ("a", "b", "c"):
            lapse.bank(name).remember("I prefer tea", id="tea")
        # What was told late counts from when it was told.
        lapse.bank("a").used(["tea"], at="2026-02-28T09:00Z")
        clock.advance(seconds=40)
        lapse.bank("b").used(["tea"])
        clock.advance(seconds=20)
        lag = f"lapse_reinforcement_lag_seconds{[('mode', 'rank')]}"
        meter.take_census(lapse)
        assert samples(meter)[lag] == 60
        lapse.bank("a").drain()
        meter.take_census(lapse)
        assert samples(meter)[lag] == 20
        lapse.bank("b").drain()
        meter.take_census(lapse)
        assert lag not in samples(meter)


def test_a_second_census_forgets_modes_that_no_bank_has_any_more(
    meter: Meter, lapse: Lapse, bank: Bank
) -> None:
    meter.take_census(lapse)
    bank.set_policy({"forgetting.mode": "observe"})
    meter.take_census(lapse)
    found = samples(meter)
    assert "lapse_banks[('mode', 'rank')]" not in found
    assert found["lapse_banks[('mode', 'observe')]"] == 1


def test_an_erasure_of_which_something_was_left_is_counted_over_one_bank_and_over_all(
    meter: Meter, lapse: Lapse
) -> None:
    named = "lapse_erasure_verification_failures_total[]"
    bank = lapse.bank("harbour")
    one, _ = bank.remember("It has four gates"), bank.remember("Its light is red")
    done = bank.erase(ids=[one.id], by="ada", reason="asked for")
    wide = lapse.erase(banks=["harbour"], by="ada", reason="asked for")

    for each in (done, wide):
        meter.note(each)
        assert each.receipt is not None
    assert named not in samples(meter)
    for each in (done, wide):
        assert each.receipt is not None
        meter.note(replace(each, receipt=replace(each.receipt, residue=1)))

    assert samples(meter)[named] == 2


def test_observing_tells_what_forgetting_would_have_changed(meter: Meter, bank: Bank) -> None:
    bank.set_policy({"forgetting.mode": "observe", "scoring.strong_cue": "bent"})
    call(meter, bank, "recall", query="tea or coffee", k=2)
    found = samples(meter)
    assert found["lapse_observe_retrievability_count[]"] == 2
    assert found["lapse_observe_displacement_count[]"] == 1
    assert sum(each for name, each in found.items() if "observe_recalls_total" in name) == 1


def test_the_shadow_of_a_recall_is_the_order_that_rank_gives(bank: Bank) -> None:
    bank.set_policy({"forgetting.mode": "observe", "scoring.boost_alpha": 0.9})
    query = "tea or lunch or name"
    shadow = shadow_of(bank.recall(query, k=2))
    assert shadow is not None
    observed = [each.id for each in bank.recall(query, k=2).hits]
    bank.set_policy({"forgetting.mode": "rank", "scoring.boost_alpha": 0.9})
    ranked = [each.id for each in bank.recall(query, k=2).hits]
    assert shadow.changed is (set(observed) != set(ranked))


def test_nothing_of_anybody_is_scraped(meter: Meter, lapse: Lapse, bank: Bank) -> None:
    call(meter, bank, "recall", query="what does Alice Hartley prefer")
    call(meter, bank, "pin", ids=["tea"])
    meter.take_census(lapse)
    told = meter.text().decode().lower()
    assert not re.search(r"alice|hartley|noodles|\btea\b|prefer", told)


def test_every_label_has_few_values_and_they_are_known_beforehand(
    meter: Meter, lapse: Lapse, bank: Bank
) -> None:
    call(meter, bank, "recall", query="tea")
    call(meter, bank, "stats")
    meter.take_census(lapse)
    known = {each.name: each.labels for each in METRICS}
    for family in text_string_to_metric_families(meter.text().decode()):
        for sample in family.samples:
            for label, value in sample.labels.items():
                name = family.name.removesuffix("_created")
                assert label == "le" or value in known[name][label], sample
    assert all(len(values) <= len(TABLE) for each in METRICS for values in each.labels.values())


def test_metrics_are_documented_and_named_as_is_usual() -> None:
    assert (ROOT / "docs/reference/metrics.md").read_text(encoding="utf-8") == page.page().rstrip(
        "\n"
    ) + "\n"
    names = [each.name for each in METRICS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"lapse_[a-z_]+", each) for each in names)
    assert all(bool(each.buckets) is (each.form is Form.HISTOGRAM) for each in METRICS)
