"""Connections on loan: what every question to a store in SQL begins with.

Decides how a statement finds its bank. Refuses to know how a connection is come by: stores do.
"""

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import Final

from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.stores.sql.banks import BankRow, Banks
from lapse.stores.sql.driver import Connection

_NEVER: Final = Instant(0)


class Lending(ABC):
    """Lends connections and knows the banks behind them."""

    def __init__(self) -> None:
        self._banks = Banks()

    @abstractmethod
    def _reading(self, tenant: str) -> AbstractContextManager[Connection]:
        """Lend a connection whose statements all read one moment of a tenant's banks."""

    @abstractmethod
    def _glancing(self, tenant: str) -> AbstractContextManager[Connection]:
        """Lend a connection for one statement about a tenant's banks."""

    @abstractmethod
    def _overlooking(self) -> AbstractContextManager[Connection]:
        """Lend a connection for one statement about the names of all banks."""

    @abstractmethod
    def _writing(self, ref: BankRef) -> AbstractContextManager[Connection]:
        """Lend a connection inside a write to a bank; what is not committed is taken back."""

    def _leasing(self, ref: BankRef) -> AbstractContextManager[Connection]:
        """Lend a connection for the leases of a bank."""
        return self._writing(ref)

    def _number(self, statement: str, ref: BankRef) -> int:
        with self._glancing(ref.tenant) as connection:
            found = connection.execute(statement, (ref.tenant, ref.name)).fetchone()
        return 0 if found is None else int(found[0])

    def _bank(self, connection: Connection, ref: BankRef) -> BankRow:
        return self._banks.read(connection, ref, _NEVER)
