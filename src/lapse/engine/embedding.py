"""Vector spaces of a bank: filling them, and moving to a new one.

A space is one embedder with one snapshot of the bank's own IDF. A snapshot is due when the number
of memories reaches a power of two (an *epoch*), and is that of the first so many memories, so that
texts and queries are always pooled alike, and alike again when the space is made anew.
A new space is filled beside the old one, which recall goes on using, and takes its place when no
memory lacks a vector in it; an interrupted move goes on where it stopped.

Decides when a move is due and carries it out. Refuses to compare vectors.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lapse.embed.idf import document_frequencies
from lapse.embed.pooling import unit_rows
from lapse.embed.snapshots import pack, unpack
from lapse.engine.core import Core
from lapse.engine.paging import pages
from lapse.engine.runtime import BankRuntime
from lapse.errors import EmbedderError
from lapse.model.bank import NO_IDF, Bank, Space
from lapse.model.changeset import Changes, Judge
from lapse.model.record import Vector, VectorChange
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Embedder

BATCH = 1024
"""Memories embedded by one call and committed by one transaction."""

INLINE_LIMIT = 1024
"""Largest bank whose move a single write carries out itself; a larger one moves off the path."""

LENGTH_TOLERANCE = 1e-3
"""How far a vector's length may be from 1 for the vector to be taken as it is."""

WORDS_ONLY = "found by its words only, until its vector can be made: {}"
"""Told of what was stored without a vector, with the reason."""

Progress = Callable[[int, int], None]

T = TypeVar("T")

_Target = tuple[str, int, int]
"""Embedder, dimension and epoch that a move leads to."""


def no_progress(_done: int, _total: int) -> None:
    """Report to nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceState:
    """Whether recall may use the bank's vectors, and why not."""

    usable: bool
    warning: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """Vectors of new texts, in order; None where one cannot be had now.

    Attributes:
        trouble: Why not, or empty.
    """

    vectors: list[Vector | None]
    trouble: str = ""


def state_of(bank: Bank | None, embedder: Embedder | None) -> SpaceState:
    """Whether the configured embedder is the one the bank's vectors are from."""
    if embedder is None or bank is None:
        return SpaceState(usable=False, warning=None)
    if bank.space is None:
        warning = "the bank has no vectors yet: searching by text only until drain has made them"
        return SpaceState(usable=False, warning=warning)
    if bank.space.embedder != embedder.id:
        warning = (
            f"the bank's vectors are from {bank.space.embedder} ({bank.space.dimension} numbers "
            f"each), the embedder is {embedder.id}: searching by text only until reembed has run"
        )
        return SpaceState(usable=False, warning=warning)
    return SpaceState(usable=True, warning=None)


def contradiction_of(bank: Bank | None, embedder: Embedder | None) -> Iterator[str]:
    """What is wrong between the bank's vectors and the configured embedder, in a sentence."""
    if embedder is None or bank is None or bank.space is None:
        return
    space = bank.space
    try:
        dimension = dimension_of(embedder)
    except EmbedderError as error:
        yield f"the embedder makes no vectors: {error}"
        return
    if (space.embedder, space.dimension) != (embedder.id, dimension):
        yield (
            f"the bank's vectors are from {space.embedder} with {space.dimension} numbers each, "
            f"the embedder is {embedder.id} with {dimension}: reembed makes them anew"
        )
    elif space.idf != NO_IDF:
        try:
            unpack(space.idf, embedder.vocabulary)
        except EmbedderError as error:
            yield str(error)


def vectors_for(core: Core, runtime: BankRuntime, texts: list[str]) -> Embedded:
    """Vectors of new texts in the bank's current space.

    A text without one is stored all the same, found by its words, and embedded later.
    """
    embedder, bank = core.parts.embedder, runtime.bank
    nothing: list[Vector | None] = [None] * len(texts)
    if embedder is None or bank is None or bank.space is None or not texts:
        return Embedded(vectors=nothing)
    state = state_of(bank, embedder)
    if not state.usable:
        return Embedded(vectors=nothing, trouble=state.warning or "")
    try:
        rows = rows_of(embedder, texts, runtime.idf(bank.space, embedder), bank.space.dimension)
    except EmbedderError as error:
        return Embedded(vectors=nothing, trouble=WORDS_ONLY.format(error))
    return Embedded(vectors=[Vector(space=bank.space.number, data=_bytes(row)) for row in rows])


def rows_of(
    embedder: Embedder, texts: Sequence[str], idf: NDArray[np.float32] | None, dimension: int
) -> NDArray[np.float32]:
    """The texts' vectors, held against what is expected of the embedder, and at unit length.

    Args:
        idf: The space's IDF, or None when it pools without one.
        dimension: Length of the vectors they are to stand beside.

    Returns:
        Shape (len(texts), dimension); rows of zeros stay zeros.

    Raises:
        EmbedderError: The vectors could not be made, have another shape, or are no finite numbers.
    """
    given = _answered(embedder, lambda: embedder.embed(texts, idf))
    try:
        rows = np.asarray(given, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EmbedderError(f"{embedder.id} gave no vectors of one length: {error}") from error
    wanted = (len(texts), dimension)
    if rows.shape != wanted:
        raise EmbedderError(
            f"{embedder.id} gave vectors of shape {rows.shape}, not {wanted}; if its model has "
            "changed, run reembed"
        )
    if not np.isfinite(rows).all():
        raise EmbedderError(f"{embedder.id} gave vectors that are no finite numbers")
    return _at_unit_length(rows)


def _at_unit_length(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    # Many models leave lengths to their caller. Each row by itself, so that the vector of a text
    # does not depend on what else was asked for with it.
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    other = (np.abs(lengths - 1.0) > LENGTH_TOLERANCE) & (lengths > 0.0)
    if not other.any():
        return rows
    units = rows.copy()
    units[other] = unit_rows(rows[other])
    return units


def tokens_of(embedder: Embedder, texts: Sequence[str]) -> list[NDArray[np.int64]]:
    """Token ids of each text, with repeats.

    Raises:
        EmbedderError: The embedder gave up.
    """
    return _answered(embedder, lambda: embedder.tokens(texts))


def dimension_of(embedder: Embedder) -> int:
    """Length of the embedder's vectors.

    Raises:
        EmbedderError: It cannot say: some ask their service.
    """
    return _answered(embedder, lambda: embedder.dimension)


def _answered(embedder: Embedder, ask: Callable[[], T]) -> T:
    try:
        return ask()
    except EmbedderError:
        raise
    except Exception as error:
        # An embedder is anybody's code: no memory may be lost to it. Its words may hold a text or a
        # key, so only the kind of failure is told.
        raise EmbedderError(f"{embedder.id} failed: {type(error).__name__}") from error


def epoch_due(bank: Bank | None, embedder: Embedder | None, count: int) -> int | None:
    """The epoch the bank should move to, or None when it stands where it should.

    An embedder that needs no IDF has epoch 0 from the first memory on. Another embedder than the
    space's is never a reason to move by itself: that is `reembed`.
    """
    if embedder is None or count == 0:
        return None
    target = epoch_for(embedder, count)
    if bank is None or bank.space is None:
        return target
    if bank.space.embedder != embedder.id:
        return None
    return target if target > bank.space.epoch else None


def move(core: Core, runtime: BankRuntime, epoch: int, progress: Progress = no_progress) -> int:
    """Fill a new space for `epoch` and make it current. Returns the vectors made.

    Raises:
        EmbedderError: The embedder gave up; what was made so far is kept and used next time.
    """
    embedder = core.parts.embedder
    if embedder is None:
        raise EmbedderError("no embedder is configured; open Lapse with one")
    runtime.follow()
    building = _begin(core, runtime, embedder, epoch)
    if building is None:
        return 0
    made = _fill(core, runtime, embedder, building, progress)
    _finish(core, runtime, building)
    return made


def rebuild(core: Core, runtime: BankRuntime, progress: Progress = no_progress) -> int:
    """Move to a new space of the configured embedder, at the epoch the bank's size asks for.

    Raises:
        EmbedderError: No embedder is configured, or it gave up.
    """
    embedder = core.parts.embedder
    count = core.parts.store.count(runtime.ref)
    if embedder is None:
        raise EmbedderError("no embedder is configured; open Lapse with one")
    if count == 0:
        return 0
    return move(core, runtime, epoch_for(embedder, count), progress)


def epoch_for(embedder: Embedder, count: int) -> int:
    """The epoch of a bank of `count` memories, ≥ 1: the power of two below, or 0 without IDF."""
    return 1 << (count.bit_length() - 1) if embedder.vocabulary else 0


def fill_missing(core: Core, runtime: BankRuntime) -> int:
    """Embed memories that have no vector in the current space. Returns how many got one."""
    embedder = core.parts.embedder
    runtime.follow()
    bank = runtime.bank
    if embedder is None or bank is None or bank.space is None:
        return 0
    if bank.space.embedder != embedder.id or not runtime.unfilled:
        return 0
    # Before looking, so that whoever writes without a vector meanwhile is not overlooked.
    runtime.unfilled = False
    try:
        return _fill(core, runtime, embedder, bank.space, no_progress)
    except BaseException:
        runtime.unfilled = True
        raise


def _begin(core: Core, runtime: BankRuntime, embedder: Embedder, epoch: int) -> Space | None:
    """The space to fill; None when another process has finished this very move meanwhile."""
    before = runtime.bank
    started = None if before is None else before.building
    target = (embedder.id, dimension_of(embedder), epoch)
    if _leads_to(started, target):
        return started
    idf = _snapshot_idf(core, runtime, embedder, epoch)

    def judge(view: View) -> Changes:
        if _leads_to(view.bank.building, target) or _arrived(view.bank):
            return Changes()
        numbers = [each.number for each in _spaces(view.bank)]
        space = Space(
            number=max(numbers, default=0) + 1,
            embedder=embedder.id,
            dimension=target[1],
            epoch=epoch,
            idf=idf,
        )
        stale = [] if view.bank.building is None else [view.bank.building.number]
        return Changes(bank=replace(view.bank, building=space), drop_spaces=tuple(stale))

    def _arrived(bank: Bank) -> bool:
        known = None if before is None else before.space
        return bank.space != known and _leads_to(bank.space, target)

    core.commit(Verb.EMBED, runtime.ref, core.now(), Reads(), judge)
    bank = runtime.follow()
    building = None if bank is None else bank.building
    return building if _leads_to(building, target) else None


def _leads_to(space: Space | None, target: _Target) -> bool:
    return space is not None and (space.embedder, space.dimension, space.epoch) == target


def _fill(
    core: Core, runtime: BankRuntime, embedder: Embedder, space: Space, progress: Progress
) -> int:
    made, total = 0, core.parts.store.count(runtime.ref)
    while batch := core.missing_vectors(runtime.ref, space.number, BATCH):
        texts = [each.memory.text for each in batch]
        rows = rows_of(embedder, texts, runtime.idf(space, embedder), space.dimension)
        vectors = tuple(
            VectorChange(
                memory_id=each.memory.id,
                content_version=each.memory.content_version,
                vector=Vector(space=space.number, data=_bytes(row)),
            )
            for each, row in zip(batch, rows, strict=True)
        )
        kept = core.commit(Verb.EMBED, runtime.ref, core.now(), Reads(), _keeping(space, vectors))
        if kept.changes.empty:
            break
        made += len(batch)
        progress(made, max(total, made))
    return made


def _keeping(space: Space, vectors: tuple[VectorChange, ...]) -> Judge:
    def judge(view: View) -> Changes:
        # Another process may have gone on to a later space and dropped this one.
        return Changes(vectors=vectors) if space in _spaces(view.bank) else Changes()

    return judge


def _finish(core: Core, runtime: BankRuntime, building: Space) -> None:
    def judge(view: View) -> Changes:
        if view.bank.building != building:
            return Changes()
        old = [] if view.bank.space is None else [view.bank.space.number]
        return Changes(
            bank=replace(view.bank, space=building, building=None), drop_spaces=tuple(old)
        )

    core.commit(Verb.EMBED, runtime.ref, core.now(), Reads(), judge)
    runtime.follow()


def _snapshot_idf(core: Core, runtime: BankRuntime, embedder: Embedder, epoch: int) -> bytes:
    """The IDF of the bank's first `epoch` memories.

    So the space follows from the rows, however many there were when it was made.
    """
    if embedder.vocabulary == 0:
        return NO_IDF
    frequencies = np.zeros(embedder.vocabulary, dtype=np.int64)
    count = 0
    for records in pages(core, runtime):
        texts = [each.memory.text for each in records[: epoch - count]]
        frequencies += document_frequencies(tokens_of(embedder, texts), embedder.vocabulary)
        count += len(texts)
        if count >= epoch:
            break
    return pack(frequencies, count)


def _spaces(bank: Bank | None) -> list[Space]:
    known = [] if bank is None else [bank.space, bank.building]
    return [each for each in known if each is not None]


def _bytes(row: NDArray[np.float32]) -> bytes:
    return row.astype("<f4").tobytes()
