"""Promise: how likely a text is to be wanted, by what it says and by what was wanted so far.

Two things are known of a text before it is ever used. How much it says that its bank does not say
everywhere: here each word counts with the square of its IDF, so that many ordinary words do not
make up for one that names something. And how much it is like what *was* used: which words are
commoner in used memories than in all. What the bank's owner asks about, and how the answers are
worded in the owner's language, is learned so from the evidence of use, and from nothing else.

    mass_i     = Σ idf_t²,                 idf_t = ln((1 + N)/(1 + df_t))
    likeness_i = Σ ln((u_t + A)/(e_t + A)), e_t = df_t·(Σ u)/(Σ df)
    promise_i = percentile(3.4·percentile(mass_i) + likeness_i + importance_i)

over the distinct terms t of memory i; u_t is in how many used memories t occurs, e_t in how many it
is to be expected. With A = 20 a word has to be seen in use often before it moves anything, and a
bank in which nothing was used is ranked by mass and importance alone. A percentile is a place among
all that was told, not among what is left of it: what stays does not sink because filler went.

Decides the three formulas. Refuses to read a text and to say what should be done with it.

Source: Bayes' rule over independent terms with a symmetric prior, as in relevance feedback
(Robertson & Spärck Jones 1976); the numbers were fitted on five conversations, see the benchmarks.
"""

import numpy as np
from numpy.typing import NDArray

from lapse.importance.informativeness import DECIMALS, idf_of, percentiles, summed
from lapse.model.index_delta import BoolArray, FloatArray, IntArray

PRIOR = 20.0
"""A: memories that are taken to have been seen with each term beforehand, used as expected."""

MASS_NATS = 3.4
"""Log-odds of use between the text with the least mass and the one with the most."""

IMPORTANCE_NATS = 1.0
"""Log-odds of use between what was rated 0 and what was rated 1."""


def squared_masses(
    forward: NDArray[np.int32],
    ends: IntArray,
    document_frequency: NDArray[np.int32],
    memory_count: int,
) -> FloatArray:
    """Sum of the squared IDF of the distinct terms of each of n texts, shape (n,), ≥ 0.

    Args:
        forward: Shape (p,). Distinct term ids of text after text.
        ends: Shape (n,). End of each text in `forward`.
        document_frequency: Shape (v,). In how many living memories each term occurs.
        memory_count: N, the living memories.
    """
    return summed(forward, ends, idf_of(document_frequency, memory_count) ** 2)


def likeness(
    forward: NDArray[np.int32],
    ends: IntArray,
    document_frequency: NDArray[np.int32],
    used: BoolArray,
) -> FloatArray:
    """How much each of n texts is worded like the used ones, in nats, shape (n,).

    Args:
        forward, ends, document_frequency: As in `squared_masses`.
        used: Shape (n,). Which texts were used; none gives 0 for all.
    """
    seen = forward[np.repeat(used, np.diff(ends, prepend=0))]
    in_use = np.bincount(seen[seen < len(document_frequency)], minlength=len(document_frequency))
    terms = int(document_frequency.sum())
    if not in_use.any() or terms == 0:
        return np.zeros(len(ends))
    expected = document_frequency * (in_use.sum() / terms)
    return summed(forward, ends, np.log((in_use + PRIOR) / (expected + PRIOR)))


def promise(masses: FloatArray, likenesses: FloatArray, importance: FloatArray) -> FloatArray:
    """Place of each of m texts among them by all three together, shape (m,), in (0, 1).

    Args:
        masses, likenesses: Shape (m,). As `squared_masses` and `likeness` give them.
        importance: Shape (m,), in [0, 1].
    """
    odds = MASS_NATS * percentiles(masses) + likenesses + IMPORTANCE_NATS * importance
    return percentiles(np.round(odds, DECIMALS))
