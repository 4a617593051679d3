"""What a bank's policy was before its last change, and what is proposed for it.

Decides that the settings which a change replaces are noted before it is written, under their own
version, so that the note is right whoever writes it; that the last change can be taken back, and
that taken back twice it stands again; and that a proposal waits a month for somebody to take it.
Refuses to propose anything itself (`lapse.lab` does).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lapse.engine.core import Core
from lapse.engine.runtime import BankRuntime
from lapse.errors import NotFoundError, StoreError
from lapse.model.codec import dumps, loads
from lapse.model.instants import Instant, plus_days
from lapse.model.memory import BankRef, JsonValue
from lapse.model.note import Note, Shelf
from lapse.model.policy_proposal import PolicyProposal
from lapse.ports import KeepsNotes, Notes

KEPT_DAYS: Final = 365.0
"""Days for which a change can be taken back."""

PROPOSED_DAYS: Final = 30.0
"""Days for which a proposal waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What a bank's own settings were.

    Attributes:
        version: Version of the policy.
        settings: As the bank stored them.
    """

    version: int
    settings: Mapping[str, JsonValue]


def note_replaced(core: Core, runtime: BankRuntime, now: Instant) -> None:
    """Note the settings that a change is about to replace; nothing where the store keeps none."""
    store, bank = core.parts.store, runtime.bank
    if not isinstance(store, KeepsNotes):
        return
    version = 0 if bank is None else bank.policy_version
    earlier = Earlier(version=version, settings={} if bank is None else bank.policy)
    until = plus_days(now, KEPT_DAYS)
    _keep(store.notes, Shelf.POLICY, runtime.ref, f"v{version}", dumps(earlier), until)


def replaced(core: Core, runtime: BankRuntime) -> Earlier:
    """The settings that the last change of the policy replaced.

    Raises:
        NotFoundError: It was never changed, or too long ago.
        StoreError: This kind of store keeps no notes.
    """
    version = 0 if runtime.bank is None else runtime.bank.policy_version
    if version > 0:
        found = _notes(core).get(Shelf.POLICY, _name(runtime.ref, f"v{version - 1}"))
        if found is not None:
            return loads(Earlier, found.body)
    raise NotFoundError(
        f"no earlier policy of bank {runtime.ref.name} is known: it was never changed, or not "
        f"within {KEPT_DAYS:.0f} days",
        fields={"bank": str(runtime.ref)},
    )


def propose(
    core: Core,
    runtime: BankRuntime,
    settings: Mapping[str, JsonValue],
    evidence: Mapping[str, float],
) -> PolicyProposal:
    """Keep a proposal until somebody takes it or a month is over.

    Raises:
        StoreError: This kind of store keeps no notes.
    """
    now = core.now()
    beside = runtime.rule.fingerprint
    told = json.dumps([dict(settings), beside, now], sort_keys=True)
    proposal = PolicyProposal(
        id=hashlib.sha256(told.encode("ascii")).hexdigest()[:16],
        at=now,
        settings=dict(settings),
        evidence=dict(evidence),
        beside=beside,
    )
    until = plus_days(now, PROPOSED_DAYS)
    _keep(_notes(core), Shelf.PROPOSAL, runtime.ref, proposal.id, dumps(proposal), until)
    return proposal


def proposed(core: Core, runtime: BankRuntime, proposal_id: str) -> PolicyProposal:
    """A proposal that waits.

    Raises:
        NotFoundError: There is none of that id, or its time is over.
        StoreError: This kind of store keeps no notes.
    """
    found = _notes(core).get(Shelf.PROPOSAL, _name(runtime.ref, proposal_id))
    if found is None or (found.until is not None and found.until <= core.now()):
        raise NotFoundError(
            f"no policy {proposal_id} is proposed for this bank, or its {PROPOSED_DAYS:.0f} days "
            "are over: fit again",
            fields={"proposal": proposal_id},
        )
    return loads(PolicyProposal, found.body)


def noted_at(ref: BankRef) -> str:
    """The place of the notes about a bank's policy; see `lapse.model.note.Note`."""
    return json.dumps([ref.tenant, ref.name])


def _notes(core: Core) -> Notes:
    store = core.parts.store
    if not isinstance(store, KeepsNotes):
        raise StoreError("this store keeps no notes: no policy can be proposed or taken back in it")
    return store.notes


def _keep(notes: Notes, shelf: Shelf, ref: BankRef, what: str, body: str, until: Instant) -> None:
    name = _name(ref, what)
    before = notes.get(shelf, name)
    # Another process may have written the same between the two: then it says the same.
    notes.put(
        Note(
            shelf=shelf,
            name=name,
            place=noted_at(ref),
            version=1 if before is None else before.version + 1,
            body=body.encode("ascii"),
            until=until,
        )
    )


def _name(ref: BankRef, what: str) -> str:
    return json.dumps([ref.tenant, ref.name, what])
