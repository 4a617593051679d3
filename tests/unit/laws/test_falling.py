"""When a memory falls below a level of need, weighted R or activation, under every law."""

import numpy as np
import pytest

from lapse.errors import DomainError
from lapse.laws import DATED_SCORES, NEVER, Bar, bar_of, falls_at, law_for, score_of
from lapse.laws.strength import StrengthColumns
from lapse.model.instants import DAY, SECOND, Instant
from lapse.model.policy import LawName, LawPolicy, RetentionPolicy, RetentionScore
from tests.unit.laws.examples import TOLD_AT, columns, told

AGEING = [each for each in LawName if each is not LawName.NONE]
LEVELS = {
    RetentionScore.NEED: 0.1,
    RetentionScore.WEIGHTED_R: 0.3,
    RetentionScore.ACTIVATION: -8.0,
}


def _told(name: LawName, importance: float = 0.5) -> StrengthColumns:
    return columns(told(law_for(LawPolicy(name=name)), importance=importance))


@pytest.mark.parametrize("score", DATED_SCORES)
@pytest.mark.parametrize("name", AGEING)
def test_at_its_fall_the_score_is_at_the_level_and_before_it_above(
    name: LawName, score: RetentionScore
) -> None:
    law, level = law_for(LawPolicy(name=name)), LEVELS[score]
    held = _told(name)

    at = int(falls_at(law, held, Bar(score=score, level=level))[0])

    assert TOLD_AT < at < NEVER
    assert score_of(law, held, score, Instant(at))[0] <= level + 1e-9
    assert score_of(law, held, score, Instant(TOLD_AT + (at - TOLD_AT) * 9 // 10))[0] > level


@pytest.mark.parametrize("name", AGEING)
def test_without_a_level_need_falls_where_the_law_says_that_a_memory_has_faded(
    name: LawName,
) -> None:
    law = law_for(LawPolicy(name=name))
    level = law.archive_level
    assert level is not None

    found = falls_at(law, _told(name), Bar(score=RetentionScore.NEED, level=None))

    assert found.tolist() == law.crossing(_told(name), level).tolist()


def test_importance_keeps_a_memory_above_a_weighted_level_for_longer() -> None:
    law, bar = (
        law_for(LawPolicy(name=LawName.EBBINGHAUS)),
        Bar(score=RetentionScore.WEIGHTED_R, level=0.4),
    )

    trivial, dear = (
        int(falls_at(law, _told(LawName.EBBINGHAUS, importance), bar)[0]) for importance in (0, 1)
    )

    assert trivial < dear


def test_one_use_crosses_minus_three_after_403_seconds_and_not_days() -> None:
    law = law_for(LawPolicy(age_floor_s=1.0, cooldown_hours=0.0, importance_weight=0.0))
    held = columns(told(law))

    in_seconds = falls_at(law, held, Bar(score=RetentionScore.ACTIVATION, level=-3.0))
    in_days = falls_at(
        law, held, Bar(score=RetentionScore.ACTIVATION, level=-3.0 - 0.5 * np.log(86_400))
    )

    assert (int(in_seconds[0]) - TOLD_AT) / SECOND == pytest.approx(403, rel=0.04)
    assert (int(in_days[0]) - TOLD_AT) / DAY == pytest.approx(403, rel=0.04)


def test_where_nothing_ages_nothing_falls() -> None:
    law = law_for(LawPolicy(name=LawName.NONE))

    for bar in (
        Bar(score=RetentionScore.NEED, level=None),
        Bar(score=RetentionScore.NEED, level=0.01),
        Bar(score=RetentionScore.WEIGHTED_R, level=None),
        Bar(score=RetentionScore.WEIGHTED_R, level=0.2),
    ):
        assert falls_at(law, _told(LawName.NONE), bar).tolist() == [NEVER]


def test_a_level_above_all_that_a_law_can_reach_was_crossed_from_the_start() -> None:
    law = law_for(LawPolicy(name=LawName.EBBINGHAUS))

    found = falls_at(law, _told(LawName.EBBINGHAUS), Bar(score=RetentionScore.NEED, level=0.9))

    assert found.tolist() == [TOLD_AT]


@pytest.mark.parametrize(
    "score",
    [
        RetentionScore.MEAN,
        RetentionScore.INFORMATIVE,
        RetentionScore.WORTH,
        RetentionScore.PROMISE,
    ],
)
def test_scores_of_a_whole_bank_have_no_dates(score: RetentionScore) -> None:
    law = law_for(LawPolicy())

    assert bar_of(RetentionPolicy(score=score, level=0.2)) is None
    with pytest.raises(DomainError):
        falls_at(law, _told(LawName.ACTIVATION), Bar(score=score, level=0.2))
    with pytest.raises(DomainError):
        score_of(law, _told(LawName.ACTIVATION), score, TOLD_AT)


def test_the_policy_names_the_bar() -> None:
    named = RetentionPolicy(score=RetentionScore.ACTIVATION, level=-8.7)

    assert bar_of(named) == Bar(score=RetentionScore.ACTIVATION, level=-8.7)
    assert bar_of(RetentionPolicy()) == Bar(score=RetentionScore.NEED, level=None)
