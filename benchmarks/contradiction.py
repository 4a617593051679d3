"""Whether a correction holds: five ways in which a fact stops being so, and what must follow.

    python -m benchmarks.contradiction [--json]

Each shape is told to a bank as an old fact, corrected after a gap, and asked about. A: the answer
is current. B: the stale value is not in the tray as a current one. C: both hold after every
background job and a restart. C′: both hold after the old material is fed again by other paths.
D: what was so is still known as of then. E: what was made from the old fact agrees, a summary that
Lapse made of it among it.

Decides what counts as a pass of each cell. Nothing but the public API is used.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.common import arguments, envelope, print_json, print_machine, print_table
from lapse import Lapse
from lapse.bank import Bank
from lapse.model.instants import DAY, MINUTE, Instant, parse_instant
from lapse.model.query import AsOf, Hit
from lapse.testing.fakes import START, FakeClock

CONTROL: Final = "Ann plays the cello in an orchestra"
"""Told beside each old fact; it must survive every correction."""

TALK: Final = "a talk"
"""The session that both were told in; it is read into a summary before the correction."""

GAPS: Final[Mapping[str, int]] = {"minutes": 5 * MINUTE, "months": 120 * DAY}

OTHERS: Final = (
    "The library closes at nine on weekdays",
    "Ben collects stamps from Iceland",
    "The quarterly report is due in March",
    "The garden gate was painted green",
    "Carla teaches geometry at the college",
)
"""Told beside it all: a bank of three facts answers anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One way in which a fact stops being so.

    Attributes:
        old: The fact as it was told.
        question: What is asked.
        stale: What must not be said as current any more, in small letters.
        summary: A text made from the old fact.
        new: What corrects it; None where it is only taken back.
        query: What is corrected, in words.
        current: What must be answered, in small letters.
        held_at: An instant at which the old fact was so; None for just before the correction.
    """

    old: str
    question: str
    stale: str
    summary: str
    current: tuple[str, ...]
    new: str | None = None
    query: str = ""
    held_at: Instant | None = None


SHAPES: Final[Mapping[str, Shape]] = {
    "replacement": Shape(
        old="Ann lives in Berlin",
        query="where Ann lives",
        new="Ann moved to Rome",
        question="Where does Ann live?",
        stale="berlin",
        current=("rome",),
        summary="Profile of Ann: her home is Berlin",
    ),
    "polarity": Shape(
        old="Ann eats meat every day",
        query="whether Ann eats meat",
        new="Ann does not eat meat any more",
        question="Does Ann eat meat?",
        stale="eats meat every day",
        current=("does not eat meat",),
        summary="Profile of Ann: she eats meat every day",
    ),
    "retraction": Shape(
        old="Ann is allergic to peanuts",
        question="What is Ann allergic to, and what does she play?",
        stale="peanuts",
        current=("cello",),
        summary="Profile of Ann: keep peanuts away from her",
    ),
    "partial": Shape(
        old="Ann drives a Volvo and works at Acme as an engineer",
        query="where Ann works",
        new="Ann works at Globex now",
        question="Where does Ann work and what does she drive?",
        stale="acme",
        current=("globex", "volvo"),
        summary="Profile of Ann: an Acme engineer",
    ),
    "bounded": Shape(
        old="Ann is vegetarian",
        query="Ann's diet",
        new="Ann was vegetarian until 2026",
        question="Is Ann vegetarian?",
        stale="ann is vegetarian",
        current=("was vegetarian until 2026",),
        summary="Profile of Ann: Ann is vegetarian, cook accordingly",
        held_at=parse_instant("2025-06-01", "held_at"),
    ),
}


class Case:
    """One shape at one gap, in a file of its own."""

    def __init__(self, shape: Shape, gap: int, path: Path) -> None:
        """Tell the old fact, let the gap pass, correct it, and let it pass again."""
        self._shape = shape
        self._gap = gap
        self._path = path
        self._clock = FakeClock(START)
        self._app = self._open()
        for text in OTHERS:
            self.bank.remember(text)
        self.bank.remember(CONTROL, id="control", session=TALK)
        self._step()
        self.bank.remember(shape.old, id="old", session=TALK)
        self._step()
        self.bank.remember(shape.summary, id="summary", derived_from=["old"])
        self.made = self.bank.consolidate(TALK)[0].memory_id
        self.before = self._clock.now()
        self._pass(gap)
        if shape.new is None:
            self.bank.retract("old", reason="a mistake")
        else:
            self.bank.supersede(query=shape.query, new=shape.new, id="new")
        self._pass(gap)

    @property
    def bank(self) -> Bank:
        """The bank, as it is open now."""
        return self._app.bank("ann")

    def close(self) -> None:
        """Close the file."""
        self._app.close()

    def tray(self, as_of: AsOf | None = None) -> tuple[Hit, ...]:
        """What is answered."""
        return self.bank.recall(self._shape.question, k=8, as_of=as_of).hits

    def answers(self) -> bool:
        """Whether the current value is answered as such."""
        said = " ".join(each.text.casefold() for each in self.tray() if each.qualifier == "current")
        return all(each in said for each in self._shape.current)

    def clean(self) -> bool:
        """Whether the stale value is not said as current."""
        return not any(
            self._shape.stale in each.text.casefold() and each.qualifier == "current"
            for each in self.tray()
        )

    def work(self) -> None:
        """Run every background job, then close and open."""
        self.bank.set_policy({"reflection.enabled": True, "reflection.threshold": 0.1})
        self.bank.drain()
        self.bank.sweep()
        self.bank.reembed()
        self._app.close()
        self._app = self._open()
        self.bank.drain()
        self._step()

    def feed(self) -> None:
        """Tell the old material again: alone, in a batch, in a chat, reworded by letters only."""
        old = self._shape.old
        self.bank.remember(f"  {old.upper()} ", role="assistant")
        self.bank.remember_many([{"text": CONTROL}, {"text": old, "role": "tool"}])
        told = {"role": "user", "content": old, "at": START}
        self.bank.ingest([told, {**told, "role": "assistant"}], session="old transcript")
        self.bank.remember(self._shape.summary, derived_from=["old"], role="model")
        self.bank.drain()
        self._step()

    def knows_then(self) -> bool:
        """Whether what was so, and what was believed, is known as of before the correction."""
        views = [AsOf(recorded=self.before)]
        if self._shape.new is not None:
            held_at = self._shape.held_at
            views.append(AsOf(valid=self.before if held_at is None else held_at))
        old = self._shape.old.casefold()
        return all(any(each.text.casefold() == old for each in self.tray(view)) for view in views)

    def agrees(self) -> bool:
        """Whether what was made from the old fact, by hand or by Lapse, is not said as current."""
        made = {"summary", self.made}
        return not any(each.id in made and each.qualifier == "current" for each in self.tray())

    def _open(self) -> Lapse:
        return Lapse.open(self._path, clock=self._clock, background=False)

    def _step(self) -> None:
        self._pass(MINUTE)

    def _pass(self, span: int) -> None:
        self._clock.set(Instant(self._clock.now() + span))


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__ or "").parse_args()
    cells = dict(measure())
    passed = sum(cells.values())
    outcome = envelope("contradiction", {"passed": passed, "of": len(cells), "cells": cells})
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    letters = list(dict.fromkeys(name.split("/")[2] for name in cells))
    rows = [
        (
            f"{shape}, {gap}",
            *("yes" if cells[f"{shape}/{gap}/{letter}"] else "NO" for letter in letters),
        )
        for shape in SHAPES
        for gap in GAPS
    ]
    print_table(f"{passed} of {len(cells)} cells", ["shape", *letters], rows)


def measure() -> Iterator[tuple[str, bool]]:
    """Every cell, as shape/gap/letter, and whether it passes."""
    with tempfile.TemporaryDirectory() as folder:
        for name, shape in SHAPES.items():
            for gap, span in GAPS.items():
                case = Case(shape, span, Path(folder) / f"{name}-{gap}.db")
                for letter, passed in _cells(case):
                    yield f"{name}/{gap}/{letter}", passed
                case.close()


def _cells(case: Case) -> Iterator[tuple[str, bool]]:
    yield "A", case.answers()
    yield "B", case.clean()
    yield "D", case.knows_then()
    yield "E", case.agrees()
    yield "C", _after(case.work, case)
    yield "C′", _after(case.feed, case)


def _after(act: Callable[[], None], case: Case) -> bool:
    act()
    return case.answers() and case.clean() and case.agrees()


if __name__ == "__main__":
    main()
