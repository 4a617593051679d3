"""Erasing in several banks at once: what was shared goes with what it was shared from.

Decides that copies are followed from bank to bank, that a hold in any of them refuses all, that all
of it is one transaction, and that one receipt tells of every bank. Refuses the rules themselves
(`lapse.erasure`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from lapse.engine.attending import Actor, entry_of
from lapse.engine.core import Core, Write
from lapse.engine.needles import answer_needles, needles_of, needles_of_words
from lapse.erasure.answering import answers_going, erased_in, taking_answers
from lapse.erasure.marking import kind_and_form
from lapse.erasure.matching import TombstoneIndex
from lapse.erasure.removing import Family, Fate, Making, fate_of, judge_erasure
from lapse.erasure.words import (
    Repeats,
    noting,
    redacting,
    redactions,
    repeated,
    repeated_in_words,
)
from lapse.errors import ConflictError, GuardedError
from lapse.lifecycle.holds import holding
from lapse.model.answer import CachedAnswer
from lapse.model.guards import Guard, Spared
from lapse.model.instants import Instant, to_iso
from lapse.model.journal import JournalDraft
from lapse.model.memory import BankRef, MemoryRef
from lapse.model.receipt import Receipt, message_of, told_of
from lapse.model.redaction import Redaction
from lapse.model.selector import Selector
from lapse.model.tombstone import KeptTombstone, TombstoneScope
from lapse.model.verbs import Verb
from lapse.model.view import Reads
from lapse.selecting.asking import identifiers_asked
from lapse.truth.supersession import settle

_TRIES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What goes in one bank.

    Attributes:
        answers: The cached answers that would go, by id.
    """

    ref: BankRef
    family: Family
    fate: Fate
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """What an erasure took.

    Attributes:
        parts: What went in each bank, by bank.
        redacted: Words that went with it, of each bank in which they stood.
        answers: Cached answers that went, of each bank.
    """

    parts: list[Part]
    redacted: tuple[Redaction, ...]
    answers: tuple[CachedAnswer, ...]


def gathered(
    core: Core,
    wanted: Mapping[BankRef, tuple[str, ...]],
    selector: Selector,
    now: Instant,
    by: str,
) -> list[Part]:
    """What goes in each bank if these memories do, by bank.

    Args:
        wanted: Ids by bank; each is there.
    """
    ids = {ref: dict.fromkeys(each) for ref, each in wanted.items()}
    parts: dict[BankRef, Part] = {}
    waiting = list(ids)
    while waiting:
        ref = waiting.pop()
        everything = selector.everything and ref in wanted
        family = replace(family_of(core, ref, tuple(ids[ref])), everything=everything)
        fate = fate_of(family, _making(core, ref, family, selector, now, by))
        answers = answers_going(family.answers, fate.removed, fate.answers)
        parts[ref] = Part(ref=ref, family=family, fate=fate, answers=answers)
        for copies in core.parts.store.copies(ref, fate.removed).values():
            for copy in copies:
                known = ids.setdefault(copy.ref, {})
                if copy.id not in known:
                    known[copy.id] = None
                    waiting += [] if copy.ref in waiting else [copy.ref]
    return [parts[ref] for ref in sorted(parts)]


def carry_out(
    core: Core,
    wanted: Mapping[BankRef, tuple[str, ...]],
    selector: Selector,
    actor: Actor,
    now: Instant,
) -> Gone:
    """Erase, in one transaction; what somebody changed meanwhile is read again.

    Raises:
        GuardedError: A hold in any of the banks keeps something; nothing was erased.
        AssertionError: Never: the last attempt returns or raises.
    """
    for attempt in range(_TRIES):
        parts = gathered(core, wanted, selector, now, actor.by)
        writes = [_write(core, parts, each, selector, actor, now) for each in parts]
        entry = partial(entry_of, core, Verb.ERASE, now, actor)
        beside = list(_beside(core, parts, selector, entry))
        kept = {each.ref: each.family.answers for each in parts}
        kept |= {each.ref: tuple(core.parts.store.answers(each.ref)) for each in beside}
        try:
            if len(writes) == 1 and not beside:
                only = writes[0]
                done = [core.commit(only.verb, only.ref, now, only.reads, only.judge)]
            else:
                _refuse_held(core, parts, writes, now)
                done = core.commit_each(now, [*writes, *beside])
        except ConflictError as error:
            if type(error) is not ConflictError or attempt == _TRIES - 1:
                raise
            continue
        for each in parts:
            runtime = core.runtime(each.ref)
            runtime.watch_again()
            runtime.forget(each.fate.removed)
            runtime.refresh()
        redacted = tuple(one for each in done for one in each.changes.redacted)
        refs = [each.ref for each in (*writes, *beside)]
        went = {ref: each.changes.answers.gone for ref, each in zip(refs, done, strict=True)}
        answers = (each.answer for ref in refs for each in kept[ref] if each.answer.id in went[ref])
        return Gone(parts=parts, redacted=redacted, answers=tuple(answers))
    raise AssertionError("the last attempt returns or raises")


def held_of(core: Core, part: Part) -> Iterator[Spared]:
    """What a hold keeps of a part."""
    holds = core.parts.store.holds(part.ref)
    for each in part.fate.removed:
        if holding(holds, part.family.versions[each][-1]):
            yield Spared(memory_id=each, guard=Guard.HOLD)


def copies_in(parts: Sequence[Part], own: BankRef) -> tuple[MemoryRef, ...]:
    """What goes in other banks than one."""
    return tuple(
        MemoryRef(ref=part.ref, id=each)
        for part in parts
        if part.ref != own
        for each in part.fate.removed
    )


def receipt_of(core: Core, gone: Gone, actor: Actor, now: Instant) -> Receipt:
    """Look for what went wherever the store is kept, and sign what was found."""
    parts = gone.parts
    told = (
        version
        for part in parts
        for name in part.fate.removed
        for version in part.family.versions[name]
    )
    words = needles_of_words(dict.fromkeys(each.text for each in gone.redacted))
    answers = answer_needles(gone.answers)
    scrubbed = core.parts.store.scrub((*needles_of(told), *words, *answers))
    first = parts[0]
    seq, head = core.parts.store.journal_head(first.ref)
    stones = [each for part in parts for each in part.fate.tombstones]
    unsigned = Receipt(
        tenant=first.ref.tenant,
        bank=first.ref.name,
        at=to_iso(now),
        by=actor.by,
        approved_by=actor.approved_by or "",
        erased=sum(len(each.fate.erased) for each in parts),
        derived=sum(len(each.fate.derived) for each in parts),
        cut=sum(len(each.fate.cut) for each in parts),
        redacted=len(gone.redacted),
        answers=len(gone.answers),
        tombstones=tuple(each.id for each in stones),
        key_id=stones[0].key_id,
        journal_seq=seq,
        journal_hash=head.hex(),
        banks=tuple(_told(core, each) for each in parts),
        copies=tuple(each for part in parts for each in _left(core, part)),
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


def _told(core: Core, part: Part) -> str:
    seq, head = core.parts.store.journal_head(part.ref)
    count = len(part.fate.removed)
    return f"{part.ref.name}: {count} gone, journal {seq} {head.hex()}"


def _left(core: Core, part: Part) -> Iterator[str]:
    """Copies of the bank that left the store while something that went now was in it."""
    versions = part.family.versions
    since = min(versions[each][0].recorded_from for each in part.fate.removed)
    for entry in core.parts.store.copied(part.ref):
        if entry.verb is not Verb.SHARE and entry.at >= since:
            yield f"{part.ref.name}: {entry.verb.value} at {to_iso(entry.at)} by {entry.by}"


def _write(
    core: Core,
    parts: Sequence[Part],
    part: Part,
    selector: Selector,
    actor: Actor,
    now: Instant,
) -> Write:
    journal = entry_of(core, Verb.ERASE, now, actor)
    judge = partial(judge_erasure, part.family, part.fate, journal, settle)
    words = redacting(repeats_in(core, part.ref, parts, selector), (), judge)
    if _wide(parts):
        # What was erased in another of these banks may not be said in this one either.
        words = taking_answers(_says_in(core, part.ref, parts), words)
    reads = replace(family_reads(part.family), words=True)
    return Write(verb=Verb.ERASE, ref=part.ref, reads=reads, judge=words)


def repeats_in(core: Core, ref: BankRef, parts: Sequence[Part], selector: Selector) -> Repeats:
    """What a text repeats in a bank of all that an erasure takes."""
    index = _index_in(core, ref, parts)
    # Finding identifiers in a text takes longer than all else that is done with it.
    return partial(repeated_in_words if selector.identifier is None else repeated, index)


def _says_in(core: Core, ref: BankRef, parts: Sequence[Part]) -> Callable[[CachedAnswer], bool]:
    """Whether a cached answer of a bank says what an erasure takes."""
    index = _index_in(core, ref, parts)
    return lambda answer: erased_in(index, answer) is not None


def _index_in(core: Core, ref: BankRef, parts: Sequence[Part]) -> TombstoneIndex:
    stones = [each for part in parts for each in part.fate.tombstones if each.applies_to(ref)]
    index = TombstoneIndex()
    kept = (KeptTombstone(number=at, tombstone=each) for at, each in enumerate(stones, start=1))
    index.advance(kept, core.parts.keys.find)
    return index


def _wide(parts: Sequence[Part]) -> bool:
    """Whether anything of it may come back in no bank of the tenant."""
    stones = (each for part in parts for each in part.fate.tombstones)
    return any(each.scope is TombstoneScope.TENANT for each in stones)


def _beside(
    core: Core, parts: Sequence[Part], selector: Selector, entry: Callable[[], JournalDraft]
) -> Iterator[Write]:
    """What goes in the tenant's other banks, where what was erased may not be said any more.

    Words that persons wrote, canaries that ask for it, and cached answers that say it.
    """
    if not _wide(parts):
        return
    store, here = core.parts.store, {each.ref for each in parts}
    for bank in store.banks(parts[0].ref.tenant):
        ref = bank.ref
        if ref in here:
            continue
        repeats, canaries = repeats_in(core, ref, parts, selector), store.canaries(ref)
        says = _says_in(core, ref, parts)
        met = any(says(each.answer) for each in store.answers(ref))
        asked = any(repeats(each.query) is not None for each in canaries)
        if met or asked or redactions(repeats, store.words(ref)):
            judge = taking_answers(says, redacting(repeats, canaries, noting(entry())))
            yield Write(verb=Verb.ERASE, ref=ref, reads=Reads(words=True, answers=0), judge=judge)


def answers_beside(core: Core, parts: Sequence[Part]) -> int:
    """How many cached answers would go in the tenant's other banks."""
    if not _wide(parts):
        return 0
    store, here = core.parts.store, {each.ref for each in parts}
    refs = [each.ref for each in store.banks(parts[0].ref.tenant) if each.ref not in here]
    said = {ref: _says_in(core, ref, parts) for ref in refs}
    return sum(said[ref](each.answer) for ref in refs for each in store.answers(ref))


def _refuse_held(core: Core, parts: Sequence[Part], writes: Sequence[Write], now: Instant) -> None:
    """Let the gate refuse, and journal, in every bank where a hold keeps something."""
    held: list[str] = []
    for part, write in zip(parts, writes, strict=True):
        names = [each.memory_id for each in held_of(core, part)]
        if names:
            held += (f"{part.ref.name}/{each}" for each in names)
            try:
                core.commit(write.verb, write.ref, now, write.reads, write.judge)
            except GuardedError:
                continue
    if held:
        named = ", ".join(held)
        raise GuardedError(
            f"a hold keeps some of it, nothing was erased in any bank: {named}",
            fields={"ids": named, "guards": Guard.HOLD.value},
        )


def family_of(core: Core, ref: BankRef, ids: tuple[str, ...]) -> Family:
    """Memories of a bank, with all that was derived from them, wherever it stands."""
    store = core.parts.store
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
    sources = [one for each in current.values() for one in each.derived_from if one not in known]
    beside = core.contents(ref, list(dict.fromkeys(sources))) if sources else []
    return Family(
        chosen=ids,
        versions=versions,
        canaries=tuple(store.canaries(ref)),
        answers=tuple(store.answers(ref)),
        beside=tuple(beside),
    )


def _making(
    core: Core, ref: BankRef, family: Family, selector: Selector, now: Instant, by: str
) -> Making:
    wide = selector.subject is not None or selector.identifier is not None
    count = len(family.versions)
    named = identifiers_asked(selector.identifier) if selector.identifier else ()
    return Making(
        ref=ref,
        scope=TombstoneScope.TENANT if wide else TombstoneScope.BANK,
        key=core.parts.keys.current(),
        ids=[core.parts.entropy(10).hex() for _ in range(count)],
        salts=[core.parts.entropy(16) for _ in range(count)],
        at=now,
        by=by,
        identifiers=tuple(kind_and_form(each.identifier) for each in named),
    )


def family_reads(family: Family) -> Reads:
    """What `judge_erasure` must see of a family."""
    current = [each[-1] for each in family.versions.values()]
    linked = [one for each in current for one in (each.supersedes, each.superseded_by) if one]
    keys = [each.key for each in current if each.key is not None]
    return Reads(
        ids=tuple(dict.fromkeys([*family.versions, *linked])),
        keys=tuple(dict.fromkeys(keys)),
        cited=True,
        answers=0,
    )
