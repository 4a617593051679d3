"""Access logs are read from JSON Lines and CSV, and every wrong line is named."""

from pathlib import Path

import pytest

from lapse.errors import ValidationError
from lapse.lab.log import Happening, read_entries
from lapse.model.instants import SECOND

CSV = "at,memory,event\n2026-01-02T00:00Z,b,created\n1767225600,a,created\n"


def test_csv_is_read_in_order_of_time(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(CSV, encoding="utf-8")
    found = read_entries(path)
    assert [each.memory for each in found] == ["a", "b"]
    assert found[0].at == 1_767_225_600 * SECOND
    assert found[1].event is Happening.CREATED


def test_json_lines_are_read_and_blank_ones_left_out(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    line = '{"at": "2026-01-01T00:00:00", "memory": "a", "event": "used"}'
    path.write_text(f"\n{line}\n\n", encoding="utf-8")
    found = read_entries(path)
    assert len(found) == 1
    assert found[0].event is Happening.USED


def test_all_wrong_lines_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(CSV + "soon,a,used\n2026-01-03,a,eaten\n2026-01-03,,used\n", encoding="utf-8")
    with pytest.raises(ValidationError) as caught:
        read_entries(path)
    assert [each.field for each in caught.value.faults] == [
        "line 4: at",
        "line 5: event",
        "line 6: memory",
    ]


@pytest.mark.parametrize("line", ["[1]", "{", '"text"'])
def test_a_line_that_is_no_object_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(ValidationError, match="line 1"):
        read_entries(path)


@pytest.mark.parametrize("at", ["nan", "inf", "1e300"])
def test_an_instant_that_is_no_instant_is_a_fault(tmp_path: Path, at: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(f"at,memory,event\n{at},a,used\n", encoding="utf-8")
    with pytest.raises(ValidationError, match="seconds since 1970"):
        read_entries(path)
