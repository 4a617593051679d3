"""Listing what a new memory may replace, where nobody was sure enough to act.

Decides that a proposal is listed once, however often the same is found. Refuses to find and to act.
"""

from lapse.engine.core import Core
from lapse.engine.preparing import Writing, journalled
from lapse.engine.runtime import BankRuntime
from lapse.model.changeset import Changes
from lapse.model.finding import Finding
from lapse.model.memory import Memory
from lapse.model.proposal import Proposal, ProposalKind
from lapse.model.view import Reads, View


def propose(
    core: Core, runtime: BankRuntime, writing: Writing, new: Memory, found: list[Finding]
) -> None:
    """List what was found of a stored memory and not acted on, once each."""
    if not found:
        return
    proposed = tuple(
        Proposal(
            kind=ProposalKind.REPLACE,
            memory_id=new.id,
            other_ids=each.ids,
            at=writing.now,
            by=writing.by,
            change=each.kind,
            confidence=each.confidence,
            evidence=each.evidence,
            rest=each.rest,
            until=each.until,
        )
        for each in found
    )

    def judge(view: View) -> Changes:
        fresh = tuple(each for each in proposed if each.id not in view.proposals)
        return journalled(core, writing, Changes(proposed=fresh))

    reads = Reads(proposals=tuple(each.id for each in proposed))
    core.commit(writing.verb, runtime.ref, writing.now, reads, judge)
