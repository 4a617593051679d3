"""What a careless store does; the contract suite notices each of these, the machine some."""
# ruff: noqa: ARG002 - a bad habit ignores what it is told

from collections.abc import Mapping, Sequence

from lapse.model.answer import CachedAnswer
from lapse.model.changeset import Changes
from lapse.model.due import DueBy
from lapse.model.hold import Hold
from lapse.model.journal import GENESIS
from lapse.model.memory import BankRef, Memory
from lapse.model.proposal import Proposal
from lapse.model.record import VectorChange
from lapse.model.redaction import Redaction
from lapse.model.retention import Lifecycle, RetentionState, UseEvent
from tests.contracts.toy_shelf import EventKey, Habits, Shelf


class AnswersFromTheGrave(Habits):
    def dies(self, answer: CachedAnswer, sources: Sequence[str]) -> bool:
        return set(answer.sources) <= set(sources)


class LosesEvents(Habits):
    def accept(self, event: UseEvent) -> bool:
        return event.event_id[-1] not in "02468"


class KeepsEveryWord(Habits):
    def lets_go(self, gone: Redaction) -> bool:
        return False


class ForgetsToDrain(Habits):
    def settle(self, key: EventKey, shelf: Shelf) -> bool:
        return len(shelf.events) % 7 != 0


class MixesTenants(Habits):
    def place(self, ref: BankRef) -> object:
        return ref.name


class ListsBanksOfOthers(Habits):
    def lists(self, ref: BankRef, tenant: str) -> bool:
        return True


class MixesBanks(Habits):
    def place(self, ref: BankRef) -> object:
        return (ref.tenant, ref.name.strip())


class IgnoresCase(Habits):
    def spell(self, memory_id: str) -> str:
        return memory_id.casefold()


class BreaksTheChain(Habits):
    def link(self, previous: bytes) -> bytes:
        return GENESIS


class ListsByName(Habits):
    def order(self, names: list[str], shelf: Shelf) -> list[str]:
        return sorted(names)


class GivesTermsAgain(Habits):
    def term_id(self, shelf: Shelf) -> int:
        taken = {number for number, _ in shelf.terms.values()}
        return next(each for each in range(1, 10**6) if each not in taken)


class WritesBeforeItChecks(Habits):
    def before_checks(self, shelf: Shelf, changes: Changes) -> None:
        for memory in changes.amended:
            shelf.contents[memory.id] = memory
        shelf.states.update({name: state for name, state in changes.states if name in shelf.states})
        for new in changes.created:
            if new.memory.id in shelf.contents:
                shelf.contents[new.memory.id] = new.memory
        if changes.created:
            shelf.bank = changes.bank or shelf.bank
            shelf.terms.setdefault("half", (999, shelf.bank.revision))


class KeepsNoHistory(Habits):
    def version_before(self, memory: Memory) -> Sequence[Memory]:
        return []


class TellsAnOldRevision(Habits):
    def revision(self, shelf: Shelf) -> int:
        return max(shelf.bank.revision - 1, 0)


class AsksAgain(Habits):
    def ask_again(self, proposal: Proposal) -> bool:
        return True


class TakesLateVectors(Habits):
    def late_vector(self, memory: Memory, change: VectorChange) -> bool:
        return False


class FindsNeighbours(Habits):
    def same_form(self, asked: str, held: str) -> bool:
        return held.startswith(asked)


class CountsEveryWord(Habits):
    def occurrences(self, words: Sequence[str], term: str) -> int:
        return words.count(term)


class SweepsWhatIsArchived(Habits):
    def is_due(self, state: RetentionState, by: DueBy) -> bool:
        return state.lifecycle is not Lifecycle.SUPPRESSED


class PrunesWhatIsMerelySuppressed(Habits):
    def is_due(self, state: RetentionState, by: DueBy) -> bool:
        away = state.lifecycle is not Lifecycle.ACTIVE
        return away if by is DueBy.ARCHIVED else not away


class LetsNobodyElseWork(Habits):
    def holds(self, until: int, now: int, span: int) -> bool:
        return until != now


class SharesLeases(Habits):
    def holds(self, until: int, now: int, span: int) -> bool:
        return False


class CitesFromTheGrave(Habits):
    def cites(self, memory: Memory, name: str, stands: Lifecycle) -> bool:
        return name in memory.derived_from


class KeepsOneMatter(Habits):
    def keep_hold(self, hold: Hold, kept: Mapping[str, Hold]) -> bool:
        return not kept
