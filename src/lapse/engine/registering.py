"""Registering: giving the memories of another store a state here, once there is something to keep.

Ranking another store's candidates writes nothing. Only when one of them is used does the bank get a
row for it, under the other store's id and with its dates.

Decides when a row is made. Refuses to merge rows by their text: the ids are not ours.
"""

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from lapse.engine.core import SYSTEM, Core, facets_of
from lapse.engine.preparing import stamped
from lapse.engine.runtime import BankRuntime
from lapse.errors import NotFoundError
from lapse.intake.composing import Additions, Setting, compose, rating_by_caller
from lapse.model.changeset import Changes
from lapse.model.instants import Instant
from lapse.model.journal import JournalDraft
from lapse.model.memory import Draft, JsonValue
from lapse.model.query import Candidate
from lapse.model.record import NewRecord
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View

OBSERVE: dict[str, JsonValue] = {"forgetting": {"mode": "observe"}}
"""Policy of a bank first made beside another store: it watches before it acts."""


def register(core: Core, runtime: BankRuntime, ids: Sequence[str]) -> int:
    """Make rows for candidates that were ranked lately and have none. Returns how many."""
    snapshot = runtime.refresh()
    offered = [each for each in runtime.offered(ids) if snapshot.live.find(each.id) is None]
    if not offered:
        return 0
    now = core.now()
    records = _records(core, runtime, offered, now)

    def judge(view: View) -> Changes:
        created = tuple(each for each in records if each.memory.id not in view.records)
        entry = JournalDraft(
            verb=Verb.OVERLAY,
            at=now,
            by=SYSTEM,
            memory_ids=tuple(each.memory.id for each in created),
        )
        bank = view.bank
        if bank.revision == 0:
            bank = replace(bank, overlay=True, policy=OBSERVE, policy_version=1)
        changes = Changes(created=created, bank=bank, journal=entry) if created else Changes()
        return stamped(runtime, view, changes)

    reads = Reads(ids=tuple(each.id for each in offered))
    committed = core.commit(Verb.OVERLAY, runtime.ref, now, reads, judge)
    runtime.refresh()
    return len(committed.changes.created)


def check_known(core: Core, runtime: BankRuntime, ids: Sequence[str]) -> None:
    """Refuse ids that nobody knows before a row is made for those that were ranked lately.

    Raises:
        NotFoundError: With every id that is neither stored nor was offered.
    """
    offered = {each.id for each in runtime.offered(ids)}
    if not offered:
        return
    others = [each for each in ids if each not in offered]
    stored = {each.memory.id for each in core.get(runtime.ref, others)}
    unknown = ", ".join(each for each in others if each not in stored)
    if unknown:
        raise NotFoundError(f"no such memories in this bank: {unknown}", fields={"ids": unknown})


def draft_of(candidate: Candidate, now: Instant) -> Draft:
    """What the candidate would be if it were told here."""
    return Draft(
        text=candidate.text,
        id=candidate.id,
        kind=candidate.kind,
        key=candidate.key,
        value=candidate.value,
        subject=candidate.subject,
        session=candidate.session,
        tags=candidate.tags,
        metadata=MappingProxyType(dict(candidate.metadata)),
        created_at=now if candidate.created_at is None else candidate.created_at,
        occurred_at=candidate.occurred_at,
        valid_from=candidate.valid_from,
        valid_to=candidate.valid_to,
        importance=candidate.importance,
        expires_at=candidate.expires_at,
    )


def _records(
    core: Core, runtime: BankRuntime, offered: Sequence[Candidate], now: Instant
) -> list[NewRecord]:
    rule = runtime.rule
    setting = Setting(ref=runtime.ref, now=now, policy=rule.policy, law=rule.law, dating=rule.date)
    facets = facets_of(runtime, [each.text for each in offered])
    return [
        compose(
            setting,
            draft,
            one,
            Additions(
                memory_id=each.id,
                salt=core.parts.entropy(16),
                rating=rating_by_caller(draft),
            ),
        )
        for each, draft, one in zip(
            offered, [draft_of(each, now) for each in offered], facets, strict=True
        )
    ]
