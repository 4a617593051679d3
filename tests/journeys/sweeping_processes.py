"""Processes that sweep one file at the same moment, and one that dies in the middle of it."""

import os
from multiprocessing.synchronize import Barrier
from pathlib import Path

from lapse import Lapse
from lapse.model.changeset import ChangeSet, Committed
from lapse.model.instants import Instant
from lapse.model.policy import Policy
from lapse.model.policy_layers import DEFAULT, apply
from lapse.model.policy_sources import from_diff
from lapse.model.sweep import SweepOutcome
from lapse.model.verbs import Verb
from lapse.testing.fakes import FakeClock

POLICY: Policy = apply(
    DEFAULT,
    from_diff(
        {
            "forgetting.mode": "lifecycle",
            "forgetting.auto_apply": True,
            "retention.max_active": "none",
        }
    ),
)

DIED = 7
"""Exit code of the process that dies."""


def sweep_together(path: Path | str, now: Instant, together: Barrier) -> None:
    """Sweep at the same moment as others. The exit code says what came of it.

    Raises:
        SystemExit: 0 when it swept, 1 when another was at it.
    """
    with Lapse.open(
        path, policy=POLICY, embedder=None, clock=FakeClock(now), background=False
    ) as mind:
        together.wait()
        outcome = mind.bank("alice").sweep(by=f"process {os.getpid()}").outcome
    raise SystemExit(0 if outcome is SweepOutcome.SWEPT else 1)


def sweep_and_die(path: Path | str, now: Instant, portions: int) -> None:
    """Sweep, and die without a word after so many portions."""
    done = 0

    with Lapse.open(
        path, policy=POLICY, embedder=None, clock=FakeClock(now), background=False
    ) as mind:
        store = mind.parts.store
        commit = store.commit

        def dying(change: ChangeSet) -> Committed:
            nonlocal done
            if change.verb is Verb.SWEEP and done == portions:
                os._exit(DIED)
            done += change.verb is Verb.SWEEP
            return commit(change)

        # Whatever store was opened, in a coat that lets it die.
        vars(store)["commit"] = dying
        mind.bank("alice").sweep(by="dying")
