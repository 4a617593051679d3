"""Importing: a bank from lines of text, all of it or nothing.

Decides the order: look the whole file through, then write it in one transaction: first what
protects, then the journal, then memories, then what is said about them. A bank that is not there
yet is taken over whole, with its journal; into one that is there, memories are taken in beside its
own. Refuses the rules themselves (`lapse.transfer`) and to open files.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Final, Protocol, TypeVar

from lapse.engine.attending import Actor, entry_of
from lapse.engine.core import Core, Write, facets_by
from lapse.engine.embedding import Progress
from lapse.engine.runtime import BankRuntime
from lapse.erasure.checking import Met, Refusal, check_keys, refusal_of
from lapse.erasure.matching import TombstoneIndex
from lapse.errors import ConflictError, KeyMissingError
from lapse.model.bank import NO_IDF, Bank
from lapse.model.canary import Canary
from lapse.model.changeset import Changes
from lapse.model.closing import Closing
from lapse.model.dump import KeptMemory, Piece
from lapse.model.hold import Hold
from lapse.model.instants import Instant
from lapse.model.journal import JournalEntry
from lapse.model.memory import BankRef, Memory
from lapse.model.plan import Plan
from lapse.model.proposal import Proposal
from lapse.model.record import NewRecord
from lapse.model.retention import RetentionState
from lapse.model.sweep import SweepReport
from lapse.model.tombstone import Tombstone
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.text.tokens import Tokeniser
from lapse.transfer.lines import LINE_BYTES, WHOLE, End, read_line
from lapse.transfer.survey import Survey, survey
from lapse.transfer.taking import Refused, Taking, Tally, moved
from lapse.truth.supersession import settle

AT_ONCE: Final = 250
"""Pieces written by one part of the transaction."""

Kind = TypeVar("Kind")


class Source(Protocol):
    """Gives lines, as a file opened for reading bytes does, and can be read twice."""

    def seek(self, offset: int, /) -> int:
        """Go to a place."""
        ...

    def readline(self, limit: int, /) -> bytes:
        """Give the next line, or so much of it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did.

    Attributes:
        whole: Whether the bank was taken over whole, with its journal.
        created: How many memories were taken in.
        unchanged: How many were here already with the same content.
        refused: Memories that may not come back, and the tombstones that say so.
        left: What else was left out: what is said of memories that were not taken in, plans of a
            bank of another name, questions in erased words.
        tombstones, holds: How many of each are new here.
    """

    whole: bool
    created: int
    unchanged: int
    refused: tuple[Refusal, ...] = ()
    left: int = 0
    tombstones: int = 0
    holds: int = 0


def import_(
    core: Core, runtime: BankRuntime, source: Source, actor: Actor, progress: Progress
) -> Imported:
    """Take a file in.

    Raises:
        ConflictError: Memories or holds of the same name are here with other content: all of them
            are named, and nothing was written.
        KeyMissingError: A tombstone of the file, or one here, was made under a key that is not.
        PolicyError: The bank's policy contradicts this deployment's.
        ValidationError: Faults of the file, all of them, by line and field.
        AssertionError: Never: conflicts stop the transaction.
    """
    runtime.follow()
    limit = runtime.rule.policy.memory.max_text_bytes
    found = survey(_lines(source), limit)
    _check_keys(core, found)
    check_keys(runtime.watch_again())
    now = core.now()
    work = _Import(core, runtime, found, actor, now)
    core.commit_each(now, work.writes(source, progress))
    if work.tally.conflicts:
        raise AssertionError("conflicts stop the transaction")
    runtime.follow()
    core.parts.wake()
    return work.outcome()


class _Import:
    """One import, as far as it has come."""

    def __init__(
        self, core: Core, runtime: BankRuntime, found: Survey, actor: Actor, now: Instant
    ) -> None:
        assert found.bank is not None  # noqa: S101 - the survey refused a file without one
        self.tally = Tally()
        self._core = core
        self._runtime = runtime
        self._found = found
        self._record: Bank = found.bank
        self._entry = entry_of(core, Verb.IMPORT, now, actor)
        self._ref = runtime.ref
        self._from = BankRef(tenant=found.header.tenant, name=found.header.bank)
        self._whole = runtime.bank is None
        rule = runtime.rule_of(found.bank.policy) if self._whole else runtime.rule
        self._tombstones = self._holds = 0
        tokeniser = Tokeniser(rule.policy.memory.language)

        def dated(memory: Memory, state: RetentionState) -> RetentionState:
            return state.dated(rule.date(memory, state))

        self._taking = Taking(
            ref=self._ref,
            whole=self._whole,
            facets=lambda texts: facets_by(tokeniser, texts),
            refuses=self._refused,
            date=dated,
            settle=settle,
            spaces=self._spaces(),
            tally=self.tally,
        )

    def outcome(self) -> Imported:
        """What was done."""
        refused = (
            Refusal(memory_id=name, tombstone=stone, met=Met(met))
            for name, (stone, met) in self.tally.refused.items()
        )
        return Imported(
            whole=self._whole,
            created=len(self.tally.created),
            unchanged=len(self.tally.skipped),
            refused=tuple(refused),
            left=self.tally.left,
            tombstones=self._tombstones,
            holds=self._holds,
        )

    def writes(self, source: Source, progress: Progress) -> Iterator[Write]:
        """What to write, part by part, as the file is read again."""
        done, total = 0, len(self._found.ids)
        for kind, pieces in groupby(_pieces(source), key=type):
            for part in _portions(pieces, AT_ONCE):
                yield from self._write(kind, part)
                if kind is KeptMemory:
                    done += len(part)
                    progress(done, total)
        if self.tally.conflicts:
            named = ", ".join(self.tally.conflicts)
            raise ConflictError(
                f"these are here with other content, nothing was taken in: {named}",
                fields={"ids": named},
            )
        yield self._act(Reads(), self._noted)

    def _noted(self, view: View) -> Changes:
        """What is journalled of the whole at its end: what was refused, skipped and anchored."""
        counts = (
            ("created", len(self.tally.created)),
            ("refused_tombstone", len(self.tally.refused)),
            ("unchanged", len(self.tally.skipped)),
        )
        return self._journalled(Changes(bank=view.bank), counts, self._found.head[1].hex())

    def _write(self, kind: type, part: list[Piece]) -> Iterator[Write]:
        memories = _of(KeptMemory, part)
        if memories:
            keys = {each.memory.key for each in memories if each.memory.key is not None}
            reads = Reads(
                ids=tuple(each.memory.id for each in memories),
                keys=() if self._whole else tuple(sorted(keys)),
            )
            yield self._act(reads, partial(self._take, memories))
        elif kind in (Closing, Proposal):
            told = partial(self._tell, _of(Closing, part), _of(Proposal, part))
            yield self._act(Reads(), told)
        elif kind is Plan:
            yield self._act(Reads(), partial(self._planned, _of(Plan, part)))
        else:
            judge = partial(self._adopt, part)
            yield Write(verb=Verb.ADOPT, ref=self._ref, reads=Reads(), judge=judge)

    def _act(self, reads: Reads, judge: Callable[[View], Changes]) -> Write:
        return Write(verb=Verb.IMPORT, ref=self._ref, reads=reads, judge=judge)

    def _take(self, memories: list[KeptMemory], view: View) -> Changes:
        return self._journalled(self._taking.judge(memories, view))

    def _tell(self, closings: list[Closing], proposals: list[Proposal], view: View) -> Changes:
        asked = [each for each in proposals if each.rest is None or not self._erased(each.rest)]
        self.tally.left += len(proposals) - len(asked)
        del view
        return self._journalled(self._taking.truths(closings, asked))

    def _planned(self, plans: list[Plan], view: View) -> Changes:
        del view
        own = tuple(each for each in plans if each.ref == self._ref)
        self.tally.left += len(plans) - len(own)
        return self._journalled(Changes(plans=own))

    def _adopt(self, part: list[Piece], view: View) -> Changes:
        """What protects the bank, its record and its journal."""
        stones = [moved(each, self._from, self._ref) for each in _of(Tombstone, part)]
        known = self._known() if stones else set()
        fresh = tuple(each for each in stones if each.id not in known)
        holds = self._placed(_of(Hold, part), view)
        canaries = [each for each in _of(Canary, part) if not self._erased(each.query)]
        self.tally.left += len(_of(Canary, part)) - len(canaries)
        self._tombstones += len(fresh)
        self._holds += len(holds)
        adopting = self._whole and bool(_of(Bank, part))
        return Changes(
            bank=replace(self._record, ref=self._ref, redated_through=0) if adopting else None,
            numbers_through=self._found.numbers_through if adopting else None,
            tombstones=fresh,
            holds_placed=holds,
            canaries=tuple(canaries) if self._whole else (),
            sweeps=tuple(_of(SweepReport, part)) if self._whole else (),
            adopted=tuple(_of(JournalEntry, part)) if self._whole else (),
        )

    def _known(self) -> set[str]:
        """Ids of the tombstones that are here."""
        store, after, found = self._core.parts.store, 0, set()
        while part := store.tombstones(self._ref, after, 1_000):
            found |= {each.tombstone.id for each in part}
            after = part[-1].number
        return found

    def _placed(self, holds: list[Hold], view: View) -> tuple[Hold, ...]:
        here = {each.name: each for each in view.holds}
        other = [each.name for each in holds if here.get(each.name, each) != each]
        if other:
            named = ", ".join(other)
            raise ConflictError(
                f"holds of these names are here on something else, nothing was taken in: {named}",
                fields={"holds": named},
            )
        return tuple(each for each in holds if each.name not in here)

    def _spaces(self) -> frozenset[int]:
        """Spaces whose vectors mean here what they meant where they are from."""
        own, here = self._record, self._runtime.bank
        if here is None:
            return frozenset(each.number for each in (own.space, own.building) if each is not None)
        if here.space is None or own.space is None or own.space != here.space:
            return frozenset()
        return frozenset({own.space.number}) if own.space.idf == NO_IDF else frozenset()

    def _refused(self, record: NewRecord) -> Refused:
        index = self._index()
        memory = record.memory
        named = index.named(memory.id)
        if named is not None:
            return named, Met.ID.value
        found = refusal_of(index, memory, record.facets.identifiers)
        if found is not None:
            return found.tombstone, found.met.value
        for each in record.versions:
            stone = index.told(each.text)
            if stone is not None:
                return stone, Met.TEXT.value
        return None

    def _erased(self, text: str) -> bool:
        return self._index().told(text) is not None

    def _index(self) -> TombstoneIndex:
        return self._runtime.watch().index

    def _journalled(
        self, changes: Changes, counts: tuple[tuple[str, int], ...] = (), about: str = ""
    ) -> Changes:
        if changes.empty:
            return changes
        touched = [each.memory.id for each in changes.created]
        touched += [each.id for each in changes.amended]
        marked = (*counts, (WHOLE, 1)) if self._whole else counts
        entry = replace(self._entry, memory_ids=tuple(touched), counts=marked, about=about)
        return replace(changes, journal=entry)


def _check_keys(core: Core, found: Survey) -> None:
    missing = sorted(each for each in found.keys if core.parts.keys.find(each) is None)
    if missing:
        named = ", ".join(missing)
        raise KeyMissingError(
            f"tombstones of this file were made under keys that are not here ({named}): set"
            " LAPSE_TOMBSTONE_KEY to this store's key followed by those of the other one",
            fields={"keys": named},
        )


def _lines(source: Source) -> Iterator[bytes]:
    source.seek(0)
    while line := source.readline(LINE_BYTES + 1):
        yield line


def _pieces(source: Source) -> Iterator[Piece]:
    lines = _lines(source)
    next(lines)
    for line in lines:
        piece = read_line(line)
        if not isinstance(piece, End):
            yield piece


def _portions(pieces: Iterator[Kind], size: int) -> Iterator[list[Kind]]:
    part: list[Kind] = []
    for each in pieces:
        part.append(each)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part


def _of(kind: type[Kind], part: list[Piece]) -> list[Kind]:
    return [each for each in part if isinstance(each, kind)]
