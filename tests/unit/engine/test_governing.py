"""Changing a bank's policy: laid over, checked whole, journalled; refused, the old one stays."""

import math
from dataclasses import replace

import pytest

from lapse.errors import PolicyError, ValidationError
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.journal import JournalDraft
from lapse.model.memory import JsonValue
from lapse.model.policy import LawName, Mode
from lapse.model.policy_layers import Origin
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START
from tests.unit.engine.opening import Opened, opened


def _faults(lapse: Opened, diff: object) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        lapse.alice.set_policy(diff, by="owner")  # type: ignore[arg-type]  # the mistake on test
    return sorted(each.field for each in caught.value.faults)


def test_a_new_bank_has_the_policy_of_its_deployment(store: Store) -> None:
    lapse = opened(store, policy={"recall": {"k": 5}})

    resolved = lapse.alice.policy()

    assert resolved.policy.recall.k == 5
    assert resolved.origin_of("recall.k") is Origin.PRESET
    assert resolved.origin_of("law.name") is Origin.DEFAULT
    assert resolved.policy.forgetting.mode is Mode.RANK
    assert lapse.store.bank(ALICE) is None


def test_a_change_is_in_force_at_once_and_kept(lapse: Opened) -> None:
    resolved = lapse.alice.set_policy(
        {"recall": {"k": 3}, "law": {"name": "ebbinghaus"}}, by="owner"
    )

    assert resolved.policy.recall.k == 3
    assert resolved.origin_of("recall.k") is Origin.BANK
    again = opened(lapse.store).alice.policy()
    assert again.policy == resolved.policy
    assert again.policy.law.name is LawName.EBBINGHAUS


def test_changes_add_up_field_by_field_and_a_blank_is_inherited_again(lapse: Opened) -> None:
    lapse.alice.set_policy({"recall": {"k": 3, "rrf_k": 30}}, by="owner")
    lapse.alice.set_policy({"recall": {"k": ""}, "law": {"decay": 0.7}}, by="owner")

    resolved = lapse.alice.policy()

    assert resolved.policy.recall.k == 8
    assert resolved.origin_of("recall.k") is Origin.DEFAULT
    assert resolved.policy.recall.rrf_k == 30
    assert resolved.policy.law.decay == 0.7


def test_a_policy_is_that_of_one_bank(lapse: Opened) -> None:
    lapse.alice.set_policy({"recall": {"k": 3}}, by="owner")

    assert lapse.mind.bank("bob").policy().policy.recall.k == 8
    assert lapse.mind.bank("alice", tenant="other").policy().policy.recall.k == 8


def test_every_fault_is_told_at_once_and_the_previous_policy_stays(lapse: Opened) -> None:
    lapse.alice.set_policy({"recall": {"k": 3}}, by="owner")
    before = lapse.alice.policy()
    revision = lapse.alice.stats().revision

    faults = _faults(
        lapse,
        {
            "recall": {"k": 0, "rrf_k": "sixty", "kk": 1},
            "law": {"decay": math.nan, "name": "linear"},
            "memory": {"confidence": 2},
            "rocall": {"k": 5},
        },
    )

    assert set(faults) >= {
        "recall.k",
        "recall.rrf_k",
        "recall.kk",
        "law.decay",
        "law.name",
        "memory.confidence",
    }
    assert lapse.alice.policy() == before
    assert lapse.alice.stats().revision == revision


@pytest.mark.parametrize(
    ("diff", "field"),
    [
        ({"recall": {"k": "3;"}}, "recall.k"),
        ({"recall": {"explain": "maybe"}}, "recall.explain"),
        ({"scoring": {"boost_alpha": "50%"}}, "scoring.boost_alpha"),
        ({"memory": {"language": "klingon"}}, "memory.language"),
    ],
)
def test_a_single_bad_value_is_named_by_its_path(
    lapse: Opened, diff: dict[str, object], field: str
) -> None:
    assert _faults(lapse, diff) == [field]
    assert lapse.store.bank(ALICE) is None


@pytest.mark.parametrize("diff", ["recall.k=3", 5, ["recall"], {"recall": 5}, {5: {"k": 3}}])
def test_what_is_no_diff_is_refused(lapse: Opened, diff: object) -> None:
    with pytest.raises(ValidationError):
        lapse.alice.set_policy(diff, by="owner")  # type: ignore[arg-type]  # the mistake on test


def test_settings_that_contradict_each_other_are_refused_together(lapse: Opened) -> None:
    lapse.alice.set_policy({"forgetting": {"auto_apply": True, "mode": "lifecycle"}}, by="owner")

    assert _faults(lapse, {"retention": {"two_person": True}}) != []
    assert not lapse.alice.policy().policy.retention.two_person


def test_a_change_is_journalled_with_its_author(lapse: Opened) -> None:
    lapse.clock.advance(days=1)
    lapse.alice.set_policy({"recall": {"k": 3}}, by="owner")

    (entry,) = lapse.store.journal(ALICE, 0, 10)

    assert (entry.verb, entry.by, entry.at) == (Verb.SET_POLICY, "owner", lapse.clock.now())


def test_a_language_is_used_from_the_next_write_on(lapse: Opened) -> None:
    lapse.alice.set_policy({"memory": {"language": "german"}}, by="owner")
    lapse.alice.remember("Sie trinkt gerne Kräutertees", id="m1")

    assert [each.id for each in lapse.alice.recall("Kräutertee").hits] == ["m1"]


def test_mode_off_means_nothing_is_read_or_logged(lapse: Opened) -> None:
    lapse.alice.remember("I prefer tea", id="m1")
    lapse.alice.set_policy({"forgetting": {"enabled": False}}, by="owner")
    lapse.clock.advance(days=300)

    recall = lapse.alice.recall("tea")

    assert recall.mode is Mode.OFF
    assert [each.id for each in recall.hits] == ["m1"]
    assert lapse.alice.used(["m1"]).enqueued == 0


# --- a stored policy that the deployment has come to contradict ----------------------------

TWO_PERSON: dict[str, object] = {"retention": {"two_person": True}}


def _contradicted(store: Store) -> Opened:
    before = opened(store)
    before.alice.remember("I prefer tea", id="m1", created_at="2020-01-01")
    before.alice.set_policy({"forgetting.auto_apply": True, "recall.k": 3}, by="owner")
    before.mind.bank("zoe").remember("I prefer milk", id="m2", created_at="2020-01-01")
    return opened(store, policy=TWO_PERSON)


def test_a_bank_whose_policy_contradicts_the_deployments_is_read_with_a_warning(
    store: Store,
) -> None:
    lapse = _contradicted(store)

    recall = lapse.alice.recall("tea")

    assert [each.id for each in recall.hits] == ["m1"]
    assert "set_policy" in recall.warnings[0]
    assert "retention.two_person" in recall.warnings[0]
    assert lapse.alice.policy().policy.retention.two_person
    assert not lapse.alice.policy().policy.forgetting.auto_apply
    with pytest.raises(PolicyError, match="two_person"):
        lapse.alice.remember("I prefer juice")


def test_a_policy_that_contradicts_the_deployments_can_be_mended(store: Store) -> None:
    lapse = _contradicted(store)
    assert _faults(lapse, {"recall.k": 4}) == ["retention.two_person, forgetting.auto_apply"]

    resolved = lapse.alice.set_policy({"forgetting.auto_apply": ""}, by="owner")

    assert resolved.policy.recall.k == 3
    assert lapse.alice.recall("tea").warnings == ()
    assert lapse.alice.remember("I prefer juice").id


def test_a_change_is_judged_by_its_result_not_by_what_it_replaces(lapse: Opened) -> None:
    lapse.alice.set_policy({"forgetting.auto_apply": True}, by="owner")

    resolved = lapse.alice.set_policy(
        {"forgetting.auto_apply": "", "retention.two_person": True}, by="owner"
    )

    assert resolved.policy.retention.two_person


def test_a_bank_that_cannot_be_kept_up_stops_no_other(store: Store) -> None:
    lapse = _contradicted(store)
    assert lapse.alice.recall("tea").hits
    zoe = lapse.mind.bank("zoe")
    zoe.used(["m2"])

    with pytest.raises(PolicyError, match="two_person"):
        lapse.mind.drain()

    assert zoe.stats().pending_events == 0
    assert zoe.get("m2").state.strength.reinforcement_count == 1
    with pytest.raises(PolicyError, match="two_person"):
        lapse.mind.close()
    assert lapse.core.closed


def _with_stored(lapse: Opened, policy: dict[str, object]) -> None:
    """Put a policy into the bank's record that no verb of this version would."""
    lapse.alice.remember("tea")

    def judge(view: View) -> Changes:
        entry = JournalDraft(verb=Verb.SET_POLICY, at=START, by="another version")
        return Changes(bank=replace(view.bank, policy=policy), journal=entry)  # type: ignore[arg-type]  # the mistake on test

    change = ChangeSet(verb=Verb.SET_POLICY, ref=ALICE, now=START, reads=Reads(), judge=judge)
    lapse.store.commit(change)


@pytest.mark.parametrize(
    ("stored", "diff"),
    [
        ({"recall": {"reach": 3, "k": 5}}, {"recall.reach": ""}),
        ({"recall": {"reach": 3, "k": 5}}, {"recall": {"reach": " ", "k": 5}}),
        ({"recall": {"k": 0, "rrf_k": 30}}, {"recall.k": 5}),
        ({"recall": {"k": 0, "rrf_k": 30}}, {"recall": {"k": ""}}),
        ({"rocall": {"k": 9}, "recall": {"k": 5}}, {"rocall.k": ""}),
    ],
)
def test_a_stored_policy_that_cannot_be_in_force_is_told_and_mended(
    lapse: Opened, stored: dict[str, object], diff: dict[str, JsonValue]
) -> None:
    _with_stored(lapse, stored)
    with pytest.raises(PolicyError):
        lapse.alice.remember("coffee")
    assert [each for each in lapse.alice.doctor() if "policy is not in force" in each]

    lapse.alice.set_policy(diff, by="owner")

    assert lapse.alice.remember("coffee").memory.text == "coffee"
    assert list(lapse.alice.doctor()) == []
    assert lapse.alice.policy().policy.recall.k in (5, 8)


def test_an_unknown_setting_that_nobody_stored_cannot_be_left_blank(lapse: Opened) -> None:
    assert _faults(lapse, {"recall.reach": ""}) == ["recall.reach"]


def test_a_language_is_read_however_it_is_written(lapse: Opened) -> None:
    resolved = lapse.alice.set_policy({"memory.language": " German"}, by="owner")
    assert resolved.policy.memory.language == "german"


@pytest.mark.parametrize(
    ("name", "words"),
    [("decay", "did you mean law.decay?"), ("k", "recall.k"), ("half_life", "half_life_hours")],
)
def test_a_setting_without_its_section_is_told_with_the_names_it_may_mean(
    lapse: Opened, name: str, words: str
) -> None:
    with pytest.raises(PolicyError, match="is no section") as caught:
        lapse.alice.set_policy({name: 7}, by="owner")
    assert words in str(caught.value)
