"""Which of the ranked candidates are told: no duplicates, spread if asked, within k and budgets.

Decides duplicates, diversity and packing, each with its reason. Refuses to score. Nothing is ever
cut to fit: what is too long is passed over.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lapse.model.index_delta import BoolArray, FloatArray, IntArray
from lapse.model.policy import Diversity, DuplicatePolicy, RecallPolicy
from lapse.model.query import Reason
from lapse.recall.field import Field, codes_of
from lapse.recall.question import Same
from lapse.recall.relevance import DECIMALS

_HALF_STEP = 0.5 * 10.0**-DECIMALS
_BLOCK = 256
_EARLIER: BoolArray = np.tri(_BLOCK, k=-1, dtype=np.bool_)
_FOLDED_TO = 64
_SLACK = 1e-5  # more than products of unit vectors in float32 can be off
_FEW = 1 / 16  # share of pairs up to which one product for each is cheaper than one for all


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Room:
    """What there is room for, and what each candidate takes.

    Attributes:
        k: Most candidates.
        costs: For each budget, what each candidate takes of it, by place.
        budgets: The budgets, in the same order.
    """

    k: int
    costs: tuple[Sequence[int], ...]
    budgets: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What decides duplicates and diversity: the policy, and where possible both texts."""

    policy: RecallPolicy
    same: Same | None = None


@dataclass(slots=True, kw_only=True)
class Tray:
    """What is being packed.

    Attributes:
        picked: Places taken, in order.
        left: Reason by place of what was left out.
        details: What made the reason apply, by place.
    """

    picked: list[int] = field(default_factory=list)
    left: dict[int, Reason] = field(default_factory=dict)
    details: dict[int, str] = field(default_factory=dict)


def select(
    candidates: Field,
    ranked: Sequence[int],
    first: int,
    scores: FloatArray,
    room: Room,
    rules: Rules,
) -> Tray:
    """Choose from ranked candidates.

    Args:
        ranked: Places, best first.
        first: How many of them (pinned ones) go in before any choice for diversity.
        scores: Score by place.
    """
    tray, policy = Tray(), rules.policy
    originals = _duplicates(candidates, ranked, rules)
    for place, original in originals.items():
        tray.left[place] = Reason.DUPLICATE
        tray.details[place] = candidates.ids[original]
    kept = [place for place in ranked if place not in originals]
    if policy.diversity is Diversity.OFF:
        pack(kept, room, tray)
        return tray
    first = sum(1 for place in ranked[:first] if place not in originals)
    plain = Tray()
    pack(kept, room, plain)
    spread = _spread(candidates.vectors, kept, first, scores, room, policy.diversity_lambda)
    tray.picked = spread
    chosen = set(spread)
    tray.left.update({p: why for p, why in plain.left.items() if p not in chosen})
    tray.left.update({p: Reason.NOT_DIVERSE for p in plain.picked if p not in chosen})
    return tray


def pack(ranked: Sequence[int], room: Room, tray: Tray) -> None:
    """Take what fits, best first; what does not fit is passed over, and what follows may fit."""
    left = list(room.budgets)
    for at, place in enumerate(ranked):
        if len(tray.picked) >= room.k:
            tray.left.update(dict.fromkeys(ranked[at:], Reason.OVER_COUNT))
            return
        for number, cost in enumerate(room.costs):
            if cost[place] > left[number]:
                tray.left[place] = Reason.OVER_BUDGET
                break
        else:
            tray.picked.append(place)
            for number, cost in enumerate(room.costs):
                left[number] -= cost[place]


def _spread(
    vectors: NDArray[np.float32],
    ranked: Sequence[int],
    first: int,
    scores: FloatArray,
    room: Room,
    share: float,
) -> list[int]:
    """Maximal marginal relevance under budgets.

    Takes, again and again, the candidate with the greatest λ·score − (1 − λ)·(greatest cosine with
    what is taken), among those that still fit. Without a vector, a candidate is like nothing.

    Source: Carbonell & Goldstein (1998). One product per taken candidate instead of one per pair.
    """
    places = np.array(ranked, dtype=np.int64)
    mine = vectors[places]
    worth = share * scores[places]
    nearest = np.zeros(len(places))
    costs = np.array([[cost[p] for p in ranked] for cost in room.costs], dtype=np.int64)
    costs = costs.reshape(len(room.budgets), len(places))
    left = np.array(room.budgets, dtype=np.int64).reshape(-1, 1)
    free: BoolArray = np.ones(len(places), np.bool_)
    picked: list[int] = []
    while len(picked) < room.k:
        fits = free & (costs <= left).all(axis=0) if room.budgets else free
        if not fits.any():
            break
        at = _next(np.round(worth - (1 - share) * nearest, DECIMALS), fits, first)
        free[at] = False
        left = left - costs[:, at : at + 1]
        picked.append(ranked[at])
        cosines = (mine @ mine[at]).astype(np.float64)
        nearest = cosines if len(picked) == 1 else np.maximum(nearest, cosines)
    return picked


def _next(worth: FloatArray, fits: BoolArray, first: int) -> int:
    """The best that fits; among the `first` of the ranking, the earliest."""
    if first and fits[:first].any():
        return int(np.argmax(fits[:first]))
    return int(np.argmax(np.where(fits, worth, -np.inf)))


def _duplicates(candidates: Field, ranked: Sequence[int], rules: Rules) -> dict[int, int]:
    """For each duplicate among ranked places, the better candidate that says the same.

    The same words of another subject, or under another key, say something else.
    Equal texts first, then near duplicates among what is left.
    """
    if rules.policy.duplicates is DuplicatePolicy.OFF or len(ranked) < 2:
        return {}
    originals: dict[int, int] = {}
    places = np.array(ranked, dtype=np.int64)
    texts = codes_of(candidates.matter[places], candidates.fingerprint[places])
    _, firsts, groups = np.unique(texts, return_index=True, return_inverse=True)
    if len(firsts) < len(texts):
        better = firsts[groups]
        for at in np.flatnonzero(better != np.arange(len(texts))).tolist():
            originals[ranked[at]] = ranked[int(better[at])]
        places = places[np.sort(firsts)]
    if rules.policy.duplicates is DuplicatePolicy.NEAR:
        near = _near(candidates, places, rules)
        # What says the same as a near duplicate says the same as its original.
        originals = {place: near.get(better, better) for place, better in originals.items()}
        originals.update(near)
    return originals


def _near(candidates: Field, places: IntArray, rules: Rules) -> dict[int, int]:
    """Near duplicates: alike, and agreeing in matter, numbers, identifiers, names, negation.

    Each is one of a better candidate that is none itself, the best of those.
    """
    codes = codes_of(candidates.matter[places], candidates.distinctions[places])
    _, groups, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    places, codes = places[sizes[groups] > 1], codes[sizes[groups] > 1]
    likeness = _Likeness.of(candidates.vectors[places], rules.policy.near_duplicate_cosine)
    originals: dict[int, int] = {}
    kept: IntArray = np.zeros(0, np.int64)
    # What is a duplicate already needs no comparing with what comes later, so go block by block.
    for start in range(0, len(places), _BLOCK):
        block = np.arange(start, min(start + _BLOCK, len(places)))
        better = np.concatenate((kept, block))
        before: BoolArray = np.ones((len(block), len(better)), np.bool_)
        # Only what comes before in the ranking is better.
        before[:, len(kept) :] = _EARLIER[: len(block), : len(block)]
        near = likeness.among(block, better, before)
        alike = np.flatnonzero(near.any(axis=1))
        near[alike] &= codes[block[alike], np.newaxis] == codes[better]
        dropped: set[int] = set()
        for at in alike.tolist():
            place = int(places[block[at]])
            for other in better[near[at]].tolist():
                if other not in dropped and _same(candidates, place, int(places[other]), rules):
                    originals[place] = int(places[other])
                    dropped.add(int(block[at]))
                    break
        fresh = [each for each in block.tolist() if each not in dropped]
        kept = np.concatenate((kept, np.array(fresh, dtype=np.int64)))
    return originals


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Likeness:
    """Which of m unit vectors have at least a given cosine with which others.

    Few have, and the products of all with all are what costs. So shorter vectors are multiplied
    first, of the first numbers and the length of the rest: by Cauchy and Schwarz their product is
    never less than that of the whole vectors.

    Attributes:
        vectors: Shape (m, dimension), float32.
        folded: The shorter ones.
        cosine: From which cosine on two are alike.
    """

    vectors: NDArray[np.float32]
    folded: NDArray[np.float32]
    cosine: float

    @classmethod
    def of(cls, vectors: NDArray[np.float32], cosine: float) -> "_Likeness":
        rest = vectors[:, _FOLDED_TO - 1 :]
        length = np.sqrt(np.einsum("ij,ij->i", rest, rest))
        folded = np.column_stack((vectors[:, : _FOLDED_TO - 1], length))
        return cls(vectors=vectors, folded=folded, cosine=cosine - _HALF_STEP)

    def among(self, these: IntArray, those: IntArray, pairs: BoolArray) -> BoolArray:
        """Which of the pairs are alike; `pairs`, of shape (these, those), is overwritten."""
        pairs &= self.folded[these] @ self.folded[those].T >= self.cosine - _SLACK
        here, there = np.divmod(np.flatnonzero(pairs), len(those))
        if len(here) > _FEW * pairs.size:
            pairs &= self.vectors[these] @ self.vectors[those].T >= self.cosine
        else:
            products = np.einsum("ij,ij->i", self.vectors[these[here]], self.vectors[those[there]])
            pairs[here, there] = products >= self.cosine
        return pairs


def _same(candidates: Field, place: int, other: int, rules: Rules) -> bool:
    """Whether two texts say the same, as far as anybody can read them."""
    rows = candidates.rows
    return rules.same is None or rules.same(rows.item(place), rows.item(other))
