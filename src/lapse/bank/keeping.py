"""The verbs that keep a bank in order: its policy, and what waits off the path.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Mapping

from lapse.bank.base import HOST, BankBase
from lapse.engine import upkeep
from lapse.engine.embedding import Progress, no_progress, rebuild
from lapse.engine.governing import apply_proposal, revert, set_policy
from lapse.engine.untyped import as_name
from lapse.engine.upkeep import Upkeep
from lapse.model.memory import JsonValue
from lapse.model.policy_layers import Resolved


class Keeping(BankBase):
    """Policy and upkeep."""

    def policy(self) -> Resolved:
        """The policy in force, with the origin of every setting."""
        self._runtime.follow()
        return self._runtime.rule.resolved

    def set_policy(self, diff: Mapping[str, JsonValue], *, by: str = HOST) -> Resolved:
        """Change the bank's policy by a diff; a blank value is inherited again.

        Raises:
            PolicyError: Every fault of the result; the previous policy stays in force.
        """
        return set_policy(self._core, self._runtime, diff, by)

    def apply_policy(self, proposal: str, *, by: str = HOST) -> Resolved:
        """Put a proposed policy in force, such as one that `lapse lab fit` found; journalled.

        Raises:
            NotFoundError: No such proposal, or its time is over.
            PolicyError: Every fault of the result; the previous policy stays in force.
        """
        return apply_proposal(self._core, self._runtime, as_name("proposal", proposal), by)

    def revert_policy(self, *, by: str = HOST) -> Resolved:
        """Put the bank's settings in force again that its last change replaced; journalled.

        Taken back twice, the change stands again.

        Raises:
            NotFoundError: There was no change, or too long ago.
            PolicyError: They cannot be in force any more; the policy stays as it is.
        """
        return revert(self._core, self._runtime, by)

    def drain(self, *, progress: Progress = no_progress) -> Upkeep:
        """Do all that waits off the path: fold in uses, date, embed."""
        return upkeep.keep_up_whole(self._core, self._runtime, progress)

    def reembed(self, *, progress: Progress = no_progress) -> int:
        """Make every vector anew with the configured embedder. Returns how many were made.

        Recall goes on meanwhile; interrupted, it goes on where it stopped.

        Raises:
            EmbedderError: No embedder is configured, or it gave up.
        """
        return rebuild(self._core, self._runtime, progress)
