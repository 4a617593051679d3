"""Tokens: short texts that only this deployment can have written, and that say nothing to others.

A token is base64url of its content and the first 16 bytes of its HMAC-SHA-256. The key follows from
the key of tombstones, so that every server of one store has the same.

Decides their form. Refuses to keep anything: what a token says, it carries.
"""

import base64
import hmac
import json
from collections.abc import Mapping
from typing import Final

from lapse.errors import KeyMissingError, ValidationError
from lapse.faces.previewed import PREVIEW_S
from lapse.model.instants import SECOND, Instant, to_iso
from lapse.ports import Entropy, TombstoneKeys

_MAC_BYTES: Final = 16


class Tokens:
    """Writes and reads tokens of one deployment."""

    def __init__(self, secret: bytes, entropy: Entropy) -> None:
        self._secret = secret
        self._entropy = entropy

    @classmethod
    def of(cls, keys: TombstoneKeys, entropy: Entropy) -> "Tokens":
        """Tokens under a key that follows from the store's own, or one of this process."""
        try:
            secret = hmac.digest(keys.current().secret, b"lapse server tokens", "sha256")
        except KeyMissingError:
            secret = entropy(32)
        return cls(secret, entropy)

    def derive(self, *purpose: str) -> bytes:
        """32 bytes that follow from the secret and these words alone."""
        told = json.dumps(purpose).encode("ascii")
        return hmac.digest(self._secret, b"derive" + told, "sha256")

    def cursor(self, place: str, after: int) -> str:
        """The cursor of a position in a place."""
        return self._signed("cursor", [place, after])

    def position(self, place: str, cursor: str) -> int:
        """The position that a cursor of that place names.

        Raises:
            ValidationError: It is none, of another place, or under another key.
        """
        match self._read("cursor", cursor):
            case [told, int(after)] if told == place:
                return after
        raise ValidationError.of("cursor", "…", "needs the next_cursor of a page of this bank")

    def preview(self, what: Mapping[str, str], now: Instant) -> dict[str, str]:
        """Name and end of something that was shown and may be confirmed. No two are alike."""
        ends = Instant(now + PREVIEW_S * SECOND)
        digest = hmac.digest(self._secret, json.dumps(what, sort_keys=True).encode(), "sha256")
        name = self._signed("preview", [digest.hex(), ends, what["who"], self._entropy(8).hex()])
        return {"id": name, "expires_at": to_iso(ends)}

    def confirms(self, what: Mapping[str, str], name: str, now: Instant) -> bool:
        """Whether a name is that of exactly this, as it was shown, and still holds."""
        digest = hmac.digest(self._secret, json.dumps(what, sort_keys=True).encode(), "sha256")
        match self._read("preview", name):
            case [str(told), int(ends), _, _] if now < ends:
                return hmac.compare_digest(told, digest.hex())
        return False

    def shown_to(self, name: str) -> str:
        """The key to which a preview was shown; empty for none, and for what is no preview."""
        match self._read("preview", name):
            case [_, _, str(who), _]:
                return who
            case _:
                return ""

    def consent(self, preview: str, owner: str, key_id: str) -> str:
        """Says that the owner of a key consents to a preview; it ends with the preview."""
        return self._signed("consent", [preview, owner, key_id])

    def consented(self, preview: str, consent: str) -> tuple[str, str] | None:
        """Owner and key that consented to a preview by this, or None."""
        match self._read("consent", consent):
            case [told, str(owner), str(key_id)] if told == preview:
                return owner, key_id
        return None

    def _signed(self, purpose: str, content: object) -> str:
        body = json.dumps(content, separators=(",", ":")).encode("utf-8")
        mac = hmac.digest(self._secret, purpose.encode() + body, "sha256")[:_MAC_BYTES]
        return base64.urlsafe_b64encode(mac + body).decode("ascii").rstrip("=")

    def _read(self, purpose: str, token: str) -> object:
        try:
            raw = base64.urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
        except ValueError:
            return None
        mac, body = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
        right = hmac.digest(self._secret, purpose.encode() + body, "sha256")[:_MAC_BYTES]
        if not hmac.compare_digest(mac, right):
            return None
        found: object = json.loads(body)
        return found
