"""Which candidates match the question at all, and which are brought up by a strong cue.

Decides both, on raw relevance. Refuses to look at strength.
"""

from lapse.model.index_delta import BoolArray
from lapse.model.policy import Policy, Scorer
from lapse.recall.field import Field


def matched(field: Field, policy: Policy) -> BoolArray:
    """Which candidates are relevant enough: at least `min_relevance`, and never those at 0.

    The workbench's scorer also leaves out what shares no term with the question, where terms were
    asked for.
    """
    relevance = field.found.relevance
    enough: BoolArray = (relevance > 0) & (relevance >= policy.recall.min_relevance)
    if policy.scoring.scorer is Scorer.BLEND and field.found.lexical is not None:
        enough &= field.found.lexical > 0
    return enough


def strong_cues(field: Field, policy: Policy) -> BoolArray:
    """Which candidates the question names precisely: most of its IDF mass, and first in an arm."""
    found = field.found
    first = (found.lexical_rank == 1) | (found.vector_rank == 1)
    strong: BoolArray = first & (found.coverage >= policy.forgetting.strong_cue_coverage)
    return strong
