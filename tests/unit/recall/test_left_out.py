"""Reasons are counted alike whether or not what was left out was explained."""

from collections import Counter

from lapse.model.left_out import Reasoned, reasons_of
from lapse.model.query import Reason
from tests.unit.index.deltas import Row
from tests.unit.recall.asking import ask, recalled, snapshot_of


def test_reasons_are_counted_as_those_of_the_exclusions_themselves() -> None:
    bank = snapshot_of(Row(row=1), Row(row=2, text="green tea"), Row(row=3, text="coal"))
    left = recalled(bank, ask(k=1)).exclusions
    assert isinstance(left, Reasoned)
    before = reasons_of(left)
    assert before == Counter(each.reason for each in left)
    assert before[Reason.OVER_COUNT] == 1
    assert reasons_of(tuple(left)) == before
