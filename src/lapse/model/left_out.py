"""Why candidates were left out, counted without a word about each.

Decides how reasons are counted where whoever left them out knows them apart from their
explanations, and where not. Refuses to explain, which costs more than the recall.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from lapse.model.query import Exclusion, Reason


@runtime_checkable
class Reasoned(Protocol):
    """Exclusions whose reasons are known before they are explained."""

    def reasons(self) -> Sequence[Reason]:
        """The first reason of each, in their order."""
        ...


def reasons_of(exclusions: Sequence[Exclusion]) -> Counter[Reason]:
    """How many were left out for which reason."""
    if isinstance(exclusions, Reasoned):
        return Counter(exclusions.reasons())
    return Counter(each.reason for each in exclusions)
