"""The soak counts what it says, and for a moment nothing is lost."""

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("mcp", reason="needs the extra mcp")

from benchmarks.served import Reply
from benchmarks.soak import Record, measure


def test_a_short_soak_loses_nothing() -> None:
    found = measure(4, 2)
    assert (found["unannounced_5xx"], found["lost"], found["faults"]) == (0, 0, 0)
    assert float(str(found["acknowledged"])) > 0


def test_what_was_acknowledged_and_what_must_not_be_are_told_apart() -> None:
    record = Record()
    for status, name in ((201, "a"), (503, "b"), (507, "c"), (500, None), (0, None), (404, None)):
        record.see(Reply(status=status, body={}, took_s=0.0), name)
    assert record.kept == {"a"}
    assert [each[:2] for each in record.unannounced] == ["50", "0 "]
