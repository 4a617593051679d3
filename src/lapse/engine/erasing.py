"""Erasing: from a choice to a receipt.

Decides the order: find the memories and all that was derived from them, prepare their tombstones,
commit with the judge, let go of what is kept in RAM, see to it that the store holds no byte of it,
and sign what was done. Refuses the rules themselves (`lapse.erasure`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from lapse.engine.attending import AWAY, IN_SIGHT, Actor, entry_of
from lapse.engine.core import Core
from lapse.engine.gathering import chosen
from lapse.engine.needles import needles_of
from lapse.engine.people import check_second
from lapse.engine.runtime import BankRuntime
from lapse.erasure.checking import check_keys
from lapse.erasure.marking import kind_and_form
from lapse.erasure.removing import Family, Fate, Making, fate_of, judge_erasure
from lapse.errors import ConflictError, NotFoundError
from lapse.lifecycle.holds import holding
from lapse.model.changeset import Changes, Reads
from lapse.model.guards import Guard, Spared
from lapse.model.instants import Instant, to_iso
from lapse.model.receipt import Receipt, message_of, told_of
from lapse.model.scrubbing import Scrubbed
from lapse.model.selector import Selector
from lapse.model.tombstone import KeptTombstone, Lift, Tombstone, TombstoneScope
from lapse.model.verbs import Verb
from lapse.selecting.asking import identifiers_asked
from lapse.truth.supersession import settle

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
    """

    applied: bool
    erased: tuple[str, ...]
    derived: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    spared: tuple[Spared, ...] = ()
    unchanged: tuple[str, ...] = ()
    receipt: Receipt | None = None


def preview_erasure(core: Core, runtime: BankRuntime, selector: Selector) -> Erasure:
    """What `erase` would take now, and what a hold would keep. Changes nothing.

    Raises:
        NotFoundError: Some ids are not in the bank.
    """
    found = reach(core, runtime, selector)
    if found is None:
        _, unchanged = _wanted(core, runtime, selector)
        return Erasure(applied=False, erased=(), unchanged=unchanged)
    family, fate, unchanged = found
    holds = core.parts.store.holds(runtime.ref)
    held = [each for each in fate.removed if holding(holds, family.versions[each][-1])]
    return Erasure(
        applied=False,
        erased=fate.erased,
        derived=fate.derived,
        cut=fate.cut,
        spared=tuple(Spared(memory_id=each, guard=Guard.HOLD) for each in held),
        unchanged=unchanged,
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
    runtime.follow()
    ids, unchanged = _wanted(core, runtime, selector)
    if not ids:
        return None
    family = _family(core, runtime, ids)
    making = _making(core, runtime, family, selector, core.now(), "preview")
    return family, fate_of(family, making), unchanged


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
    ids, unchanged = _wanted(core, runtime, selector)
    if not ids:
        return Erasure(applied=True, erased=(), unchanged=unchanged)
    family, fate = _committed(core, runtime, selector, ids, actor, now)
    runtime.watch_again()
    runtime.forget(fate.removed)
    runtime.refresh()
    told = (each for name in fate.removed for each in family.versions[name])
    scrubbed = core.parts.store.scrub(tuple(needles_of(told)))
    return Erasure(
        applied=True,
        erased=fate.erased,
        derived=fate.derived,
        cut=fate.cut,
        unchanged=unchanged,
        receipt=_receipt(core, runtime, fate, scrubbed, actor, now),
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


def tombstones(core: Core, runtime: BankRuntime) -> Iterator[KeptTombstone]:
    """Every tombstone that applies to the bank, in the order stored or lifted."""
    after = 0
    while found := core.parts.store.tombstones(runtime.ref, after, _AT_ONCE):
        yield from found
        after = found[-1].number


def _wanted(
    core: Core, runtime: BankRuntime, selector: Selector
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The memories meant that are there, and those that were erased before."""
    ids = chosen(core, runtime, selector, ANYWHERE)
    there = {each.id for each in core.contents(runtime.ref, ids)}
    index = runtime.watch().index
    missing = [each for each in ids if each not in there]
    unknown = [each for each in missing if index.named(each) is None]
    if unknown:
        named = ", ".join(unknown)
        raise NotFoundError(f"no such memory in this bank: {named}", fields={"ids": named})
    return tuple(each for each in ids if each in there), tuple(missing)


def _committed(
    core: Core,
    runtime: BankRuntime,
    selector: Selector,
    ids: tuple[str, ...],
    actor: Actor,
    now: Instant,
) -> tuple[Family, Fate]:
    """Commit, and read the family again when somebody changed it meanwhile."""
    journal = entry_of(core, Verb.ERASE, now, actor)
    for attempt in range(_TRIES):
        family = _family(core, runtime, ids)
        fate = fate_of(family, _making(core, runtime, family, selector, now, actor.by))
        judge = partial(judge_erasure, family, fate, journal, settle)
        try:
            core.commit(Verb.ERASE, runtime.ref, now, _reads(family), judge)
        except ConflictError as error:
            if type(error) is not ConflictError or attempt == _TRIES - 1:
                raise
            continue
        return family, fate
    raise AssertionError("the last attempt returns or raises")


def _family(core: Core, runtime: BankRuntime, ids: tuple[str, ...]) -> Family:
    store, ref = core.parts.store, runtime.ref
    known = dict.fromkeys(ids)
    wave = list(known)
    while wave:
        found = store.derived(ref, wave)
        wave = [each for names in found.values() for each in names if each not in known]
        known |= dict.fromkeys(wave)
    current = {each.id: each for each in core.contents(ref, list(known))}
    versions = {
        each: (*store.versions(ref, each), current[each]) for each in known if each in current
    }
    return Family(chosen=ids, versions=versions, canaries=tuple(store.canaries(ref)))


def _making(
    core: Core,
    runtime: BankRuntime,
    family: Family,
    selector: Selector,
    now: Instant,
    by: str,
) -> Making:
    wide = selector.subject is not None or selector.identifier is not None
    count = len(family.versions)
    named = identifiers_asked(selector.identifier) if selector.identifier else ()
    return Making(
        ref=runtime.ref,
        scope=TombstoneScope.TENANT if wide else TombstoneScope.BANK,
        key=core.parts.keys.current(),
        ids=[core.parts.entropy(10).hex() for _ in range(count)],
        salts=[core.parts.entropy(16) for _ in range(count)],
        at=now,
        by=by,
        identifiers=tuple(kind_and_form(each.identifier) for each in named),
    )


def _reads(family: Family) -> Reads:
    current = [each[-1] for each in family.versions.values()]
    linked = [one for each in current for one in (each.supersedes, each.superseded_by) if one]
    keys = [each.key for each in current if each.key is not None]
    return Reads(
        ids=tuple(dict.fromkeys([*family.versions, *linked])),
        keys=tuple(dict.fromkeys(keys)),
        cited=True,
    )


def _receipt(
    core: Core,
    runtime: BankRuntime,
    fate: Fate,
    scrubbed: Scrubbed,
    actor: Actor,
    now: Instant,
) -> Receipt:
    seq, head = core.parts.store.journal_head(runtime.ref)
    unsigned = Receipt(
        tenant=runtime.ref.tenant,
        bank=runtime.ref.name,
        at=to_iso(now),
        by=actor.by,
        erased=len(fate.erased),
        derived=len(fate.derived),
        cut=len(fate.cut),
        tombstones=tuple(each.id for each in fate.tombstones),
        key_id=fate.tombstones[0].key_id,
        journal_seq=seq,
        journal_hash=head.hex(),
        places=scrubbed.places,
        residue=scrubbed.residue,
        log_emptied=scrubbed.log_emptied,
        rebuilt=scrubbed.rebuilt,
    )
    keys = core.parts.keys
    public, _ = keys.sign(b"")
    named = replace(unsigned, public_key=public.hex())
    _, signature = keys.sign(message_of(told_of(named)))
    return replace(named, signature=signature.hex())
