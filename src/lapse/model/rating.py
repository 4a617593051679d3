"""What a round of rating did to a bank.

Decides the values that are told of it. Refuses to hold anything of a memory's text.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRun:
    """What a round of rating did.

    Attributes:
        given: Memories that nobody had rated and that the heuristic rated.
        by_model: Memories whose heuristic rating gave way to the model's.
        fallbacks: Memories of which the model named no rating: the heuristic's stands for good.
        waiting: Memories known to wait for the model afterwards.
        asked: Questions put to the model.
        failed: Questions that it did not answer.
    """

    given: int = 0
    by_model: int = 0
    fallbacks: int = 0
    waiting: int = 0
    asked: int = 0
    failed: int = 0
