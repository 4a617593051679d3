"""A store of plain dicts, written from the protocol alone, to hold the contract suite against.

It keeps whatever comes in one dict per bank and lets events lie in an inbox until somebody asks, as
a store with a queue in front of it does. It shares the checks of a commit and the columns of a
delta with the reference, as any third store would, and nothing else. Not shipped, not fast.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Lock

import numpy as np

from lapse.errors import StoreError
from lapse.model.bank import Bank
from lapse.model.changeset import ChangeSet, Committed
from lapse.model.closing import Closing
from lapse.model.index_delta import IndexDelta
from lapse.model.instants import Instant
from lapse.model.memory import BankRef, Memory
from lapse.model.paging import Listing, Page
from lapse.model.record import Record
from lapse.model.retention import Lifecycle, UseEvent
from lapse.model.shown import Shown
from lapse.model.tally import Tally
from lapse.model.term_counts import TermCounts
from lapse.model.view import Reads, View
from lapse.stores.applying import (
    Standing,
    check_adopted,
    check_standing,
    judged,
    named_ids,
    new_bank,
    unknown_proposal,
)
from lapse.stores.memory_bank import Row
from lapse.stores.memory_columns import content_rows, state_rows
from tests.contracts.toy_graves import ToyGraves
from tests.contracts.toy_shelf import Habits, Shelf, shelved
from tests.contracts.toy_words import Worded, let_go, worded_view


class ToyStore(Worded):
    """Dicts, one lock, and an inbox for events."""

    def __init__(self, habits: Habits | None = None) -> None:
        self._habits = habits or Habits()
        self._lock = Lock()
        self._shelves: dict[object, Shelf] = {}
        self._graves = ToyGraves()
        self._next_number = 1
        self._leases: dict[tuple[BankRef, str], tuple[str, int]] = {}
        self._open = True

    # --- the protocol ---------------------------------------------------------------------

    def commit(self, change: ChangeSet) -> Committed:
        with self._lock:
            shelf = self._shelf(change.ref, change.now)
            stones = self._graves.since(change.ref, change.reads.tombstones)
            words = worded_view(shelf, self._graves) if change.reads.words else ()
            view = replace(self._view(shelf, change.reads), tombstones=stones, words=words)
            changes = judged(change, view)
            if changes.empty:
                return Committed(
                    revision=shelf.bank.revision, changes=changes, enqueued=0, journal_seq=None
                )
            self._habits.before_checks(shelf, changes)
            standing = {
                each: Standing(
                    row=shelf.numbers[self._habits.spell(each)],
                    content_version=shelf.contents[self._habits.spell(each)].content_version,
                    text=shelf.contents[self._habits.spell(each)].text,
                    salt=shelf.salts[self._habits.spell(each)],
                    lifecycle=shelf.states[self._habits.spell(each)].lifecycle,
                )
                for each in named_ids(changes)
                if self._habits.spell(each) in shelf.contents
            }
            check_standing(changes, standing)
            for each in changes.decided:
                if each.id not in shelf.proposals:
                    raise unknown_proposal(each.id)
            check_adopted(shelf.head, changes.adopted)
            self._shelves[self._habits.place(change.ref)] = shelf
            self._graves.bury(changes.tombstones)
            fresh = shelf.apply(changes, standing, self._next_number)
            let_go(shelf, self._graves, self._habits, changes.redacted)
            self._next_number += (changes.numbers_through or 0) + len(changes.created)
            return Committed(
                revision=shelf.bank.revision,
                changes=changes,
                enqueued=fresh,
                journal_seq=len(shelf.entries) if changes.journal else None,
            )

    def bank(self, ref: BankRef) -> Bank | None:
        shelf = self._read(ref)
        return shelf.bank if shelf.bank.revision else None

    def banks(self, tenant: str) -> list[Bank]:
        with self._lock:
            found = [each.bank for each in self._shelves.values()]
            found = [each for each in found if self._habits.lists(each.ref, tenant)]
        return sorted(found, key=lambda each: each.ref.name)

    def refs(self) -> list[BankRef]:
        with self._lock:
            self._check_open()
            found = [each.bank.ref for each in self._shelves.values()]
        return sorted(found)

    def get(self, ref: BankRef, ids: Sequence[str]) -> list[Record]:
        shelf = self._read(ref)
        wanted = dict.fromkeys(self._habits.spell(each) for each in ids)
        return [self._record(shelf, each) for each in wanted if each in shelf.contents]

    def contents(self, ref: BankRef, ids: Sequence[str]) -> list[Memory]:
        shelf = self._read(ref)
        wanted = dict.fromkeys(self._habits.spell(each) for each in ids)
        return [shelf.contents[each] for each in wanted if each in shelf.contents]

    def shown(self, ref: BankRef, ids: Sequence[str]) -> Shown:
        named = self.proposals_naming(ref, ids)
        return Shown(memories=tuple(self.contents(ref, ids)), proposals=tuple(named))

    def count(self, ref: BankRef) -> int:
        return len(self._read(ref).contents)

    def active(self, ref: BankRef) -> int:
        states = self._read(ref).states.values()
        return sum(each.lifecycle is Lifecycle.ACTIVE for each in states)

    def holders(self, ref: BankRef, canonicals: Sequence[str]) -> list[str]:
        shelf = self._read(ref)
        return [
            name
            for name in sorted(shelf.contents, key=lambda each: shelf.numbers[each])
            if any(
                self._habits.same_form(asked, held.canonical)
                for asked in canonicals
                for held in shelf.facets[name].identifiers
            )
        ]

    def term_counts(self, ref: BankRef, terms: Sequence[str]) -> TermCounts:
        return self._read(ref).counted(terms)

    def versions(self, ref: BankRef, memory_id: str) -> list[Memory]:
        return list(self._read(ref).history.get(self._habits.spell(memory_id), []))

    def page(self, ref: BankRef, listing: Listing) -> Page:
        shelf = self._read(ref)
        names = [
            each
            for each in self._habits.order(list(shelf.contents), shelf)
            if shelf.numbers[each] > listing.after and self._listed(shelf, each, listing)
        ]
        records = tuple(self._record(shelf, each) for each in names[: listing.limit])
        more = len(names) > listing.limit
        return Page(records=records, next_after=records[-1].row if more else None)

    def changes(self, ref: BankRef, since: int) -> IndexDelta:
        shelf = self._read(ref)
        space, moved = shelf.bank.space, shelf.space_since > since
        rows = [self._row(shelf, each) for each in self._habits.order(list(shelf.contents), shelf)]
        new = [each for each in rows if moved or each.content_revision > since]
        gone = sorted(number for number, at in shelf.gone.items() if at > since)
        return IndexDelta(
            since=since,
            revision=shelf.bank.revision,
            content=content_rows(new, space),
            states=state_rows([each for each in rows if each.state_revision > since]),
            removed=np.array(gone, dtype=np.int64),
            space=space,
            space_changed=moved,
            terms={name: number for name, (number, at) in shelf.terms.items() if at > since},
        )

    def revision(self, ref: BankRef) -> int:
        return self._habits.revision(self._read(ref))

    def tally(self, ref: BankRef, now: Instant, space: int | None) -> Tally:
        shelf = self._read(ref)
        states = list(shelf.states.values())
        told = list(shelf.contents.values())
        due = [each for each in states if each.lifecycle is Lifecycle.ACTIVE]
        return Tally(
            memories=len(told),
            by_kind=Counter(each.kind for each in told),
            by_lifecycle=Counter(each.lifecycle for each in states),
            by_rater=Counter(each.importance_source for each in states),
            current=sum(each.is_latest and each.recorded_to is None for each in told),
            faded=sum(each.fades_at is not None and each.fades_at <= now for each in due),
            pinned=sum(each.pinned for each in states),
            without_vector=sum((each, space) not in shelf.vectors for each in shelf.contents),
            tombstones=self._graves.standing(ref),
        )

    def missing_vectors(self, ref: BankRef, space: int, limit: int) -> list[Record]:
        shelf = self._read(ref)
        names = self._habits.order(list(shelf.contents), shelf)
        bare = [each for each in names if (each, space) not in shelf.vectors]
        return [self._record(shelf, each) for each in bare[:limit]]

    def stateless(self, ref: BankRef) -> list[str]:
        return [each for each in self._read(ref).contents if each not in self._read(ref).states]

    def cited_by(self, ref: BankRef, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        shelf = self._read(ref)
        return {each: citing for each in ids if (citing := shelf.citing(each))}

    def faults(self, ref: BankRef) -> Iterator[str]:
        shelf = self._read(ref)
        held = {word for each in shelf.facets.values() for word in each.terms}
        if held != set(shelf.terms):
            yield "the dictionary holds other terms than the memories"

    def size_bytes(self) -> int:
        self._check_open()
        return 0

    def backup(self, path: str) -> None:
        raise StoreError(f"a toy is not copied to {path}")

    def close(self) -> None:
        self._open = False

    # --- inside ---------------------------------------------------------------------------

    def _check_open(self) -> None:
        if not self._open:
            raise StoreError("the toy was put away")

    def _shelf(self, ref: BankRef, now: Instant) -> Shelf:
        self._check_open()
        shelf = self._shelves.get(self._habits.place(ref)) or Shelf(
            habits=self._habits, bank=new_bank(ref, now)
        )
        shelf.empty_inbox()
        return shelf

    def _read(self, ref: BankRef) -> Shelf:
        with self._lock:
            return self._shelf(ref, Instant(0)).copy()

    def _record(self, shelf: Shelf, name: str) -> Record:
        return Record(
            row=shelf.numbers[name], memory=shelf.contents[name], state=shelf.states[name]
        )

    def _row(self, shelf: Shelf, name: str) -> Row:
        return Row(
            row=shelf.numbers[name],
            memory=shelf.contents[name],
            state=shelf.states[name],
            facets=shelf.facets[name],
            term_ids=shelf.words[name],
            salt=shelf.salts[name],
            vectors={space: data for (at, space), data in shelf.vectors.items() if at == name},
            content_revision=shelf.touched[name, "content"],
            state_revision=shelf.touched[name, "state"],
        )

    def _listed(self, shelf: Shelf, name: str, listing: Listing) -> bool:
        told = shelf.contents[name]
        tests = (
            not listing.kinds or told.kind in listing.kinds,
            not listing.sessions or told.session in listing.sessions,
            not listing.lifecycles or shelf.states[name].lifecycle in listing.lifecycles,
            listing.key in (None, told.key),
            listing.subject in (None, told.subject),
            listing.tag is None or listing.tag in told.tags,
            not listing.latest_only or (told.is_latest and told.recorded_to is None),
        )
        return all(tests)

    def _view(self, shelf: Shelf, reads: Reads) -> View:
        names = self._habits.order(list(shelf.contents), shelf)
        same_text = {
            print_: tuple(each for each in names if shelf.contents[each].fingerprint == print_)
            for print_ in reads.fingerprints
        }
        same_key = {
            key: tuple(each for each in names if shelf.contents[each].key == key)
            for key in reads.keys
        }
        pending = tuple(dict.fromkeys(each for each, _ in list(shelf.waiting)[: reads.pending]))
        asked = [self._habits.spell(each) for each in reads.ids]
        asked += [each for found in (*same_text.values(), *same_key.values()) for each in found]
        alike = [shelf.contents[each] for names in same_text.values() for each in names]
        asked += [each.superseded_by for each in alike if each.superseded_by is not None]
        found = dict.fromkeys(each for each in (*asked, *pending) if each in shelf.contents)
        return View(
            bank=shelf.bank,
            records={each: self._record(shelf, each) for each in found},
            same_text=same_text,
            same_key=same_key,
            pending=pending,
            events={
                each: self._recent(shelf, each) for each in (found if reads.events else pending)
            },
            stateless={},
            holds=tuple(shelved(shelf)),
            cited_by={
                each: citing for each in found if reads.cited and (citing := shelf.citing(each))
            },
            plans={each: shelf.plans[each] for each in reads.plans if each in shelf.plans},
            answers=()
            if reads.answers is None
            else tuple(each for each in shelf.answers if each.number > reads.answers),
            closings=tuple(self._closings_in(shelf, set(found))) if reads.closings else (),
            proposals={p: shelf.proposals[p] for p in reads.proposals if p in shelf.proposals},
        )

    def _closings_in(self, shelf: Shelf, names: set[str]) -> list[Closing]:
        found = [c for c in shelf.closings.values() if {c.memory_id, c.by_id} & names]
        return sorted(
            found, key=lambda c: (c.recorded_from, c.memory_id, c.kind.value, c.by_id or "")
        )

    def _recent(self, shelf: Shelf, name: str) -> tuple[UseEvent, ...]:
        through = shelf.states[name].checkpoint.through
        found = [
            event
            for key, event in shelf.events.items()
            if key[0] == name and (event.at >= through or key in shelf.waiting)
        ]
        return tuple(sorted(found, key=lambda each: (each.at, each.event_id)))
