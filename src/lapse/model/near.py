"""What is asked of a store that searches a large bank itself, and what it finds.

Decides the values that go in and out. Refuses to rank: whoever asks does, over the columns it gets.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from lapse.model.index_delta import Float32Array, IndexDelta, IntArray
from lapse.model.instants import Instant
from lapse.model.memory import JsonValue, Kind
from lapse.model.retention import Lifecycle


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """What must hold of a memory at a moment: it has begun, and was neither ended nor taken back.

    Attributes:
        valid: Its time in the world has begun by then.
        ended: Its time in the world has not ended by then; None where that does not matter.
        now: It has not expired by then.
    """

    valid: Instant
    ended: Instant | None
    now: Instant


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wanted:
    """A question as a store can answer it: roughly, and by its own indexes.

    Attributes:
        terms: Terms looked for, with repeats; empty where the text is not asked.
        vector: Shape (dimension,), float32, unit length; None where vectors are not asked.
        space: Number of the space that the vector is of.
        k1, b: BM25's parameters.
        count: Most memories wanted of each of the two.
        kinds, session, tags, subject, metadata: What they have to be of; nothing, or None, for
            whatever. Values in the metadata are compared by `written_form`.
        created_from: They were created then or later; None for whenever.
        lifecycles: Where they have to stand; nothing for whatever is searched.
        present: What has to hold of them; None for whatever was ever told.
        ids: Memories wanted in any case.
    """

    terms: tuple[str, ...]
    vector: Float32Array | None
    space: int | None
    k1: float
    b: float
    count: int
    kinds: tuple[Kind, ...] = ()
    session: str | None = None
    tags: tuple[str, ...] = ()
    subject: str | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=lambda: MappingProxyType({}))
    created_from: Instant | None = None
    lifecycles: tuple[Lifecycle, ...] = ()
    present: Present | None = None
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Near:
    """What a store found, as columns, with what must be known of the whole bank to rank them.

    Attributes:
        delta: Content and states of the memories found, and of all that share a key with one of
            them; `terms` has the terms asked for. Since 0, as if they were the whole bank.
        frequency: In how many memories each term asked for occurs, by its id.
        memory_count: Memories that are searched.
        mean_length: Their mean number of terms.
        found: Internal numbers of the memories that were found, not only named or of the same key.
        cut: Whether more might have been found, had more been wanted.
    """

    delta: IndexDelta
    frequency: Mapping[int, int]
    memory_count: int
    mean_length: float
    found: IntArray
    cut: bool
