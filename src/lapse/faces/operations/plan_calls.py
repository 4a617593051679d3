"""Calls of the verbs that plan, approve and apply.

Decides that an empty list of ids is none. Refuses every rule.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from lapse.bank import Bank
from lapse.faces.operations.plan_requests import (
    ApproveRequest,
    BudgetRequest,
    PlanNameRequest,
    PlanRequest,
    PlansRequest,
    SuggestRequest,
)
from lapse.faces.operations.results import Plans
from lapse.lifecycle.suggesting import Suggestion
from lapse.model.plan import Plan


def plan(bank: Bank, request: PlanRequest) -> Plan:
    """Plan by name, by what is common, level or share."""
    return bank.plan(
        request.verb,
        ids=request.ids or None,
        level=request.level,
        percentile=request.percentile,
        score=request.score,
        kinds=request.kinds,
        sessions=request.sessions,
        limit=request.limit,
        by=request.by,
        **request.where,
    )


def plan_to_budget(bank: Bank, request: BudgetRequest) -> Plan:
    """Plan to a budget."""
    return bank.plan_to_budget(
        request.verb,
        max_active=request.max_active,
        keep_fraction=request.keep_fraction,
        score=request.score,
        kinds=request.kinds,
        sessions=request.sessions,
        limit=request.limit,
        by=request.by,
    )


def suggest(bank: Bank, request: SuggestRequest) -> Suggestion:
    """Show scores and levels."""
    return bank.suggest(score=request.score, kinds=request.kinds, sessions=request.sessions)


def plans(bank: Bank, request: PlansRequest) -> Plans:
    """List plans."""
    return Plans(plans=tuple(bank.plans(limit=request.limit)))


def get_plan(bank: Bank, request: PlanNameRequest) -> Plan:
    """Show one plan."""
    return bank.get_plan(request.plan)


def approve(bank: Bank, request: ApproveRequest) -> Plan:
    """Approve a plan."""
    ids = request.ids or None
    return bank.approve(request.plan, by=request.by, reason=request.reason, ids=ids)


def apply(bank: Bank, request: PlanNameRequest) -> Plan:
    """Apply a plan."""
    return bank.apply(request.plan)


PLAN_CALLS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "suggest": suggest,
        "plan": plan,
        "plan_to_budget": plan_to_budget,
        "plans": plans,
        "get_plan": get_plan,
        "approve": approve,
        "apply": apply,
    }
)
"""The function of each operation, by its name in the table."""
