"""Which files one write of one bank changes.

Decides it from the bank's value before and after, and from the changes, so that the cost follows
what was changed and not what is there. Refuses to write.
"""

from collections.abc import Iterable, Mapping

from lapse.model.changeset import Changes
from lapse.model.codec import Plain
from lapse.model.tombstone import KeptTombstone
from lapse.stores.applying import named_ids
from lapse.stores.files import names
from lapse.stores.files.documents import document, line
from lapse.stores.files.forms import (
    GoneForm,
    RemovalForm,
    StateForm,
    UseForm,
    bank_form,
    memory_form,
    plain_of,
    vectors_plain,
)
from lapse.stores.files.record import Draft
from lapse.stores.memory_bank import BankData, Row


class Changing:
    """Writes down, in one draft, what becomes of files; knows how long each log is."""

    def __init__(self, draft: Draft, sizes: Mapping[str, int]) -> None:
        self._draft = draft
        self._sizes = sizes

    def note(self, before: BankData, after: BankData, changes: Changes, next_row: int) -> None:
        """Note one write."""
        ref = after.record.ref
        folder = names.bank_folder(ref)
        self._put(f"{folder}/{names.BANK}", bank_form(after, next_row))
        self._note_spaces(folder, before, after)
        touched = named_ids(changes)
        if changes.drop_spaces:
            touched = tuple(dict.fromkeys((*before.rows, *touched)))
        for each in touched:
            self._note_row(folder, before.rows.get(each), after.rows.get(each))
        self._note_beside(folder, after, changes)
        self._note_answers(folder, before, after)
        self._note_uses(folder, before, after, changes)
        if changes.redacted:
            self._note_redacted(folder, before, after)
        else:
            added = after.journal[len(before.journal) :]
            self._add(f"{folder}/journal.jsonl", map(plain_of, added))

    def rewrite_tombstones(self, tenant: str, kept: Iterable[KeptTombstone]) -> None:
        """Note that words went of why tombstones were lifted."""
        self._rewrite(f"{names.tenant_folder(tenant)}/{names.TOMBSTONES}", map(plain_of, kept))

    def note_tombstones(self, tenant: str, kept: Iterable[KeptTombstone]) -> None:
        """Note tombstones that were kept or lifted."""
        path = f"{names.tenant_folder(tenant)}/{names.TOMBSTONES}"
        self._add(path, map(plain_of, kept))

    def _note_spaces(self, folder: str, before: BankData, after: BankData) -> None:
        was = (before.record.space, before.record.building)
        now = (after.record.space, after.record.building)
        for space in now:
            if space is not None and space not in was:
                self._put(names.single(folder, names.SPACES, str(space.number)), space)
        numbers = {each.number for each in now if each is not None}
        for space in was:
            if space is not None and space.number not in numbers:
                self._draft.remove(names.single(folder, names.SPACES, str(space.number)), "")

    def _note_row(self, folder: str, before: Row | None, after: Row | None) -> None:
        if after is before:
            return
        if after is None:
            if before is not None:
                self._remove_row(folder, before.memory.id)
            return
        name = after.memory.id
        if before is None or _says_otherwise(before, after):
            self._put(names.sharded(folder, names.MEMORIES, name), memory_form(after))
        if after.state is not None and (
            before is None or before.state_revision != after.state_revision
        ):
            form = StateForm(memory_id=name, state=after.state, revision=after.state_revision)
            self._put(names.sharded(folder, names.STATES, name), form)
        if after.vectors != ({} if before is None else before.vectors):
            path = names.sharded(folder, names.VECTORS, name)
            self._draft.write(path, document(vectors_plain(after)))

    def _remove_row(self, folder: str, memory_id: str) -> None:
        for kind in (names.MEMORIES, names.STATES, names.VECTORS):
            self._draft.remove(names.sharded(folder, kind, memory_id), memory_id)

    def _note_redacted(self, folder: str, before: BankData, after: BankData) -> None:
        """Write anew whatever may hold the words, the earlier lines of each log among it."""
        self._rewrite(f"{folder}/journal.jsonl", map(plain_of, after.journal))
        self._rewrite(f"{folder}/holds.jsonl", map(plain_of, after.holds.values()))
        self._rewrite(f"{folder}/proposals.jsonl", map(plain_of, after.proposals.values()))
        for name, row in after.rows.items():
            self._note_row(folder, before.rows.get(name), row)
        for name, plan in after.plans.items():
            if plan is not before.plans.get(name):
                self._put(names.single(folder, names.PLANS, name), plan)

    def _note_beside(self, folder: str, after: BankData, changes: Changes) -> None:
        gone = [GoneForm(gone=each) for each in changes.holds_released]
        self._add(f"{folder}/holds.jsonl", map(plain_of, (*changes.holds_placed, *gone)))
        if changes.canaries_gone:
            # A question that went may be what was erased: it must not stay in an earlier line.
            self._rewrite(f"{folder}/canaries.jsonl", map(plain_of, after.canaries.values()))
        else:
            self._add(f"{folder}/canaries.jsonl", map(plain_of, changes.canaries))
        self._add(f"{folder}/sweeps.jsonl", map(plain_of, changes.sweeps))
        for plan in changes.plans:
            self._put(names.single(folder, names.PLANS, plan.id), after.plans[plan.id])
        if changes.removed:
            self._rewrite(f"{folder}/closings.jsonl", map(plain_of, after.closings.values()))
            self._rewrite(f"{folder}/proposals.jsonl", map(plain_of, after.proposals.values()))
            return
        self._add(f"{folder}/closings.jsonl", map(plain_of, changes.closings))
        named = dict.fromkeys(each.id for each in (*changes.proposed, *changes.decided))
        told = (after.proposals[each] for each in named)
        self._add(f"{folder}/proposals.jsonl", map(plain_of, told))

    def _note_answers(self, folder: str, before: BankData, after: BankData) -> None:
        # What went must not be left in a line of a log: then the file is written anew.
        path = f"{folder}/answers.jsonl"
        left = {each.number for each in after.answers.values()}
        if any(each.number not in left for each in before.answers.values()):
            self._rewrite(path, map(plain_of, after.answers.values()))
            return
        new = (each for each in after.answers.values() if each.number >= before.next_answer)
        self._add(path, map(plain_of, new))

    def _note_uses(self, folder: str, before: BankData, after: BankData, changes: Changes) -> None:
        path = f"{folder}/events.jsonl"
        if changes.removed:
            uses = (use for row in after.rows.values() for use in row.uses)
            ordered = sorted(uses, key=lambda each: each.number)
            self._rewrite(
                path,
                (
                    plain_of(
                        UseForm(
                            number=each.number,
                            pending=each.pending,
                            memory_id=each.event.memory_id,
                            event=each.event,
                        )
                    )
                    for each in ordered
                ),
            )
            removals = after.removals[len(before.removals) :]
            forms = (RemovalForm(revision=revision, row=row) for revision, row in removals)
            self._add(f"{folder}/removals.jsonl", map(plain_of, forms))
            return
        self._add(path, _use_lines(before, after, changes))

    def _put(self, path: str, value: object) -> None:
        self._draft.write(path, document(plain_of(value)))

    def _add(self, path: str, found: Iterable[Mapping[str, Plain]]) -> None:
        text = "".join(map(line, found))
        if text:
            self._draft.add(path, self._sizes.get(path, 0), text)

    def _rewrite(self, path: str, found: Iterable[Mapping[str, Plain]]) -> None:
        text = "".join(map(line, found))
        if text or path in self._sizes or path in self._draft.added or path in self._draft.put:
            self._draft.write(path, text)


def _says_otherwise(before: Row, after: Row) -> bool:
    # A vector alone has a file of its own, which tells the revision as well.
    return (
        before.memory is not after.memory
        or before.facets is not after.facets
        or (before.content_revision != after.content_revision and before.vectors == after.vectors)
    )


def _use_lines(before: BankData, after: BankData, changes: Changes) -> Iterable[dict[str, Plain]]:
    named = dict.fromkeys(
        (*(each.memory_id for each in changes.enqueued), *(name for name, _ in changes.drained))
    )
    found: list[UseForm] = []
    for name in named:
        known = (
            {each.number: each for each in before.rows[name].uses} if name in before.rows else {}
        )
        for use in after.rows[name].uses:
            was = known.get(use.number)
            if was is None or was.pending != use.pending:
                event = use.event if was is None else None
                found.append(
                    UseForm(number=use.number, pending=use.pending, memory_id=name, event=event)
                )
    found.sort(key=lambda each: each.number)
    return map(plain_of, found)
