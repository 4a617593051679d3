"""K07: a fact that changes every week keeps one current value, and every week can be asked for."""

from lapse.model.query import AsOf
from tests.reports.helping import Place, hit_ids

WEEKS = 30


def test_every_week_has_its_own_answer(place: Place) -> None:
    bank = place.bank()
    at = []
    last = bank.remember("the on-call engineer is number 0", id="0").id
    for week in range(1, WEEKS):
        at.append(place.clock.advance(days=7))
        last = bank.supersede(
            old=last, new=f"the on-call engineer is number {week}", id=str(week)
        ).id
    question = "who is the on-call engineer"
    assert hit_ids(bank.recall(question)) == [str(WEEKS - 1)]
    for week, instant in enumerate(at, start=1):
        assert hit_ids(bank.recall(question, as_of=AsOf(valid=instant))) == [str(week)]
    assert list(bank.doctor()) == []


def test_undoing_the_last_gives_the_one_before(place: Place) -> None:
    bank = place.bank()
    last = bank.remember("the on-call engineer is number 0", id="0").id
    for week in (1, 2):
        place.clock.advance(days=7)
        last = bank.supersede(
            old=last, new=f"the on-call engineer is number {week}", id=str(week)
        ).id
    bank.unsupersede("1")
    assert hit_ids(bank.recall("who is the on-call engineer")) == ["1"]
