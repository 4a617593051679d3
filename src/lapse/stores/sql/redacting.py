"""Words that persons wrote beside memories: reading all of a bank's, and taking some away.

Decides where they lie. Entries of the journal and states with words are few among all, and are
found along indexes of their own. Refuses to say which words go.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from sqlalchemy import Index, bindparam, delete, or_, select, update

from lapse.model.memory import BankRef
from lapse.model.redaction import (
    Going,
    Redaction,
    entry_without,
    entry_words,
    going_of,
    hold_without,
    hold_words,
    plan_without,
    plan_words,
    proposal_without,
    proposal_words,
    state_without,
    state_words,
    tombstone_without,
    tombstone_words,
)
from lapse.model.retention import RetentionState
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.graves import reword_tombstone, worded_tombstones
from lapse.stores.sql.holding import get_holds, put_holds
from lapse.stores.sql.journal_rows import read_entry
from lapse.stores.sql.planning import get_heads, put_progress
from lapse.stores.sql.rows import read_state, state_values
from lapse.stores.sql.schema import journal, retention
from lapse.stores.sql.statements import STATE, eq, sql
from lapse.stores.sql.truths import read_proposals, write_decisions

_WORDED_STATE: Final = or_(retention.c.transition.is_not(None), retention.c.exempt_reason.is_not(None))
Index("journal_words", journal.c.bank, journal.c.seq, sqlite_where=journal.c.reason.is_not(None))
Index("retention_words", retention.c.bank, retention.c.row, sqlite_where=_WORDED_STATE)

WORDED_ENTRIES: Final = sql(
    select(*(each for each in journal.columns if each.name != "bank"))
    .where(eq(journal.c.bank), journal.c.reason.is_not(None))
    .order_by(journal.c.seq)
)
WORDED_STATES: Final = sql(
    select(retention.c.row, *(retention.c[each] for each in STATE))
    .where(eq(retention.c.bank), _WORDED_STATE)
    .order_by(retention.c.row)
)
_REDACT_ENTRY: Final = sql(
    update(journal)
    .where(journal.c.bank == bindparam("in_bank"), journal.c.seq == bindparam("number"))
    .values({each: bindparam(each) for each in ("reason", "about", "reason_salt", "redacted_by")})
)
_REWORD_STATE: Final = sql(
    update(retention)
    .where(retention.c.bank == bindparam("in_bank"), retention.c.row == bindparam("memory_row"))
    .values({each: bindparam(each) for each in ("exempt_reason", "transition")})
)
