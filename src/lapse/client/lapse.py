"""A served store, with the methods of an open one.

Decides how a server is named and asked. Refuses what reaches beyond one bank, by name: a key opens
banks, and the store is the server's.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Final, NoReturn, Self, Unpack

from lapse.bank import HOST
from lapse.client.bank import Remote, RemoteBank
from lapse.client.consenting import TwoPeople
from lapse.engine.choosing import Where
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.erasing_widely import WideErasure
from lapse.engine.untyped import as_names
from lapse.errors import ValidationError
from lapse.faces.app import new_word
from lapse.faces.operations import TABLE, Operation
from lapse.faces.operations.bank_calls import Banks
from lapse.faces.remote.steps import Manner
from lapse.faces.remote.wire import TIMEOUT_S, Server, Wire
from lapse.model.memory import BankRef
from lapse.model.sweep import Swept

if TYPE_CHECKING:
    import httpx


_EVERYWHERE: Final = "erase_everywhere"


class LapseClient:
    """A store that another process serves. `Lapse.open` becomes `LapseClient.open`; the rest stays.

    Use it as a context manager, or call `close`. Threads may share it.
    """

    def __init__(self, wire: Wire, manner: Manner) -> None:
        """Use `LapseClient.open`."""
        self._wire = wire
        self._manner = manner

    @classmethod
    def open(
        cls,
        url: str,
        *,
        key: str | None = None,
        timeout_s: float = TIMEOUT_S,
        retries: int = 2,
        pause: Callable[[float], None] = time.sleep,
        transport: "httpx.BaseTransport | None" = None,
    ) -> Self:
        """Name a server. Nothing is sent before the first verb.

        Args:
            url: Where it answers, such as `https://memory.example`.
            key: A key to it, as `lapse keys create` shows it; None where it asks for none.
            timeout_s: Seconds that connecting, sending and each part of an answer may take.
            retries: How often a request that got no answer, or was told to come again, is asked
                anew. A write goes under an Idempotency-Key then, so that it acts once.
            pause: Waits so many seconds between two tries.
            transport: In place of the network.

        Raises:
            ValidationError: A URL or key that is none, or the extra `remote` is not installed.
        """
        server = Server(url=url, key=key, timeout_s=timeout_s)
        return cls(Wire(server, transport=transport, pause=pause), manner(retries))

    def bank(self, name: str, *, tenant: str = "default") -> RemoteBank:
        """A bank by name. It comes into being with the first verb that writes.

        Raises:
            ValidationError: A blank or over-long name.
        """
        return RemoteBank(Remote(BankRef(tenant=tenant, name=name), self._manner, self._wire))

    def banks(self, *, tenant: str = "default") -> Sequence[str]:
        """Names of a tenant's banks that the key opens, sorted."""
        found = Remote(_anywhere(tenant), self._manner, self._wire).do("banks")
        assert isinstance(found, Banks)  # noqa: S101 - the table says so
        return list(found.banks)

    def preview_erasure(
        self, *, tenant: str = "default", banks: Sequence[str] = (), **where: Unpack[Where]
    ) -> WideErasure:
        """What `erase` would take, and what a hold would keep. See `Lapse.preview_erasure`."""
        return self._erase(tenant, {"banks": banks, **where})

    def erase(
        self,
        *,
        tenant: str = "default",
        banks: Sequence[str] = (),
        by: str,
        reason: str,
        approved_by: str | None = None,
        **where: Unpack[Where],
    ) -> WideErasure:
        """Destroy memories of several banks for good, in one act. See `Lapse.erase`.

        Raises:
            AccessError: No banks are named, and the key opens some of the tenant's alone; or
                somebody else is named as the second person.
        """
        said = {"by": by, "reason": reason, "approved_by": approved_by, "yes": True}
        return self._erase(tenant, {"banks": banks, **where, **said})

    def sweep(
        self,
        *,
        tenant: str = "default",
        banks: Sequence[str] = (),
        limit: int | None = None,
        time_budget_s: float | None = None,
        by: str = HOST,
        progress: Progress = no_progress,
    ) -> Sequence[Swept]:
        """Sweep banks in turn, by name. See `Lapse.sweep`.

        Args:
            tenant: Whose banks.
            banks: Only these; all that the key opens if left out.
            limit: Most memories that go or are planned in each.
            time_budget_s: Seconds after which no new portion of a bank is begun.
            by: Who sweeps; the key's owner.
            progress: Called with (visited, at least so many in all).
        """
        return [
            self.bank(each, tenant=tenant).sweep(
                limit=limit, time_budget_s=time_budget_s, by=by, progress=progress
            )
            for each in sorted(banks or self.banks(tenant=tenant))
        ]

    def two_people(self, *, tenant: str = "default") -> TwoPeople:
        """What takes a second person with a key of their own: `erase`, over a tenant's banks.

        `look("erase", subject="bob")`, and on as `RemoteBank.two_people`.
        """
        asker = Remote(_anywhere(tenant), self._manner, self._wire).asker
        return TwoPeople(asker, self._wire, _read, lambda _, found: found)

    def _erase(self, tenant: str, given: Mapping[str, object]) -> WideErasure:
        remote = Remote(_anywhere(tenant), self._manner, self._wire)
        found = remote.do(_EVERYWHERE, **_asked(given))
        assert isinstance(found, WideErasure)  # noqa: S101 - the table says so
        return found

    def close(self) -> None:
        """Release the connections. Closing twice is allowed."""
        self._wire.close()

    def __getattr__(self, name: str) -> NoReturn:
        why = APART.get(name)
        said = "" if why is None else f" because {why}"
        raise AttributeError(f"a served store has no {name!r}{said}", name=name, obj=self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _asked(given: Mapping[str, object]) -> dict[str, object]:
    """Fields of an erasure over several banks; of the actor nothing where the key tells it."""
    told = {name: each for name, each in given.items() if name != "by" or each != HOST}
    named = as_names("banks", told.pop("banks", ()))
    return {**told, "banks": named or None}


def _read(
    method: str, args: Iterable[object], kwargs: dict[str, object]
) -> tuple[Operation, dict[str, object]]:
    if method != "erase" or tuple(args):
        raise ValidationError.of("method", method, "needs erase, with its arguments by name")
    return TABLE[_EVERYWHERE], _asked(kwargs)


def _anywhere(tenant: str) -> BankRef:
    """A place for what is asked of a tenant and no bank."""
    return BankRef(tenant=tenant, name="default")


def manner(retries: object) -> Manner:
    """How a server is asked.

    Raises:
        ValidationError: `retries` is no whole number from 0.
    """
    if not isinstance(retries, int) or isinstance(retries, bool) or retries < 0:
        raise ValidationError.of("retries", retries, "needs a whole number from 0")
    return Manner(new_word=new_word, retries=retries)


APART: Mapping[str, str] = MappingProxyType(
    {
        "backup": "it writes every tenant's banks to the server's own disk",
        "drain": "it is about the banks that a process has opened: ask a bank to drain",
        "notes": "keys and jobs are the server's",
        "parts": "clock, chance and keys are the server's",
        "tend": "a server tends its store by itself",
        "through": "the journal says that it came over HTTP",
    }
)
"""Methods of `Lapse` that a client does not have, and why."""
