"""What forgetting would have done to a recall in mode observe.

Decides how the order that was given is compared with the one that strength would have made. Refuses
to score: the numbers are those of the recall's own explanation.
"""

from dataclasses import dataclass
from statistics import fmean

from lapse.model.query import Explanation, Reason, Recall

_BOOST = "forgetting_boost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shadow:
    """A recall beside itself.

    Attributes:
        changed: Whether other memories would have come.
        displacement: Mean number of places by which the hits would have moved, ≥ 0.
    """

    changed: bool
    displacement: float


def shadow_of(recall: Recall) -> Shadow | None:
    """Compare; None where the scorer's terms do not say what strength would have done, or no hit.

    Only what was left out for its place could have come instead.
    """
    ranked = [(each.id, each.explanation) for each in recall.hits]
    waiting = [
        (each.id, each.explanation)
        for each in recall.exclusions
        if each.reason is Reason.OVER_COUNT
    ]
    if not ranked or any(_BOOST not in each.terms for _, each in ranked):
        return None
    # Sorting is stable: what would stand equal keeps its order.
    bent = sorted([*ranked, *waiting], key=lambda each: -_bent(each[1]))
    places = {name: place for place, (name, _) in enumerate(bent)}
    moved = [abs(places[name] - place) for place, (name, _) in enumerate(ranked)]
    return Shadow(
        changed=any(places[name] >= len(ranked) for name, _ in ranked), displacement=fmean(moved)
    )


def _bent(explanation: Explanation) -> float:
    return explanation.base * explanation.terms.get(_BOOST, 1.0)
