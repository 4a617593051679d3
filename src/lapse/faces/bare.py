"""An engine over a store, for work that needs no embedder, no upkeep and no settings.

Decides what stands in for what is left out. Refuses to open a store.
"""

from lapse.engine.core import Core
from lapse.engine.parts import Parts
from lapse.engine.products import SharedProduct
from lapse.faces.outside import TimeOrderedIds
from lapse.ports import Clock, Entropy, Store, TombstoneKeys


def bare_core(store: Store, keys: TombstoneKeys, clock: Clock, entropy: Entropy) -> Core:
    """Compose one. Closing the store closes it; what waits off the path waits on."""
    return Core(
        Parts(
            store=store,
            keys=keys,
            clock=clock,
            new_id=TimeOrderedIds(entropy),
            entropy=entropy,
            embedder=None,
            count_tokens=None,
            rerank=None,
            deployment=(),
            wake=_nothing,
            stopwatch=_untimed,
            product=SharedProduct(1),
        )
    )


def _nothing() -> None:
    """Wake nobody."""


def _untimed() -> float:
    """Time nothing: nobody asks how long it took."""
    return 0.0
