"""Columns: what the laws are given."""

from dataclasses import replace

import numpy as np
import pytest

from lapse.errors import ValidationError
from lapse.laws import columns_of, law_for
from lapse.laws.strength import BLOCK, blocks
from lapse.model.policy import LawName, LawPolicy
from tests.unit.laws.examples import TOLD_AT, after, columns, told, use


def test_columns_hold_one_memory_per_row() -> None:
    law = law_for(LawPolicy())
    rows = columns(told(law), told(law, [use(3, 0.5)], importance=0.9, decay=0.3))
    assert len(rows) == 2
    assert rows.traces.shape == (10, 2)
    assert rows.last_counted_at.tolist() == [TOLD_AT, after(3)]
    assert rows.importance.tolist() == [0.5, 0.9]
    assert rows.decay.tolist() == [0.5, 0.3]


def test_no_memories_make_empty_columns_and_empty_answers() -> None:
    empty = columns_of([])
    for name in LawName:
        law = law_for(LawPolicy(name=name))
        assert law.retrievability(empty, TOLD_AT).shape == (0,)
        assert law.crossing(empty, 0.5).shape == (0,)
        assert law.half_life_days(empty).shape == (0,)


def test_rows_are_taken_in_the_order_asked_for() -> None:
    law = law_for(LawPolicy())
    rows = columns(*(told(law, [use(each)], importance=each / 10) for each in (1, 2, 3)))
    taken = rows.take([2, 0, 2])
    assert taken.importance.tolist() == [0.3, 0.1, 0.3]
    assert taken.traces[:, 1].tolist() == rows.traces[:, 0].tolist()
    assert law.need(taken, after(9)).tolist() == law.need(rows, after(9))[[2, 0, 2]].tolist()


def test_shapes_that_do_not_belong_together_are_all_named() -> None:
    rows = columns(told(law_for(LawPolicy())))
    with pytest.raises(ValidationError) as caught:
        replace(rows, decay=np.zeros(3), traces=np.zeros((1, 10)))
    assert set(caught.value.fields) == {"decay", "traces"}


def test_more_rows_than_a_block_are_computed_alike() -> None:
    assert [part.stop - part.start for part in blocks(2 * BLOCK + 1)] == [BLOCK, BLOCK, 1]
    for name in (LawName.ACTIVATION, LawName.EBBINGHAUS):
        law = law_for(LawPolicy(name=name))
        row = columns(told(law, [use(3)]))
        many = row.take(np.zeros(BLOCK + 1, dtype=np.intp))
        assert set(law.need(many, after(9)).tolist()) == {float(law.need(row, after(9))[0])}
        assert set(law.crossing(many, 0.05).tolist()) == {int(law.crossing(row, 0.05)[0])}
