"""The fakes do what tests lean on: a clock that stands, ids in order, bytes that repeat."""

from dataclasses import replace

import numpy as np

from lapse.model.changeset import Changes
from lapse.model.instants import DAY, HOUR, SECOND, parse_instant
from lapse.model.verbs import VERBS, Verb
from lapse.model.view import Reads, View
from lapse.stores.memory import MemoryStore
from lapse.testing.fakes import (
    START,
    FakeClock,
    SeededEntropy,
    SequentialIds,
    facets,
    memory,
    record,
    space,
    state,
    vector,
    writes,
)


def test_a_fake_clock_stands_until_it_is_moved() -> None:
    clock = FakeClock()
    assert clock.now() == clock.now() == START
    assert clock.advance(days=1, hours=2, seconds=3) == START + DAY + 2 * HOUR + 3 * SECOND
    assert clock.set("2020-01-01") == parse_instant("2020-01-01", "x") == clock.now()


def test_ids_come_in_order_and_never_twice() -> None:
    make = SequentialIds()
    made = [make(START) for _ in range(100)]
    assert made == sorted(set(made))
    assert made[0] == "m00000001"


def test_the_same_seed_draws_the_same_bytes_and_another_draws_others() -> None:
    first, second, other = SeededEntropy(1), SeededEntropy(1), SeededEntropy(2)
    drawn = [first(16), first(40)]
    assert drawn == [second(16), second(40)]
    assert [len(each) for each in drawn] == [16, 40]
    assert drawn[0] != first(16)
    assert drawn[0] != other(16)


def test_a_vector_has_unit_length_unless_it_is_zero() -> None:
    data = np.frombuffer(vector(1, [3.0, 4.0]).data, dtype="<f4")
    assert data.tolist() == np.array([0.6, 0.8], dtype=np.float32).tolist()
    assert not np.frombuffer(vector(1, [0.0, 0.0]).data, dtype="<f4").any()
    assert space(2, dimension=8).dimension == 8


def test_a_write_is_journalled_when_its_verb_is() -> None:
    for verb, spec in VERBS.items():
        change = writes(Changes(states=(("a", state()),)), verb=verb, reads=Reads(ids=("a",)))
        view = _view()
        assert (change.judge(view).journal is not None) is spec.journalled
    assert writes(Changes(), verb=Verb.PIN).judge(_view()).empty


def test_texts_that_differ_in_space_and_case_have_the_same_fingerprint() -> None:
    assert facets("Milk  TEA").fingerprint == facets("milk tea").fingerprint
    assert facets("milk tea").fingerprint != facets("milk").fingerprint
    assert memory("a", "milk tea").fingerprint == record(memory("a", "milk tea")).facets.fingerprint


def _view() -> View:
    seen: list[View] = []

    def look(view: View) -> Changes:
        seen.append(view)
        return Changes()

    MemoryStore().commit(replace(writes(Changes()), judge=look))
    return seen[0]
