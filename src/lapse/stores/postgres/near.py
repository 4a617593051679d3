"""The capability of searching a large bank by indexes of its own.

Decides when an index is brought up to date (when it is asked), how often that is tried, and that
without pgvector there is none. Refuses to rank: see `lapse.ports.SearchesNear`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lapse.errors import StoreError
from lapse.model.bank import Space
from lapse.model.memory import BankRef
from lapse.model.near import Near, Wanted
from lapse.stores.postgres import near_feeding, near_shape
from lapse.stores.postgres.connections import Connections
from lapse.stores.postgres.failures import AgainError
from lapse.stores.postgres.link import Session
from lapse.stores.postgres.near_asking import Tools
from lapse.stores.postgres.near_feeding import OWN, STANDING, Standing, read_standing
from lapse.stores.postgres.near_finding import TERMS, among, near_of, search, settings
from lapse.stores.postgres.numbers import Numbers
from lapse.stores.sql.connections import legible
from lapse.stores.sql.rows import Row
from lapse.stores.sql.spaces import KnownSpaces
from lapse.stores.sql.statements import SPACE_WHOLE

_TRIES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """What is read before an index is asked.

    Attributes:
        standing: How far it is.
        terms: Numbers of the terms that the bank knows.
        frequency: In how many of the memories that are searched each occurs, by number.
    """

    standing: Standing
    terms: Mapping[str, int]
    frequency: Mapping[int, int]


class NearSearch:
    """The indexes of large banks in one store."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._vectors: str | None = None
        self._numbers = Numbers()
        self._spaces = KnownSpaces()

    def near(self, ref: BankRef, wanted: Wanted) -> Near | None:
        """See `lapse.ports.SearchesNear.near`. Two messages, where nothing was written since."""
        tools = self._known()
        if tools is None:
            return None
        for left in reversed(range(_TRIES)):
            read = self._read(ref, wanted)
            if read is None or read.standing.seen is None:
                return None
            # Whoever writes without pause is not waited for: what is left out is the newest.
            if read.standing.seen < read.standing.revision and left:
                self._catch_up(ref, tools.vectors)
                continue
            found = self._asked(ref, wanted, read, tools)
            if found is not None:
                return found
        return None

    def _read(self, ref: BankRef, wanted: Wanted) -> _Read | None:
        terms = list(dict.fromkeys(wanted.terms))
        while True:
            guess = self._numbers.known(ref)
            asked = [] if guess is None else [(TERMS, (guess, terms))]
            (rows, *known) = self._connections.asked(
                ref.tenant, [(STANDING, (ref.tenant, ref.name)), *asked]
            )
            standing = read_standing(rows[0] if rows else None)
            if standing is None:
                return None
            if standing.bank == guess:
                break
            self._numbers.learn(ref, standing.bank)
        counts = [row for each in known for row in each]
        return _Read(
            standing=standing,
            terms={term: number for term, number, _ in counts},
            frequency={number: among(count, standing) for _, number, count in counts},
        )

    def _asked(self, ref: BankRef, wanted: Wanted, read: _Read, tools: Tools) -> Near | None:
        """Search; None where the index was made anew since it was read how far it is."""
        standing = read.standing
        space = self._space(ref, standing)
        asked = search(wanted, read.frequency, standing, tools)
        own = (OWN, (standing.bank,))
        try:
            _, rows, now = self._connections.asked(
                ref.tenant, [settings(wanted, tools), asked, own]
            )
        except StoreError:
            # Vectors of another length lie there now, for one.
            if self._connections.asked(ref.tenant, [own])[0] == [_own(standing)]:
                raise
            return None
        if now != [_own(standing)]:
            return None
        with legible():
            return near_of(rows, wanted, read.terms, read.frequency, standing, space)

    def _space(self, ref: BankRef, standing: Standing) -> Space | None:
        number = standing.space
        if number is None:
            return None
        whole = SPACE_WHOLE, (standing.bank, number)

        def read() -> Row | None:
            (rows,) = self._connections.asked(ref.tenant, [whole])
            return rows[0] if rows else None

        return self._spaces.find((standing.bank, number, standing.space_revision), read)

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


def _own(standing: Standing) -> tuple[int | None, int | None]:
    return standing.own_space, standing.own_dimension
