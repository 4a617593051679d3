"""What a key to the door is: its public half, its secret, and how the secret is known again.

A key is written `lapse_<id>_<secret>`: the id names its record, the secret is 32 random bytes that
are kept nowhere. The record holds HMAC-SHA-256 of the secret under a salt of its own. A slow hash
would guard a secret that can be guessed; one of 256 bits cannot.

Decides the form of keys and the comparison, in constant time. Refuses to keep them (`keyring`) and
to say what a caller may do (`caller`).
"""

import hmac
import re
from dataclasses import dataclass
from typing import Final

from lapse.errors import Fault, ValidationError, fault
from lapse.faces.access.roles import Role, Voice
from lapse.model.instants import Instant
from lapse.model.memory import name_faults
from lapse.ports import Entropy

ANY: Final = "*"
"""In a grant: every tenant, or every bank of the tenant."""

_ID_BYTES: Final = 6
_SECRET_BYTES: Final = 32
_SALT_BYTES: Final = 16
_WRITTEN: Final = re.compile(
    rf"lapse_([0-9a-f]{{{2 * _ID_BYTES}}})_([0-9a-f]{{{2 * _SECRET_BYTES}}})"
)
_PREFIX: Final = "lapse_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a key is given for.

    Attributes:
        owner: Who acts with it: the actor of the journal.
        role: What it may do.
        tenant: Whose banks; `*` for every tenant's.
        banks: Which of them; `*` for all there are and will be.
        voice: With whose authority it tells.
        expires_at: From when it opens nothing any more; None for never.

    Raises:
        ValidationError: A name that none can have, or no bank; all faults at once.
    """

    owner: str
    role: Role
    tenant: str = "default"
    banks: tuple[str, ...] = (ANY,)
    voice: Voice = Voice.HOST
    expires_at: Instant | None = None

    def __post_init__(self) -> None:
        faults: list[Fault] = [*name_faults("owner", self.owner)]
        faults += name_faults("tenant", self.tenant)
        for each in self.banks:
            faults += name_faults("banks", each)
        if not self.banks:
            faults.append(fault("banks", self.banks, "needs at least one bank, or *"))
        if faults:
            raise ValidationError(faults)

    def knows(self, tenant: str) -> bool:
        """Whether it opens something of a tenant. One that a caller calls `*` is nobody's."""
        return tenant != ANY and self.tenant in (tenant, ANY)

    def reaches(self, tenant: str, bank: str | None) -> bool:
        """Whether it opens a bank, or with None whatever belongs to the whole tenant.

        A bank or tenant that is called `*` by the caller is no wildcard: it is reached by nobody.
        """
        if bank == ANY or not self.knows(tenant):
            return False
        return ANY in self.banks or (bank is not None and bank in self.banks)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """The record of a key, without its secret.

    Attributes:
        id: Its public half, in hexadecimal.
        grant: What it is given for.
        salt, digest: How its secret is known again.
        created_at: When it was made.
        revoked_at: From when it opens nothing any more, because somebody said so; or None.
    """

    id: str
    grant: Grant
    salt: bytes
    digest: bytes
    created_at: Instant
    revoked_at: Instant | None = None

    def holds(self, now: Instant) -> bool:
        """Whether it opens anything at an instant: neither revoked nor expired."""
        ends = (self.revoked_at, self.grant.expires_at)
        return all(each is None or now < each for each in ends)

    def opens_with(self, secret: str) -> bool:
        """Whether a secret is its own. Takes the same time whatever the secret."""
        return hmac.compare_digest(_digest(self.salt, secret), self.digest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """A new key: the only moment at which it can be seen whole.

    Attributes:
        written: The whole key, for its owner.
        key: The record that is kept.
    """

    written: str
    key: ApiKey


def issue(grant: Grant, now: Instant, entropy: Entropy) -> Issued:
    """Make a key."""
    name, secret = entropy(_ID_BYTES).hex(), entropy(_SECRET_BYTES).hex()
    salt = entropy(_SALT_BYTES)
    key = ApiKey(id=name, grant=grant, salt=salt, digest=_digest(salt, secret), created_at=now)
    return Issued(written=f"{_PREFIX}{name}_{secret}", key=key)


def halves(written: str) -> tuple[str, str] | None:
    """Id and secret of a key as it is written, or None for what is no key."""
    found = _WRITTEN.fullmatch(written)
    return None if found is None else (found[1], found[2])


def _digest(salt: bytes, secret: str) -> bytes:
    return hmac.digest(salt, secret.encode("ascii", "replace"), "sha256")
