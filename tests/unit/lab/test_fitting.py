"""Fitting finds what made a log, judges on what it has not seen, and refuses short logs."""

import numpy as np
import pytest

from lapse.lab.fitting import Window, fit_activation
from lapse.lab.log import Entry, Happening, in_order
from lapse.lab.replaying import moments
from lapse.laws import law_for
from lapse.model.instants import DAY, HOUR, Instant
from lapse.model.policy import LawPolicy

WINDOW = Window(horizon_days=30, warm_up_days=60, learned_share=0.7)


def _log(days: int) -> list[Entry]:
    """A hundred memories: what was used lately and often is used again, as 1/√t."""
    dice = np.random.default_rng(3)
    entries = [
        Entry(at=Instant(number * HOUR), memory=f"m{number}", event=Happening.CREATED)
        for number in range(100)
    ]
    uses: dict[str, list[int]] = {f"m{number}": [0] for number in range(100)}
    for day in range(2, days):
        for memory, past in uses.items():
            odds = sum((day - each) ** -0.5 for each in past[-20:])
            if dice.random() < 0.03 * odds:
                past.append(day)
                at = Instant(day * DAY + 5 * DAY // 2)
                entries.append(Entry(at=at, memory=memory, event=Happening.USED))
    return in_order(entries)


def test_what_was_fitted_foresees_the_future_better_than_the_base_rate() -> None:
    found = fit_activation(_log(700), LawPolicy(noise=3.0), WINDOW)
    fitted, base = found.verdicts["fitted"], found.verdicts["base rate"]
    assert found.missing == ()
    assert fitted.log_loss is not None
    assert base.log_loss is not None
    assert fitted.log_loss < base.log_loss
    chance = found.verdicts["random"]
    assert fitted.auc is not None
    assert chance.auc is not None
    assert fitted.auc > chance.auc + 0.1
    assert found.verdicts["arc"].auc is None
    assert found.verdicts["arc"].hit20 > chance.hit20
    assert found.verdicts["clairvoyant"].hit20 >= fitted.hit20
    assert set(found.diff) == {"law.decay", "law.use_gain", "law.threshold", "law.noise"}
    assert 0.2 <= found.diff["law.decay"] <= 0.9
    assert found.diff["law.noise"] > 0


def test_the_same_log_gives_the_same_fit() -> None:
    log = _log(400)
    assert fit_activation(log, LawPolicy(), WINDOW) == fit_activation(log, LawPolicy(), WINDOW)


@pytest.mark.parametrize("days", [0, 20, 150])
def test_a_short_log_is_refused_and_what_is_missing_is_said(days: int) -> None:
    found = fit_activation(_log(days) if days else [], LawPolicy(), WINDOW)
    assert found.diff == {}
    assert found.verdicts == {}
    assert any("instants" in each for each in found.missing)


def test_a_log_in_which_use_foretells_disuse_proposes_nothing() -> None:
    log = [Entry(at=Instant(at), memory=f"m{at}", event=Happening.CREATED) for at in range(200)]
    # Whatever was used rests, until all others had their turn.
    log += [
        Entry(at=Instant(day * DAY), memory=f"m{day % 200}", event=Happening.USED)
        for day in range(1, 800)
    ]
    found = fit_activation(log, LawPolicy(), WINDOW)
    assert found.verdicts
    assert found.diff == {}
    assert found.missing == (
        "in this log what was used lately or often was not used more afterwards",
    )


def test_what_is_known_of_the_judged_part_changes_nothing_that_is_fitted() -> None:
    log = _log(700)
    cut = round(log[0].at + 0.7 * (log[-1].at - log[0].at))
    dice = np.random.default_rng(9)
    names = [f"m{at}" for at in range(100)]
    other = [each for each in log if each.at <= cut]
    other += [
        Entry(at=each.at, memory=names[int(dice.integers(100))], event=each.event)
        for each in log
        if each.at > cut
    ]
    blind = LawPolicy(threshold=40.0)
    one, two = (fit_activation(each, blind, WINDOW) for each in (log, other))
    assert one.verdicts["fitted"].log_loss != two.verdicts["fitted"].log_loss
    assert one.verdicts["base rate"].log_loss != two.verdicts["base rate"].log_loss
    assert one.diff == two.diff != {}


def test_being_returned_is_neither_need_nor_use() -> None:
    told = Entry(at=Instant(0), memory="a", event=Happening.CREATED)
    shown = [
        Entry(at=Instant(day * DAY), memory="a", event=Happening.RETURNED) for day in range(1, 200)
    ]
    seen = list(moments([told, *shown], law_for(LawPolicy()), 0.5, 30, 30))
    assert seen
    assert all(each.uses.tolist() == [0] for each in seen)
    assert all(each.counts.tolist() == [1] for each in seen)


def test_what_was_superseded_or_deleted_is_not_asked_about() -> None:
    log = [
        Entry(at=Instant(0), memory="a", event=Happening.CREATED),
        Entry(at=Instant(0), memory="b", event=Happening.CREATED),
        Entry(at=Instant(10 * DAY), memory="a", event=Happening.SUPERSEDED),
        Entry(at=Instant(45 * DAY), memory="b", event=Happening.USED),
        Entry(at=Instant(90 * DAY), memory="b", event=Happening.USED),
    ]
    first, second = moments(log, law_for(LawPolicy()), 0.5, 30, 30)
    assert first.uses.tolist() == [1]
    assert second.uses.tolist() == [1]
    assert second.counts.tolist() == [2]


def test_a_memory_that_was_never_told_is_told_by_its_first_use() -> None:
    log = [Entry(at=Instant(day * DAY), memory="a", event=Happening.USED) for day in (0, 10, 100)]
    seen = list(moments(log, law_for(LawPolicy()), 0.5, 30, 30))
    assert seen[0].counts.tolist() == [2]
    assert seen[0].recency_s.tolist() == [20 * 86_400]
