"""What an exchange with a server is made of, before and after any library sends it.

Decides the shape: an exchange is a generator that yields what is to be done next and is sent what
came of it, so that a blocking and an asynchronous sender drive the same one. Refuses to send.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request. The key that is shown is the sender's, so that no request holds it.

    Attributes:
        method: Of HTTP.
        path: Escaped, from the server's root.
        query: Names and values, in order.
        headers: Beside those of every request.
        body: JSON, or None.
        pieces: Gives, anew for each sending, a body that is too large to be held; or None.
        into: Takes the body of an answer of 2xx as it comes, so that none is held; or None.
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    body: bytes | None = None
    pieces: Callable[[], Iterator[bytes]] | None = None
    into: Callable[[bytes], object] | None = None

    @property
    def flows(self) -> bool:
        """Whether a body is larger than may be held; then it is not sent anew once it was lost."""
        return self.pieces is not None or self.into is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer.

    Attributes:
        status: Of HTTP.
        headers: By name in lower case.
        body: As it came, decompressed.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """No answer came; whether the request arrived is not known.

    Attributes:
        why: What happened, in words; never the key.
    """

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Wait so many seconds."""

    seconds: float


Step: TypeAlias = Ask | Pause
Outcome: TypeAlias = Reply | Lost | None
"""What came of a step: of a pause nothing."""

Exchange: TypeAlias = Generator[Step, Outcome, T]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a server is asked.

    Attributes:
        new_word: Makes an Idempotency-Key nobody else has.
        retries: How often what may be repeated is asked again, from 0.
        longest_wait_s: Longest pause that a server may ask for; a longer one is told as the error
            it came with.
        patience_s: Seconds for which a request is waited for whose answer was lost and that the
            server is still at.
    """

    new_word: Callable[[], str]
    retries: int = 2
    longest_wait_s: float = 10.0
    patience_s: float = 600.0
