"""What the C library keeps of the memory that a server gives back to it.

Decides two settings of glibc for a process that serves for months: two arenas, where it would make
one for each thread, and that arrays from 128 KiB on go back to the system, where it would raise
that bound with each that is freed. Refuses to touch a process that does not serve, and what an
operator has set.
"""

import ctypes
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

_MALLOPT: Final = ((-8, 2), (-3, 131_072))
"""M_ARENA_MAX and M_MMAP_THRESHOLD of <malloc.h>, and their values."""
_SET_BY_OPERATOR: Final = ("MALLOC_", "GLIBC_TUNABLES")


def keep_little(environment: Mapping[str, str]) -> bool:
    """Have the C library keep little; whether it was asked to, and agreed.

    Args:
        environment: Of the process; a setting of the C library in it stays as it is.
    """
    if not sys.platform.startswith("linux") or any(
        each.startswith(_SET_BY_OPERATOR) for each in environment
    ):
        return False
    with suppress(OSError, AttributeError):  # another C library has no such function
        mallopt = ctypes.CDLL(None).mallopt
        return all(mallopt(option, value) == 1 for option, value in _MALLOPT)
    return False
