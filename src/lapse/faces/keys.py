"""Keys for tombstones and receipts: where they lie, and how one takes another's place.

Decides that a key lies in a file of its own beside the database, for its owner alone, or comes from
the environment; that older keys are kept, so that what was erased under them stays erased; and that
the key a receipt is signed with follows from the key in use. Refuses to print a key, and to make a
new one where tombstones are waiting for an old one: `find` says that it is not here.
"""

import hashlib
import hmac
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from lapse.errors import KeyMissingError, ValidationError
from lapse.model.tombstone import TombstoneKey
from lapse.ports import Entropy

VARIABLE: Final = "LAPSE_TOMBSTONE_KEY"
"""Environment variable with one key or several, in hexadecimal, the one in use first."""

_SUFFIX: Final = ".keys"
_SECRET_BYTES: Final = 32
_HEX: Final = re.compile(r"[0-9a-fA-F]{64,}")


class HeldKeys:
    """Keys in RAM: of a store that keeps nothing, and of the environment."""

    def __init__(self, entropy: Entropy, given: str | None = None) -> None:
        """Hold what the environment gives.

        Args:
            entropy: Where keys come from.
            given: Value of `LAPSE_TOMBSTONE_KEY`, or None.

        Raises:
            ValidationError: `given` holds something else than keys in hexadecimal.
        """
        self._entropy = entropy
        keys = _read_given(given or "")
        self._held: dict[str, TombstoneKey] = {each.id: each for each in keys}
        self._current: str | None = keys[0].id if keys else None

    def current(self) -> TombstoneKey:
        """See `lapse.ports.TombstoneKeys.current`."""
        if self._current is None:
            self.hold(self._entropy(_SECRET_BYTES))
        assert self._current is not None  # noqa: S101 - hold set it
        return self._held[self._current]

    def find(self, key_id: str) -> TombstoneKey | None:
        """See `lapse.ports.TombstoneKeys.find`."""
        return self._held.get(key_id)

    def sign(self, message: bytes) -> tuple[bytes, bytes]:
        """See `lapse.ports.TombstoneKeys.sign`."""
        return signed(self.current(), message)

    def hold(self, secret: bytes) -> str:
        """Hold a key and use it from now on. Returns its name."""
        key = TombstoneKey(id=name_of(secret), secret=secret)
        self._held[key.id] = key
        self._current = key.id
        return key.id

    def rotate(self) -> str:
        """Use a new key from now on; the older ones are kept. Returns its name."""
        return self.hold(self._entropy(_SECRET_BYTES))


class FileKeys:
    """Keys in a file beside the database, with those of the environment before them."""

    def __init__(self, path: Path, entropy: Entropy, given: str | None = None) -> None:
        """Read nothing yet.

        Args:
            path: The key file; made with mode 0600 when a first key is needed.
            entropy: Where keys come from.
            given: Value of `LAPSE_TOMBSTONE_KEY`, or None.

        Raises:
            ValidationError: `given` holds something else than keys in hexadecimal.
        """
        self._path = path
        self._entropy = entropy
        self._given = tuple(_read_given(given or ""))

    @classmethod
    def beside(cls, database: str, entropy: Entropy, environment: Mapping[str, str]) -> "FileKeys":
        """Keys of the database at a path."""
        return cls(Path(f"{database}{_SUFFIX}"), entropy, environment.get(VARIABLE))

    def current(self) -> TombstoneKey:
        """See `lapse.ports.TombstoneKeys.current`."""
        if self._given:
            return self._given[0]
        current, held = self._read()
        if current is None:
            return self._add(held)
        return held[current]

    def find(self, key_id: str) -> TombstoneKey | None:
        """See `lapse.ports.TombstoneKeys.find`."""
        for each in self._given:
            if each.id == key_id:
                return each
        return self._read()[1].get(key_id)

    def sign(self, message: bytes) -> tuple[bytes, bytes]:
        """See `lapse.ports.TombstoneKeys.sign`."""
        return signed(self.current(), message)

    def rotate(self) -> str:
        """Use a new key from now on; the older ones are kept. Returns its name.

        Raises:
            ValidationError: The environment gives the key; put another first there.
        """
        if self._given:
            raise ValidationError.of(VARIABLE, "…", "put a new key first, the older ones after it")
        return self._add(self._read()[1]).id

    def take(self, keys: Sequence[TombstoneKey]) -> None:
        """Hold keys of another store too, so that what was erased under them stays erased.

        The key in use stays in use; where there was none, the first of these is from now on.
        """
        current, held = self._read()
        in_use = current if current is not None or not keys else keys[0].id
        if in_use is not None:
            self._write(in_use, {**held, **{each.id: each for each in keys}})

    def _add(self, held: Mapping[str, TombstoneKey]) -> TombstoneKey:
        secret = self._entropy(_SECRET_BYTES)
        key = TombstoneKey(id=name_of(secret), secret=secret)
        self._write(key.id, {**held, key.id: key})
        return key

    def _read(self) -> tuple[str | None, dict[str, TombstoneKey]]:
        try:
            told = json.loads(self._path.read_text(encoding="ascii"))
            held = {
                name: TombstoneKey(id=name, secret=bytes.fromhex(secret))
                for name, secret in told["keys"].items()
            }
            current: str = told["current"]
            held[current]
        except FileNotFoundError:
            return None, {}
        except OSError as error:
            raise self._unreadable(str(error.strerror)) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._unreadable("it holds no keys") from error
        return current, held

    def _write(self, current: str, held: Mapping[str, TombstoneKey]) -> None:
        told = {"current": current, "keys": {each.id: each.secret.hex() for each in held.values()}}
        beside = self._path.with_name(f"{self._path.name}.new")
        try:
            beside.unlink(missing_ok=True)
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(json.dumps(told))
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        except OSError as error:
            problem = f"the key file {self._path} cannot be written ({error.strerror})"
            raise KeyMissingError(
                f"{problem}: make its folder writable, or set {VARIABLE}",
                fields={"path": str(self._path)},
            ) from error

    def _unreadable(self, why: str) -> KeyMissingError:
        return KeyMissingError(
            f"the key file {self._path} cannot be read ({why}): put it back as it was, or set"
            f" {VARIABLE}",
            fields={"path": str(self._path)},
        )


def name_of(secret: bytes) -> str:
    """Name of a key: a digest of it, 16 hexadecimal digits, which tells nothing of it."""
    return hashlib.sha256(b"lapse key name" + secret).hexdigest()[:16]


def signed(key: TombstoneKey, message: bytes) -> tuple[bytes, bytes]:
    """The Ed25519 public key that follows from a key, and its signature of a message."""
    # Late: 40 ms, and only receipts are signed.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
        Ed25519PrivateKey,
    )

    seed = hmac.digest(key.secret, b"lapse receipt", "sha256")
    private = Ed25519PrivateKey.from_private_bytes(seed)
    return private.public_key().public_bytes_raw(), private.sign(message)


def verified(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature of a message was made with the private half of a key."""
    # Late, as above.
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
        Ed25519PublicKey,
    )

    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _read_given(given: str) -> list[TombstoneKey]:
    secrets = [each.strip() for each in given.split(",") if each.strip()]
    if not all(_HEX.fullmatch(each) and len(each) % 2 == 0 for each in secrets):
        problem = "needs keys of at least 64 hexadecimal digits, separated by commas"
        raise ValidationError.of(VARIABLE, "…", problem)
    keys = [bytes.fromhex(each) for each in secrets]
    return [TombstoneKey(id=name_of(each), secret=each) for each in keys]
