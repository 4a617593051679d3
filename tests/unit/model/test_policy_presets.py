"""Presets: that each is sound, keeps its system's numbers, and forgets at a sensible pace."""

import math

import pytest

from lapse.errors import PolicyError
from lapse.model import presets
from lapse.model.policy import Policy, fingerprint
from lapse.model.policy_layers import DEFAULT, Layer, Origin, apply, combine, merge

DAY_S = 86_400.0
YEAR_DAYS = 365.25


def falls_after_days(policy: Policy, importance: float, level: float = 0.02) -> float:
    """Age at which a memory told once falls to a level of need, in days.

    need = 1/(1 + e^((τ − B)/s)), B = ln t^−d + β·(importance − 0.5), with the law's own τ and s.
    """
    law = policy.law
    noise = 0.97
    threshold = -4.45 - (law.decay - 0.5) * math.log(DAY_S)
    base = threshold - noise * math.log(1 / level - 1)
    return math.exp((law.importance_weight * (importance - 0.5) - base) / law.decay) / DAY_S


@pytest.mark.parametrize("name", presets.NAMES)
def test_a_preset_is_a_sound_diff_over_the_default(name: str) -> None:
    assert presets.named(name) == apply(DEFAULT, presets.diff(name))
    assert presets.PRESETS[name].doc.endswith(".")
    resolved = merge([Layer(origin=Origin.PRESET, diff=presets.diff(name))])
    assert resolved.policy == presets.named(name)


@pytest.mark.parametrize("name", presets.NAMES)
def test_a_preset_has_a_function_of_its_name(name: str) -> None:
    assert getattr(presets, name)() == presets.named(name)


def test_presets_differ_from_each_other() -> None:
    assert len({fingerprint(presets.named(name)) for name in presets.NAMES}) == len(presets.NAMES)


def test_the_assistant_is_the_default() -> None:
    assert presets.assistant() == Policy()
    assert presets.NAMES[:5] == presets.DOMAINS


def test_an_unknown_preset_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(PolicyError, match="needs one of assistant, companion") as caught:
        presets.diff("asistant")
    assert caught.value.faults[0].field == "preset"


@pytest.mark.parametrize("name", presets.DOMAINS)
@pytest.mark.parametrize("importance", [0.0, 0.05, 0.1])
def test_a_triviality_told_once_fades_within_sixty_days(name: str, importance: float) -> None:
    assert 1 <= falls_after_days(presets.named(name), importance) <= 60


@pytest.mark.parametrize("name", presets.DOMAINS)
def test_a_neutral_memory_lasts_between_thirty_days_and_five_years(name: str) -> None:
    assert 30 <= falls_after_days(presets.named(name), 0.5) <= 5 * YEAR_DAYS


@pytest.mark.parametrize("name", presets.DOMAINS)
def test_a_domain_preset_leaves_the_laws_own_numbers_alone(name: str) -> None:
    law = presets.named(name).law
    assert (law.threshold, law.noise, law.archive_level, law.cooldown_hours) == (None,) * 4


def test_the_domains_forget_at_the_pace_that_is_stated_for_them() -> None:
    assert presets.support().law.decay == 0.7
    assert presets.research().law.decay == 0.35
    assert presets.legal().law.decay == 0.35
    assert presets.companion().law.decay == presets.assistant().law.decay == 0.5


def test_a_companion_keeps_what_matters_longer_and_trivia_shorter() -> None:
    companion, assistant = presets.companion(), presets.assistant()
    assert falls_after_days(companion, 0.1) < falls_after_days(assistant, 0.1)
    assert falls_after_days(companion, 0.8) > falls_after_days(assistant, 0.8)


def test_legal_work_needs_two_people_and_protects_more() -> None:
    legal = presets.legal()
    assert legal.retention.two_person
    assert not legal.forgetting.auto_apply
    assert legal.retention.protect_importance == 0.7
    with pytest.raises(PolicyError):
        apply(legal, combine(presets.diff("assistant"), presets.diff("actr_sweep")))


def test_the_level_of_the_sweep_is_minus_three_with_ages_in_days() -> None:
    sweep = presets.actr_sweep()
    assert sweep.retention.level is not None
    assert sweep.retention.level == pytest.approx(-8.683, abs=1e-3)
    age_days = math.exp(-sweep.retention.level / sweep.law.decay) / DAY_S
    assert age_days == pytest.approx(math.exp(6), rel=1e-9)


def test_the_mean_of_an_unrated_unused_memory_is_below_the_level_of_its_preset() -> None:
    policy = presets.generative_agents()
    assert policy.retention.level is not None
    assert policy.scoring.default_importance / 3 < policy.retention.level


def test_the_rfc_is_off_until_it_is_switched_on_and_then_observes() -> None:
    rfc = presets.rfc()
    assert rfc.forgetting.effective_mode == "off"
    assert rfc.forgetting.mode == "observe"
