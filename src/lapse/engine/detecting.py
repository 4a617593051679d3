"""Looking, after something was told without a key, for what it replaces.

Decides that only new memories without a key of their own are looked at, in the order of telling,
and that what is found surely enough is acted on and the rest is listed. Refuses to find.
"""

from dataclasses import replace

from lapse.engine.core import Core
from lapse.engine.correcting import link
from lapse.engine.preparing import Writing
from lapse.engine.proposing import propose
from lapse.engine.replacing import found_for
from lapse.engine.runtime import BankRuntime
from lapse.engine.writing import Told
from lapse.errors import StoreError
from lapse.model.outcome import Action, Outcome
from lapse.model.policy import Detect
from lapse.model.verbs import Verb

NOT_LOOKED = "written; what it replaces was not looked for: {}"
"""Told of what was written where the store failed after it, with the reason."""


def detect(core: Core, runtime: BankRuntime, writing: Writing, told: Told) -> list[Outcome]:
    """Look for what the newly told replaces; the outcomes, with what was replaced."""
    policy = runtime.rule.policy.truth
    if policy.detect is Detect.OFF:
        return told.outcomes
    return [_looked(core, runtime, writing, told, each) for each in told.outcomes]


def _looked(
    core: Core, runtime: BankRuntime, writing: Writing, told: Told, outcome: Outcome
) -> Outcome:
    try:
        return _looked_at(core, runtime, writing, told, outcome)
    except StoreError as error:
        # It was written: whoever was told that it failed would write it again.
        return replace(outcome, note=outcome.note or NOT_LOOKED.format(error))


def _looked_at(
    core: Core, runtime: BankRuntime, writing: Writing, told: Told, outcome: Outcome
) -> Outcome:
    new = told.written.get(outcome.memory_id)
    if outcome.action is not Action.CREATED or new is None or new.key is not None:
        return outcome
    policy = runtime.rule.policy.truth
    found = found_for(core, runtime, new, None, writing.now)
    acting = policy.detect is Detect.ACT
    sure = [each for each in found if acting and each.confidence >= policy.act_level]
    doubtful = [
        each for each in found if each not in sure and each.confidence >= policy.propose_level
    ]
    act = replace(writing, verb=Verb.SUPERSEDE, reason=None)
    superseded = link(core, runtime, act, new, sure)
    propose(core, runtime, replace(writing, verb=Verb.PROPOSE), new, doubtful)
    return replace(outcome, superseded=(*outcome.superseded, *superseded))
