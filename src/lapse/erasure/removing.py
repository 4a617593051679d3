"""Erasing memories, with all that was made of them.

Decides what goes with a memory: whatever was derived from it alone, through any number of steps;
whatever was derived from others too, if it says what the memory said; and a canary that asks for
it. What other sources support stays, and no longer names the memory. The claims of a key are
settled anew without it. Refuses to choose what is to be erased, and to overrule a hold: the gate
does that.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lapse.erasure.answering import AnswerFate, answer_fate, answers_going
from lapse.erasure.digests import Digester
from lapse.erasure.marking import Erased, beside, erased_of, mark
from lapse.erasure.matching import TombstoneIndex
from lapse.errors import ConflictError, NotFoundError
from lapse.model.answer import AnswerChanges, KeptAnswer
from lapse.model.canary import Canary
from lapse.model.changeset import Changes
from lapse.model.guards import Choice, Departure
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import BankRef, Memory
from lapse.model.outcome import Action, Outcome
from lapse.model.tombstone import KeptTombstone, Tombstone, TombstoneKey, TombstoneScope
from lapse.model.view import View

Settle = Callable[[Sequence[Memory]], list[Memory]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Memories chosen to be erased, and all that was derived from them, as they were read.

    Attributes:
        chosen: Ids that somebody chose.
        versions: By id, every content version, the current one last: of those chosen and of all
            that was derived from them.
        canaries: The bank's canaries.
        answers: The bank's cached answers.
        everything: Whether all there is was chosen.
        beside: Other sources of what was derived: they stay, and may go on saying what they say.
    """

    chosen: tuple[str, ...]
    versions: Mapping[str, tuple[Memory, ...]]
    canaries: tuple[Canary, ...] = ()
    answers: tuple[KeptAnswer, ...] = ()
    everything: bool = False
    beside: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """What tombstones are made with.

    Attributes:
        ref: The bank.
        scope: Where the content may not come back.
        key: The key in use.
        ids, salts: A name and 16 random bytes for each memory that may go.
        at, by: When, and who asks.
        identifiers: (type, canonical form) of identifiers that may stand in no text any more.
    """

    ref: BankRef
    scope: TombstoneScope
    key: TombstoneKey
    ids: Sequence[str]
    salts: Sequence[bytes]
    at: Instant
    by: str
    identifiers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What becomes of a family.

    Attributes:
        erased: Those chosen, in the order chosen.
        derived: What goes with them.
        cut: What stays because other sources support it, and no longer names them.
        tombstones: One for each that goes.
        canaries_gone: Canaries that asked for nothing else, or in the words of what goes.
        canaries_cut: Canaries that no longer ask for what goes.
        answers: Which cached answers go.
    """

    erased: tuple[str, ...]
    derived: tuple[str, ...]
    cut: tuple[str, ...]
    tombstones: tuple[Tombstone, ...]
    canaries_gone: tuple[str, ...] = ()
    canaries_cut: tuple[Canary, ...] = ()
    answers: AnswerFate = field(default_factory=AnswerFate)

    @property
    def removed(self) -> tuple[str, ...]:
        """Everything that goes."""
        return (*self.erased, *self.derived)


def fate_of(family: Family, making: Making) -> Fate:
    """Decide what goes and what stays."""
    digester = Digester(making.key)
    going = dict.fromkeys(family.chosen)
    graves = _Graves(family, making, digester)
    for each in family.chosen:
        graves.bury(each)
    grown = True
    while grown:
        grown = False
        for name, versions in family.versions.items():
            if name not in going and _goes(versions[-1], going, graves.index):
                going[name] = None
                graves.bury(name)
                grown = True
    left = [each for each in family.versions if each not in going]
    cut = tuple(
        each for each in left if not going.keys().isdisjoint(family.versions[each][-1].derived_from)
    )
    gone = [each for each in family.canaries if _asks_for(each, going, graves.index)]
    return Fate(
        erased=family.chosen,
        derived=tuple(each for each in going if each not in family.chosen),
        cut=cut,
        tombstones=tuple(graves.stones),
        canaries_gone=tuple(each.id for each in gone),
        canaries_cut=without_answers(going, family.canaries, gone),
        answers=answer_fate(graves.index, family.answers, family.everything),
    )


def judge_erasure(
    family: Family, fate: Fate, journal: JournalDraft, settle: Settle, view: View
) -> Changes:
    """Carry out a fate that was decided before the transaction, if nothing has changed since.

    Raises:
        NotFoundError: A memory is no longer there.
        ConflictError: Something was changed, or derived, since the family was read: read it again.
    """
    missing = [each for each in fate.erased if each not in view.records]
    if missing:
        named = ", ".join(missing)
        raise NotFoundError(f"no such memory in this bank: {named}", fields={"ids": named})
    for name, versions in family.versions.items():
        record = view.records.get(name)
        if record is None or record.memory.content_version != versions[-1].content_version:
            raise _moved_on(name)
    # The view holds neighbours along a claim too: who cites those is no matter of this erasure.
    citing = [each for name in family.versions for each in view.cited_by.get(name, ())]
    strangers = [each for each in citing if each not in family.versions]
    if strangers:
        raise _moved_on(strangers[0])
    removed = frozenset(fate.removed)
    amended = without(removed, fate.cut, settle, view)
    answers = answers_going(view.answers, removed, fate.answers)
    counts = (
        *((("answers", len(answers)),) if answers else ()),
        ("cut", len(fate.cut)),
        ("derived", len(fate.derived)),
        ("erased", len(fate.erased)),
        ("tombstones", len(fate.tombstones)),
    )
    touched = tuple(dict.fromkeys((*fate.removed, *fate.cut)))
    return Changes(
        removed=fate.removed,
        amended=tuple(amended.values()),
        tombstones=fate.tombstones,
        canaries=fate.canaries_cut,
        canaries_gone=fate.canaries_gone,
        answers=AnswerChanges(gone=answers),
        departures=tuple(Departure(memory_id=each, choice=Choice.NAMED) for each in fate.removed),
        journal=replace(journal, memory_ids=touched, counts=counts),
        outcomes=tuple(Outcome(memory_id=each, action=Action.UPDATED) for each in fate.removed),
    )


def without(
    removed: frozenset[str], cut: Sequence[str], settle: Settle, view: View
) -> dict[str, Memory]:
    """What stays and changes when memories go, by id.

    Args:
        removed: Ids of what goes.
        cut: Ids of what stays and was derived from it: it no longer names it.
        settle: Puts the claims of a key in order.
        view: Holds all of these, their neighbours along a claim, and the claims of their keys.
    """
    unsourced = _cut(removed, cut, view)
    return unsourced | _settled(removed, unsourced, settle, view)


def without_answers(
    removed: Mapping[str, None], canaries: Sequence[Canary], gone: Collection[Canary]
) -> tuple[Canary, ...]:
    """The canaries that no longer ask for what goes, but for those that are dropped whole."""
    return tuple(
        replace(each, expected_ids=tuple(i for i in each.expected_ids if i not in removed))
        for each in canaries
        if each not in gone and not removed.keys().isdisjoint(each.expected_ids)
    )


class _Graves:
    """Tombstones of one erasure as they are made, and an index of them."""

    def __init__(self, family: Family, making: Making, digester: Digester) -> None:
        self.stones: list[Tombstone] = []
        self.index = TombstoneIndex()
        self._family = family
        self._making = making
        self._digester = digester

    def bury(self, name: str) -> None:
        at, making = len(self.stones), self._making
        erased = erased_of(self._family.versions[name])
        if name not in self._family.chosen:
            erased = beside(erased, [each.text for each in self._family.beside])
        told = replace(
            erased,
            identifiers=making.identifiers if at == 0 else (),
        )
        stone = _stone(making, self._digester, at, told)
        self.stones.append(stone)
        kept = KeptTombstone(number=len(self.stones), tombstone=stone)
        self.index.advance([kept], {making.key.id: making.key}.get)


def _stone(making: Making, digester: Digester, at: int, told: Erased) -> Tombstone:
    digests = mark(digester, making.salts[at], told)
    return Tombstone(
        id=making.ids[at],
        tenant=making.ref.tenant,
        bank=making.ref.name,
        scope=making.scope,
        key_id=making.key.id,
        salt=making.salts[at],
        exact=digests.exact,
        sums=digests.sums,
        slips=digests.slips,
        at=making.at,
        by=making.by,
    )


def _goes(memory: Memory, going: Mapping[str, None], index: TombstoneIndex) -> bool:
    sources = memory.derived_from
    if not sources or going.keys().isdisjoint(sources):
        return False
    return going.keys() >= set(sources) or index.told(memory.text) is not None


def _asks_for(canary: Canary, going: Mapping[str, None], index: TombstoneIndex) -> bool:
    return going.keys() >= set(canary.expected_ids) or index.told(canary.query) is not None


def _cut(removed: frozenset[str], names: Sequence[str], view: View) -> dict[str, Memory]:
    cut = {}
    for name in names:
        memory = view.records[name].memory
        left = tuple(each for each in memory.derived_from if each not in removed)
        cut[name] = replace(memory, derived_from=left)
    return cut


def _settled(
    removed: frozenset[str], cut: Mapping[str, Memory], settle: Settle, view: View
) -> dict[str, Memory]:
    """The neighbours of what goes, linked without it."""
    changed: dict[str, Memory] = {}
    for record in view.records.values():
        memory = cut.get(record.memory.id, record.memory)
        if memory.id not in removed and not removed.isdisjoint(_links(memory)):
            changed[memory.id] = _unlinked(memory, removed)
    for names in view.same_key.values():
        if removed.isdisjoint(names):
            continue
        left = [each for each in names if each in view.records and each not in removed]
        claims = [changed.get(each) or cut.get(each) or view.records[each].memory for each in left]
        before = {each.id: each for each in claims}
        changed |= {each.id: each for each in settle(claims) if before[each.id] != each}
    return changed


def _links(memory: Memory) -> set[str | None]:
    return {memory.supersedes, memory.superseded_by}


def _unlinked(memory: Memory, removed: frozenset[str]) -> Memory:
    return replace(
        memory,
        supersedes=None if memory.supersedes in removed else memory.supersedes,
        superseded_by=None if memory.superseded_by in removed else memory.superseded_by,
    )


def _moved_on(memory_id: str) -> ConflictError:
    return ConflictError(
        f"memory {memory_id} changed while its erasure was prepared: try again",
        fields={"id": memory_id},
    )
