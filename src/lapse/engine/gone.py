"""What became of a memory that is not there: destroyed by whom, as far as it can be told.

Decides what a caller is told who asks for one by its id. Refuses to keep anything for it: an erased
memory is known by its tombstone, a pruned one by the plan that took it.
"""

from collections.abc import Sequence
from typing import Final

from lapse.engine.core import Core
from lapse.engine.runtime import BankRuntime
from lapse.errors import NotFoundError
from lapse.model.plan import PlanVerb

PLANS_LOOKED_AT: Final = 200
"""Latest plans that are looked through for one that pruned the memory."""


def told_of_gone(
    core: Core, runtime: BankRuntime, ids: Sequence[str], error: NotFoundError
) -> NotFoundError:
    """The error for memories that are not there, saying which of them were destroyed."""
    there = {each.id for each in core.contents(runtime.ref, ids)}
    missing = [each for each in ids if each not in there]
    index = runtime.watch_again()
    erased = [each for each in missing if index.named(each) is not None]
    pruned = _pruned(core, runtime, frozenset(missing) - frozenset(erased))
    told = [f"{each} was erased" for each in erased]
    told += [f"{each} was pruned by plan {pruned[each]}" for each in missing if each in pruned]
    if not told:
        return error
    return NotFoundError(
        f"{error}; destroyed, and nothing brings it back: {', '.join(told)}", fields=error.fields
    )


def _pruned(core: Core, runtime: BankRuntime, ids: frozenset[str]) -> dict[str, str]:
    """The plan that took each, of those that a plan pruned lately."""
    store, ref = core.parts.store, runtime.ref
    found: dict[str, str] = {}
    for head in store.plans(ref, PLANS_LOOKED_AT) if ids else ():
        if head.verb is PlanVerb.PRUNE and head.application is not None:
            taken = ids.intersection(head.application.applied)
            found |= dict.fromkeys(taken, head.id)
    return found
