"""A bank of a served store, with the methods of the bank of an open one.

Decides that it is a `Bank`: whoever was written for one is given this one. Its methods take the
signatures, the words and the types of `Bank`'s own and are asked of the server. Refuses what is not
served, by name and with the reason.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import NoReturn, TypeVar, Unpack

from lapse.bank import HOST, Bank
from lapse.bank.cache import AnswerCache
from lapse.bank.sweeps import CanaryBook
from lapse.bank.views import View
from lapse.client.cache import RemoteAnswerCache
from lapse.client.consenting import TwoPeople, of_a_bank
from lapse.client.mirroring import (
    APART,
    Given,
    all_conflicts,
    all_tombstones,
    asked,
    bound,
    methods,
    of_listing,
    two_times,
)
from lapse.engine.core import Core
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.exporting import Exported, Sink
from lapse.engine.importing import Imported, Source
from lapse.engine.past import Past
from lapse.engine.requests import Overrides
from lapse.engine.untyped import as_count, require
from lapse.engine.using import Reflection
from lapse.errors import ValidationError
from lapse.faces.operations import TABLE, results
from lapse.faces.remote.copying import ServedCopies
from lapse.faces.remote.exchange import Asker, exchange
from lapse.faces.remote.steps import Exchange, Manner
from lapse.faces.remote.wire import Wire
from lapse.model.canary import Canary, CanaryCheck
from lapse.model.instants import InstantLike
from lapse.model.memory import BankRef
from lapse.model.paging import Listing
from lapse.model.proposal import Proposal, ProposalStatus
from lapse.model.query import AsOf, Recall
from lapse.model.tombstone import KeptTombstone

T = TypeVar("T")
Served = TypeVar("Served", bound="type[RemoteBank]")


class Remote:
    """What asks a server about one bank: the exchanges, and the wire that carries them out."""

    def __init__(self, ref: BankRef, manner: Manner, wire: Wire) -> None:
        """Name the bank."""
        self.asker = Asker(place=ref, manner=manner)
        self.wire = wire

    def do(self, operation: str, **given: object) -> object:
        """Ask for an operation of the table."""
        return self.wire.run(exchange(TABLE[operation], given, self.asker))


def _mirror(cls: Served) -> Served:
    """Give a class every method of a bank that an operation stands behind."""
    for name in methods():
        setattr(cls, name, _method(name))
    return cls


def _method(name: str) -> Callable[..., object]:
    plain: Callable[..., object] = getattr(Bank, name)

    @wraps(plain)
    def method(self: "RemoteBank", *args: object, **kwargs: object) -> object:
        return self.remote.wire.run(self.exchange(name, args, kwargs))

    return method


@_mirror
class RemoteBank(Bank):
    """One bank of one tenant of a served store. Thread-safe; cheap to make."""

    def __init__(self, remote: Remote) -> None:
        """Name the bank; `LapseClient.bank` does this."""
        self.ref = remote.asker.place
        self.remote = remote

    def exchange(self, name: str, args: Iterable[object], kwargs: Given) -> Exchange[object]:
        """What a call of a method asks, for whoever carries it out.

        Raises:
            TypeError: The method has no such arguments.
            ValidationError: It cannot be asked for alone.
        """
        if name in APART:
            raise ValidationError.of(name, "…", f"cannot be asked for alone: {APART[name]}")
        return asked(name, bound(getattr(Bank, name), args, kwargs), self.remote.asker)

    @property
    def engine(self) -> Core:
        """Not served.

        Raises:
            ValidationError: Always.
        """
        refuse("engine", APART["engine"])

    def export(
        self,
        sink: Sink,
        *,
        by: str = HOST,
        reason: str = "asked for",
        progress: Progress = no_progress,
    ) -> Exported:
        """Write the whole bank, as it comes. See `Bank.export`.

        Raises:
            UnreachableError: The server broke off: what was written is no export.
        """
        require("sink", sink, ("write",), "needs a file opened for writing bytes")
        return self._copies().export(sink, by=by, reason=reason, progress=progress)

    def import_(
        self,
        source: Source,
        *,
        by: str = HOST,
        reason: str = "asked for",
        progress: Progress = no_progress,
    ) -> Imported:
        """Take in what `export` wrote: all of it, or nothing. See `Bank.import_`."""
        require("source", source, ("seek", "readline"), "needs a file opened for reading bytes")
        return self._copies().import_(source, by=by, reason=reason, progress=progress)

    def conflicts(
        self, *, status: ProposalStatus | None = ProposalStatus.OPEN
    ) -> Sequence[Proposal]:
        """What nobody has decided. See `Bank.conflicts`."""
        return self.remote.wire.run(all_conflicts(status, self.remote.asker))

    def tombstones(self, *, after: int = 0, limit: int | None = None) -> Sequence[KeptTombstone]:
        """The tombstones that apply to this bank, without digests. See `Bank.tombstones`.

        Of one that another bank of the tenant left the bank is not told: it is `*` here.
        """
        most = None if limit is None else as_count("limit", limit)
        first = as_count("after", after, least=0)
        return self.remote.wire.run(all_tombstones(first, most, self.remote.asker))

    def as_of(
        self, *, valid: InstantLike | None = None, recorded: InstantLike | None = None
    ) -> View:
        """The bank as of two times, to read only. See `Bank.as_of`.

        Raises:
            ValidationError: An instant that cannot be read.
        """
        asked = AsOf(valid=valid, recorded=recorded)  # type: ignore[arg-type]  # AsOf reads them
        return RemoteView(self.remote, asked)

    @property
    def canaries(self) -> CanaryBook:
        """The bank's canaries."""
        return RemoteCanaryBook(self.remote)

    @property
    def cache(self) -> AnswerCache:
        """The bank's cache of answers."""
        return RemoteAnswerCache(self.remote.do)

    @contextmanager
    def reflect(self, *, limit: int | None = None) -> Iterator[Reflection]:
        """Collect what an answer cites, and count it once. See `Bank.reflect`.

        Uses of different sources are reported one after the other; a report that is repeated counts
        once all the same.
        """
        most = self.policy().policy.reinforcement.reflect_limit if limit is None else limit
        reflection = Reflection(limit=most, occasion=self.remote.asker.manner.new_word())
        yield reflection
        for source, ids in reflection.collected():
            self.used(ids, source=source, recall=reflection.occasion)

    @property
    def two_people(self) -> TwoPeople:
        """What takes a second person with a key of their own; `approved_by` is not asked for."""
        return of_a_bank(self.remote.asker, self.remote.wire)

    def _copies(self) -> ServedCopies:
        return ServedCopies(self.remote.wire, self.remote.asker)


class RemoteView(View):
    """A bank of a served store as of two times."""

    def __init__(self, remote: Remote, as_of: AsOf) -> None:
        """Look at a bank; `RemoteBank.as_of` does this."""
        self.as_of = as_of
        self._remote = remote
        self._times = two_times(as_of)

    def recall(self, query: str, **overrides: Unpack[Overrides]) -> Recall:
        """What would have come to mind. See `View.recall`."""
        times = {f"as_of_{name}": each for name, each in self._times.items()}
        found = self._remote.do("recall", query=query, **times, **overrides)
        return _a(Recall, found)

    def get(self, id: str) -> Past:  # noqa: A002 - the field's own name, as everywhere
        """One memory as it was believed. See `View.get`."""
        return _a(results.Pasts, self._remote.do("as_of", id=id, **self._times)).memories[0]

    def list(self, listing: Listing | None = None) -> Sequence[Past]:
        """Those memories of a page that were there and held. See `View.list`.

        Raises:
            ValidationError: The listing filters, which is not served with two times.
        """
        given = of_listing({"listing": listing})
        extra = [name for name, each in given.items() if each and name not in ("after", "limit")]
        if extra:
            raise ValidationError.of(extra[0], "…", "is not served with as_of: leave it out")
        page = {"after": given["after"], "limit": given["limit"], **self._times}
        return _a(results.Pasts, self._remote.do("as_of", **page)).memories


class RemoteCanaryBook(CanaryBook):
    """The canaries of a bank of a served store."""

    def __init__(self, remote: Remote) -> None:
        """Name the bank; `RemoteBank.canaries` does this."""
        self._remote = remote

    def add(
        self, query: str, expected_ids: Iterable[str] | None = None, *, by: str = HOST
    ) -> Canary:
        """Keep a question with its answers. See `CanaryBook.add`."""
        actor = {} if by == HOST else {"by": by}
        found = self._remote.do("add_canary", query=query, expected_ids=expected_ids, **actor)
        return _a(Canary, found)

    def capture(
        self,
        recall: str,
        *,
        expected_ids: Iterable[str] | None = None,
        by: str = HOST,
    ) -> Canary:
        """Keep the question of a recall that the same server answered. See `CanaryBook.capture`.

        Raises:
            NotFoundError: Another server of the store answered it, or this one long ago.
        """
        actor = {} if by == HOST else {"by": by}
        found = self._remote.do("add_canary", recall=recall, expected_ids=expected_ids, **actor)
        return _a(Canary, found)

    def drop(self, canary: str, *, by: str = HOST) -> Canary:
        """Drop a canary, and give what it was. See `CanaryBook.drop`."""
        actor = {} if by == HOST else {"by": by}
        return _a(Canary, self._remote.do("drop_canary", canary=canary, **actor))

    def list(self) -> Sequence[Canary]:
        """Every canary, in the order they were first added."""
        return self._told().canaries

    def check(self) -> CanaryCheck:
        """Ask every canary now. See `CanaryBook.check`."""
        return self._told().check

    def _told(self) -> results.Canaries:
        return _a(results.Canaries, self._remote.do("canaries"))


def _a(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"the table gives another type than {kind.__name__}")
    return value


def refuse(what: str, why: str) -> NoReturn:
    """Say that something is not served.

    Raises:
        ValidationError: Always.
    """
    raise ValidationError.of(what, "…", f"is not served: {why}")
