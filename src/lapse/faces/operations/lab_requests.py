"""Requests of the lab: which log, which policies, how far.

Decides the names of the arguments and what they mean.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lapse.faces.operations.fields import From, asked
from lapse.faces.operations.requests import HOST

_ENTRIES = "each with at, memory and event"
_LOG = asked(f"Judge by these lines instead of the bank's own log, {_ENTRIES}.")
_HORIZON = asked("Days within which a use counts as need, above 0.")
_WARM_UP = asked("Days of the log before the first question, from 0.")
_NAMING = "current, a preset, or either with settings: support,law.decay=0.6"
_BY = asked("Who does it, for the journal.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabImportRequest:
    """A log from elsewhere."""

    log: tuple[Mapping[str, object], ...] = field(
        metadata=asked(f"Lines of an access log, {_ENTRIES}.", source=From.POSITION)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LabFitRequest:
    """Which log to fit to, and how it is cut."""

    log: tuple[Mapping[str, object], ...] = field(default=(), metadata=_LOG)
    horizon_days: float = field(default=30.0, metadata=_HORIZON)
    warm_up_days: float = field(default=365.0, metadata=_WARM_UP)
    learned_share: float = field(
        default=0.7, metadata=asked("Part of the log that is fitted on, above 0 and below 1.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LabCompareRequest:
    """Which policies to compare, and on what."""

    policies: tuple[str, ...] = field(
        metadata=asked(
            f"Policies: {_NAMING}. The first is what others are held against.", source=From.POSITION
        )
    )
    log: tuple[Mapping[str, object], ...] = field(default=(), metadata=_LOG)
    corpus: tuple[Mapping[str, object], ...] = field(
        default=(),
        metadata=asked(
            "Live this instead: memories with at, memory and text, and questions with evidence."
        ),
    )
    horizon_days: float = field(default=30.0, metadata=_HORIZON)
    warm_up_days: float = field(default=365.0, metadata=_WARM_UP)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabSimulateRequest:
    """How far to roll a bank forward, and under what."""

    days: int = field(default=90, metadata=asked("How far, 1 to 3650 days."))
    policy: str | None = field(
        default=None, metadata=asked(f"Under this policy: {_NAMING}; its own if left out.")
    )
    questions: tuple[str, ...] = field(
        default=(), metadata=asked("Asked in each mode beside the canaries, now and at the end.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LabReportRequest:
    """What a report shows."""

    policies: tuple[str, ...] = field(
        default=("current",), metadata=asked(f"Policies to show side by side: {_NAMING}.")
    )
    days: int = field(default=90, metadata=asked("How far to look ahead, 1 to 3650 days."))
    log: tuple[Mapping[str, object], ...] = field(default=(), metadata=_LOG)
    horizon_days: float = field(default=30.0, metadata=_HORIZON)
    warm_up_days: float = field(default=365.0, metadata=_WARM_UP)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyPolicyRequest:
    """A proposal to take."""

    proposal: str = field(metadata=asked("Its id, as the fit gave it.", source=From.POSITION))
    by: str = field(default=HOST, metadata=_BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertPolicyRequest:
    """A change to take back."""

    by: str = field(default=HOST, metadata=_BY)
