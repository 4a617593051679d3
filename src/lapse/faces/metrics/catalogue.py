"""Every metric: its name, what it counts, its labels and their possible values.

Decides them; the reference is generated from here. Refuses labels whose values are not known
beforehand: no tenant, bank, key, query or id is ever one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from lapse.faces.operations import TABLE
from lapse.model.answer import Miss
from lapse.model.policy import Mode
from lapse.model.query import Reason
from lapse.model.retention import ImportanceSource, Lifecycle

FACES = ("cli", "library", "mcp", "rest", "worker")
OUTCOMES = ("ok", "refused", "failed")
STAGES = ("refresh", "embed", "wait", "find", "strength", "select", "load", "total")
PLAN_OUTCOMES = ("applied", "skipped")

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_PLACES = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
_MODES = tuple(str(each) for each in Mode)


class Form(StrEnum):
    """How a metric is counted."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric.

    Attributes:
        name: As it is scraped, without the suffix of its form.
        form: How it is counted.
        help: What it counts, in which unit.
        labels: Every label with its possible values.
        buckets: Upper bounds of a histogram.
    """

    name: str
    form: Form
    help: str
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    buckets: tuple[float, ...] = ()


_CALLED = MappingProxyType({"face": FACES, "operation": tuple(TABLE)})
_BY_MODE = MappingProxyType({"mode": _MODES})

CALLS = Metric(
    name="lapse_operations",
    form=Form.COUNTER,
    help="Calls of operations; refused is an error of the caller, failed one of the server.",
    labels=MappingProxyType({**_CALLED, "outcome": OUTCOMES}),
)
CALL_SECONDS = Metric(
    name="lapse_operation_seconds",
    form=Form.HISTOGRAM,
    help="Seconds that calls of operations took.",
    labels=_CALLED,
    buckets=_SECONDS,
)
STAGE_SECONDS = Metric(
    name="lapse_recall_stage_seconds",
    form=Form.HISTOGRAM,
    help="Seconds of a recall by stage; refresh is the lag from a write to its recall.",
    labels=MappingProxyType({"stage": STAGES}),
    buckets=_SECONDS,
)
HITS = Metric(
    name="lapse_recall_hits", form=Form.COUNTER, help="Memories that came to mind in recalls."
)
EXCLUSIONS = Metric(
    name="lapse_recall_exclusions",
    form=Form.COUNTER,
    help="Candidates that recalls left out, by the first reason.",
    labels=MappingProxyType({"reason": tuple(str(each) for each in Reason)}),
)
OBSERVED = Metric(
    name="lapse_observe_retrievability",
    form=Form.HISTOGRAM,
    help="Retrievability of hits in mode observe: what would fade.",
    buckets=_SHARES,
)
OBSERVED_RECALLS = Metric(
    name="lapse_observe_recalls",
    form=Form.COUNTER,
    help="Recalls in mode observe, by whether forgetting would have changed which memories came.",
    labels=MappingProxyType({"changed": ("no", "yes")}),
)
OBSERVED_DISPLACEMENT = Metric(
    name="lapse_observe_displacement",
    form=Form.HISTOGRAM,
    help="Mean number of places by which forgetting would have moved the hits of such a recall.",
    buckets=_PLACES,
)
PLAN_ITEMS = Metric(
    name="lapse_plan_items",
    form=Form.COUNTER,
    help="Memories of plans that were applied, or skipped because a guard spared them since.",
    labels=MappingProxyType({"outcome": PLAN_OUTCOMES}),
)
SWEPT = Metric(
    name="lapse_swept",
    form=Form.COUNTER,
    help="Memories that sweeps by this server moved, asked for or by schedule.",
)
LOOKUPS = Metric(
    name="lapse_cache_lookups",
    form=Form.COUNTER,
    help="Questions to the cache of answers, by what they got: an answer (hit), or why none.",
    labels=MappingProxyType({"outcome": ("hit", *(str(each) for each in Miss))}),
)
CACHED_ANSWERS = Metric(
    name="lapse_cached_answers",
    form=Form.GAUGE,
    help="Answers that the caches keep.",
    labels=_BY_MODE,
)
ERASURE_RESIDUE = Metric(
    name="lapse_erasure_verification_failures",
    form=Form.COUNTER,
    help="Erasures after which something of what was erased was still found.",
)
ROUNDS = Metric(
    name="lapse_rounds",
    form=Form.COUNTER,
    help="Rounds of upkeep and of scheduled sweeps.",
    labels=MappingProxyType({"outcome": ("ok", "failed")}),
)
BANKS = Metric(name="lapse_banks", form=Form.GAUGE, help="Banks, by their mode.", labels=_BY_MODE)
MEMORIES = Metric(
    name="lapse_memories",
    form=Form.GAUGE,
    help="Memories, by the mode of their bank and where they stand.",
    labels=MappingProxyType({**_BY_MODE, "lifecycle": tuple(str(each) for each in Lifecycle)}),
)
RATINGS = Metric(
    name="lapse_ratings",
    form=Form.GAUGE,
    help="Memories, by the mode of their bank and who rated their importance; fallback is what the"
    " model was asked about and named no rating for.",
    labels=MappingProxyType({**_BY_MODE, "source": tuple(str(each) for each in ImportanceSource)}),
)
QUESTIONS = Metric(
    name="lapse_model_questions",
    form=Form.COUNTER,
    help="Questions to the background model, for ratings and summaries, by how they ended.",
    labels=MappingProxyType({"outcome": ("answered", "failed")}),
)
DUE = Metric(
    name="lapse_due",
    form=Form.GAUGE,
    help="Active memories whose date of fading has passed.",
    labels=_BY_MODE,
)
PENDING_USES = Metric(
    name="lapse_pending_uses",
    form=Form.GAUGE,
    help="Uses that were told and wait to be folded in.",
    labels=_BY_MODE,
)
REINFORCEMENT_LAG = Metric(
    name="lapse_reinforcement_lag_seconds",
    form=Form.GAUGE,
    help="How long the use that waits longest to be folded in has waited when the banks were"
    " counted, of the bank where that is most; 0 where none waits.",
    labels=_BY_MODE,
)
TOMBSTONES = Metric(
    name="lapse_tombstones",
    form=Form.GAUGE,
    help="Tombstones in force, each counted in the bank that its memory was in.",
    labels=_BY_MODE,
)
CANARY_RECALL = Metric(
    name="lapse_canary_recall",
    form=Form.GAUGE,
    help="Least recall on the canaries of any bank after its last sweep, 0 to 1.",
    labels=_BY_MODE,
)
STORE_BYTES = Metric(
    name="lapse_store_bytes", form=Form.GAUGE, help="Bytes that the store takes where it is kept."
)
TAKEN_AT = Metric(
    name="lapse_census_timestamp_seconds",
    form=Form.GAUGE,
    help="When the banks were last counted, in seconds since 1970.",
)

METRICS: tuple[Metric, ...] = (
    CALLS,
    CALL_SECONDS,
    STAGE_SECONDS,
    HITS,
    EXCLUSIONS,
    OBSERVED,
    OBSERVED_RECALLS,
    OBSERVED_DISPLACEMENT,
    PLAN_ITEMS,
    SWEPT,
    LOOKUPS,
    CACHED_ANSWERS,
    ERASURE_RESIDUE,
    ROUNDS,
    BANKS,
    MEMORIES,
    RATINGS,
    QUESTIONS,
    DUE,
    PENDING_USES,
    REINFORCEMENT_LAG,
    TOMBSTONES,
    CANARY_RECALL,
    STORE_BYTES,
    TAKEN_AT,
)
"""All of them, in the order of the reference."""
