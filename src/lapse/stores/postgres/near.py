"""The capability of searching a large bank by indexes of its own.

Decides when an index is brought up to date (when it is asked), how often that is tried, and that
without pgvector there is none. Refuses to rank: see `lapse.ports.SearchesNear`.
"""

from typing import Final

from lapse.model.instants import Instant
from lapse.model.memory import BankRef
from lapse.model.near import Near, Wanted
from lapse.stores.postgres import near_feeding, near_shape
from lapse.stores.postgres.connections import Connections
from lapse.stores.postgres.failures import AgainError
from lapse.stores.postgres.link import Session
from lapse.stores.postgres.near_asking import Tools, ask
from lapse.stores.sql.banks import Banks

_TRIES: Final = 3
_NEVER: Final = Instant(0)


class NearSearch:
    """The indexes of large banks in one store."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._vectors: str | None = None
        self._banks = Banks()

    def near(self, ref: BankRef, wanted: Wanted) -> Near | None:
        """See `lapse.ports.SearchesNear.near`."""
        tools = self._known()
        if tools is None:
            return None
        left = _TRIES
        while True:
            left -= 1
            with self._connections.reading(ref.tenant) as link:
                found = near_feeding.standing(link, ref)
                if found is None or found.seen is None:
                    return None
                # Whoever writes without pause is not waited for: what is left out is the newest.
                if found.seen >= found.revision or not left:
                    bank = self._banks.read(link, ref, _NEVER)
                    return ask(link, bank, found, wanted, tools)
            self._catch_up(ref, tools.vectors)

    def follow(self, ref: BankRef) -> bool:
        """See `lapse.ports.SearchesNear.follow_near`."""
        tools = self._made()
        if tools is None:
            return False
        with self._connections.reading(ref.tenant) as link:
            found = near_feeding.standing(link, ref)
        if found is None:
            return False
        if found.seen is None or found.own_space != found.space:
            near_feeding.build(self._connections, ref, tools.vectors)
        elif found.seen < found.revision:
            self._catch_up(ref, tools.vectors)
        return True

    def _catch_up(self, ref: BankRef, vectors: str) -> None:
        for left in reversed(range(_TRIES)):
            try:
                near_feeding.catch_up(self._connections, ref, vectors)
                break
            except AgainError:
                if not left:
                    raise

    def _known(self) -> Tools | None:
        """What indexes are asked with, where any was made."""
        if self._vectors is None:
            with self._connections.alone() as session:
                if near_shape.is_made(session, self._connections.location):
                    self._vectors = near_shape.vectors_schema(session)
        return self._tools()

    def _made(self) -> Tools | None:
        """The same, made where it can be."""
        if self._vectors is None:
            with self._connections.alone() as session:
                self._vectors = self._make(session)
        return self._tools()

    def _make(self, session: Session) -> str | None:
        vectors = near_shape.vectors_schema(session)
        if vectors is not None:
            near_shape.make(session, self._connections.location, vectors)
        return vectors

    def _tools(self) -> Tools | None:
        if self._vectors is None:
            return None
        return Tools(options=self._connections.location.near, vectors=self._vectors)
