"""The errors of a policy repeat no sentence: what was written in the wrong place may be content."""

import pytest

from lapse.errors import PolicyError
from lapse.model.policy_layers import DEFAULT
from lapse.model.policy_sources import from_diff, from_environment, from_request

SECRET = "Maria Okafor lives at 14 Elm Street in Lisbon."


@pytest.mark.parametrize(
    "diff",
    [
        {"recall.k": SECRET},
        {"recall": SECRET},
        {"recall.k": [SECRET]},
        {"recall.k": {"text": SECRET}},
        {"forgetting": {"mode": SECRET}},
        {"recall.k": "Maria Okafor"},
        {SECRET: 1},
        {f"recall.{SECRET}": 1},
        {"scoring": {SECRET: 1}},
        {"reflection.weights": f"{SECRET}=1"},
        {"law.decay": (1, SECRET)},
    ],
)
def test_what_may_be_a_sentence_is_told_by_its_length_alone(diff: dict[str, object]) -> None:
    for read in (from_diff, lambda given: from_request(given, over=DEFAULT)):
        with pytest.raises(PolicyError) as raised:
            read(diff)
        told = f"{raised.value} {raised.value.fields}"
        assert "Maria" not in told
        assert "Elm" not in told


def test_a_variable_of_the_environment_is_not_repeated_either() -> None:
    with pytest.raises(PolicyError) as raised:
        from_environment({"LAPSE_RECALL__K": SECRET, "LAPSE_RECALL_K": SECRET})
    assert "Elm" not in str(raised.value)


@pytest.mark.parametrize(
    ("given", "shown"),
    [("abc", "'abc'"), ("50 %", "'50 %'"), (-3, "-3"), ([1, "x"], "[1, 'x']"), (0.5, "0.5")],
)
def test_what_is_plainly_no_sentence_is_shown(given: object, shown: str) -> None:
    with pytest.raises(PolicyError) as raised:
        from_diff({"recall.k": given})
    assert raised.value.faults[0].value == shown
