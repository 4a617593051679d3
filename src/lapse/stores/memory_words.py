"""What persons wrote beside the memories of the in-memory reference, and how words of it go.

Decides nothing but what the protocol says. Refuses to say which words go.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from lapse.model.redaction import (
    Redaction,
    entry_without,
    entry_words,
    going_of,
    hold_without,
    hold_words,
    plan_without,
    plan_words,
    proposal_without,
    proposal_words,
    state_without,
    state_words,
    tombstone_words,
)
from lapse.model.view import Reads, View
from lapse.stores.memory_bank import BankData
from lapse.stores.memory_graves import Graves
from lapse.stores.memory_views import view_of


def whole_view(data: BankData, graves: Graves, reads: Reads) -> View:
    """Read what a judge asked to see, of the bank and of what stands beside all banks."""
    return replace(
        view_of(data, reads),
        tombstones=graves.after(data.record.ref, reads.tombstones),
        words=tuple(words_of(data, graves)) if reads.words else (),
    )


def words_of(data: BankData, graves: Graves) -> list[str]:
    """See `lapse.ports.Store.words`."""
    lifted = map(tombstone_words, graves.made_in(data.record.ref))
    return sorted({*_words(data), *chain.from_iterable(lifted)})


def redact(data: BankData, graves: Graves, redacted: tuple[Redaction, ...]) -> None:
    """Let words go, in a bank's value that is being changed and in its tombstones."""
    if not redacted:
        return
    going = going_of(redacted)
    data.journal = [entry_without(each, going) for each in data.journal]
    for name, row in data.rows.items():
        if row.state is None:
            continue
        state = state_without(row.state, going)
        if state is not row.state:
            data.rows[name] = replace(row, state=state, state_revision=data.record.revision)
    holds = (hold_without(each, going) for each in data.holds.values())
    data.holds = {each.name: each for each in holds}
    data.plans = {name: plan_without(each, going) for name, each in data.plans.items()}
    data.proposals = {name: proposal_without(each, going) for name, each in data.proposals.items()}
    graves.reword(data.record.ref, going)


def _words(data: BankData) -> Iterator[str]:
    yield from chain.from_iterable(map(entry_words, data.journal))
    states = (each.state for each in data.rows.values())
    yield from chain.from_iterable(state_words(each) for each in states if each is not None)
    yield from chain.from_iterable(map(hold_words, data.holds.values()))
    yield from chain.from_iterable(map(plan_words, data.plans.values()))
    yield from chain.from_iterable(map(proposal_words, data.proposals.values()))
