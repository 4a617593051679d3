"""Making banks in RAM of the texts of files.

Decides what becomes of a text that cannot be read: it is told by name and left out. What follows
from the rest (the dictionary of terms, the order of memories) is worked out again at the end.
Refuses to open a file.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from lapse.errors import ValidationError
from lapse.model.answer import KeptAnswer
from lapse.model.bank import Space
from lapse.model.canary import Canary
from lapse.model.closing import Closing
from lapse.model.hold import Hold
from lapse.model.journal import JournalEntry
from lapse.model.plan import Plan
from lapse.model.proposal import Proposal
from lapse.model.sweep import SweepReport
from lapse.stores.files import names
from lapse.stores.files.documents import DamagedError, lines, read
from lapse.stores.files.forms import (
    BankForm,
    GoneForm,
    MemoryForm,
    RemovalForm,
    StateForm,
    UseForm,
    bank_data,
    read_form,
    read_vectors,
)
from lapse.stores.memory_bank import BankData, Row, Term, Use
from lapse.stores.memory_finding import Finding

Report = Callable[[str, str], None]
"""Told the path of a file, or of a line of it, and what is wrong with it."""

FIRST: Final = (names.SPACES, names.BANK, names.MEMORIES, names.STATES, names.VECTORS)
"""What is read before everything else of a bank, in this order."""

LOST: Final = "belongs to a memory that is not there"


class BankTaking:
    """One bank in the making, in `data`; None as long as its own record was not read.

    It changes the value it was given: hand it a copy of one that others read.
    """

    def __init__(
        self, folder: str, report: Report, data: BankData | None = None, next_row: int = 1
    ) -> None:
        self.folder = folder
        self.data = data
        self.next_row = next_row
        self._report = report
        self._spaces: dict[int, Space] = {}
        if data is not None:
            used = (data.record.space, data.record.building)
            self._spaces = {each.number: each for each in used if each is not None}

    def drop(self, memory_id: str) -> None:
        """Let a memory go."""
        if self.data is not None:
            self.data.rows.pop(memory_id, None)

    def take(self, path: str, text: str) -> None:
        """Take in a whole file."""
        kind = path.removeprefix(f"{self.folder}/").split("/")[0]
        if kind.endswith(".jsonl"):
            self._clear(kind)
            self.take_lines(path, text)
            return
        try:
            plain = read(text)
            self._take_document(kind, path, plain)
        except (DamagedError, ValidationError, ValueError) as error:
            self._report(path, _problem(error))

    def take_lines(self, path: str, text: str) -> None:
        """Take in lines of a log."""
        kind = path.removeprefix(f"{self.folder}/")
        for number, each in lines(text):
            try:
                self._take_line(kind, read(each))
            except (DamagedError, ValidationError, ValueError) as error:
                self._report(f"{path}, line {number}", _problem(error))

    def settle(self) -> None:
        """Work out what follows from the rest."""
        data = self.data
        if data is None:
            return
        rows = sorted(data.rows.values(), key=lambda each: each.row)
        data.rows = {each.memory.id: each for each in rows}
        data.terms = dict(_terms(rows))
        data.found = Finding()
        for each in rows:
            data.found.put(each.memory)
        _catch_up(data, rows)
        self.next_row = max(self.next_row, *(each.row + 1 for each in rows), 1)
        if data.journal and data.journal[-1].seq > data.journal_head[0]:
            data.journal_head = (data.journal[-1].seq, data.journal[-1].hash)

    def _take_document(self, kind: str, path: str, plain: Mapping[str, object]) -> None:
        if kind == names.SPACES:
            space = read_form(Space, plain)
            self._spaces[space.number] = space
            return
        if kind == names.BANK:
            form = read_form(BankForm, plain)
            _check_place(path, f"{names.bank_folder(form.bank.ref)}/{names.BANK}")
            self.data = bank_data(form, self._spaces, self.data)
            self.next_row = form.next_row
            return
        if self.data is None:
            raise ValueError("belongs to a bank whose own record cannot be read")
        match kind:
            case names.MEMORIES:
                self._take_memory(self.data, path, read_form(MemoryForm, plain))
            case names.STATES:
                self._take_state(self.data, path, read_form(StateForm, plain))
            case names.VECTORS:
                self._take_vectors(self.data, path, plain)
            case names.PLANS:
                plan = read_form(Plan, plain)
                _check_place(path, names.single(self.folder, names.PLANS, plan.id))
                self.data.plans[plan.id] = plan
            case _:
                raise ValueError("is no file of this store")

    def _take_memory(self, data: BankData, path: str, form: MemoryForm) -> None:
        memory = form.memory
        _check_place(path, names.sharded(self.folder, names.MEMORIES, memory.id))
        if memory.ref != data.record.ref:
            raise ValueError("belongs to another bank")
        before = data.rows.get(memory.id)
        same = before is not None and before.memory.text == memory.text
        data.rows[memory.id] = Row(
            row=form.row,
            memory=memory,
            state=None if before is None else before.state,
            facets=form.facets,
            term_ids=form.term_ids,
            salt=form.salt,
            vectors=before.vectors if before is not None and same else MappingProxyType({}),
            content_revision=form.revision,
            state_revision=0 if before is None else before.state_revision,
            versions=form.versions,
            uses=() if before is None else before.uses,
        )

    def _take_state(self, data: BankData, path: str, form: StateForm) -> None:
        _check_place(path, names.sharded(self.folder, names.STATES, form.memory_id))
        row = self._row(data, form.memory_id)
        data.rows[form.memory_id] = replace(row, state=form.state, state_revision=form.revision)

    def _take_vectors(self, data: BankData, path: str, plain: Mapping[str, object]) -> None:
        memory_id, revision, vectors = read_vectors(plain)
        _check_place(path, names.sharded(self.folder, names.VECTORS, memory_id))
        row = self._row(data, memory_id)
        at = max(row.content_revision, revision)
        data.rows[memory_id] = replace(row, vectors=vectors, content_revision=at)

    def _take_line(self, kind: str, plain: Mapping[str, object]) -> None:
        data = self.data
        if data is None:
            raise ValueError("belongs to a bank whose own record cannot be read")
        if set(plain) == {"gone"} and kind == "holds.jsonl":
            data.holds.pop(read_form(GoneForm, plain).gone, None)
            return
        match kind:
            case "journal.jsonl":
                entry = read_form(JournalEntry, plain)
                data.journal.append(entry)
                data.journal_head = (entry.seq, entry.hash)
            case "events.jsonl":
                self._take_use(data, read_form(UseForm, plain))
            case "removals.jsonl":
                removal = read_form(RemovalForm, plain)
                data.removals.append((removal.revision, removal.row))
            case "sweeps.jsonl":
                data.sweeps.append(read_form(SweepReport, plain))
            case _:
                self._take_named(data, kind, plain)

    def _take_named(self, data: BankData, kind: str, plain: Mapping[str, object]) -> None:
        match kind:
            case "holds.jsonl":
                hold = read_form(Hold, plain)
                data.holds[hold.name] = hold
            case "canaries.jsonl":
                canary = read_form(Canary, plain)
                data.canaries[canary.id] = canary
            case "answers.jsonl":
                kept = read_form(KeptAnswer, plain)
                data.answers[kept.answer.id] = kept
            case "closings.jsonl":
                closing = read_form(Closing, plain)
                data.closings[closing.name] = closing
            case "proposals.jsonl":
                proposal = read_form(Proposal, plain)
                data.proposals[proposal.id] = proposal
            case _:
                raise ValueError("is no log of this store")

    def _take_use(self, data: BankData, form: UseForm) -> None:
        row = self._row(data, form.memory_id)
        if form.event is not None:
            use = Use(number=form.number, event=form.event, pending=form.pending)
            uses = (*row.uses, use)
        else:
            uses = tuple(
                replace(each, pending=form.pending) if each.number == form.number else each
                for each in row.uses
            )
        data.rows[form.memory_id] = replace(row, uses=uses)

    def _clear(self, kind: str) -> None:
        data = self.data
        if data is None:
            return
        match kind:
            case "events.jsonl":
                rows = data.rows.items()
                data.rows = {name: replace(each, uses=()) for name, each in rows}
            case "closings.jsonl":
                data.closings = {}
            case "proposals.jsonl":
                data.proposals = {}
            case "journal.jsonl":
                data.journal = []
            case "holds.jsonl":
                data.holds = {}
            case "canaries.jsonl":
                data.canaries = {}
            case "answers.jsonl":
                data.answers = {}
            case _:
                return

    def _row(self, data: BankData, memory_id: str) -> Row:
        row = data.rows.get(memory_id)
        if row is None:
            raise ValueError(LOST)
        return row


def in_order(folder: str, paths: Iterable[str]) -> list[str]:
    """Put a bank's files in the order in which they are taken in."""
    places = {name: at for at, name in enumerate(FIRST)}

    def place(path: str) -> tuple[int, str]:
        kind = path.removeprefix(f"{folder}/").split("/")[0]
        return places.get(kind, len(FIRST)), path

    return sorted(paths, key=place)


def _catch_up(data: BankData, rows: Iterable[Row]) -> None:
    """See to it that nothing is numbered again where a bank's record is older than its files."""
    last = [data.record.revision, data.next_term - 1, data.next_use - 1, data.next_answer - 1]
    for each in rows:
        last[0] = max(last[0], each.content_revision, each.state_revision)
        last[1] = max(last[1], *each.term_ids, 0)
        last[2] = max(last[2], *(use.number for use in each.uses), 0)
    last[0] = max(last[0], *(revision for revision, _ in data.removals), 0)
    last[3] = max(last[3], *(each.number for each in data.answers.values()), 0)
    if last[0] > data.record.revision:
        data.record = replace(data.record, revision=last[0])
    data.next_term, data.next_use, data.next_answer = (each + 1 for each in last[1:])


def _terms(rows: Iterable[Row]) -> Iterator[tuple[str, Term]]:
    # A term is no younger than any memory that holds it: every holder took it at its revision.
    found: dict[str, list[int]] = {}
    for row in rows:
        for name, number in dict(zip(row.facets.terms, row.term_ids, strict=True)).items():
            known = found.get(name)
            if known is None:
                found[name] = [number, 1, row.content_revision]
            else:
                known[1] += 1
                known[2] = min(known[2], row.content_revision)
    for name, (number, count, revision) in found.items():
        yield name, Term(id=number, count=count, revision=revision)


def _check_place(path: str, right: str) -> None:
    if path != right:
        raise ValueError(f"belongs at {right}")


def _problem(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return f"holds another form of {error.faults[0].field}"
    return str(error)
