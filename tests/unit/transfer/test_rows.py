"""Files of records fall into rows, and what is no row is told with its number."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.transfer.rows import Unreadable, csv_rows, json_rows, loaded


@given(values=st.lists(st.dictionaries(st.text(), st.text()), min_size=1))
def test_whatever_json_lines_hold_they_are_read_as_written(values: list[dict[str, str]]) -> None:
    text = "\n".join(json.dumps(each, ensure_ascii=False) for each in values)
    assert [row for _, row in json_rows(text)] == values
    assert [row for _, row in json_rows(json.dumps(values, indent=1))] == values


def test_rows_are_numbered_by_their_lines_and_an_array_by_its_places() -> None:
    assert list(json_rows('\n{"a": 1}\r\n\n{"a": 2}\n')) == [(2, {"a": 1}), (4, {"a": 2})]
    assert list(json_rows('[{"a": 1},\n7]')) == [(1, {"a": 1}), (2, 7)]
    assert list(csv_rows('a,b\n1,"x\ny"\n2,z\n')) == [
        (3, {"a": "1", "b": "x\ny"}),
        (4, {"a": "2", "b": "z"}),
    ]


def test_an_array_that_is_cut_off_is_one_fault_and_lines_of_arrays_are_lines() -> None:
    ((number, cut),) = json_rows('[\n{"a": 1},\n{"a"')
    assert number == 1
    assert isinstance(cut, Unreadable)
    assert list(json_rows("[1]\n[2]")) == [(1, [1]), (2, [2])]


@pytest.mark.parametrize("text", ["{", "NaN", "-Infinity", "[" * 100_000, "1" * 5_000])
def test_what_is_no_json_is_unreadable_and_no_error(text: str) -> None:
    assert isinstance(loaded(text), Unreadable)


def test_csv_that_is_none_is_told_where_it_ends() -> None:
    *good, (number, bad) = csv_rows("a\n1\n" + "x" * 200_000 + "\n")
    assert good == [(2, {"a": "1"})]
    assert number == 3
    assert isinstance(bad, Unreadable)
