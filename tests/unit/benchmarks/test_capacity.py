"""The capacity benchmark keeps to the budget, counts what is missed, and is the same each time."""

from dataclasses import replace

from benchmarks.capacity import results, run
from lapse.model.policy import Policy

POLICY = Policy()


def _with_budget(most: int | None) -> Policy:
    return replace(POLICY, retention=replace(POLICY.retention, max_active=most))


def test_the_budget_is_kept_once_the_grace_period_lets_it() -> None:
    course = run(_with_budget(300), 140, 4)
    assert course.active[-1] <= 300
    assert len(course.active) == len(course.sweep_ms) == 20


def test_what_never_goes_is_never_missed() -> None:
    keeps_all = replace(
        POLICY, retention=replace(POLICY.retention, grace_days=3650.0, max_active=None)
    )
    course = run(keeps_all, 140, 4)
    assert course.active[-1] == 560
    assert course.missed == 0
    assert course.uses > 0


def test_a_tight_budget_is_missed_more_than_the_level_alone() -> None:
    tight, loose = run(_with_budget(150), 140, 4), run(_with_budget(None), 140, 4)
    assert tight.active[-1] < loose.active[-1]
    assert tight.missed >= loose.missed


def test_the_results_are_the_same_each_time_but_for_the_clock() -> None:
    one, two = (run(POLICY, 70, 3) for _ in range(2))
    assert one.active == two.active
    found = results(one, two)
    assert {"last_quarter_growth", "needed_after_forgotten", "sweep_ms_by_quarter"} <= set(found)
