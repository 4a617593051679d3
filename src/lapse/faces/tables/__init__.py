"""Results for people: one way of showing each type of result.

Decides which parts a result is shown in. Refuses JSON, which is the codec's.
"""

from collections.abc import Iterator
from itertools import chain

from rich.console import RenderableType

from lapse.engine.attending import Moved
from lapse.engine.chronicle import History, JournalCheck
from lapse.engine.erasing import Erasure
from lapse.engine.erasing_widely import WideErasure
from lapse.engine.importing import Imported
from lapse.engine.reading import Stats
from lapse.engine.recalling import Why
from lapse.engine.results import Remembered
from lapse.engine.selecting import Selection
from lapse.engine.sharing import Shared
from lapse.engine.subject_report import SubjectReport
from lapse.engine.upkeep import Upkeep
from lapse.engine.using import UseReport
from lapse.faces.operations.bank_calls import Banks
from lapse.faces.operations.cache_results import CacheDropped, CachePut
from lapse.faces.operations.copy_calls import ExportedTo
from lapse.faces.operations.erasure_calls import ReceiptCheck, Tombstones
from lapse.faces.operations.lab_results import Compared, Fitted, LogRead, Reported
from lapse.faces.operations.results import (
    AccessLog,
    BackedUp,
    Canaries,
    Conflicts,
    Consolidations,
    Diagnosis,
    Holds,
    Laws,
    Marked,
    Pasts,
    Plans,
    PolicyInForce,
    Reembedded,
    RememberedMany,
    Sweeps,
)
from lapse.faces.tables import (
    attended,
    cached,
    chronicled,
    consolidated,
    copied,
    corrected,
    erased,
    governed,
    measured,
    planned,
    rated,
    recalled,
    selected,
    stored,
    swept,
)
from lapse.faces.tables.recalled import TextOf
from lapse.faces.tables.shapes import Layout
from lapse.lab.rollout import Rollout
from lapse.lifecycle.suggesting import Suggestion
from lapse.model.answer import Lookup
from lapse.model.canary import Canary
from lapse.model.hold import Hold
from lapse.model.paging import Page
from lapse.model.plan import Plan
from lapse.model.proposal import Proposal
from lapse.model.query import Recall
from lapse.model.rating import RatingRun
from lapse.model.record import Record
from lapse.model.tombstone import Lift

__all__ = ["Layout", "TextOf", "notes_of", "parts_of"]


def notes_of(result: object) -> tuple[str, ...]:
    """What should be said beside a result."""
    match result:
        case Recall():
            return result.warnings
        case Remembered() if result.note:
            return (result.note,)
        case RememberedMany():
            found = (each for each in result.remembered if each.note)
            return tuple(f"{each.id}: {each.note}" for each in found)
        case _:
            return ()


def parts_of(result: object, text_of: TextOf, layout: Layout) -> Iterator[RenderableType]:
    """What a result is shown as, from top to bottom.

    Raises:
        TypeError: It is the result of no operation.
    """
    match result:
        case Recall():
            return recalled.recall_parts(result, text_of, layout)
        case Why():
            return recalled.why_parts(result, text_of)
        case Record():
            return stored.record_parts(result)
        case Page():
            return stored.page_parts(result, layout)
        case Remembered():
            return stored.remembered_parts(result)
        case RememberedMany():
            return stored.many_parts(result)
        case Selection():
            return selected.selection_parts(result, layout)
        case UseReport():
            return stored.use_parts(result)
        case _:
            return _governed(result, layout)


def _governed(result: object, layout: Layout) -> Iterator[RenderableType]:
    match result:
        case PolicyInForce():
            return governed.policy_parts(result, layout)
        case Stats():
            return chain(
                governed.stats_parts(result),
                () if result.sweeps is None else swept.history_parts(result.sweeps),
            )
        case Laws():
            return governed.laws_parts(result, layout)
        case Upkeep():
            return governed.upkeep_parts(result)
        case Diagnosis():
            return governed.diagnosis_parts(result)
        case Marked() | Reembedded() | BackedUp():
            return governed.count_parts(result)
        case _:
            return _attended(result, layout)


def _attended(result: object, layout: Layout) -> Iterator[RenderableType]:
    match result:
        case Moved():
            return attended.moved_parts(result, layout)
        case Hold():
            return attended.hold_parts(result)
        case Holds():
            return attended.holds_parts(result, layout)
        case Erasure() | Lift() | Tombstones() | ReceiptCheck():
            return erased.parts_of(result, layout)
        case History() | JournalCheck() | AccessLog():
            return chronicled.parts_of(result, layout)
        case Sweeps() | Canaries() | Canary():
            return swept.parts_of(result, layout)
        case CachePut() | Lookup() | CacheDropped():
            return cached.parts_of(result)
        case _:
            return _planned(result, layout)


def _planned(result: object, layout: Layout) -> Iterator[RenderableType]:
    match result:
        case Plan():
            return planned.plan_parts(result, layout)
        case Plans():
            return planned.plans_parts(result, layout)
        case Suggestion():
            return planned.suggestion_parts(result, layout)
        case SubjectReport():
            return erased.report_parts(result, layout)
        case Consolidations():
            return consolidated.parts_of(result, layout)
        case ExportedTo() | Imported() | Shared() | WideErasure():
            return copied.parts_of(result, layout)
        case Proposal():
            return corrected.conflict_parts(result)
        case Pasts():
            return corrected.past_parts(result, layout)
        case Conflicts():
            return corrected.conflicts_parts(result, layout)
        case _:
            return _measured(result, layout)


def _measured(result: object, layout: Layout) -> Iterator[RenderableType]:
    match result:
        case LogRead() | Fitted() | Compared() | Rollout() | Reported():
            return measured.parts_of(result, layout)
        case Banks():
            return stored.banks_parts(result, layout)
        case RatingRun():
            return rated.parts_of(result)
        case _:
            raise TypeError(f"no operation gives {type(result).__name__}")
