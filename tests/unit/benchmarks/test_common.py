"""The form in which every measurement leaves a benchmark."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from benchmarks.common import add_data, arguments, envelope, print_table
from benchmarks.install import Cost, results

COST = Cost(
    seconds=17.604,
    packages={"numpy": ("2.4.6", 71_400_000), "lapse": ("0.1", 204_000)},
    import_seconds=[0.02, 0.01, 0.03],
)


def test_the_envelope_is_one_object_with_the_five_agreed_keys() -> None:
    outcome = json.loads(envelope("install", {"seconds": 1.5}).to_json())
    assert list(outcome) == ["benchmark", "date", "machine", "versions", "results"]
    assert outcome["benchmark"] == "install"
    assert outcome["results"] == {"seconds": 1.5}
    assert outcome["versions"]["numpy"]
    assert outcome["machine"]["cores"] >= 1


def test_the_date_of_a_measurement_carries_its_zone() -> None:
    date = envelope("install", {}).date
    assert date.endswith("Z")
    assert datetime.fromisoformat(date).utcoffset() is not None


@pytest.mark.parametrize("figure", [float("nan"), float("inf")])
def test_a_figure_that_is_no_number_is_refused(figure: float) -> None:
    with pytest.raises(ValueError, match="Out of range float"):
        envelope("install", {"seconds": figure}).to_json()


def test_a_data_file_that_does_not_exist_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = arguments("a benchmark")
    add_data(parser, help="a file")
    with pytest.raises(SystemExit, match="2"):
        parser.parse_args(["--data", str(tmp_path / "nowhere.json")])
    assert "no such file" in capsys.readouterr().err


def test_a_benchmark_prints_a_table_unless_asked_for_json() -> None:
    parser = arguments("a benchmark")
    assert parser.parse_args([]).as_json is False
    assert parser.parse_args(["--json"]).as_json is True


def test_a_table_shows_floats_shortly_and_what_is_missing_as_a_dash(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table("Title", ["name", "value"], [("a", 1.23456), ("b", None)])
    shown = capsys.readouterr().out
    assert "1.235" in shown
    assert "-" in shown.split("b", maxsplit=1)[1]


def test_a_figure_is_never_cut_off_where_nobody_looks_at_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    columns = [f"a column of figures {each}" for each in range(12)]
    print_table("Title", columns, [[0.12345] * 12])
    told = capsys.readouterr().out
    assert all(each in told for each in columns)
    assert told.count("0.1235") == 12


def test_the_cost_of_an_install_is_given_in_total_and_by_package() -> None:
    assert results(COST) == {
        "seconds": 17.6,
        "mb": 71.6,
        "packages": {
            "numpy": {"version": "2.4.6", "mb": 71.4},
            "lapse": {"version": "0.1", "mb": 0.2},
        },
        "import_s": {"median": 0.02, "worst": 0.03},
    }
