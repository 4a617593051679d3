"""Adaptive replacement cache: the baseline that learns by itself whether to go by recency or count.

Two lists hold what is kept: what was seen once lately (T1) and more than once (T2). Two ghosts (B1,
B2) remember what fell out of each. A return of a ghost moves the share p of T1 towards the list
that it fell out of.

Decides what such a cache of a given size would hold. Refuses to know what the keys are.

Source: Megiddo & Modha (2003), "ARC: a self-tuning, low overhead replacement cache", figure 4.
"""

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from lapse.lab.log import ENDS, Entry, Happening
from lapse.lab.replaying import Moment
from lapse.laws import FloatArray

_TOUCHES = frozenset({Happening.CREATED, Happening.USED})
_Keys = OrderedDict[str, None]


class Arc:
    """A cache. Every touch brings its key in."""

    def __init__(self, capacity: int) -> None:
        """Hold nothing yet.

        Args:
            capacity: Keys that are held at most, ≥ 1.
        """
        self._capacity = capacity
        self._share = 0.0
        self._once: _Keys = OrderedDict()
        self._often: _Keys = OrderedDict()
        self._ghosts_once: _Keys = OrderedDict()
        self._ghosts_often: _Keys = OrderedDict()

    def __contains__(self, key: str) -> bool:
        return key in self._once or key in self._often

    def __len__(self) -> int:
        return len(self._once) + len(self._often)

    def touch(self, key: str) -> None:
        """Take in that a key was asked for."""
        if key in self:
            self._once.pop(key, None)
            self._often[key] = None
            self._often.move_to_end(key)
        elif key in self._ghosts_once:
            step = max(len(self._ghosts_often) / len(self._ghosts_once), 1.0)
            self._share = min(self._share + step, float(self._capacity))
            self._return(key, self._ghosts_once)
        elif key in self._ghosts_often:
            step = max(len(self._ghosts_once) / len(self._ghosts_often), 1.0)
            self._share = max(self._share - step, 0.0)
            self._return(key, self._ghosts_often)
        else:
            self._make_room()
            self._once[key] = None

    def drop(self, key: str) -> None:
        """Forget that a key ever was."""
        for each in (self._once, self._often, self._ghosts_once, self._ghosts_often):
            each.pop(key, None)

    def resize(self, capacity: int) -> None:
        """Hold so many from now on, ≥ 1."""
        self._capacity = capacity
        self._share = min(self._share, float(capacity))
        while len(self) > capacity:
            self._replace(for_often=False)
        while len(self._once) + len(self._ghosts_once) > capacity and self._ghosts_once:
            self._ghosts_once.popitem(last=False)
        ghosts = (self._ghosts_once, self._ghosts_often)
        while len(self) + sum(map(len, ghosts)) > 2 * capacity and self._ghosts_often:
            self._ghosts_often.popitem(last=False)

    def _return(self, key: str, ghosts: _Keys) -> None:
        often = ghosts is self._ghosts_often
        if len(self) >= self._capacity:
            self._replace(for_often=often)
        del ghosts[key]
        self._often[key] = None

    def _make_room(self) -> None:
        first = len(self._once) + len(self._ghosts_once)
        if first >= self._capacity:
            if len(self._once) < self._capacity:
                self._ghosts_once.popitem(last=False)
                if len(self) >= self._capacity:
                    self._replace(for_often=False)
            else:
                self._once.popitem(last=False)
            return
        second = len(self._often) + len(self._ghosts_often)
        if first + second >= 2 * self._capacity and self._ghosts_often:
            self._ghosts_often.popitem(last=False)
        if len(self) >= self._capacity:
            self._replace(for_often=False)

    def _replace(self, *, for_often: bool) -> None:
        """Let one key fall out, of the list that holds more than its share."""
        over = len(self._once) > self._share or (for_often and len(self._once) == self._share)
        if self._once and (over or not self._often):
            key, _ = self._once.popitem(last=False)
            self._ghosts_once[key] = None
        else:
            key, _ = self._often.popitem(last=False)
            self._ghosts_often[key] = None


def arc_scores(entries: Sequence[Entry], asked: Sequence[Moment], share: float) -> list[FloatArray]:
    """For each instant, 1 for what the cache holds and 0 for the rest.

    The cache is as large as a share of what lives at the instant before. It need not be full:
    what it has room for besides is left to chance.

    Args:
        entries: The log, in order of time.
        asked: Instants of its replay, in order of time.
        share: Part of the memories that is kept, in (0, 1].
    """
    cache = Arc(1)
    scores: list[FloatArray] = []
    taken = 0
    for moment in asked:
        cache.resize(max(round(share * len(moment.names)), 1))
        while taken < len(entries) and entries[taken].at <= moment.now:
            entry = entries[taken]
            if entry.event in ENDS:
                cache.drop(entry.memory)
            elif entry.event in _TOUCHES:
                cache.touch(entry.memory)
            taken += 1
        scores.append(np.array([float(name in cache) for name in moment.names]))
    return scores
