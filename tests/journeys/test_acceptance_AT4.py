"""AT4: the same drain, plan and application run twice change nothing the second time.

Control: the first run changed something.
"""

from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.model.codec import dumps
from lapse.model.retention import Lifecycle
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import Place, ago, everything


def _tell(bank: Bank) -> None:
    for at in range(6):
        bank.remember(f"note {at}", id=f"m{at}", importance=0.1, created_at=ago(days=90 - at))
    bank.used(["m5"], at=ago(days=1))


def _seen(place: Place, bank: Bank) -> tuple[str, int]:
    del place
    return dumps(everything(bank)), bank.stats().revision


@on_every_store
@pytest.mark.parametrize("chosen", ["level", "percentile", "budget"])
def test_what_is_run_again_changes_nothing(kind: str, chosen: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank({})
        _tell(bank)

        assert bank.drain().drained == 1
        drained = _seen(place, bank)
        assert bank.drain().drained == 0
        assert _seen(place, bank) == drained

        def plan_once() -> str:
            match chosen:
                case "level":
                    return bank.plan().id
                case "percentile":
                    return bank.plan(percentile=50).id
                case _:
                    return bank.plan_to_budget(max_active=2).id

        first = plan_once()
        planned = _seen(place, bank)
        assert planned[0] == drained[0]  # a plan is a dry run
        assert planned[1] > drained[1]
        assert plan_once() == first
        assert _seen(place, bank) == planned

        bank.approve(first, by="boss", reason="tidy")
        done = bank.apply(first)
        applied = _seen(place, bank)
        assert done.application is not None
        assert len(done.application.applied) >= 3
        assert bank.get("m0").state.lifecycle is Lifecycle.SUPPRESSED
        assert bank.apply(first) == done
        assert _seen(place, bank) == applied

        bank.restore(plan=first, by="boss", reason="wanted after all")
        restored = _seen(place, bank)
        again = bank.restore(plan=first, by="boss", reason="wanted after all")
        assert again.ids == ()
        assert _seen(place, bank) == restored
