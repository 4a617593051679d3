"""The slice: a share of the memories that no score puts out of mind or out of an answer.

A log tells what was needed only of what could still be recalled. If a policy puts out of mind
whatever it holds for weak, nobody learns that some of it would have been needed. So a share of the
memories stays within reach whatever its score: no sweep and no plan by score takes it, and no mode
leaves it out of an answer for having faded. Each of them stands for 1/share of its like where a log
is judged.

Decides who is in it: by the id alone, so that it is the same on every day and every machine, and a
larger share holds the smaller one. Refuses to keep what somebody approved to let go, or named: it
is asked where a plan is made, and never when one is carried out.
"""

import hashlib
from typing import Final

_WHOLE: Final = 2.0**64


def in_slice(memory_id: str, share: float) -> bool:
    """Whether a memory is in the slice.

    Args:
        memory_id: Its id.
        share: Of all memories, in [0, 1].
    """
    if share <= 0:
        return False
    digest = hashlib.blake2b(memory_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / _WHOLE < share
