"""Going back to a copy of a store without going back on what was decided since.

Works on the copy, before it takes the store's place. Decides the order: tombstones first; then,
bank by bank, holds make way, what was erased since goes with what was made of it, holds stand as
they do now; then what was put out of mind or taken back since is so again. Refuses to open, to lock
and to replace files, and the rules themselves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Final

from lapse.engine.attending import Actor, entry_of
from lapse.engine.chronicle import verify_journal
from lapse.engine.core import Core
from lapse.engine.correcting import retract
from lapse.engine.erasing_together import family_of, family_reads
from lapse.engine.needles import needles_of, needles_of_words
from lapse.engine.newer import OUTWARD, standing_of, was_replaced
from lapse.engine.preparing import Writing
from lapse.engine.runtime import BankRuntime
from lapse.erasure.answering import AnswerFate
from lapse.erasure.checking import check_keys, refusal_of
from lapse.erasure.matching import TombstoneIndex
from lapse.erasure.removing import Family, Fate, judge_erasure, without_answers
from lapse.erasure.words import redacting, repeated
from lapse.errors import CorruptStoreError
from lapse.lifecycle.attending import judge_departures
from lapse.lifecycle.guards import Act
from lapse.lifecycle.moving import Move
from lapse.model.changeset import Changes
from lapse.model.dump import KeptMemory
from lapse.model.hold import Hold
from lapse.model.journal import JournalDraft
from lapse.model.memory import BankRef, Memory
from lapse.model.outcome import Action
from lapse.model.retention import Lifecycle
from lapse.model.tombstone import KeptTombstone, Tombstone
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Store
from lapse.text.identifiers.kept import kept_identifiers
from lapse.truth.supersession import settle

_AT_ONCE: Final = 1_000

_MOVES: Final = {Lifecycle.SUPPRESSED: Verb.SUPPRESS, Lifecycle.ARCHIVED: Verb.ARCHIVE}


@dataclass(frozen=True, slots=True, kw_only=True)
class BankRestored:
    """What becomes of one bank.

    Attributes:
        tenant, bank: Which.
        memories: How many are in it afterwards.
        erased: Memories of the copy that were erased since, or say what was.
        derived: What was made of those alone, and goes with them.
        suppressed, archived, retracted: Memories put out of mind or taken back since: so again.
        open: Decisions since that could not be carried over: memories that something told since
            had replaced and that hold again, and those that a guard spared.
        lost: How many memories were stored since: the copy does not know them.
        tombstones: How many it did not know.
        holds: Names of the holds that stand.
    """

    tenant: str
    bank: str
    memories: int
    erased: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    suppressed: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    retracted: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    lost: int = 0
    tombstones: int = 0
    holds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtUp:
    """What became of a copy.

    Attributes:
        banks: Each bank of either store, by tenant and name.
        residue: How many of the byte sequences of what went are still found in it: other memories
            may say the same, in another bank or since before.
    """

    banks: tuple[BankRestored, ...]
    residue: int


def bring_up(copy: Core, present: Store, actor: Actor) -> BroughtUp:
    """Bring a copy up to what was decided since.

    Args:
        copy: The copy, opened, of which nobody else knows.
        present: The store whose place it is to take, as it is now.
        actor: Who goes back, and why.

    Raises:
        CorruptStoreError: A journal of the copy is not whole.
        KeyMissingError: A key that something was erased under is not here.
    """
    refs = sorted({*copy.parts.store.refs(), *present.refs()})
    _check_journals(copy)
    fresh = _bury(copy, present, refs)
    work = [_Return(copy, present, ref, actor, fresh.get(ref, 0)) for ref in refs]
    found = tuple(each.carried_out() for each in work)
    needles = needles_of(version for each in work for version in each.gone)
    words = needles_of_words(text for each in work for text in each.words)
    residue = copy.parts.store.scrub((*needles, *words)).residue
    return BroughtUp(banks=found, residue=residue)


class _Return:
    """One bank of the copy, on its way."""

    def __init__(
        self, copy: Core, present: Store, ref: BankRef, actor: Actor, tombstones: int
    ) -> None:
        self.gone: list[Memory] = []
        self.words: list[str] = []
        self._copy = copy
        self._present = present
        self._ref = ref
        self._actor = actor
        self._tombstones = tombstones
        self._now = copy.now()
        self._standing = standing_of(present, ref)

    def carried_out(self) -> BankRestored:
        """Do it."""
        ref, store = self._ref, self._copy.parts.store
        known = store.bank(ref) is not None
        holds = self._holds()
        told = BankRestored(
            tenant=ref.tenant,
            bank=ref.name,
            memories=0,
            lost=self._lost(),
            tombstones=self._tombstones,
            holds=tuple(each.name for each in holds),
        )
        if not known and not holds:
            return told
        fate = self._erase_again(holds)
        moved, spared = self._move_again()
        retracted = self._retract_again()
        return replace(
            told,
            memories=store.count(ref),
            erased=fate.erased,
            derived=fate.derived,
            suppressed=moved.get(Lifecycle.SUPPRESSED, ()),
            archived=moved.get(Lifecycle.ARCHIVED, ()),
            retracted=retracted,
            open=tuple(dict.fromkeys((*spared, *self._open()))),
        )

    @property
    def _runtime(self) -> BankRuntime:
        return self._copy.runtime(self._ref)

    def _holds(self) -> tuple[Hold, ...]:
        """Those that are to stand: of a bank that is gone, those of the copy."""
        store = self._copy.parts.store if self._standing is None else self._present
        return tuple(store.holds(self._ref))

    def _lost(self) -> int:
        if self._standing is None:
            return 0
        there = self._copy.contents(self._ref, sorted(self._standing.ids))
        return len(self._standing.ids) - len(there)

    def _erase_again(self, holds: tuple[Hold, ...]) -> Fate:
        """Take out what was erased since; what holds protect now was not there any more."""
        there = self._copy.parts.store.holds(self._ref)
        released = Changes(holds_released=tuple(each.name for each in there))
        self._copy.commit(Verb.ADOPT, self._ref, self._now, Reads(), lambda _: released)
        index = self._runtime.watch_again()
        family, fate = self._fate(index)
        judge = redacting(partial(repeated, index), (), partial(self._judge, family, fate, holds))
        reads = replace(family_reads(family), words=True)
        done = self._copy.commit(Verb.RESTORE_BACKUP, self._ref, self._now, reads, judge)
        self.words += (each.text for each in done.changes.redacted)
        self.gone += (each for name in fate.removed for each in family.versions[name])
        self._runtime.forget(fate.removed)
        return fate

    def _judge(self, family: Family, fate: Fate, holds: tuple[Hold, ...], view: View) -> Changes:
        changes = judge_erasure(family, fate, self._entry(), settle, view)
        assert changes.journal is not None  # noqa: S101 - it was given one
        counts = (*changes.journal.counts, ("holds", len(holds)))
        counted = replace(changes.journal, counts=tuple(sorted(counts)))
        # The bank's own record, as it is: that the copy was gone back to is told in any case.
        return replace(changes, bank=view.bank, holds_placed=holds, journal=counted)

    def _entry(self) -> JournalDraft:
        """The entry, which names the head of the journal that ends by this."""
        _, head = self._present.journal_head(self._ref)
        drafted = entry_of(self._copy, Verb.RESTORE_BACKUP, self._now, self._actor)
        return replace(drafted, about=head.hex())

    def _fate(self, index: TombstoneIndex) -> tuple[Family, Fate]:
        met = tuple(self._met(index)) if len(index) else ()
        family = family_of(self._copy, self._ref, met)
        going = dict.fromkeys(met)
        grown = True
        while grown:
            grown = False
            for name, versions in family.versions.items():
                sources = versions[-1].derived_from
                if name in going or not sources or not going.keys() >= set(sources):
                    continue
                if not self._stands(versions):
                    going[name] = None
                    grown = True
        left = [each for each in family.versions if each not in going]
        cut = [each for each in left if going.keys() & set(family.versions[each][-1].derived_from)]
        dropped = [
            each
            for each in family.canaries
            if going.keys() >= set(each.expected_ids) or index.told(each.query) is not None
        ]
        return family, Fate(
            erased=met,
            derived=tuple(each for each in going if each not in met),
            cut=tuple(cut),
            tombstones=(),
            # Made from what a memory said then: nobody knows whether it still would be.
            answers=AnswerFate(everything=True),
            canaries_gone=tuple(each.id for each in dropped),
            canaries_cut=without_answers(going, family.canaries, dropped),
        )

    def _met(self, index: TombstoneIndex) -> Iterator[str]:
        """Memories that come under a tombstone and do not stand in the present store as well."""
        check_keys(index)
        for piece in self._copy.parts.store.dump(self._ref):
            if isinstance(piece, KeptMemory):
                versions = (*piece.versions, piece.memory)
                if _refused(index, versions) and not self._stands(versions):
                    yield piece.memory.id

    def _stands(self, versions: Sequence[Memory]) -> bool:
        """Whether the present store holds a memory in these words, so that they do not return."""
        name = versions[-1].id
        if self._standing is None or name not in self._standing.ids:
            return False
        here = [*self._present.versions(self._ref, name)]
        here += self._present.contents(self._ref, [name])
        return {_said(each) for each in versions} <= {_said(each) for each in here}

    def _move_again(self) -> tuple[Mapping[Lifecycle, tuple[str, ...]], tuple[str, ...]]:
        """Put out of mind what was put out of mind since; gives what went, and what is spared."""
        moved: dict[Lifecycle, tuple[str, ...]] = {}
        spared: list[str] = []
        for (lifecycle, reason), ids in self._moves():
            verb = _MOVES[lifecycle]
            policy = self._runtime.rule.policy
            actor = replace(self._actor, reason=reason or self._actor.reason)
            judge = partial(
                judge_departures,
                Act(verb=verb, policy=policy, now=self._now),
                Move(at=self._now, by=actor.by, reason=actor.reason),
                ids,
                entry_of(self._copy, verb, self._now, actor),
            )
            done = self._copy.commit(verb, self._ref, self._now, Reads(ids=ids), judge)
            for each in done.changes.outcomes:
                if each.action is Action.UPDATED:
                    moved[lifecycle] = (*moved.get(lifecycle, ()), each.memory_id)
                elif each.action is Action.REFUSED:
                    spared.append(each.memory_id)
        return moved, tuple(spared)

    def _moves(self) -> Iterator[tuple[tuple[Lifecycle, str], tuple[str, ...]]]:
        away = {} if self._standing is None else self._standing.away
        behind = [
            each.memory.id
            for each in self._copy.get(self._ref, sorted(away))
            if OUTWARD[each.state.lifecycle] < OUTWARD[away[each.memory.id].lifecycle]
        ]
        if not behind:
            return

        def where(name: str) -> tuple[Lifecycle, str]:
            return away[name].lifecycle, away[name].reason

        for told, ids in groupby(sorted(behind, key=where), key=where):
            yield told, tuple(ids)

    def _retract_again(self) -> tuple[str, ...]:
        wanted = () if self._standing is None else sorted(self._standing.retracted)
        found = self._copy.contents(self._ref, wanted)
        ids = tuple(each.id for each in found if each.recorded_to is None)
        if ids:
            actor = self._actor
            writing = Writing(verb=Verb.RETRACT, now=self._now, by=actor.by, reason=actor.reason)
            retract(self._copy, self._runtime, writing, ids)
        return ids

    def _open(self) -> Iterator[str]:
        """What something told since had replaced, and holds again."""
        wanted = () if self._standing is None else sorted(self._standing.replaced)
        for each in self._copy.contents(self._ref, wanted):
            if not was_replaced(each) and each.recorded_to is None:
                yield each.id


def _check_journals(copy: Core) -> None:
    for ref in copy.parts.store.refs():
        check = verify_journal(copy, copy.runtime(ref))
        if not check.sound:
            raise CorruptStoreError(
                f"the journal of bank {ref} in this backup is not whole: {check.problem}",
                fields={"bank": str(ref)},
            )


def _bury(copy: Core, present: Store, refs: Sequence[BankRef]) -> Mapping[BankRef, int]:
    """Keep every tombstone of the present store in the copy as well.

    Returns:
        How many each bank's copy did not know, lifted since among them.
    """
    there = {each.id: each for each in _stones(copy.parts.store, refs)}
    fresh: dict[BankRef, list[Tombstone]] = {}
    for stone in _stones(present, refs):
        if there.get(stone.id) != stone:
            ref = stone.ref if stone.ref in refs else next(e for e in refs if stone.applies_to(e))
            fresh.setdefault(ref, []).append(stone)
    for ref, stones in fresh.items():
        for start in range(0, len(stones), _AT_ONCE):
            changes = Changes(tombstones=tuple(stones[start : start + _AT_ONCE]))
            copy.commit(Verb.ADOPT, ref, copy.now(), Reads(), partial(_as_it_is, changes))
    return {ref: len(stones) for ref, stones in fresh.items()}


def _as_it_is(changes: Changes, _view: View) -> Changes:
    return changes


def _stones(store: Store, refs: Iterable[BankRef]) -> Iterator[Tombstone]:
    """Every tombstone once, in order of their numbers."""
    found: dict[str, KeptTombstone] = {}
    for ref in refs:
        after = 0
        while part := store.tombstones(ref, after, _AT_ONCE):
            found |= {each.tombstone.id: each for each in part}
            after = part[-1].number
    for each in sorted(found.values(), key=lambda one: one.number):
        yield each.tombstone


def _refused(index: TombstoneIndex, versions: Sequence[Memory]) -> bool:
    current = versions[-1]
    if index.named(current.id) is not None:
        return True
    if refusal_of(index, current, kept_identifiers(current.text)) is not None:
        return True
    return any(index.told(each.text) is not None for each in versions[:-1])


def _said(memory: Memory) -> tuple[object, ...]:
    return memory.text, memory.key, memory.value, repr(memory.metadata)
