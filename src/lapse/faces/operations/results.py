"""Results of operations where the bank gives a bare number, a list or nothing.

Decides that every operation gives one frozen dataclass, so that every face has an object to return
and `lapse.model.codec` reads it back. Refuses to compute.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lapse.engine.past import Past
from lapse.engine.results import Remembered
from lapse.laws.table import Fall, Reading
from lapse.model.access_log import Entry
from lapse.model.canary import Canary, CanaryCheck
from lapse.model.consolidation import Consolidated
from lapse.model.hold import Hold
from lapse.model.memory import Kind
from lapse.model.plan import PlanHead
from lapse.model.policy import LawName, Mode
from lapse.model.policy_layers import Origin
from lapse.model.proposal import Proposal
from lapse.model.sweep import Swept


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedMany:
    """What became of each thing told, in order."""

    remembered: tuple[Remembered, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """How many memories a mark changed; the others had it already."""

    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reembedded:
    """How many vectors were made."""

    vectors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessLog:
    """What happened to a bank's memories, in order of time."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidations:
    """What became of each session that was looked at."""

    sessions: tuple[Consolidated, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Holds:
    """The holds in force, by name."""

    holds: tuple[Hold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweeps:
    """What became of each bank, in the order of their names."""

    sweeps: tuple[Swept, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Canaries:
    """Every canary of a bank, and what asking them gave."""

    canaries: tuple[Canary, ...]
    check: CanaryCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasts:
    """Memories as of two times, in the order they were stored."""

    memories: tuple[Past, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflicts:
    """What waits for a decision, or was decided, in the order in which it came up."""

    conflicts: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """Where the copy is, and how many banks are in it."""

    path: str
    banks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyInForce:
    """A bank's policy and where each setting comes from.

    Attributes:
        mode: Mode of forgetting in force; off when forgetting is disabled.
        fingerprint: SHA-256 of the policy's canonical JSON.
        policy: Every setting, by section and name.
        origins: Layer that decided each setting, by dotted path.
    """

    mode: Mode
    fingerprint: str
    policy: Mapping[str, object]
    origins: Mapping[str, Origin]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that contradicts another, or could harm.

    Attributes:
        where: The bank it was found in, or `file`.
        problem: What is wrong and what to do, as a sentence.
    """

    where: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What was examined and found.

    Attributes:
        banks: Banks that were examined.
        findings: Nothing when all is well.
    """

    banks: tuple[str, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LawRow:
    """One default memory under one policy; ages count from its last use, or its telling.

    Attributes:
        kind: Kind of memory.
        importance: In [0, 1].
        uses: Cited uses since it was told, a week apart.
        readings: Retrievability and need at each age, youngest first.
        half_life_days: Days until retrievability is half; None beyond 100 years.
        falls: When it falls to each level of the policy.
    """

    kind: Kind
    importance: float
    uses: int
    readings: tuple[Reading, ...]
    half_life_days: float | None
    falls: tuple[Fall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LawOfPreset:
    """The law of one preset, and what it does to default memories.

    Attributes:
        preset: Name of the preset.
        law: Its law of decay.
        levels: Levels that it acts on, highest first.
        rows: Kinds in order, in each importances, in each uses.
    """

    preset: str
    law: LawName
    levels: tuple[float, ...]
    rows: tuple[LawRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Laws:
    """The laws of some presets."""

    laws: tuple[LawOfPreset, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """Plans without their memories, the newest first."""

    plans: tuple[PlanHead, ...]
