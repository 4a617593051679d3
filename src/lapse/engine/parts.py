"""The parts an engine is composed of.

Decides nothing: it names what `faces/app.py` must choose.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from lapse.engine.products import SharedProduct
from lapse.engine.turns import Turns
from lapse.model.finding import Finder
from lapse.model.policy_layers import Layer
from lapse.ports import (
    Clock,
    Embedder,
    Entropy,
    Generate,
    NewId,
    Reranker,
    Store,
    TokenCounter,
    TombstoneKeys,
)

OPEN_BANKS = 1024
"""Banks that stay in RAM unless somebody says otherwise."""


def never() -> bool:
    """Nothing is to end."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Everything from the outside that an engine uses.

    Attributes:
        store: Keeps and fetches.
        clock: Read once per operation.
        new_id: Makes ids that sort by time.
        entropy: Gives salts.
        embedder: Gives vectors, or None for text search only.
        count_tokens: Counts for `budget_tokens`, or None where no such budget is used.
        rerank: Scores candidates anew, or None.
        deployment: The deployment's layers of policy.
        wake: Says that a bank has work waiting off the path; whoever does upkeep hears it.
        stopwatch: Seconds from an arbitrary start; for `timings` and for a sweep's time, never for
            what is decided about a memory.
        finder: Finds what a new statement replaces; None for the rules that come with Lapse.
        generate: The host's background model, or None where everything is done without one.
        keys: Holds the keys that tombstones and receipts are made with.
        product: Multiplies all of a bank's vectors with the question's.
        turns: Who computes next.
        via: Says through which face the act under way came, for the journal; empty for a program's
            own call.
        ending: Whether what this thread does off the path is to end; asked between two steps.
        open_banks: Most banks that stay in RAM; the one used longest ago gives way.
    """

    store: Store
    clock: Clock
    new_id: NewId
    entropy: Entropy
    embedder: Embedder | None
    count_tokens: TokenCounter | None
    rerank: Reranker | None
    deployment: tuple[Layer, ...]
    wake: Callable[[], None]
    stopwatch: Callable[[], float]
    product: SharedProduct
    keys: TombstoneKeys
    finder: Finder | None = None
    generate: Generate | None = None
    turns: Turns = field(default_factory=Turns)
    via: Callable[[], str] = str
    ending: Callable[[], bool] = never
    open_banks: int = OPEN_BANKS
