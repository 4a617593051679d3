"""Own case of K17: two statements a "not", a name or a unit apart are two statements."""

import math

import pytest

from tests.reports.helping import VECTORS, ChosenVectors, Place, everything

PAIRS = {
    "not": ("Ann may eat nuts", "Ann may not eat nuts"),
    "name": ("Ann owes Bob lunch", "Bob owes Ann lunch"),
    "unit": ("The dose is 5 mg a day", "The dose is 5 g a day"),
    "sign": ("The limit is -5 degrees", "The limit is 5 degrees"),
    "address": ("Write to ann@example.org", "Write to ann@example.com"),
    "version": ("We run version 3.11 here", "We run version 3.12 here"),
    "before": ("Call before the meeting", "Call after the meeting"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_statements_that_differ_in_what_matters_are_both_told(place: Place, name: str) -> None:
    one, other = PAIRS[name]
    sine = math.sqrt(1 - 0.995**2)
    embedder = ChosenVectors({one: (1.0, 0.0), other: (0.995, sine), "what": (1.0, sine)})
    bank = place.bank(VECTORS, embedder=embedder)
    told = bank.remember_many([{"text": one}, {"text": other}, {"text": f"{one}."}])
    assert [each.action for each in told] == ["created", "created", "reconfirmed"]
    assert {each.text for each in bank.recall("what").hits} == {one, other}
    assert len(everything(bank)) == 2
