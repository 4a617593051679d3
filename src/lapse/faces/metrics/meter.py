"""The meter: counts what operations do and how banks stand, for Prometheus.

Decides what of a result is counted. Refuses to hold anything but numbers, and to count a bank at
the moment of a scrape: a census is taken by whoever tends the store.
"""

from collections import Counter as TallyOf
from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from lapse.engine.erasing import Erasure
from lapse.engine.erasing_widely import WideErasure
from lapse.errors import LapseError
from lapse.faces.app import Lapse
from lapse.faces.background import Counted
from lapse.faces.metrics import catalogue
from lapse.faces.metrics.catalogue import Form, Metric
from lapse.faces.metrics.census import Counting
from lapse.faces.metrics.shadow import shadow_of
from lapse.faces.operations import Operation
from lapse.faces.operations.operation import Target
from lapse.faces.operations.results import Sweeps
from lapse.model.answer import Lookup
from lapse.model.instants import SECOND
from lapse.model.left_out import reasons_of
from lapse.model.plan import Plan
from lapse.model.policy import Mode
from lapse.model.query import Recall
from lapse.model.sweep import Swept

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Do = Callable[[Operation, Target, object], object]


class Meter:
    """Metrics of one process. Thread-safe."""

    def __init__(self, stopwatch: Callable[[], float]) -> None:
        """Count nothing yet; `stopwatch` gives seconds from an arbitrary start."""
        self._stopwatch = stopwatch
        self._counting = Counting(stopwatch)
        self._questions: TallyOf[str] = TallyOf()
        self._registry = CollectorRegistry()
        made = {each.name: self._made(each) for each in catalogue.METRICS}
        self._counters = {name: it for name, it in made.items() if isinstance(it, Counter)}
        self._gauges = {name: it for name, it in made.items() if isinstance(it, Gauge)}
        self._histograms = {name: it for name, it in made.items() if isinstance(it, Histogram)}

    def text(self) -> bytes:
        """All metrics in Prometheus' text form; `CONTENT_TYPE` is its type."""
        return generate_latest(self._registry)

    def around(self, face: str, do: Do) -> Do:
        """Calls operations as `do` does, and counts them as those of a face."""

        def counted(operation: Operation, target: Target, request: object) -> object:
            return self.count(face, operation, lambda: do(operation, target, request))

        return counted

    def count(self, face: str, operation: Operation, act: Callable[[], object]) -> object:
        """Call an operation, and count how long it took, how it ended and what it did.

        Raises:
            Exception: Whatever `act` raises.
        """
        began, outcome = self._stopwatch(), "failed"
        try:
            result = act()
            outcome = "ok"
        except LapseError as error:
            outcome = "refused" if error.http_status < 500 else "failed"
            raise
        finally:
            took = self._stopwatch() - began
            self._add(catalogue.CALLS, face=face, operation=operation.name, outcome=outcome)
            self._put(catalogue.CALL_SECONDS, took, face=face, operation=operation.name)
        self.note(result)
        return result

    def note(self, result: object) -> None:
        """Count what a result tells."""
        match result:
            case Recall():
                self._note_recall(result)
            case Plan(application=application) if application is not None:
                self._add(catalogue.PLAN_ITEMS, len(application.applied), outcome="applied")
                self._add(catalogue.PLAN_ITEMS, len(application.skipped), outcome="skipped")
            case Erasure(receipt=made) | WideErasure(receipt=made) if made and made.residue:
                self._add(catalogue.ERASURE_RESIDUE)
            case Lookup():
                self._add(catalogue.LOOKUPS, outcome=str(result.miss or "hit"))
            case Sweeps():
                self.note_sweeps(result.sweeps)
            case _:
                pass

    def round_ended(self, *, outcome: str) -> None:
        """Count a round of upkeep and sweeps: ok or failed."""
        self._add(catalogue.ROUNDS, outcome=outcome)

    def take_census(self, lapse: Lapse) -> None:
        """Count how every bank of a store stands."""
        census = self._counting.take(lapse)
        for each in catalogue.METRICS:
            if each.form is Form.GAUGE and each.labels:
                self._gauges[each.name].clear()
        for (name, labels), count in census.figures.items():
            gauge = self._gauges[name]
            (gauge.labels(*labels) if labels else gauge).set(count)
        for mode, least in census.canary_recall.items():
            self._gauges[catalogue.CANARY_RECALL.name].labels(mode).set(least)
        for mode, seconds in census.lag_s.items():
            self._gauges[catalogue.REINFORCEMENT_LAG.name].labels(mode).set(seconds)
        self._count_questions(lapse.parts.generate)
        now = lapse.parts.clock.now()
        self._gauges[catalogue.TAKEN_AT.name].set(now / SECOND)

    def _count_questions(self, model: object) -> None:
        if not isinstance(model, Counted):
            return
        for outcome, count in (("answered", model.answered), ("failed", model.failed)):
            self._add(catalogue.QUESTIONS, count - self._questions[outcome], outcome=outcome)
            self._questions[outcome] = count

    def _note_recall(self, recall: Recall) -> None:
        for stage in catalogue.STAGES:
            took_s = getattr(recall.timings, f"{stage}_ms") / 1000
            self._put(catalogue.STAGE_SECONDS, took_s, stage=stage)
        self._add(catalogue.HITS, len(recall.hits))
        for reason, count in reasons_of(recall.exclusions).items():
            self._add(catalogue.EXCLUSIONS, count, reason=str(reason))
        if recall.mode is Mode.OBSERVE:
            self._note_observed(recall)

    def _note_observed(self, recall: Recall) -> None:
        for hit in recall.hits:
            self._put(catalogue.OBSERVED, hit.explanation.retrievability)
        shadow = shadow_of(recall)
        if shadow is not None:
            self._add(catalogue.OBSERVED_RECALLS, changed="yes" if shadow.changed else "no")
            self._put(catalogue.OBSERVED_DISPLACEMENT, shadow.displacement)

    def note_sweeps(self, sweeps: Iterable[Swept]) -> None:
        """Count what sweeps did, those that were asked for and those that are due by schedule."""
        for each in sweeps:
            if each.report is not None:
                self._add(catalogue.SWEPT, each.report.applied)

    def _add(self, metric: Metric, count: float = 1, **labels: str) -> None:
        counter = self._counters[metric.name]
        (counter.labels(**labels) if labels else counter).inc(count)

    def _put(self, metric: Metric, value: float, **labels: str) -> None:
        histogram = self._histograms[metric.name]
        (histogram.labels(**labels) if labels else histogram).observe(value)

    def _made(self, metric: Metric) -> Counter | Gauge | Histogram:
        labels = tuple(metric.labels)
        match metric.form:
            case Form.COUNTER:
                return Counter(metric.name, metric.help, labels, registry=self._registry)
            case Form.GAUGE:
                return Gauge(metric.name, metric.help, labels, registry=self._registry)
            case Form.HISTOGRAM:
                return Histogram(
                    metric.name,
                    metric.help,
                    labels,
                    registry=self._registry,
                    buckets=metric.buckets,
                )
