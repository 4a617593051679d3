"""When another memory is new proof of an observation, and when a sentence says the same again.

An origin is a session and a named source: what is said twice in one conversation, or taken twice
from one document, is one proof. What was made from the observation itself, or from one of its
sources, proves nothing.

Decides both. Refuses to look anything up, and to weigh a proof: the table of laws gives evidence
its weight.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from lapse.model.memory import Memory
from lapse.text.distinctions import Distinctions, distinctions_of, same_distinctions

SAME_AGAIN: Final = 0.8
"""Share of the terms of two sentences, taken together, from which they may say the same."""

Terms: TypeAlias = Callable[[str], Sequence[str]]


def origin(memory: Memory) -> tuple[str | None, str | None]:
    """Where a memory comes from: its session and its named source."""
    return memory.session, memory.source


def proofs(sources: Iterable[Memory]) -> int:
    """How many independent origins memories have, at least 1."""
    return max(len({origin(each) for each in sources}), 1)


def new_proofs(
    observation: Memory, known: Sequence[Memory], told: Iterable[Memory]
) -> list[Memory]:
    """Those of `told` that are new, independent proof of an observation, one for each origin.

    Args:
        observation: What was derived from `known`.
        known: Its sources, as far as they are still there.
        told: What says the same.
    """
    family = {observation.id, *observation.derived_from}
    origins = {origin(each) for each in known}
    found = []
    for each in told:
        made_of_it = each.id in family or not family.isdisjoint(each.derived_from)
        if not made_of_it and origin(each) not in origins:
            origins.add(origin(each))
            found.append(each)
    return found


def corroborated(observation: Memory, proved_by: Sequence[Memory]) -> Memory:
    """The observation with further proof of it among its sources."""
    if not proved_by:
        return observation
    named = dict.fromkeys((*observation.derived_from, *(each.id for each in proved_by)))
    return replace(
        observation,
        derived_from=tuple(named),
        proof_count=observation.proof_count + len(proved_by),
    )


def proved(observation: Memory, known: Sequence[Memory], told: Sequence[Memory]) -> Memory:
    """The observation with those of `told` that are new proof of it; see `new_proofs`."""
    return corroborated(observation, new_proofs(observation, known, told))


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence as it is compared.

    Attributes:
        terms: Its distinct terms.
        distinctions: What keeps it apart from others.
    """

    terms: frozenset[str]
    distinctions: Distinctions


def as_said(sentence: str, terms: Terms) -> Said:
    """Read a sentence for comparison."""
    return Said(terms=frozenset(terms(sentence)), distinctions=distinctions_of(sentence))


def likeness(one: Said, other: Said) -> float:
    """Share of common terms of two sentences, in [0, 1]; 0 where numbers, names or a "not" differ.

    Two sentences that differ in a date say two things, however many words they share.
    """
    both = one.terms | other.terms
    if not both or one.terms.isdisjoint(other.terms):
        return 0.0
    if not same_distinctions(one.distinctions, other.distinctions):
        return 0.0
    return len(one.terms & other.terms) / len(both)


def says_again(one: Said, other: Said) -> bool:
    """Whether two sentences say the same."""
    return likeness(one, other) >= SAME_AGAIN
