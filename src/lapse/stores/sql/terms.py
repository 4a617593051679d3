"""The bank's dictionary of terms during one write.

Decides ids and counts: a term gets the bank's next id when it first appears, its count is the
number of memories that hold it now, and at the end of a write an entry without a memory is deleted.
An id is never given twice. Refuses to weigh terms.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from lapse.stores.sql import statements
from lapse.stores.sql.driver import Connection
from lapse.stores.sql.rows import read_terms, terms_bytes


class TermBook:
    """Collects what one write does to the dictionary, and writes it at once."""

    def __init__(self, connection: Connection, bank: int, next_term: int) -> None:
        self._connection = connection
        self._bank = bank
        self.next_term = next_term
        self._ids: dict[str, int] = {}
        self._fresh: dict[str, int] = {}
        self._more: Counter[int] = Counter()

    def look_up(self, terms: Iterable[str]) -> None:
        """Find the ids of terms that will be taken, and give ids to those that have none."""
        wanted = list(dict.fromkeys(each for each in terms if each not in self._ids))
        asked = json.dumps(wanted, ensure_ascii=False)
        self._ids.update(self._connection.execute(statements.TERMS, (asked, self._bank)))
        for name in wanted:
            if name not in self._ids:
                self._ids[name] = self._fresh[name] = self.next_term
                self.next_term += 1

    def take(self, terms: Sequence[str]) -> bytes:
        """Count a memory's terms in, and give their ids, in order, as a BLOB."""
        ids = list(map(self._ids.__getitem__, terms))
        self._more.update(set(ids))
        return terms_bytes(ids)

    def leave(self, data: bytes) -> None:
        """Count a memory's terms out, given the BLOB that it had."""
        self._more.subtract(set(read_terms(data)))

    def write(self, revision: int) -> None:
        """Write new entries and changed counts, and delete what no memory holds any more."""
        fresh = set(self._fresh.values())
        self._connection.executemany(
            statements.INSERT_TERM,
            [
                (self._bank, number, name, self._more[number], revision)
                for name, number in self._fresh.items()
                if self._more[number] > 0
            ],
        )
        changed = [
            (more, self._bank, each) for each, more in self._more.items() if each not in fresh
        ]
        self._connection.executemany(
            statements.COUNT_TERM, [each for each in changed if each[0] != 0]
        )
        self._connection.executemany(
            statements.DELETE_TERM, [each[1:] for each in changed if each[0] < 0]
        )
