"""Selecting: which memories a selector means, why, and which it nearly means.

Decides how much of a bank is read for an answer: an identifier is looked up by equality, whatever
else is asked is a pass over the bank. Refuses to decide what is meant (`lapse.selecting`) and to
count a look as a use.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lapse.engine.core import Core
from lapse.engine.paging import PAGE, pages
from lapse.engine.runtime import BankRuntime
from lapse.model.memory import Memory
from lapse.model.paging import Listing
from lapse.model.record import Record
from lapse.model.retention import Lifecycle
from lapse.model.selector import (
    Certainty,
    Chosen,
    Ground,
    Match,
    Near,
    Passage,
    Reach,
    Reason,
    Selector,
    Sparing,
)
from lapse.selecting.about import about, all_about, all_naming
from lapse.selecting.asking import identifiers_asked
from lapse.selecting.fitting import fits, nearly_fits
from lapse.selecting.reading import Terms

THERE: Final = (Lifecycle.ACTIVE, Lifecycle.SUPPRESSED, Lifecycle.ARCHIVED)
"""Where a memory stands that still says something."""

SHOWN: Final = 1_000
"""Most matches that are shown, unless told otherwise."""

NEAR: Final = 10
"""Most neighbours that are shown, unless told otherwise."""

EVERYTHING: Final = Reason(ground=Ground.SCOPE, detail="everything")
"""Why a memory is meant where no mark is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """A memory that is meant.

    Attributes:
        bank: The bank it lives in.
        id: Its id there.
        text: What it says.
        lifecycle: Where it stands.
        certainty: Whether a rule settles it, or a reader should.
        reasons: Why it is meant.
        rest: What it says of others, where that can be told apart; else None.
    """

    bank: str
    id: str
    text: str
    lifecycle: Lifecycle
    certainty: Certainty
    reasons: tuple[Reason, ...]
    rest: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A memory that is not meant although it lies near.

    Attributes:
        bank: The bank it lives in.
        id: Its id there.
        text: What it says.
        sparing: What parts it from what is meant.
        detail: The name, identifier or words in question.
    """

    bank: str
    id: str
    text: str
    sparing: Sparing
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a selector means.

    Attributes:
        total: How many memories are meant.
        matches: The first of them, by bank and in the order stored.
        nearest: Others that lie nearest, the nearest first.
    """

    total: int
    matches: tuple[Selected, ...]
    nearest: tuple[Neighbour, ...]


def matching(
    core: Core,
    runtime: BankRuntime,
    selector: Selector,
    lifecycles: tuple[Lifecycle, ...] = THERE,
) -> tuple[Match, ...]:
    """The memories of one bank that are meant, in the order stored."""
    terms = runtime.tokeniser.terms
    return _chosen(selector, _gathered(core, runtime, selector, lifecycles), terms).matches


def select(
    core: Core, runtime: BankRuntime, selector: Selector, *, limit: int, near: int
) -> Selection:
    """What a selector means, in this bank or in all banks of its tenant. Changes nothing.

    Args:
        core: Open banks.
        runtime: The bank.
        selector: What is meant.
        limit: Most matches shown; all are counted.
        near: Most neighbours shown.
    """
    matches: list[Selected] = []
    neighbours: list[Neighbour] = []
    for each in _reached(core, runtime, selector):
        found, beside = _with_neighbours(core, each, selector)
        matches += found
        neighbours += beside
    order = tuple(Sparing)
    neighbours.sort(key=lambda each: order.index(each.sparing))
    return Selection(
        total=len(matches), matches=tuple(matches[:limit]), nearest=tuple(neighbours[:near])
    )


def _reached(core: Core, runtime: BankRuntime, selector: Selector) -> Iterator[BankRuntime]:
    if selector.reach is Reach.BANK:
        yield runtime
        return
    for bank in core.parts.store.banks(runtime.ref.tenant):
        yield core.runtime(bank.ref)


def _with_neighbours(
    core: Core, runtime: BankRuntime, selector: Selector
) -> tuple[list[Selected], list[Neighbour]]:
    """Matches and neighbours of one bank, by one pass over all of it."""
    records = [
        each
        for page in pages(core, runtime, Listing(limit=PAGE, lifecycles=THERE))
        for each in page
    ]
    chosen = _chosen(selector, records, runtime.tokeniser.terms)
    by_id = {each.memory.id: each for each in records}
    taken = {each.id for each in chosen.matches}
    missed = (
        near
        for each in records
        if each.memory.id not in taken and (near := nearly_fits(selector, each.memory)) is not None
    )
    return (
        [_selected(by_id[each.id], each) for each in chosen.matches],
        [_neighbour(by_id[each.id].memory, each) for each in (*chosen.nearest, *missed)],
    )


def _gathered(
    core: Core, runtime: BankRuntime, selector: Selector, lifecycles: tuple[Lifecycle, ...]
) -> list[Record]:
    """The records that could be meant, read in the cheapest way."""
    if selector.ids or selector.identifier is not None:
        ids = selector.ids or _holders(core, runtime, selector.identifier or "")
        records = core.get(runtime.ref, ids)
        return [each for each in records if each.state.lifecycle in lifecycles]
    listing = Listing(
        limit=PAGE,
        lifecycles=lifecycles,
        sessions=() if selector.session is None else (selector.session,),
        subject=selector.subject,
        tag=selector.tag,
        key=selector.key,
    )
    return [each for page in pages(core, runtime, listing) for each in page]


def _holders(core: Core, runtime: BankRuntime, identifier: str) -> list[str]:
    asked = identifiers_asked(identifier)
    return core.parts.store.holders(
        runtime.ref, list(dict.fromkeys(each.identifier.canonical for each in asked))
    )


def _chosen(selector: Selector, records: Sequence[Record], terms: Terms) -> Chosen:
    """What is meant among records: those with every mark, and of these what the words mean."""
    marked = {
        each.memory.id: (each.memory, reasons)
        for each in records
        if (reasons := fits(selector, each.memory)) is not None
    }
    passages = [_passage(memory) for memory, _ in marked.values()]
    if selector.identifier is not None:
        named = all_naming(passages, selector.identifier, terms=terms)
        kept = {each.id for each in named.matches}
        passages = [each for each in passages if each.id in kept]
        if selector.entity is None and selector.query is None:
            return _also(named, marked)
    if selector.entity is not None:
        return _also(all_about(passages, selector.entity, terms=terms), marked)
    if selector.query is not None:
        return _also(about(passages, selector.query, terms=terms), marked)
    return Chosen(
        matches=tuple(
            Match(id=name, reasons=reasons or (EVERYTHING,))
            for name, (_, reasons) in marked.items()
        )
    )


def _also(chosen: Chosen, marked: dict[str, tuple[Memory, tuple[Reason, ...]]]) -> Chosen:
    matches = tuple(
        replace(each, reasons=(*marked[each.id][1], *each.reasons)) for each in chosen.matches
    )
    return replace(chosen, matches=matches)


def _passage(memory: Memory) -> Passage:
    return Passage(id=memory.id, text=memory.text, subject=memory.subject, entities=memory.entities)


def _selected(record: Record, match: Match) -> Selected:
    memory = record.memory
    return Selected(
        bank=memory.bank,
        id=memory.id,
        text=memory.text,
        lifecycle=record.state.lifecycle,
        certainty=match.certainty,
        reasons=match.reasons,
        rest=match.rest,
    )


def _neighbour(memory: Memory, near: Near) -> Neighbour:
    return Neighbour(
        bank=memory.bank, id=memory.id, text=memory.text, sparing=near.sparing, detail=near.detail
    )
