"""Own case of K21: an export that lost its end is refused whole, and says so."""

import io

import pytest

from lapse.errors import ValidationError
from tests.reports.helping import Place


def test_a_file_without_its_last_line_leaves_nothing_behind(place: Place) -> None:
    mind = place.open()
    bank = mind.bank("alice")
    for at in range(5):
        bank.remember(f"The harbour has berth number{at}", id=f"m{at}")
    lines = io.BytesIO()
    bank.export(lines, by="ann", reason="a move")
    whole = lines.getvalue().splitlines(keepends=True)
    cut = io.BytesIO(b"".join(whole[:-1]))
    with pytest.raises(ValidationError):
        mind.bank("bob").import_(cut, by="ann", reason="a move")
    assert "bob" not in mind.banks()
    assert len(bank.list().records) == 5
