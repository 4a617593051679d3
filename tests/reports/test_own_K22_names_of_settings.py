"""Own case of K22: a setting whose name is misspelt is a fault, not one more variable ignored."""

from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import PolicyError
from lapse.model.policy import describe

MISSPELT = {
    "LAPSE_RECALL__KAY": "recall.k",
    "LAPSE_RECAL__K": "recall.k",
    "LAPSE_RECALL_K": "LAPSE_RECALL__K",
    "LAPSE_LAW__DECAI": "law.decay",
    "LAPSE_FORGETTING__ENABLE": "forgetting.enabled",
    "LAPSE_FORGETTING_ENABLED": "LAPSE_FORGETTING__ENABLED",
}


@pytest.mark.parametrize("name", MISSPELT)
def test_a_misspelt_variable_refuses_the_start_and_names_the_right_one(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "5")
    with pytest.raises(PolicyError) as caught:
        Lapse.open("memory://", background=False)
    assert MISSPELT[name] in str(caught.value)
    assert name in str(caught.value)


def test_every_setting_written_with_one_underscore_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for spec in describe():
        with monkeypatch.context() as patched:
            patched.setenv(f"LAPSE_{spec.path.replace('.', '_').upper()}", "1")
            with pytest.raises(PolicyError, match=spec.path.replace(".", r"\.")):
                Lapse.open("memory://", background=False)


def test_variables_of_others_and_of_the_deployment_are_no_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in (
        "RECALL__K",
        "MY_LAPSE_RECALL__K",
        "LAPSE_DB",
        "LAPSE_URL",
        "LAPSE_TEST_RECALL__K",
    ):
        monkeypatch.setenv(name, "5")
    with Lapse.open(tmp_path / "lapse.db", embedder=None, background=False) as mind:
        assert mind.bank("alice").policy().policy.recall.k == 8


def test_the_same_names_hold_in_a_file_and_in_a_banks_policy(tmp_path: Path) -> None:
    config = tmp_path / "lapse.toml"
    config.write_text("[recall]\nkay = 5\n\n[recal]\nk = 5\n")
    with pytest.raises(PolicyError) as caught:
        Lapse.open("memory://", config=config, background=False)
    assert [each.field for each in caught.value.faults] == ["recall.kay", "recal"]
    with Lapse.open("memory://", embedder=None, background=False) as mind:
        with pytest.raises(PolicyError, match="did you mean"):
            mind.bank("alice").set_policy({"recall": {"kay": 5}})
        mind.bank("alice").set_policy({"recall": {"k": 5}})
        assert mind.bank("alice").policy().policy.recall.k == 5
