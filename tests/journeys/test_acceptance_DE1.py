"""DE1: erased, then every job of upkeep and a reopening: absent at every step.

Control: a sibling that was written with it is present at every step.
Waits: reflection. Exports and backups that were made before the erasure are in DE2.
"""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.embed.hashing import HashingEmbedder
from lapse.errors import NotFoundError
from lapse.faces.restoring import restore_backup
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import Place, everything, hit_ids

WHO = {"by": "anna", "reason": "she asked for it"}
SECRET = "The code word of the harbour gate is Zyxquartz."
SIBLING = "The code word of the garden gate is Bluebell."


def there_and_back(bank: Bank) -> None:
    """Export, and take in what was exported."""
    sink = io.BytesIO()
    bank.export(sink, by="anna", reason="a copy")
    assert b"Zyxquartz" not in sink.getvalue()
    assert bank.import_(sink, by="anna").created == 0


JOBS: dict[str, Callable[[Bank], object]] = {
    "nothing yet": lambda _: None,
    "drain": lambda bank: bank.drain(),
    "sweep": lambda bank: bank.sweep(),
    "reembed": lambda bank: bank.reembed(),
    "policy": lambda bank: bank.set_policy({"memory.language": "german"}),
    "export and import": there_and_back,
    "drain again": lambda bank: bank.drain(),
}


def _steps(place: Place, bank: Bank) -> Iterator[tuple[str, Bank]]:
    for name, job in JOBS.items():
        job(bank)
        place.clock.advance(days=1)
        yield name, bank
    if not place.lasting:
        return
    yield "reopened", place.bank(embedder=HashingEmbedder())
    copy, target = f"{place.target}.copy", Path(place.target)
    place.opened.close()
    with place.open() as mind:
        mind.backup(copy, by="anna")
    restore_backup(Path(copy), target, by="anna", reason="a mishap", clock=place.clock)
    yield "backup restored", place.bank(embedder=HashingEmbedder())


@on_every_store
def test_what_was_erased_is_absent_whatever_runs_afterwards(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank(embedder=HashingEmbedder())
        bank.remember_many([{"text": SECRET, "id": "secret"}, {"text": SIBLING, "id": "sibling"}])
        assert hit_ids(bank.recall("harbour gate"))[0] == "secret"
        bank.erase(["secret"], **WHO)
        for step, now in _steps(place, bank):
            found = hit_ids(now.recall("What is the code word of the harbour gate, Zyxquartz?"))
            assert "secret" not in found, step
            assert "sibling" in found, step
            assert [each.memory.id for each in everything(now)] == ["sibling"], step
            with pytest.raises(NotFoundError):
                now.get("secret")
