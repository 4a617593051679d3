"""Where the time of a recall went.

Decides the stages, which metrics have too. Refuses to measure.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Where the time of a recall went, in milliseconds.

    Attributes:
        refresh_ms: Bringing the bank's columns up to date.
        embed_ms: Reading the question, and its vector.
        wait_ms: Waiting for other threads' recalls to be judged.
        find_ms: Finding candidates.
        strength_ms: How strong each is.
        select_ms: Ranking, and what is left out.
        load_ms: Texts of the hits.
        total_ms: From beginning to end.
    """

    refresh_ms: float = 0.0
    embed_ms: float = 0.0
    wait_ms: float = 0.0
    find_ms: float = 0.0
    strength_ms: float = 0.0
    select_ms: float = 0.0
    load_ms: float = 0.0
    total_ms: float = 0.0
