"""B198: native dates and text dates live in one field; no comparison between them ever holds."""

from datetime import UTC

from lapse.model.instants import to_datetime
from lapse.model.query import Reason
from tests.reports.helping import Place, ago, hit_ids

IDS = ["native", "text", "naive", "batch"]


def test_however_a_date_was_told_its_row_takes_part_in_every_comparison(place: Place) -> None:
    bank = place.bank()
    begun, ends = to_datetime(ago(days=40)), to_datetime(ago(days=-2))
    naive = [each.astimezone(UTC).replace(tzinfo=None).isoformat() for each in (begun, ends)]
    texts = [each.isoformat() for each in (begun, ends)]
    bank.remember("harbour of day one", id="native", created_at=begun, expires_at=ends)
    bank.remember("harbour of day two", id="text", created_at=texts[0], expires_at=texts[1])
    bank.remember("harbour of day three", id="naive", created_at=naive[0], expires_at=naive[1])
    told = {"text": "harbour of day four", "id": "batch", "created_at": texts[0]}
    bank.remember_many([{**told, "expires_at": naive[1]}])
    assert sorted(hit_ids(bank.recall("harbour"))) == sorted(IDS)
    assert {bank.get(each).memory.created_at for each in IDS} == {
        bank.get("native").memory.created_at
    }
    assert hit_ids(bank.recall("harbour", max_age_hours=39 * 24)) == []
    assert len(hit_ids(bank.recall("harbour", max_age_hours=41 * 24))) == len(IDS)
    place.clock.advance(days=3)
    assert {bank.why("harbour", each).reason for each in IDS} == {Reason.EXPIRED}
