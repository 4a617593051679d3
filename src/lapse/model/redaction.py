"""Words that persons wrote beside memories, and taking them away where they repeat what was erased.

Whoever gives a reason may quote, and an erasure takes the quotation along. What was done, when and
by whom stays; of the words only a mark stays that names the erasure.

Decides where such words stand, and what takes their place. Refuses to decide which of them go:
`lapse.erasure.words` does, by the same likeness by which memories are refused.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from lapse.model.hold import Hold
from lapse.model.instants import to_iso
from lapse.model.journal import JournalEntry
from lapse.model.plan import PlanHead
from lapse.model.proposal import Proposal
from lapse.model.retention import RetentionState, Transition
from lapse.model.tombstone import Tombstone

SomePlan = TypeVar("SomePlan", bound=PlanHead)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """Words that go, wherever in the bank they stand exactly like this.

    Attributes:
        text: The words.
        tombstone: Id of the tombstone of what they repeat.
    """

    text: str
    tombstone: str


Going: TypeAlias = Mapping[str, str]
"""By the words that go, the id of the tombstone."""


def going_of(redactions: tuple[Redaction, ...]) -> dict[str, str]:
    """Redactions by their words."""
    return {each.text: each.tombstone for each in redactions}


def mark(tombstone: str) -> str:
    """What stands where words went."""
    return f"redacted by erasure {tombstone}"


def entry_words(entry: JournalEntry) -> Iterator[str]:
    """The words of a journal entry: its reason, and what it is about where a person named that."""
    if entry.reason is not None:
        yield entry.reason
        if entry.about:
            yield entry.about


def state_words(state: RetentionState) -> Iterator[str]:
    """Why a memory is exempt, and why it was moved, back to its first move that is kept."""
    if state.exempt_reason is not None:
        yield state.exempt_reason
    yield from transition_words(state.transition)


def transition_words(transition: Transition | None) -> Iterator[str]:
    """Why a memory was moved, the latest move first."""
    while transition is not None:
        yield transition.reason
        transition = transition.prior_transition


def hold_words(hold: Hold) -> Iterator[str]:
    """What a hold is called, and why it was placed."""
    yield hold.name
    yield hold.reason


def plan_words(plan: PlanHead) -> Iterator[str]:
    """Why a plan was approved."""
    if plan.approval is not None:
        yield plan.approval.reason


def proposal_words(proposal: Proposal) -> Iterator[str]:
    """Why a proposal was decided as it was."""
    if proposal.reason is not None:
        yield proposal.reason


def tombstone_words(tombstone: Tombstone) -> Iterator[str]:
    """Why a tombstone was lifted."""
    if tombstone.lift is not None:
        yield tombstone.lift.reason


def entry_without(entry: JournalEntry, going: Going) -> JournalEntry:
    """The entry without its words, where any of them go; its chain holds as before.

    The salt goes as well, so that nobody can try out what the words were. Without it what is left
    of them could not be verified, so an entry gives up all its words or none.
    """
    told = next((going[each] for each in entry_words(entry) if each in going), None)
    if told is None:
        return entry
    return replace(entry, reason=None, about="", reason_salt=b"", redacted_by=told)


def state_without(state: RetentionState, going: Going) -> RetentionState:
    """The state with marks in place of the words that go."""
    reason = state.exempt_reason
    return _other(
        state,
        exempt_reason=None if reason is None else text_without(reason, going),
        transition=transition_without(state.transition, going),
    )


def hold_without(hold: Hold, going: Going) -> Hold:
    """The hold with marks in place of the words that go; what it covers stays.

    A name that goes is replaced by one that tells when the hold was placed, so that several keep
    names of their own.
    """
    name = hold.name
    if name in going:
        name = f"{mark(going[name])}, placed {to_iso(hold.placed_at)}"
    return _other(hold, name=name, reason=text_without(hold.reason, going))


def plan_without(plan: SomePlan, going: Going) -> SomePlan:
    """The plan with a mark in place of the words that go; its name is that of before."""
    if plan.approval is None or plan.approval.reason not in going:
        return plan
    approval = replace(plan.approval, reason=text_without(plan.approval.reason, going))
    return replace(plan, approval=approval)


def proposal_without(proposal: Proposal, going: Going) -> Proposal:
    """The proposal with a mark in place of the words that go."""
    if proposal.reason is None or proposal.reason not in going:
        return proposal
    return replace(proposal, reason=mark(going[proposal.reason]))


def tombstone_without(tombstone: Tombstone, going: Going) -> Tombstone:
    """The tombstone with a mark in place of the words that go."""
    lift = tombstone.lift
    if lift is None or lift.reason not in going:
        return tombstone
    return replace(tombstone, lift=replace(lift, reason=text_without(lift.reason, going)))


def transition_without(transition: Transition | None, going: Going) -> Transition | None:
    """The transition, and those before it, with marks in place of the words that go."""
    if transition is None:
        return None
    return _other(
        transition,
        reason=text_without(transition.reason, going),
        prior_transition=transition_without(transition.prior_transition, going),
    )


def text_without(text: str, going: Going) -> str:
    """The text, or a mark in its place."""
    return mark(going[text]) if text in going else text


Kept = TypeVar("Kept", RetentionState, Transition, Hold)


def _other(kept: Kept, **told: object) -> Kept:
    """The same object where nothing of it changes, so that a store writes only what does."""
    changed = {name: value for name, value in told.items() if getattr(kept, name) != value}
    return replace(kept, **changed) if changed else kept  # type: ignore[arg-type]  # each from its own field
