"""What a judge asks to see, and what it sees, inside the transaction.

Decides what can be asked for. Refuses to say how a store reads it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from lapse.errors import CorruptStoreError
from lapse.model.answer import KeptAnswer
from lapse.model.bank import Bank
from lapse.model.closing import Closing
from lapse.model.hold import Hold
from lapse.model.memory import Memory
from lapse.model.plan import Plan
from lapse.model.proposal import Proposal
from lapse.model.record import Record
from lapse.model.retention import UseEvent
from lapse.model.tombstone import KeptTombstone


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """What the judge must see, read inside the transaction.

    Attributes:
        ids: Memories by id; those that do not exist are simply absent from the view.
        fingerprints: Memories with the same normalised text, and what took their place.
        keys: Claims under the same key.
        pending: Fold at most about this many pending events: the memories with the oldest pending
            events are read with all their pending events; 0 reads none.
        events: Whether the view holds, for every memory read, its events from its checkpoint on.
        cited: Whether the view holds, for every memory read, the active memories that cite it.
        closings: Whether the view holds every closing of the memories read, and by them.
        proposals: Proposals by id; those that do not exist are absent from the view.
        plans: Plans by id; those that do not exist are simply absent from the view.
        tombstones: The tombstones that apply to the bank and were stored or lifted after this
            number; None reads none.
        words: Whether the view holds everything that persons wrote beside memories.
        answers: The cached answers with a number above this one; None reads none.
    """

    ids: tuple[str, ...] = ()
    fingerprints: tuple[bytes, ...] = ()
    keys: tuple[str, ...] = ()
    pending: int = 0
    events: bool = False
    cited: bool = False
    closings: bool = False
    proposals: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()
    tombstones: int | None = None
    words: bool = False
    answers: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the store read for the judge.

    Attributes:
        bank: The bank as it is now.
        records: Every memory read, by id; a memory whose state was lost is in `stateless` instead.
        same_text: Ids by fingerprint, oldest row first: an entry for each fingerprint asked for.
            Memories without a state are among them.
        same_key: Ids by key, likewise.
        pending: Ids of the memories with pending events that `Reads.pending` asked for, in the
            order in which the events came in. Memories without a state wait until they are
            repaired.
        events: By memory id, its events from its checkpoint on (drained and pending alike), in
            order of (at, event id). Pending events from before the checkpoint are there as well, so
            that they can be marked as drained; a memory without a state has all its events. An
            entry for each memory of `pending`, and for every memory read when `Reads.events` asks
            for them.
        stateless: Memories whose state row is missing, with their internal numbers.
        holds: The bank's holds, by name; always read.
        cited_by: By memory id, the ids of the active memories whose `derived_from` names it, by
            internal number, itself left out. An entry for every memory read that has any, when
            `Reads.cited` asks for them. A memory without a state counts as active.
        closings: Closings of or by the memories read, if `Reads.closings` asks for them; in order
            of (recorded_from, memory id, kind, successor).
        proposals: Those that `Reads.proposals` names, by id.
        plans: The plans that `Reads.plans` asked for, by id.
        tombstones: Those that `Reads.tombstones` asked for, by number.
        words: What `lapse.ports.Store.words` gives, if `Reads.words` asks for it.
        answers: Those that `Reads.answers` asked for, by number.
    """

    bank: Bank
    records: Mapping[str, Record]
    same_text: Mapping[bytes, tuple[str, ...]]
    same_key: Mapping[str, tuple[str, ...]]
    pending: tuple[str, ...]
    events: Mapping[str, tuple[UseEvent, ...]]
    stateless: Mapping[str, tuple[int, Memory]]
    holds: tuple[Hold, ...] = ()
    cited_by: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    closings: tuple[Closing, ...] = ()
    proposals: Mapping[str, Proposal] = field(default_factory=lambda: MappingProxyType({}))
    plans: Mapping[str, Plan] = field(default_factory=lambda: MappingProxyType({}))
    tombstones: tuple[KeptTombstone, ...] = ()
    words: tuple[str, ...] = ()
    answers: tuple[KeptAnswer, ...] = ()

    def require_states(self) -> None:
        """Make sure that every memory read has its state.

        Raises:
            CorruptStoreError: Some lost theirs; a drain gives them one from their own dates.
        """
        if self.stateless:
            lost = ", ".join(sorted(self.stateless))
            raise CorruptStoreError(
                f"these memories lost their state, drain gives them a new one: {lost}",
                fields={"ids": lost},
            )
