"""Own case of K21: what was corrected and put away arrives so, and not a second time here."""

import io

from lapse.model.retention import Lifecycle
from tests.reports.helping import Place, ago, hit_ids


def test_corrections_and_what_was_put_away_arrive_as_they_were(place: Place) -> None:
    mind = place.open()
    bank = mind.bank("alice")
    bank.remember("I live in Oslo", id="old", key="user/home", created_at=ago(days=30))
    new = bank.supersede(new="I live in Bergen", old="old").id
    bank.remember("Lunch was noodles", id="lunch")
    bank.archive(["lunch"], by="ann", reason="trivial")
    lines = io.BytesIO()
    bank.export(lines, by="ann", reason="a move")
    lines.seek(0)
    again = bank.import_(lines, by="ann", reason="once more")
    assert (again.created, again.unchanged) == (0, 3)
    assert bank.get("old").memory.superseded_by == new
    assert bank.get("lunch").state.lifecycle is Lifecycle.ARCHIVED
    assert hit_ids(bank.recall("where do I live?")) == [new]
