"""Upkeep: everything that is done off the path of recall.

Decides what one round of upkeep does for a bank, in this order: give memories without a state one,
fold in the events, recompute strengths after a change of law, date the fading anew after a change
of policy, have the model rate what waits for it, consolidate the sessions that have gathered
enough, read the texts again after a change of language, move to the vector epoch that is due, embed
what has no vector, drop cached answers that are stale, bring the store's own index of a large bank
up to date. Each step is bounded by transactions, can be interrupted, and finds nothing to do when
it is run again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lapse.engine.answers import purge
from lapse.engine.awaited import BATCHES_AT_ONCE, rate_due
from lapse.engine.consolidating import PASSES_AT_ONCE, consolidate_due
from lapse.engine.core import Core
from lapse.engine.embedding import Progress, fill_missing, no_progress
from lapse.engine.redating import follow_policy, follow_policy_within
from lapse.engine.rereading import reread
from lapse.engine.runtime import BankRuntime
from lapse.engine.searching_near import keep_near
from lapse.engine.using import drain
from lapse.engine.writing import follow_epoch
from lapse.errors import EmbedderError
from lapse.model.consolidation import Consolidated
from lapse.model.memory import BankRef
from lapse.model.rating import RatingRun

__all__ = [
    "Upkeep",
    "follow_policy",
    "keep_up",
    "keep_up_all",
    "keep_up_closing",
    "keep_up_whole",
]

Asked = tuple[RatingRun, Sequence[Consolidated]]
"""What came of the steps of a round that may need a model: ratings, and sessions consolidated."""

Asking = Callable[[Core, BankRuntime, int | None, int | None], Asked]
"""Does these steps: at most so many batches of ratings, and so many sessions."""

REDATED_AT_ONCE = 50_000
"""Memories dated anew by one round; what is left waits for the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """What a round of upkeep did.

    Attributes:
        drained: Memories whose events were folded in.
        repaired: Memories that had lost their state and got one from their own dates.
        redated: Memories whose strength or date of fading was computed anew.
        reread: Memories whose text was read again by another tokeniser.
        embedded: Memories that got a vector they lacked.
        moved: Whether the bank moved to a new vector epoch.
        rated: Memories whose rating the model gave.
        rating_fallbacks: Memories that keep the heuristic's, since the model named none.
        consolidated: Memories derived from sessions that had gathered enough.
        purged: Cached answers that were stale.
    """

    drained: int = 0
    repaired: int = 0
    redated: int = 0
    reread: int = 0
    embedded: int = 0
    moved: bool = False
    rated: int = 0
    rating_fallbacks: int = 0
    consolidated: int = 0
    purged: int = 0


def keep_up(core: Core, runtime: BankRuntime) -> Upkeep:
    """Do a round of what waits for the bank. Looks for lost states once in a process.

    A large bank whose policy changed is not dated anew in one round: another is asked for.

    Raises:
        PolicyError: The bank's policy contradicts the deployment's: nothing was done.
    """
    return _keep_up(core, runtime, REDATED_AT_ONCE, no_progress, _asked)


def keep_up_closing(core: Core, runtime: BankRuntime) -> Upkeep:
    """Do a round of what waits for the bank, but for what a model would have to be asked for.

    A process that ends keeps nobody waiting for a model: ratings and sessions wait in the store for
    the next round of any process.
    """
    asking = _asked if core.parts.generate is None else _unasked
    return _keep_up(core, runtime, REDATED_AT_ONCE, no_progress, asking)


def _keep_up(
    core: Core,
    runtime: BankRuntime,
    redated_at_once: int | None,
    progress: Progress,
    asking: Asking,
) -> Upkeep:
    runtime.follow()
    if runtime.bank is None:
        return Upkeep()
    runtime.check_policy()
    repaired = 0 if runtime.inspected else core.repair(runtime.ref)
    runtime.inspected = True
    drained = drain(core, runtime)
    redated = follow_policy_within(core, runtime, redated_at_once, progress)
    if not redated.finished:
        core.parts.wake()
    whole = redated_at_once is None
    most = (None, None) if whole else (BATCHES_AT_ONCE, PASSES_AT_ONCE)
    rated, consolidated = asking(core, runtime, *most)
    read_again = reread(core, runtime, progress)
    moved = follow_epoch(core, runtime, limit=None).moved
    try:
        embedded = fill_missing(core, runtime)
    except EmbedderError:
        embedded = 0
    purged = purge(core, runtime)
    keep_near(core, runtime)
    runtime.follow()
    return Upkeep(
        drained=drained,
        repaired=repaired,
        redated=redated.changed,
        reread=read_again,
        embedded=embedded,
        moved=moved,
        rated=rated.by_model,
        rating_fallbacks=rated.fallbacks,
        consolidated=sum(each.memory_id is not None for each in consolidated),
        purged=purged,
    )


def keep_up_whole(core: Core, runtime: BankRuntime, progress: Progress = no_progress) -> Upkeep:
    """Do everything that waits for the bank, and look for lost states again."""
    runtime.inspected, runtime.unfilled = False, True
    return _keep_up(core, runtime, None, progress, _asked)


def keep_up_all(
    core: Core, care: Callable[[Core, BankRuntime], Upkeep] = keep_up
) -> dict[BankRef, Upkeep]:
    """Do everything that waits for every bank this process has opened.

    A bank that fails does not keep the others waiting: the first failure is raised when all had
    their turn. The rest is left to the next round where this thread is to end.
    """
    done: dict[BankRef, Upkeep] = {}
    failures: list[Exception] = []
    for runtime in core.open_banks():
        if core.parts.ending():
            break
        try:
            done[runtime.ref] = care(core, runtime)
        except Exception as error:  # noqa: BLE001 - whatever ails one bank, the others have their turn
            failures.append(error)
    if failures:
        raise failures[0]
    return done


def _asked(core: Core, runtime: BankRuntime, batches: int | None, passes: int | None) -> Asked:
    rated = rate_due(core, runtime, batches)
    return rated, consolidate_due(core, runtime, passes)


def _unasked(
    _core: Core, _runtime: BankRuntime, _batches: int | None, _passes: int | None
) -> Asked:
    return RatingRun(), ()
