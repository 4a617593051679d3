"""Which layer wins, where a value came from, and what environment and TOML may say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.errors import PolicyError
from lapse.model.policy import SETTINGS, Mode, Policy, value_at
from lapse.model.policy_layers import (
    DEFAULT,
    REQUEST_PATHS,
    Diff,
    Layer,
    Origin,
    apply,
    combine,
    merge,
    with_request,
)
from lapse.model.policy_sources import (
    deployment,
    from_diff,
    from_environment,
    from_request,
    from_toml,
)


def layer(origin: Origin, **values: object) -> Layer:
    """A layer; `law__decay=0.7` sets `law.decay`."""
    return Layer(
        origin=origin,
        diff=from_diff({name.replace("__", "."): raw for name, raw in values.items()}),
    )


def faults(error: PolicyError) -> dict[str, str]:
    return {each.field: each.problem for each in error.faults}


def test_without_layers_everything_is_default() -> None:
    resolved = merge([])
    assert resolved.policy == Policy()
    assert {resolved.origin_of(path) for path in SETTINGS} == {Origin.DEFAULT}


@given(
    order=st.permutations(list(Origin)[:-1]), present=st.sets(st.sampled_from(list(Origin)[:-1]))
)
def test_the_strongest_layer_wins_in_whatever_order_they_come(
    order: list[Origin], present: set[Origin]
) -> None:
    k_of = {origin: 10 + number for number, origin in enumerate(Origin)}
    resolved = merge(layer(each, recall__k=k_of[each]) for each in order if each in present)
    strongest = next((each for each in Origin if each in present), Origin.DEFAULT)
    assert resolved.origin_of("recall.k") is strongest
    assert resolved.policy.recall.k == (k_of[strongest] if present else 8)


def test_layers_are_merged_field_by_field_and_each_origin_is_known() -> None:
    resolved = merge(
        [
            layer(Origin.PRESET, law__decay=0.7, law__use_gain=5),
            layer(Origin.STORED, law__decay=0.6, recall__k=5),
            layer(Origin.TOML, law__age_floor_s=30),
            layer(Origin.ENVIRONMENT, forgetting__enabled="no"),
            layer(Origin.BANK, recall__k=6),
            layer(Origin.REQUEST, recall__budget_words=100),
        ]
    )
    assert resolved.policy.law.decay == 0.6
    assert resolved.policy.law.use_gain == 5.0
    assert resolved.policy.law.age_floor_s == 30.0
    assert resolved.policy.recall.k == 6
    assert resolved.policy.recall.budget_words == 100
    assert resolved.policy.forgetting.effective_mode is Mode.OFF
    assert {path: resolved.origin_of(path) for path in resolved.origins} == {
        "law.decay": Origin.STORED,
        "law.use_gain": Origin.PRESET,
        "law.age_floor_s": Origin.TOML,
        "forgetting.enabled": Origin.ENVIRONMENT,
        "recall.k": Origin.BANK,
        "recall.budget_words": Origin.REQUEST,
    }
    assert resolved.origin_of("recall.bm25_b") is Origin.DEFAULT


def test_the_origin_of_an_unknown_setting_is_refused() -> None:
    with pytest.raises(PolicyError, match=r"did you mean law\.decay"):
        merge([]).origin_of("law.decayy")


def test_two_layers_of_one_origin_are_a_mistake_of_the_programmer() -> None:
    with pytest.raises(ValueError, match="combine"):
        merge([layer(Origin.BANK), layer(Origin.BANK)])


def test_a_contradiction_that_a_stronger_layer_removes_is_none() -> None:
    lower = layer(Origin.STORED, retention__two_person=True, forgetting__auto_apply=True)
    with pytest.raises(PolicyError):
        merge([lower])
    resolved = merge([lower, layer(Origin.BANK, forgetting__auto_apply=False)])
    assert resolved.policy.retention.two_person


def test_a_refused_diff_leaves_the_policy_as_it_was() -> None:
    before = Policy()
    with pytest.raises(PolicyError) as caught:
        apply(before, Diff(values={"law.decay": 7.0, "recall.k": 5, "recall.kk": 1}))
    assert set(faults(caught.value)) == {"law.decay", "recall.kk"}
    assert before == DEFAULT


def test_a_diff_keeps_its_values_when_the_mapping_it_was_made_of_changes() -> None:
    source = {"recall.k": 5}
    diff = Diff(values=source)
    source["recall.k"] = 6
    assert diff.values["recall.k"] == 5


def test_blank_in_a_newer_diff_makes_a_setting_inherited_again() -> None:
    older = from_diff({"law.decay": 0.7, "recall.k": 5})
    combined = combine(older, from_diff({"law.decay": "", "recall.k": 6}))
    assert dict(combined.values) == {"recall.k": 6}
    resolved = merge(
        [layer(Origin.STORED, law__decay=0.6), Layer(origin=Origin.BANK, diff=combined)]
    )
    assert resolved.policy.law.decay == 0.6
    assert resolved.origin_of("law.decay") is Origin.STORED


@pytest.mark.parametrize("path", sorted(set(SETTINGS) - REQUEST_PATHS))
def test_a_request_may_change_nothing_outside_the_safe_settings(path: str) -> None:
    request = Diff(values={path: SETTINGS[path].default})
    with pytest.raises(PolicyError) as caught:
        with_request(merge([]), request)
    assert "a request may not change this" in faults(caught.value)[path]


def test_every_safe_setting_exists() -> None:
    assert set(SETTINGS) >= REQUEST_PATHS


@pytest.mark.parametrize("asked", list(Mode))
@pytest.mark.parametrize("in_force", list(Mode))
def test_a_request_may_only_lower_the_mode(asked: Mode, in_force: Mode) -> None:
    beneath = merge([layer(Origin.BANK, forgetting__mode=in_force)])
    request = Diff(values={"forgetting.mode": asked})
    if asked.rank <= in_force.rank:
        assert with_request(beneath, request).policy.forgetting.mode is asked
    else:
        with pytest.raises(PolicyError, match="only lower the mode"):
            with_request(beneath, request)


def test_a_request_by_text_reports_what_is_wrong_and_what_is_forbidden_together() -> None:
    with pytest.raises(PolicyError) as caught:
        from_request({"recall.k": "0", "law.decay": 0.6, "forgetting.mode": "filter"}, over=DEFAULT)
    assert set(faults(caught.value)) == {"recall.k", "law.decay", "forgetting.mode"}


def test_a_request_without_wishes_is_the_policy_in_force() -> None:
    beneath = merge([layer(Origin.BANK, recall__k=5)])
    assert with_request(beneath, from_request({}, over=beneath.policy)) is beneath


def test_the_environment_is_read_by_section_and_setting() -> None:
    diff = from_environment(
        {
            "LAPSE_FORGETTING__ENABLED": "FALSE",
            "LAPSE_LAW__DECAY_PER_HOUR": "1",
            "LAPSE_CACHE__FRESHNESS_HOURS": "weather=1",
            "LAPSE_RECALL__K": " ",
            "HOME": "/root",
        }
    )
    assert dict(diff.values) == {
        "forgetting.enabled": False,
        "law.decay_per_hour": 1.0,
        "cache.freshness_hours": (("weather", 1.0),),
    }
    assert diff.unset == {"recall.k"}


@pytest.mark.parametrize(
    "name",
    [
        "LAPSE_DB",
        "LAPSE_URL",
        "LAPSE_KEY",
        "LAPSE_TOMBSTONE_KEY",
        "LAPSE_TEST_SHARED",
        "LAPSE_TEST_LAW__DECAY",
        "LAPSE_TEST_X__Y",
        "LAPSE_COLOUR",
        "ELAPSE_LAW__DECAY",
    ],
)
def test_variables_of_the_process_are_no_settings(name: str) -> None:
    assert from_environment({name: "x"}) == Diff()


def test_the_environment_reports_every_fault_with_the_variable_and_the_range() -> None:
    with pytest.raises(PolicyError) as caught:
        from_environment(
            {
                "LAPSE_LAW__DECAY": "50%",
                "LAPSE_LAW__DECAYY": "1",
                "LAPSE_SERVER__PORT": "80",
                "LAPSE_FORGETTING_ENABLED": "false",
                "LAPSE_LAW__NOISE__X": "1",
            }
        )
    found = faults(caught.value)
    assert set(found) == {
        "law.decay",
        "law.decayy",
        "server.port",
        "forgetting.enabled",
        "law.noise.x",
    }
    assert "from 0.2 to 0.9" in found["law.decay"]
    assert "LAPSE_LAW__DECAY)" in found["law.decay"]
    assert "did you mean law.decay?" in found["law.decayy"]
    assert "write LAPSE_FORGETTING__ENABLED" in found["forgetting.enabled"]


def test_toml_tables_are_sections() -> None:
    text = (
        '[law]\ndecay = 0.7\n[retention]\nkinds = ["working"]\n[cache.freshness_hours]\nnews = 2\n'
    )
    diff = from_toml(text)
    assert diff.values["law.decay"] == 0.7
    assert diff.values["retention.kinds"] == ("working",)
    assert diff.values["cache.freshness_hours"] == (("news", 2.0),)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("[law\n", "toml"),
        ("[law]\ndecay = nan\n", "law.decay"),
        ("[law]\ndecay = inf\n", "law.decay"),
        ("[law]\ndecay = 2026-01-01\n", "law.decay"),
        ("[law]\ndecay = {}\n", "law.decay"),
        ("[lw]\ndecay = 1\n", "lw"),
        ("decay = 0.5\n", "decay"),
    ],
)
def test_toml_that_says_nothing_sensible_is_refused(text: str, field: str) -> None:
    with pytest.raises(PolicyError) as caught:
        from_toml(text)
    assert list(faults(caught.value)) == [field]


def test_the_deployment_is_environment_over_toml_over_stored() -> None:
    layers = deployment(
        environment={"LAPSE_RECALL__K": "1"},
        toml="[recall]\nk = 2\nrrf_k = 20\n",
        stored={"recall": {"k": 3, "rrf_k": 30, "near_misses": 3}},
    )
    resolved = merge(layers)
    assert resolved.policy.recall.k == 1
    assert resolved.policy.recall.rrf_k == 20
    assert resolved.policy.recall.near_misses == 3
    assert resolved.origin_of("recall.rrf_k") is Origin.TOML


def test_a_deployment_may_have_nothing_but_an_environment() -> None:
    (only,) = deployment(environment={})
    assert only == Layer(origin=Origin.ENVIRONMENT, diff=Diff())


def test_the_deployment_reports_the_faults_of_all_its_sources_at_once() -> None:
    with pytest.raises(PolicyError) as caught:
        deployment(
            environment={"LAPSE_LAW__DECAY": "x"},
            toml="[law]\nnoise = -1\n",
            stored={"recall": {"k": 0}},
        )
    assert set(faults(caught.value)) == {"law.decay", "law.noise", "recall.k"}


@given(raw=st.text(max_size=8))
def test_whatever_a_variable_says_is_read_or_left_blank_or_refused_by_name(raw: str) -> None:
    read, blank, refused = outcome_of("LAPSE_RECALL__K", raw)
    assert len(read) + len(blank) + len(refused) == 1
    assert read | blank | refused == {"recall.k"}
    assert blank == ({"recall.k"} if not raw.strip() else set())


def outcome_of(name: str, raw: str) -> tuple[set[str], set[str], set[str]]:
    """Paths that a variable set, left blank, and had refused."""
    try:
        diff = from_environment({name: raw})
    except PolicyError as error:
        return set(), set(), set(faults(error))
    policy = merge([Layer(origin=Origin.ENVIRONMENT, diff=diff)]).policy
    return {path for path in diff.values if value_at(policy, path)}, set(diff.unset), set()
