"""The verbs that plan what should leave attention, approve it, and do it.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable, Sequence
from typing import Unpack

from lapse.bank.base import HOST, BankBase
from lapse.engine import applying, planning
from lapse.engine.choosing import Where
from lapse.engine.plan_requests import Wish, read_approval
from lapse.engine.untyped import as_count, as_name
from lapse.lifecycle.suggesting import Suggestion
from lapse.model.memory import Kind
from lapse.model.plan import Plan, PlanHead, PlanVerb
from lapse.model.policy import RetentionScore


class Plans(BankBase):
    """Plan, approve, apply."""

    def plan(
        self,
        verb: PlanVerb | str = PlanVerb.SUPPRESS,
        *,
        ids: Iterable[str] | None = None,
        level: float | None = None,
        percentile: float | None = None,
        score: RetentionScore | str | None = None,
        kinds: Iterable[Kind | str] = (),
        sessions: Iterable[str] = (),
        limit: int | None = None,
        by: str = HOST,
        **where: Unpack[Where],
    ) -> Plan:
        """Write down what would leave attention: a dry run that touches no memory and no state.

        Give one of ids, a common trait, level and percentile, or none of them for the policy's own
        level. Memories that are named by id or trait are refused only by a hold, a pin, a verified
        outcome, an exemption or an audit.

        Args:
            verb: suppress, archive, or prune: destroy what has been archived for
                `retention.prune_after_days`, where `retention.prune` is on. It is chosen by that
                alone or by name, and every guard is asked either way.
            ids: These memories, whatever their score.
            level: What is at this level of the score or below it; activation: nats, ages in
                seconds.
            percentile: This share of the active memories, in percent, from the lowest score.
            score: Score to choose by; the policy's if left out.
            kinds: Only these kinds; the policy's if left out.
            sessions: Only these sessions; none for all.
            limit: Most memories in the plan; the policy's if left out.
            by: Who plans; with `retention.two_person` a person has to be named.
            where: What the memories have in common, instead of ids. See `Where`.

        Raises:
            NotFoundError: Named memories are not in this bank.
            ValidationError: Ways of choosing that exclude each other, values out of range, or no
                planner named where the policy asks for two people.
            PlanError: Forgetting is off, or pruning is.
        """
        wish = Wish(
            verb=verb,
            ids=ids,
            where={name: each for name, each in where.items() if each is not None},
            level=level,
            percentile=percentile,
            score=score,
            kinds=kinds,
            sessions=sessions,
            limit=limit,
            by=by,
        )
        return planning.make_plan(self._core, self._runtime, wish)

    def plan_to_budget(
        self,
        verb: PlanVerb | str = PlanVerb.SUPPRESS,
        *,
        max_active: int | None = None,
        keep_fraction: float | None = None,
        score: RetentionScore | str | None = None,
        kinds: Iterable[Kind | str] = (),
        sessions: Iterable[str] = (),
        limit: int | None = None,
        by: str = HOST,
    ) -> Plan:
        """Write down what would have to leave attention for no more than so many to be left.

        Args:
            verb: suppress or archive.
            max_active: Active memories that should be left in the bank; the policy's if neither
                this nor a share is given.
            keep_fraction: The same as a share of what is active, from 0 to 1, rounded up.
            score, kinds, sessions, limit, by: As in `plan`.

        Raises:
            ValidationError: Both, or neither where the policy has no budget; values out of range.
            PlanError: Forgetting is off.
        """
        wish = Wish(
            verb=verb,
            max_active=max_active,
            keep_fraction=keep_fraction,
            score=score,
            kinds=kinds,
            sessions=sessions,
            limit=limit,
            by=by,
        )
        return planning.make_budget_plan(self._core, self._runtime, wish)

    def suggest(
        self,
        *,
        score: RetentionScore | str | None = None,
        kinds: Iterable[Kind | str] = (),
        sessions: Iterable[str] = (),
    ) -> Suggestion:
        """How the scores are spread, and the levels below which the lowest 10, 15 and 20 % lie.

        Raises:
            ValidationError: An unknown score or kind.
            PlanError: Forgetting is off.
        """
        wish = Wish(verb="suppress", score=score, kinds=kinds, sessions=sessions, by=HOST)
        return planning.suggest_levels(self._core, self._runtime, wish)

    def plans(self, *, limit: int = 100) -> Sequence[PlanHead]:
        """The latest plans without their memories, the newest first.

        Raises:
            ValidationError: `limit` is below 1.
        """
        return planning.list_plans(self._core, self._runtime, as_count("limit", limit))

    def get_plan(self, plan: str) -> Plan:
        """One plan, whole, with what has become of it.

        Raises:
            NotFoundError: No such plan in this bank.
        """
        return planning.find_plan(self._core, self._runtime, as_name("plan", plan))

    def approve(self, plan: str, *, by: str, reason: str, ids: Iterable[str] | None = None) -> Plan:
        """Approve a plan, with a name and a reason; nothing moves yet.

        Args:
            plan: Id of the plan.
            by: Who approves; with `retention.two_person` not who planned.
            reason: Why.
            ids: Only these of its memories; all if left out.

        Raises:
            NotFoundError: No such plan in this bank, or a named memory is not in it.
            ValidationError: A blank name or reason.
            PlanError: It has expired, was altered or begun, or needs a second person.
        """
        approving = read_approval(plan, by, reason, ids)
        return applying.approve_plan(self._core, self._runtime, approving)

    def apply(self, plan: str) -> Plan:
        """Do what was planned and approved, as far as it still holds.

        Every memory is judged again by every guard; what no longer qualifies is skipped with its
        reason. Applied again it changes nothing; cut off, it goes on where it was. What is pruned
        is gone for good, without a tombstone: the same may be told again.

        Raises:
            NotFoundError: No such plan in this bank.
            PlanError: It is not approved, has expired, was altered, or forgetting is off.
        """
        return applying.apply_plan(self._core, self._runtime, as_name("plan", plan))
