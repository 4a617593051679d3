"""What an embeddings endpoint answered.

Decides whether a reply holds the vectors asked for. Refuses to send anything, and to let the words
of a reply through: they may repeat the texts that were sent.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from lapse.remote.replies import FinalReplyError, MalformedReplyError

# Squares of such numbers still add up to a float; no model answers anything near it.
_LARGEST: Final = 1e15


def vectors_of(payload: object, count: int) -> NDArray[np.float32]:
    """Read the vectors of `count` texts, in the order of the texts.

    Args:
        payload: The decoded JSON, `{"data": [{"index": 0, "embedding": [...]}, ...]}`.
        count: How many texts were sent, ≥ 1.

    Returns:
        Shape (count, dimension), as answered: of any length, not normalised.

    Raises:
        MalformedReplyError: There is no list of vectors, or a vector is none.
        FinalReplyError: Another number of vectors, or vectors of several dimensions.
    """
    data = payload.get("data") if isinstance(payload, dict) else None
    if not isinstance(data, list):
        raise MalformedReplyError("the reply holds no list `data`; check the address")
    if len(data) != count:
        raise FinalReplyError(f"the endpoint answered {len(data)} vectors for {count} texts")
    rows: dict[int, NDArray[np.float32]] = {}
    for place, item in enumerate(data):
        if not isinstance(item, dict):
            raise MalformedReplyError("an entry of `data` is no object")
        index = item.get("index", place)
        if not isinstance(index, int) or not 0 <= index < count or index in rows:
            raise FinalReplyError("the endpoint did not number its vectors once each")
        rows[index] = _vector(item.get("embedding"))
    sizes = {row.size for row in rows.values()}
    if len(sizes) != 1 or 0 in sizes:
        raise FinalReplyError(
            f"the endpoint answered vectors of {sorted(sizes)} dimensions in one reply;"
            " it must be one dimension, and not 0"
        )
    return np.stack([rows[index] for index in range(count)])


def _vector(value: object) -> NDArray[np.float32]:
    if not isinstance(value, list) or not all(
        isinstance(each, int | float) and not isinstance(each, bool) for each in value
    ):
        raise MalformedReplyError("a vector is no list of numbers; ask for encoding_format float")
    try:
        vector = np.array(value, dtype=np.float64)
    except OverflowError:  # an integer beyond any float
        vector = np.array([np.inf])
    if not (np.abs(vector) <= _LARGEST).all():
        raise MalformedReplyError("a vector holds a number that is not finite")
    return vector.astype(np.float32)
