"""Sealed notes: what may hold a memory's text lies in the store only under a key that does not.

An answer that is kept for the same request, or a job's result, is enciphered with AES-256-GCM
under a key that follows from the deployment's secret and from a word only the caller holds (the
Idempotency-Key, the job's id). So the store's bytes hold no text that an erasure would have to
find.

Decides that. Refuses to say what is sealed.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

from lapse.faces.rest.tokens import Tokens
from lapse.ports import Entropy

_NONCE_BYTES: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """Seals and opens what belongs to one word of a caller.

    Attributes:
        name: Name of the note; tells nothing of the word.
        key: 32 bytes.
        entropy: Where nonces come from.
    """

    name: str
    key: bytes
    entropy: Entropy

    @classmethod
    def of(cls, tokens: Tokens, entropy: Entropy, *word: str) -> "Seal":
        """The seal of a word, and of where it was said."""
        name = hashlib.sha256(tokens.derive("name", *word)).hexdigest()
        return cls(name=name, key=tokens.derive("seal", *word), entropy=entropy)

    def close(self, text: bytes) -> bytes:
        """Encipher."""
        # Late: 40 ms, and only kept answers and jobs need it.
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        nonce = self.entropy(_NONCE_BYTES)
        return nonce + AESGCM(self.key).encrypt(nonce, text, None)

    def open(self, sealed: bytes) -> bytes | None:
        """Decipher, or None for what was sealed otherwise or altered."""
        # Late, as above.
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        try:
            nonce, text = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
            return AESGCM(self.key).decrypt(nonce, text, None)
        except (InvalidTag, ValueError):
            return None
