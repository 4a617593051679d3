"""What the toy store says of what persons wrote beside memories, and how it lets words go."""

from collections.abc import Iterator

from lapse.model import redaction
from lapse.model.memory import BankRef
from lapse.model.tombstone import Tombstone
from tests.contracts.toy_governed import ToyGoverned
from tests.contracts.toy_graves import ToyGraves
from tests.contracts.toy_shelf import Habits, Shelf


class Worded(ToyGoverned):
    """The part of the toy that tells words."""

    _graves: ToyGraves
    _habits: Habits

    def words(self, ref: BankRef) -> list[str]:
        return sorted(set(_words(self._read(ref), self._graves.buried_in(ref))))


def worded_view(shelf: Shelf, graves: ToyGraves) -> tuple[str, ...]:
    """The words as a judge sees them."""
    return tuple(sorted(set(_words(shelf, graves.buried_in(shelf.bank.ref)))))


def let_go(
    shelf: Shelf, graves: ToyGraves, habits: Habits, gone: tuple[redaction.Redaction, ...]
) -> None:
    """Let words go."""
    going = redaction.going_of(tuple(each for each in gone if habits.lets_go(each)))
    if not going:
        return
    shelf.entries = [redaction.entry_without(each, going) for each in shelf.entries]
    for name, state in shelf.states.items():
        told = redaction.state_without(state, going)
        if told != state:
            shelf.states[name] = told
            shelf.touched[name, "state"] = shelf.bank.revision
    kept = [redaction.hold_without(each, going) for each in shelf.holds.values()]
    shelf.holds = {each.name: each for each in kept}
    shelf.plans = {n: redaction.plan_without(each, going) for n, each in shelf.plans.items()}
    shelf.proposals = {
        n: redaction.proposal_without(each, going) for n, each in shelf.proposals.items()
    }
    graves.change(shelf.bank.ref, lambda stone: redaction.tombstone_without(stone, going))


def _words(shelf: Shelf, stones: list[Tombstone]) -> Iterator[str]:
    for entry in shelf.entries:
        yield from redaction.entry_words(entry)
    for state in shelf.states.values():
        yield from redaction.state_words(state)
    for hold in shelf.holds.values():
        yield from redaction.hold_words(hold)
    for plan in shelf.plans.values():
        yield from redaction.plan_words(plan)
    for proposal in shelf.proposals.values():
        yield from redaction.proposal_words(proposal)
    for stone in stones:
        yield from redaction.tombstone_words(stone)
