"""Words that persons wrote beside memories: reading all of a bank's, and taking some away.

Decides where they lie. Entries of the journal and states with words are few among all, and are
found along indexes of their own. Refuses to say which words go.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from sqlalchemy import Index, bindparam, or_, select, update

from lapse.model.memory import BankRef
from lapse.model.redaction import (
    Going,
    Redaction,
    going_of,
    hold_without,
    hold_words,
    plan_without,
    proposal_without,
    text_without,
    tombstone_without,
    tombstone_words,
    transition_without,
    transition_words,
)
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.graves import reword_tombstone, worded_tombstones
from lapse.stores.sql.holding import get_holds, put_holds
from lapse.stores.sql.planning import get_plan, put_plans
from lapse.stores.sql.rows import read_transition, transition_text
from lapse.stores.sql.schema import journal, proposal, retention
from lapse.stores.sql.statements import eq, sql
from lapse.stores.sql.truths import read_named_proposals, write_decisions

_WORDED_STATE: Final = or_(
    retention.c.transition.is_not(None), retention.c.exempt_reason.is_not(None)
)
Index("journal_words", journal.c.bank, journal.c.seq, sqlite_where=journal.c.reason.is_not(None))
Index("retention_words", retention.c.bank, retention.c.row, sqlite_where=_WORDED_STATE)

WORDED_ENTRIES: Final = sql(
    select(journal.c.seq, journal.c.reason, journal.c.about)
    .where(eq(journal.c.bank), journal.c.reason.is_not(None))
    .order_by(journal.c.seq)
)
WORDED_STATES: Final = sql(
    select(retention.c.row, retention.c.exempt_reason, retention.c.transition)
    .where(eq(retention.c.bank), _WORDED_STATE)
    .order_by(retention.c.row)
)
APPROVALS: Final = (
    "SELECT id, json_extract(progress, '$.approval.reason') FROM plan WHERE bank = ? ORDER BY id"
)
_DECISIONS: Final = sql(
    select(proposal.c.id, proposal.c.reason)
    .where(eq(proposal.c.bank), proposal.c.reason.is_not(None))
    .order_by(proposal.c.number)
)
_REDACT_ENTRY: Final = sql(
    update(journal)
    .where(journal.c.bank == bindparam("in_bank"), journal.c.seq == bindparam("number"))
    .ordered_values(
        (journal.c.about, bindparam("about_words")),
        (journal.c.reason, bindparam("why")),
        (journal.c.reason_salt, bindparam("salt")),
        (journal.c.redacted_by, bindparam("tombstone")),
    )
)
_REWORD_STATE: Final = sql(
    update(retention)
    .where(retention.c.bank == bindparam("in_bank"), retention.c.row == bindparam("memory_row"))
    .ordered_values(
        (retention.c.revision, bindparam("at_revision")),
        (retention.c.exempt_reason, bindparam("exempt_for")),
        (retention.c.transition, bindparam("moves")),
    )
)


def get_words(connection: Connection, bank: int | None, ref: BankRef) -> list[str]:
    """Read what persons wrote beside the memories of a bank, each text once, sorted."""
    found: set[str] = set()
    for _, *words in connection.execute(WORDED_ENTRIES, (bank,)).fetchall():
        found.update(each for each in words if each)
    for _, exempt_for, moves in connection.execute(WORDED_STATES, (bank,)).fetchall():
        found.update(transition_words(read_transition(moves)))
        found.update(() if exempt_for is None else (exempt_for,))
    found.update(chain.from_iterable(map(hold_words, get_holds(connection, bank))))
    found.update(reason for _, reason in _worded(connection, APPROVALS, bank))
    found.update(reason for _, reason in _worded(connection, _DECISIONS, bank))
    lifted = map(tombstone_words, worded_tombstones(connection, ref))
    return sorted(found | set(chain.from_iterable(lifted)))


def redact(
    connection: Connection,
    bank: int,
    ref: BankRef,
    revision: int,
    redacted: Sequence[Redaction],
) -> None:
    """Let words go wherever they stand.

    Args:
        connection: Inside the write.
        bank, ref: The bank, by number and by name.
        revision: The one that the write makes.
        redacted: The words.
    """
    if not redacted:
        return
    going = going_of(tuple(redacted))
    _redact_entries(connection, bank, going)
    _redact_states(connection, bank, revision, going)
    before = get_holds(connection, bank)
    told = [(each, hold_without(each, going)) for each in before]
    changed = [(old, new) for old, new in told if old is not new]
    renamed = [old.name for old, new in changed if old.name != new.name]
    put_holds(connection, bank, [new for _, new in changed], renamed)
    for name, reason in _worded(connection, APPROVALS, bank):
        plan = get_plan(connection, bank, name) if reason in going else None
        if plan is not None:
            put_plans(connection, bank, [plan_without(plan, going)])
    decided = [name for name, reason in _worded(connection, _DECISIONS, bank) if reason in going]
    proposals = read_named_proposals(connection, bank, decided).values()
    write_decisions(connection, bank, [proposal_without(each, going) for each in proposals])
    for stone in worded_tombstones(connection, ref):
        reworded = tombstone_without(stone, going)
        if reworded is not stone:
            reword_tombstone(connection, reworded)


def _redact_entries(connection: Connection, bank: int, going: Going) -> None:
    # As `entry_without` does, without the memories that an entry names: there may be thousands.
    for seq, *words in connection.execute(WORDED_ENTRIES, (bank,)).fetchall():
        told = next((going[each] for each in words if each in going), None)
        if told is not None:
            connection.execute(_REDACT_ENTRY, ("", None, b"", told, bank, seq))


def _redact_states(connection: Connection, bank: int, revision: int, going: Going) -> None:
    for row, exempt_for, moves in connection.execute(WORDED_STATES, (bank,)).fetchall():
        before = read_transition(moves)
        after = transition_without(before, going)
        reason = None if exempt_for is None else text_without(exempt_for, going)
        if after is not before or reason != exempt_for:
            words = (revision, reason, transition_text(after))
            connection.execute(_REWORD_STATE, (*words, bank, row))


def _worded(connection: Connection, statement: str, bank: int | None) -> Iterator[tuple[str, str]]:
    for name, reason in connection.execute(statement, (bank,)).fetchall():
        if reason is not None:
            yield name, reason
