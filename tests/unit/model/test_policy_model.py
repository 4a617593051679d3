"""Naming the background model by settings: what goes together, and what is never repeated."""

import pytest

from lapse.errors import PolicyError
from lapse.model.policy_layers import DEPLOYMENT_PATHS, Layer, Origin, apply, merge
from lapse.model.policy_sources import from_diff, from_environment, from_toml

HERE = "http://127.0.0.1:11434/v1"
WHOLE = {"importance.model": "small", "importance.endpoint": HERE}


def _faults(settings: dict[str, object]) -> dict[str, tuple[str, str]]:
    with pytest.raises(PolicyError) as caught:
        merge([Layer(origin=Origin.TOML, diff=from_diff(settings))])
    return {each.field: (str(each.value), each.problem) for each in caught.value.faults}


def test_a_model_and_where_it_answers_may_come_from_different_layers() -> None:
    resolved = merge(
        [
            Layer(origin=Origin.TOML, diff=from_toml('[importance]\nmodel = "small"')),
            Layer(
                origin=Origin.ENVIRONMENT,
                diff=from_environment({"LAPSE_IMPORTANCE__ENDPOINT": HERE}),
            ),
        ]
    )
    assert resolved.policy.importance.model == "small"
    assert resolved.origin_of("importance.model") is Origin.TOML
    assert resolved.origin_of("importance.endpoint") is Origin.ENVIRONMENT


def test_a_model_that_answers_nowhere_is_refused_with_what_is_missing() -> None:
    value, problem = _faults({"importance.model": "small"})["importance.model"]
    assert "small" in value
    assert "importance.endpoint" in problem


def test_an_endpoint_or_a_key_without_a_model_is_refused() -> None:
    found = _faults({"importance.endpoint": HERE, "importance.key_variable": "MY_KEY"})
    assert set(found) == {"importance.endpoint", "importance.key_variable"}
    assert all("set importance.model" in problem for _, problem in found.values())


@pytest.mark.parametrize("endpoint", ["ftp://there/v1", "localhost:8000", "http://", "http://[v1"])
def test_what_is_no_address_is_refused(endpoint: str) -> None:
    found = _faults({**WHOLE, "importance.endpoint": endpoint})
    assert "http or https" in found["importance.endpoint"][1]


@pytest.mark.parametrize(
    "endpoint",
    ["https://ann:hunter2@there/v1", "https://there/v1?key=hunter2", "https://a/#hunter2"],
)
def test_an_address_that_holds_a_secret_is_refused_and_not_repeated(endpoint: str) -> None:
    found = _faults({**WHOLE, "importance.endpoint": endpoint})
    assert "importance.key_variable" in found["importance.endpoint"][1]
    assert "hunter2" not in str(found)


@pytest.mark.parametrize("key", ["sk-hunter2", "hunter2", "MY KEY hunter2"])
def test_a_key_in_place_of_its_variable_is_refused_and_not_repeated(key: str) -> None:
    found = _faults({**WHOLE, "importance.key_variable": key})
    assert "environment variable" in found["importance.key_variable"][1]
    assert "hunter2" not in str(found)


@pytest.mark.parametrize("path", sorted(DEPLOYMENT_PATHS))
def test_no_bank_says_where_its_texts_are_sent(path: str) -> None:
    values: dict[str, object] = {
        "importance.model": "mine",
        "importance.endpoint": "https://elsewhere.example/v1",
        "importance.key_variable": "DEPLOYMENT_KEY",
        "importance.timeout_s": 1,
        "importance.max_answer_tokens": 7,
    }
    deployment = Layer(origin=Origin.TOML, diff=from_diff(dict(WHOLE)))
    own = Layer(origin=Origin.BANK, diff=from_diff({path: values[path]}))
    with pytest.raises(PolicyError, match="belongs to the deployment") as caught:
        merge([deployment, own])
    assert [each.field for each in caught.value.faults] == [path]


def test_a_policy_of_the_host_may_name_a_model() -> None:
    policy = apply(merge([]).policy, from_diff(dict(WHOLE)))
    assert policy.importance.endpoint == HERE
