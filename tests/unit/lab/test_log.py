"""Access logs are read from JSON Lines and CSV, and every wrong line is named."""

from pathlib import Path

import pytest

from lapse.errors import ValidationError
from lapse.faces.naming_faults import shown_field
from lapse.lab.log import FAULTS_TOLD, Happening, entries_of, read_entries
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
        "line 4.at",
        "line 5.event",
        "line 6.memory",
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


@pytest.mark.parametrize("event", [[], {"used": 1}, 7, True, None])
def test_an_event_that_is_no_text_is_a_fault_like_any_other(event: object) -> None:
    with pytest.raises(ValidationError, match=r"log\[0\].event"):
        entries_of([{"at": 0, "memory": "a", "event": event}])


@pytest.mark.parametrize("memory", [True, False, ["a"], {"a": 1}, "", " ", None])
def test_an_id_is_a_text_or_a_number(memory: object) -> None:
    with pytest.raises(ValidationError, match=r"log\[0\].memory"):
        entries_of([{"at": 0, "memory": memory, "event": "used"}])
    assert [each.memory for each in entries_of([{"at": 0, "memory": 7, "event": "used"}])] == ["7"]


def test_all_that_is_wrong_with_one_line_is_told() -> None:
    with pytest.raises(ValidationError) as caught:
        entries_of([{"at": "soon", "memory": "", "event": "eaten"}, 7])
    fields = [each.field for each in caught.value.faults]
    assert fields == ["log[0].memory", "log[0].event", "log[0].at", "log[1]"]


def test_faults_beyond_those_that_are_named_are_counted() -> None:
    with pytest.raises(ValidationError) as caught:
        entries_of([7] * (FAULTS_TOLD + 5))
    *named, rest = caught.value.faults
    assert len(named) == FAULTS_TOLD
    assert "5 more" in rest.problem


def test_a_mark_of_byte_order_and_spaces_after_commas_are_no_part_of_a_log(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes("\ufeffat, memory, event\r\n2026-01-01, a, used\r\n".encode())
    assert [(each.memory, each.event) for each in read_entries(path)] == [("a", Happening.USED)]


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="cannot be read"):
        read_entries(tmp_path / "nowhere.jsonl")
    (tmp_path / "latin.csv").write_bytes(b"at,memory,event\n0,\xe9,used\n")
    with pytest.raises(ValidationError, match="UTF-8"):
        read_entries(tmp_path / "latin.csv")


def test_faults_name_their_place_in_a_form_that_every_face_shows(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("at,memory,event\nsoon,a,used\n", encoding="utf-8")
    with pytest.raises(ValidationError) as of_file:
        read_entries(path)
    with pytest.raises(ValidationError) as of_objects:
        entries_of([{"at": "soon"}, 7])
    fields = [each.field for one in (of_file, of_objects) for each in one.value.faults]
    assert [shown_field(each) for each in fields] == fields
