"""Notes of the faces: small documents that outlive a process and that several servers share.

Decides what a note is. Refuses to say what is written in one: keys to the door, answers already
given, previews that were carried out and long work under way each have a face's part that writes
and reads them, and what a policy was and may become the engine's. No memory and nothing of its text
is ever written into a note in the clear.
"""

from dataclasses import dataclass
from enum import StrEnum

from lapse.model.instants import Instant


class Shelf(StrEnum):
    """What a note is one of."""

    KEY = "key"
    """A key to the door: who may come in, without the secret."""
    ANSWER = "answer"
    """An answer already given, to be given again to the same request."""
    JOB = "job"
    """Long work under way, and how far it is."""
    CONFIRMED = "confirmed"
    """A preview that was carried out, so that no yes stands for two acts."""
    POLICY = "policy"
    """What a bank's own settings were before a change of them."""
    PROPOSAL = "proposal"
    """Settings that are proposed to a bank, with the evidence for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One small document.

    Attributes:
        shelf: What it is one of.
        name: Its name on that shelf.
        place: What it belongs to, such as a bank, so that its like can be cleared away together.
        version: 1 for a new one; whoever changes it writes the next.
        body: The document.
        until: When it may be dropped; None for never.
    """

    shelf: Shelf
    name: str
    place: str = ""
    version: int = 1
    body: bytes
    until: Instant | None = None
