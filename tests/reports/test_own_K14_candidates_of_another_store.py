"""K14, not reported: what another store found is cut to k or a budget before it is judged."""

from collections.abc import Mapping

from lapse.bank import Bank
from lapse.model.query import Reason
from tests.reports.helping import Place, ago, hit_ids


def offered() -> list[Mapping[str, object]]:
    """Twenty good ones that may not be told, and three weaker ones that may."""
    return [
        *(
            {
                "id": f"out{at}",
                "text": f"harbour {at}",
                "score": 0.9,
                "session": "s1",
                "expires_at": ago(days=1),
            }
            for at in range(20)
        ),
        *(
            {"id": f"in{at}", "text": f"lighthouse {at}", "score": 0.4, "session": "s2"}
            for at in range(3)
        ),
    ]


def ranking(place: Place) -> Bank:
    bank = place.bank({"recall.include_other_sessions": False})
    bank.set_policy({"forgetting.mode": "rank"})
    return bank


def test_what_has_expired_elsewhere_takes_neither_count_nor_words(place: Place) -> None:
    recall = ranking(place).rank(offered(), query="harbour", k=3, budget_words=6)
    assert sorted(hit_ids(recall)) == ["in0", "in1", "in2"]
    assert recall.words == 6
    assert {each.reason for each in recall.exclusions} == {Reason.EXPIRED}
    assert len(recall.exclusions) == 20


def test_what_belongs_to_another_session_takes_no_place(place: Place) -> None:
    bank = ranking(place)
    candidates = [{**each, "expires_at": None} for each in offered()]
    assert sorted(hit_ids(bank.rank(candidates, query="harbour", k=3, session="s2"))) == [
        "in0",
        "in1",
        "in2",
    ]
    assert "out0" in hit_ids(bank.rank(candidates, query="harbour", k=3, session="s1"))


def test_a_claim_that_a_newer_candidate_replaced_takes_no_place(place: Place) -> None:
    versions: list[Mapping[str, object]] = [
        {"id": f"v{at}", "text": f"release {at}", "key": "release", "created_at": ago(days=9 - at)}
        for at in range(9)
    ]
    recall = ranking(place).rank(versions, query="release", k=1)
    assert hit_ids(recall) == ["v8"]
    assert {each.reason for each in recall.exclusions} == {Reason.SUPERSEDED}
