"""Results of the lab.

Decides that each is one frozen dataclass. Refuses to compute.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lapse.lab.comparing import Curve
from lapse.lab.fitting import Fit
from lapse.lab.living import Lived
from lapse.lab.log import Entry
from lapse.lab.reporting import ReportFigures
from lapse.model.instants import Instant
from lapse.model.policy_proposal import PolicyProposal


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRead:
    """What is in a log.

    Attributes:
        entries: Its lines, in order of time.
        memories: How many memories it names.
        first, last: Between which instants; None for an empty log.
        events: How often each thing happened.
    """

    entries: tuple[Entry, ...]
    memories: int
    first: Instant | None
    last: Instant | None
    events: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What a fit found.

    Attributes:
        entries: Lines of the log.
        fit: What it found, or what is missing.
        proposal: What is proposed to the bank; None for nothing.
    """

    entries: int
    fit: Fit
    proposal: PolicyProposal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Policies side by side.

    Attributes:
        shares: Shares of the memories that are kept, which the curves speak of.
        curves: Each policy's law and each baseline over a log, by name.
        words: Mean words of an answer under each policy's law, by name, counted over what a log
            says was returned; empty for a log that says nothing of it.
        lived: Each policy over a corpus, by name, share by share.
        missing: Why there are no curves; empty where there are some or none were asked for.
    """

    shares: tuple[float, ...]
    curves: Mapping[str, Curve]
    words: Mapping[str, float]
    lived: Mapping[str, tuple[Lived, ...]]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A report.

    Attributes:
        figures: All that it shows, as numbers.
        html: One page that needs nothing else.
        pictures: PNGs by name, in base64.
    """

    figures: ReportFigures
    html: str
    pictures: Mapping[str, str]
