"""Deciding what waits: proposals are listed, accepted or dismissed.

Decides what accepting does for each kind. Refuses to decide by itself.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from lapse.engine.core import Core
from lapse.engine.correcting import Target, link, supersede, unretract
from lapse.engine.preparing import Writing, journalled, rules_of
from lapse.engine.reading import fetch
from lapse.engine.runtime import BankRuntime
from lapse.errors import ConflictError, NotFoundError
from lapse.model.changeset import Changes
from lapse.model.finding import Finding
from lapse.model.memory import Draft, Memory
from lapse.model.proposal import Proposal, ProposalKind, ProposalStatus
from lapse.model.retention import Lifecycle
from lapse.model.view import Reads, View


def accept(core: Core, runtime: BankRuntime, writing: Writing, proposal_id: str) -> Proposal:
    """Do what a proposal says.

    Raises:
        NotFoundError: No such proposal, or a memory it names is gone.
        ConflictError: It was decided before, or what it names has changed too much.
    """
    proposal = _open(core, runtime, proposal_id)
    (memory, *_) = (each.memory for each in fetch(core, runtime, [proposal.memory_id]))
    match proposal.kind:
        case ProposalKind.REPLACE:
            link(core, runtime, writing, memory, [_finding(proposal)])
        case ProposalKind.RESTATE:
            rivals = dict.fromkeys((*proposal.other_ids, memory.superseded_by))
            _restate(core, runtime, writing, memory, [each for each in rivals if each])
        case ProposalKind.REACTIVATE:
            _bring_back(core, runtime, writing, memory.id)
        case unknown:
            assert_never(unknown)
    return _decide(core, runtime, writing, proposal_id, ProposalStatus.ACCEPTED)


def dismiss(core: Core, runtime: BankRuntime, writing: Writing, proposal_id: str) -> Proposal:
    """Decide against a proposal; it does not come up again.

    Raises:
        NotFoundError: No such proposal.
        ConflictError: It was decided before.
    """
    return _decide(core, runtime, writing, proposal_id, ProposalStatus.DISMISSED)


def _open(core: Core, runtime: BankRuntime, proposal_id: str) -> Proposal:
    for each in core.parts.store.proposals(runtime.ref):
        if each.id == proposal_id:
            return _undecided(each)
    raise _unknown(proposal_id)


def _undecided(proposal: Proposal) -> Proposal:
    if proposal.status is not ProposalStatus.OPEN:
        raise ConflictError(
            f"proposal {proposal.id} was {proposal.status.value} before",
            fields={"id": proposal.id},
        )
    return proposal


def _unknown(proposal_id: str) -> NotFoundError:
    return NotFoundError(f"no proposal {proposal_id} in this bank", fields={"id": proposal_id})


def _decide(
    core: Core, runtime: BankRuntime, writing: Writing, proposal_id: str, status: ProposalStatus
) -> Proposal:
    def judge(view: View) -> Changes:
        known = view.proposals.get(proposal_id)
        if known is None:
            raise _unknown(proposal_id)
        decided = replace(
            _undecided(known),
            status=status,
            decided_at=writing.now,
            decided_by=writing.by,
            reason=writing.reason,
        )
        return journalled(core, writing, Changes(decided=(decided,)))

    reads = Reads(proposals=(proposal_id,))
    committed = core.commit(writing.verb, runtime.ref, writing.now, reads, judge)
    return committed.changes.decided[0]


def _finding(proposal: Proposal) -> Finding:
    assert proposal.change is not None  # noqa: S101 - a proposal of this kind always has one
    return Finding(
        ids=proposal.other_ids,
        kind=proposal.change,
        confidence=proposal.confidence,
        evidence=proposal.evidence,
        rest=proposal.rest,
        until=proposal.until,
    )


def _restate(
    core: Core, runtime: BankRuntime, writing: Writing, memory: Memory, rivals: Sequence[str]
) -> None:
    """Let what was told again hold again: taken back or, once superseded, told as of now."""
    if memory.recorded_to is not None:
        unretract(core, runtime, writing, [memory.id])
        return
    draft = Draft(
        text=memory.text,
        kind=memory.kind,
        key=memory.key,
        value=memory.value,
        subject=memory.subject,
        entities=memory.entities,
        tags=memory.tags,
        valid_from=writing.now,
        confidence=memory.confidence,
    )
    standing = [each.id for each in core.contents(runtime.ref, rivals) if each.is_latest]
    supersede(core, runtime, writing, Target(ids=tuple(standing)), draft)


def _bring_back(core: Core, runtime: BankRuntime, writing: Writing, memory_id: str) -> None:
    bring_back = rules_of(runtime, writing).bring_back

    def judge(view: View) -> Changes:
        view.require_states()
        state = view.records[memory_id].state
        if state.lifecycle is Lifecycle.ACTIVE:
            return Changes()
        return journalled(core, writing, Changes(states=((memory_id, bring_back(state)),)))

    reads = Reads(ids=(memory_id,))
    core.commit(writing.verb, runtime.ref, writing.now, reads, judge)
