"""Erasing over all banks of a tenant: a person, a bank, a tenant.

Decides that one act reaches every bank, looked at first and done in one transaction, with one
receipt. Refuses the rules themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lapse.engine.answers import clear
from lapse.engine.attending import Actor
from lapse.engine.choosing import read_selector
from lapse.engine.core import Core
from lapse.engine.erasing import wanted
from lapse.engine.erasing_together import Part, carry_out, gathered, held_of, receipt_of
from lapse.engine.people import check_second
from lapse.engine.untyped import as_names
from lapse.erasure.checking import check_keys
from lapse.errors import NotFoundError
from lapse.model.guards import Spared
from lapse.model.memory import BankRef
from lapse.model.receipt import Receipt
from lapse.model.selector import Selector


@dataclass(frozen=True, slots=True, kw_only=True)
class BankErasure:
    """What went, or would go, in one bank.

    Attributes:
        bank: Its name.
        erased, derived, cut: As for an erasure in one bank; copies that were shared into it are
            among the erased.
        spared: What a hold keeps: then nothing can be erased anywhere.
    """

    bank: str
    erased: tuple[str, ...]
    derived: tuple[str, ...]
    cut: tuple[str, ...]
    spared: tuple[Spared, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WideErasure:
    """What an erasure over a tenant's banks took, or would take.

    Attributes:
        applied: Whether it was done.
        banks: Each bank in which something goes, by name.
        receipt: The one signed receipt; None for a preview or where there was nothing.
    """

    applied: bool
    banks: tuple[BankErasure, ...]
    receipt: Receipt | None = None


def reach_of(
    present: Sequence[str], tenant: str, banks: Sequence[str], where: Mapping[str, object]
) -> tuple[list[BankRef], Selector]:
    """Which banks are meant, and what in them; with nothing in common named, all there is.

    Raises:
        NotFoundError: A bank that is named does not exist.
        ValidationError: Something is asked for that cannot be.
    """
    names = as_names("banks", banks) or tuple(present)
    missing = ", ".join(each for each in names if each not in present)
    if missing:
        raise NotFoundError(f"no such bank: {missing}", fields={"banks": missing})
    everything = all(each is None for each in where.values())
    selector = read_selector((), where, everything=everything)
    return [BankRef(tenant=tenant, name=each) for each in sorted(set(names))], selector


def preview_widely(core: Core, refs: Sequence[BankRef], selector: Selector) -> WideErasure:
    """What `erase_widely` would take. Changes nothing."""
    chosen = _chosen(core, refs, selector)
    parts = gathered(core, chosen, selector, core.now(), "preview") if chosen else []
    return WideErasure(applied=False, banks=tuple(_of(core, each) for each in parts))


def erase_widely(
    core: Core, refs: Sequence[BankRef], selector: Selector, actor: Actor
) -> WideErasure:
    """Destroy what was chosen in all of these banks, for good: all of it, or nothing.

    Raises:
        GuardedError: A hold in any of the banks keeps something.
        KeyMissingError: There is no key to make tombstones with, or an older one is missing.
        ValidationError: A second person is needed in one of them.
    """
    for ref in refs:
        runtime = core.runtime(ref)
        runtime.follow()
        check_second(runtime.rule.policy, actor.by, actor.approved_by)
        check_keys(runtime.watch().index)
    now = core.now()
    chosen = _chosen(core, refs, selector)
    if selector.everything:
        # Where there is a memory, answers go in its transaction.
        for ref in (each for each in refs if each not in chosen):
            clear(core, core.runtime(ref))
    if not chosen:
        return WideErasure(applied=True, banks=())
    gone = carry_out(core, chosen, selector, actor, now)
    return WideErasure(
        applied=True,
        banks=tuple(_of(core, each) for each in gone.parts),
        receipt=receipt_of(core, gone, actor, now),
    )


def _chosen(
    core: Core, refs: Sequence[BankRef], selector: Selector
) -> Mapping[BankRef, tuple[str, ...]]:
    found = {ref: wanted(core, core.runtime(ref), selector)[0] for ref in refs}
    return {ref: ids for ref, ids in found.items() if ids}


def _of(core: Core, part: Part) -> BankErasure:
    fate = part.fate
    return BankErasure(
        bank=part.ref.name,
        erased=fate.erased,
        derived=fate.derived,
        cut=fate.cut,
        spared=tuple(held_of(core, part)),
    )
