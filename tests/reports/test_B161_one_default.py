"""B161: two paths have different defaults for one threshold, so most is hidden on one of them.

Design differs: a reply names each candidate of the pool that the threshold kept out, so the pool is
made large enough here to hold them all.
Waits: REST and MCP, for their faces; the library and the command line are compared here.
"""

import json
from collections.abc import Sequence

import pytest

from lapse.bank import Bank
from lapse.model.query import Reason, Recall
from tests.reports.helping import VECTORS, Place, ago, everything, turned
from tests.reports.helping_b import spoken

UNDER, ABOVE = 200, 2
ASKED = ("a note on the harbour", "--k", "100", "--json", "--bank", "alice")


def hidden(recall: Recall, reason: Reason) -> int:
    return sum(each.reason is reason for each in recall.exclusions)


def test_as_many_are_under_the_threshold_of_relevance_however_one_asks(place: Place) -> None:
    cosines = {f"under {at}": 0.3499 for at in range(UNDER)} | {
        f"above {at}": 0.3501 for at in range(ABOVE)
    }
    settings = {**VECTORS, "recall.min_relevance": 0.35, "recall.pool_minimum": 1000}
    bank = place.bank(settings, embedder=turned(cosines, "what"))
    bank.remember_many({"text": text, "id": text} for text in cosines)
    candidates = [{"id": text, "text": text} for text in cosines]

    recall, ranked = bank.recall("what"), bank.rank(candidates, query="what")

    for answer in (recall, ranked):
        assert {each.id for each in answer.hits} == {"above 0", "above 1"}
        assert hidden(answer, Reason.NO_MATCH) == UNDER
    assert bank.why("what", "under 7").reason is Reason.NO_MATCH
    assert bank.why("what", "above 1").reason is None


def faded_bank(place: Place) -> Bank:
    """Two hundred memories a little past the instant of fading, two a little before it."""
    bank = place.bank()
    bank.set_policy({"forgetting.mode": "filter", "recall.pool_minimum": 1000})
    bank.remember("How long it takes", id="probe", importance=0.5, created_at=ago(days=1))
    fades_at = bank.get("probe").state.fades_at
    assert fades_at is not None
    days = (fades_at - ago(days=1)) / 86_400_000_000
    bank.remember_many(
        {
            "text": f"note {name}",
            "id": name,
            "importance": 0.5,
            "created_at": ago(days=days + (0.1 if name.startswith("under") else -0.1)),
        }
        for name in (*_names("under", UNDER), *_names("above", ABOVE))
    )
    return bank


def _names(what: str, count: int) -> Sequence[str]:
    return [f"{what}{at}" for at in range(count)]


def test_the_level_of_fading_has_one_default_however_one_asks(
    in_file: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = faded_bank(in_file)
    level, now = bank.policy().policy.law.archive_level, in_file.clock.now()
    assert level is None  # so that the law's own is what counts

    recall = bank.recall("a note on the harbour", k=100)

    assert {each.id for each in recall.hits} == {"above0", "above1"}
    assert hidden(recall, Reason.FADED) == UNDER
    assert bank.why("a note on the harbour", "under7").reason is Reason.FADED
    assert bank.stats().faded == UNDER
    stored = [each.state.fades_at or now + 1 for each in everything(bank)]
    assert sum(each <= now for each in stored) == UNDER

    at = ("--db", in_file.target, "--now", "2026-06-01T12:00:00Z")
    told = spoken(capsys, monkeypatch, "recall", *ASKED, *at)
    assert sorted(told.hit_ids) == ["above0", "above1"]
    exclusions = json.loads(told.out)["exclusions"]
    assert sum(each["reason"] == "faded" for each in exclusions) == UNDER
