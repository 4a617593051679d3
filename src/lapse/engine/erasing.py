"""Erasing: from a choice to a receipt.

Decides the order: find the memories and all that was derived from them, prepare their tombstones,
commit with the judge, let go of what is kept in RAM, see to it that the store holds no byte of it,
and sign what was done. Refuses the rules themselves (`lapse.erasure`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from lapse.engine.attending import AWAY, IN_SIGHT, Actor, entry_of
from lapse.engine.core import Core
from lapse.engine.erasing_together import (
    Part,
    answers_beside,
    carry_out,
    copies_in,
    gathered,
    held_of,
    receipt_of,
)
from lapse.engine.gathering import chosen
from lapse.engine.people import check_second
from lapse.engine.runtime import BankRuntime
from lapse.erasure.checking import check_keys
from lapse.erasure.removing import Family, Fate
from lapse.errors import NotFoundError
from lapse.model.changeset import Changes
from lapse.model.guards import Spared
from lapse.model.memory import MemoryRef
from lapse.model.receipt import Receipt
from lapse.model.selector import Selector
from lapse.model.tombstone import KeptTombstone, Lift, Tombstone
from lapse.model.verbs import Verb
from lapse.model.view import Reads

ANYWHERE: Final = (*IN_SIGHT, *AWAY)
"""Where a memory stands that can be erased."""

_TRIES: Final = 5
_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What an erasure took, or would take.

    Attributes:
        applied: Whether it was done; a preview changes nothing.
        erased: Memories chosen.
        derived: What goes with them, because it was made of them.
        cut: What stays because other sources support it, and no longer names them.
        spared: What a hold keeps: then nothing of it can be erased.
        unchanged: Those chosen that were erased before.
        receipt: The signed receipt, or None for a preview or where nothing was left to do.
        copies: What goes in other banks, because it was shared from here, or made of that.
        answers: Cached answers that go, in every bank: made of what goes, or saying it.
    """

    applied: bool
    erased: tuple[str, ...]
    derived: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    spared: tuple[Spared, ...] = ()
    unchanged: tuple[str, ...] = ()
    receipt: Receipt | None = None
    copies: tuple[MemoryRef, ...] = ()
    answers: int = 0


def preview_erasure(core: Core, runtime: BankRuntime, selector: Selector) -> Erasure:
    """What `erase` would take now, and what a hold would keep. Changes nothing.

    Raises:
        NotFoundError: Some ids are not in the bank.
    """
    found = parted(core, runtime, selector)
    if found is None:
        _, unchanged = wanted(core, runtime, selector)
        return Erasure(applied=False, erased=(), unchanged=unchanged)
    parts, unchanged = found
    own = next(each for each in parts if each.ref == runtime.ref)
    return Erasure(
        applied=False,
        erased=own.fate.erased,
        derived=own.fate.derived,
        cut=own.fate.cut,
        spared=tuple(each for part in parts for each in held_of(core, part)),
        unchanged=unchanged,
        copies=copies_in(parts, runtime.ref),
        answers=sum(len(each.answers) for each in parts) + answers_beside(core, parts),
    )


def reach(
    core: Core, runtime: BankRuntime, selector: Selector
) -> tuple[Family, Fate, tuple[str, ...]] | None:
    """What an erasure would take now: the one list behind every preview and report.

    Returns:
        The memories with their versions, what would become of them, and ids of those erased before;
        None where nothing is chosen.

    Raises:
        NotFoundError: Some ids are not in the bank.
    """
    found = parted(core, runtime, selector)
    if found is None:
        return None
    parts, unchanged = found
    own = next(each for each in parts if each.ref == runtime.ref)
    return own.family, own.fate, unchanged


def parted(
    core: Core, runtime: BankRuntime, selector: Selector
) -> tuple[list[Part], tuple[str, ...]] | None:
    """What `reach` lists, with what goes in other banks: each bank's part, by bank."""
    runtime.follow()
    ids, unchanged = wanted(core, runtime, selector)
    if not ids:
        return None
    return gathered(core, {runtime.ref: ids}, selector, core.now(), "preview"), unchanged


def erase(core: Core, runtime: BankRuntime, selector: Selector, actor: Actor) -> Erasure:
    """Destroy what was chosen, with all that was derived from it, for good.

    Raises:
        GuardedError: A hold keeps some of it; nothing was erased, and the refusal is journalled.
        KeyMissingError: There is no key to make tombstones with, or an older one is missing.
        NotFoundError: Some ids are not in the bank; nothing was done.
        ValidationError: A second person is needed.
    """
    runtime.follow()
    check_second(runtime.rule.policy, actor.by, actor.approved_by)
    now = core.now()
    check_keys(runtime.watch().index)
    ids, unchanged = wanted(core, runtime, selector)
    if not ids:
        return Erasure(applied=True, erased=(), unchanged=unchanged)
    gone = carry_out(core, {runtime.ref: ids}, selector, actor, now)
    own = next(each for each in gone.parts if each.ref == runtime.ref)
    return Erasure(
        applied=True,
        erased=own.fate.erased,
        derived=own.fate.derived,
        cut=own.fate.cut,
        unchanged=unchanged,
        copies=copies_in(gone.parts, runtime.ref),
        answers=len(gone.answers),
        receipt=receipt_of(core, gone, actor, now),
    )


def lift(core: Core, runtime: BankRuntime, tombstone_id: str, actor: Actor) -> Tombstone:
    """Allow erased content again. That it was allowed, by whom and why, stays.

    Raises:
        NotFoundError: No tombstone of that id stands in this bank's tenant, or it was lifted.
    """
    runtime.follow()
    now = core.now()
    found = [each for each in tombstones(core, runtime) if each.tombstone.id == tombstone_id]
    if not found or found[0].tombstone.lift is not None:
        raise NotFoundError(
            f"no tombstone in force is called {tombstone_id}", fields={"id": tombstone_id}
        )
    lifted = replace(found[0].tombstone, lift=Lift(at=now, by=actor.by, reason=actor.reason))
    journal = replace(entry_of(core, Verb.LIFT_TOMBSTONE, now, actor), about=tombstone_id)
    changes = Changes(tombstones=(lifted,), journal=journal)
    core.commit(Verb.LIFT_TOMBSTONE, runtime.ref, now, Reads(), lambda _: changes)
    runtime.watch_again()
    return lifted


def tombstones(core: Core, runtime: BankRuntime, after: int = 0) -> Iterator[KeptTombstone]:
    """Every tombstone that applies to the bank, in the order stored or lifted, after a number."""
    while found := core.parts.store.tombstones(runtime.ref, after, _AT_ONCE):
        yield from found
        after = found[-1].number


def wanted(
    core: Core, runtime: BankRuntime, selector: Selector
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The memories meant that are there, and those that were erased before.

    Raises:
        NotFoundError: Some ids are of no memory that was ever in the bank.
    """
    ids = chosen(core, runtime, selector, ANYWHERE)
    there = {each.id for each in core.contents(runtime.ref, ids)}
    index = runtime.watch().index
    missing = [each for each in ids if each not in there]
    unknown = [each for each in missing if index.named(each) is None]
    if unknown:
        named = ", ".join(unknown)
        raise NotFoundError(f"no such memory in this bank: {named}", fields={"ids": named})
    return tuple(each for each in ids if each in there), tuple(missing)
