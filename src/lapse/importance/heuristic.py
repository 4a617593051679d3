"""The heuristic rater: how much a memory matters, from its words, its speaker and its bank.

Backbone is how much of the text is rare in its own bank. Decides the formula and its weights.
Refuses to know where the counts come from, to learn, and to rate so high that a guess alone would
protect a memory: it stays below the level from which importance spares.

    w_t  = max(0, ln((N + a) / (df_t + a·p)))     surprise of a distinct term, nats
    m    = the sum of the 12 largest w_t²         a longer text is not weightier without end
    informativeness = m / (m + 200)
    importance = clamp(informativeness + role + kind + Σ signs, 0.05, 0.85), rounded to 1e-4

A text that decides, corrects, promises or tells a lasting trait is rated at least 0.4 however short
it is. The square of w lets one name say more than many ordinary words. a = 20 memories in which
every term is taken to occur with p = 0.01. A bank of fewer than 32 memories is not asked: it does
not know its words yet, and what is told in the same form is rated alike there. The scale is
absolute: the same text in the same bank is rated alike by every process, and ratings of different
days can be compared. A speaker's name before the text is left out, and names, greetings or forms
that a bank repeats weigh little by their frequency.

Source: IDF as in Spärck Jones (1972), smoothed by a prior; the number of terms, the prior and the
weights of names, figures and questions were chosen on public conversations (area under the curve
for "is evidence of an answer": .79 in order of telling; without the square .77), the other weights
by judgement.
"""

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from lapse.importance.signs import Signs, signs_of
from lapse.model.memory import Kind, Role
from lapse.model.term_counts import TermCounts

PRIOR_MEMORIES: Final = 20.0
"""How many memories the prior counts as."""

PRIOR_SHARE: Final = 0.01
"""In what share of those a term is taken to occur."""

TERMS_COUNTED: Final = 12
"""Rarest terms that count."""

HALF_MASS: Final = 200.0
"""Mass, in squared nats, at which informativeness is a half."""

KNOWING: Final = 32
"""Memories from which on a bank is asked how common terms are."""

LEAST: Final = 0.05
MOST: Final = 0.85
"""What a heuristic rating lies between."""

CHATTER_MOST: Final = 0.1
"""The most that an acknowledgement is rated."""

SIGNED_LEAST: Final = 0.4
"""The least that a decision, a correction, a promise or a lasting trait is rated."""

HOST_LEAST: Final = 0.6
"""The least that what the host asserts is rated, unless it is an acknowledgement."""

BY_ROLE: Final[Mapping[Role | None, float]] = MappingProxyType(
    {
        None: 0.0,
        Role.HOST: 0.25,
        Role.USER: 0.05,
        Role.ASSISTANT: -0.05,
        Role.MODEL: -0.05,
        Role.SYSTEM: -0.1,
        Role.TOOL: -0.3,
    }
)
"""What who said it adds."""

BY_KIND: Final[Mapping[Kind | None, float]] = MappingProxyType(
    {
        None: 0.0,
        Kind.SEMANTIC: 0.1,
        Kind.PROCEDURAL: 0.1,
        Kind.EPISODIC: 0.0,
        Kind.WORKING: -0.15,
    }
)
"""What its kind adds: a statement somebody chose to keep is more than a turn of a conversation."""


def informativeness(terms: Iterable[str], counts: TermCounts) -> float:
    """How much a text says that its bank does not say everywhere, in [0, 1).

    Args:
        terms: The text's terms, as the bank's tokeniser gives them; repeats count once.
        counts: How common they are in the bank, the text itself not among its memories.

    Returns:
        0 for a text without terms, or whose terms all its memories hold; never lower for a text
        with one more term.
    """
    known = counts if counts.memory_count >= KNOWING else TermCounts()
    whole = known.memory_count + PRIOR_MEMORIES
    prior = PRIOR_MEMORIES * PRIOR_SHARE
    rarities = sorted(
        max(0.0, math.log(whole / (known.frequency.get(each, 0) + prior))) for each in set(terms)
    )
    mass = math.fsum(each * each for each in rarities[-TERMS_COUNTED:])
    return mass / (mass + HALF_MASS)


def importance_of(
    text: str,
    terms: Iterable[str],
    counts: TermCounts,
    *,
    role: Role | None = None,
    kind: Kind | None = None,
) -> float:
    """The heuristic rating of a text, in [0.05, 0.85].

    Args:
        text: What is said, without its speaker's name (`signs.said`).
        terms: Its terms.
        counts: See `informativeness`.
        role: Who said it; None where nobody knows.
        kind: What kind of memory it becomes; None where nobody knows.
    """
    signs = signs_of(text)
    rated = informativeness(terms, counts) + BY_ROLE[role] + BY_KIND[kind] + _added(signs)
    if signs.decided or signs.corrected or signs.committed or signs.personal:
        rated = max(rated, SIGNED_LEAST)
    if role is Role.HOST:
        rated = max(rated, HOST_LEAST)
    if signs.chatter:
        rated = min(rated, CHATTER_MOST)
    return round(min(max(rated, LEAST), MOST), 4)


def _added(signs: Signs) -> float:
    return (
        0.12 * signs.decided
        + 0.08 * signs.corrected
        + 0.1 * signs.committed
        + 0.08 * signs.personal
        + 0.05 * signs.figures
        + 0.05 * signs.names
        - 0.1 * signs.question
    )
