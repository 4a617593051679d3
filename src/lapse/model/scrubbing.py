"""What became of the places where removed content may linger.

Decides how a store tells that it looked, and what it found. Refuses to look.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrubbed:
    """What a store did so that nothing of what was removed is left where it is kept.

    Attributes:
        places: What was searched, byte by byte, after everything was overwritten: names of files
            without their folders; empty for a store that keeps nothing outside RAM.
        log_emptied: Whether the log of writes is empty; not while another process reads from it.
        rebuilt: Whether the whole file had to be written anew.
        residue: How many of the wanted byte sequences are still found in any of the places.
    """

    places: tuple[str, ...] = ()
    log_emptied: bool = True
    rebuilt: bool = False
    residue: int = 0
