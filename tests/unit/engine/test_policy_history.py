"""A change of policy can be taken back, and a proposal waits until somebody takes it."""

import pytest

from lapse.engine.policy_history import KEPT_DAYS, PROPOSED_DAYS, propose
from lapse.errors import NotFoundError, PolicyError
from lapse.model.memory import JsonValue
from lapse.model.policy_proposal import PolicyProposal
from lapse.model.verbs import Verb
from tests.unit.engine.opening import Opened

LOWER: dict[str, JsonValue] = {"law.decay": 0.6}


def _propose(lapse: Opened, settings: dict[str, JsonValue] = LOWER) -> PolicyProposal:
    return propose(lapse.core, lapse.core.runtime(lapse.alice.ref), settings, {"ece": 0.01})


def _about(lapse: Opened) -> list[str]:
    entries = lapse.store.journal(lapse.alice.ref, 0, 100)
    return [each.about for each in entries if each.verb is Verb.SET_POLICY]


def test_a_proposal_changes_nothing_until_it_is_taken_and_the_journal_names_it(
    lapse: Opened,
) -> None:
    lapse.alice.set_policy({"recall.k": 5})
    proposal = _propose(lapse)
    assert lapse.alice.policy().policy.law.decay == 0.5
    resolved = lapse.alice.apply_policy(proposal.id, by="ann")
    assert (resolved.policy.law.decay, resolved.policy.recall.k) == (0.6, 5)
    assert _about(lapse) == ["", f"proposal {proposal.id}"]


def test_the_last_change_is_taken_back_and_taken_back_twice_it_stands(lapse: Opened) -> None:
    lapse.alice.set_policy({"recall.k": 5, "law.decay": 0.7})
    lapse.alice.set_policy({"law.decay": 0.4, "retention.grace_days": 3})
    back = lapse.alice.revert_policy(by="ann").policy
    assert (back.recall.k, back.law.decay, back.retention.grace_days) == (5, 0.7, 30)
    again = lapse.alice.revert_policy(by="ann").policy
    assert (again.recall.k, again.law.decay, again.retention.grace_days) == (5, 0.4, 3)
    assert _about(lapse) == ["", "", "back to version 1", "back to version 2"]


def test_the_first_change_is_taken_back_to_the_default(lapse: Opened) -> None:
    lapse.alice.set_policy({"recall.k": 5})
    assert lapse.alice.revert_policy().policy.recall.k == 8


def test_what_was_never_changed_cannot_be_taken_back(lapse: Opened) -> None:
    with pytest.raises(NotFoundError, match="never changed"):
        lapse.alice.revert_policy()


def test_a_proposal_does_not_wait_for_ever_and_is_of_one_bank(lapse: Opened) -> None:
    proposal = _propose(lapse)
    with pytest.raises(NotFoundError):
        lapse.mind.bank("bob").apply_policy(proposal.id)
    lapse.clock.advance(days=PROPOSED_DAYS)
    with pytest.raises(NotFoundError, match="fit again"):
        lapse.alice.apply_policy(proposal.id)
    assert PROPOSED_DAYS < KEPT_DAYS


def test_a_proposal_that_cannot_be_in_force_changes_nothing(lapse: Opened) -> None:
    lapse.alice.set_policy({"recall.k": 5})
    proposal = _propose(lapse, {"law.decay": 7})
    with pytest.raises(PolicyError):
        lapse.alice.apply_policy(proposal.id)
    assert lapse.alice.policy().policy.law.decay == 0.5
    assert _about(lapse) == [""]


def test_the_same_proposal_twice_is_one(lapse: Opened) -> None:
    assert _propose(lapse) == _propose(lapse)
