"""Rows of the table. Planning: what should leave attention, by whose word, and doing it.

Decides what is said of them. Refuses to do them (`plan_calls`).
"""

from typing import Final

from lapse.errors import NotFoundError, PlanError, PolicyError, ValidationError
from lapse.faces.operations.operation import Effect, Example, Operation, Permission
from lapse.faces.operations.plan_requests import (
    ApproveRequest,
    BudgetRequest,
    PlanNameRequest,
    PlanRequest,
    PlansRequest,
    SuggestRequest,
)

EXAMPLE_PLAN: Final = "7d1f4c0be29a6358" * 4
"""Stands in the examples for the id of a plan of `lunch`, which is another in every bank."""

PLANNING: tuple[Operation, ...] = (
    Operation(
        name="suggest",
        summary="How the scores are spread, and where levels would cut.",
        details=(
            "A histogram of one score over the active memories, and the levels below which the "
            "lowest 10, 15 and 20 percent lie. The grace period comes on top. Nothing is written."
        ),
        request=SuggestRequest,
        effect=Effect.READ,
        permission=Permission.SURVEY,
        errors=(PlanError, ValidationError),
        examples=(
            Example(says="The policy's own score", given={}),
            Example(says="Another one", given={"score": "worth"}),
        ),
    ),
    Operation(
        name="plan",
        summary="Write down what would leave attention: a dry run.",
        details=(
            "By level (the policy's own if nothing is given), by percentile, by name, or by what "
            "memories have in common. A plan names its memories in order, with their scores, what "
            "every guard spared, and when it expires. No memory is touched; approve and apply come "
            "after."
        ),
        request=PlanRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(NotFoundError, PlanError, PolicyError, ValidationError),
        examples=(
            Example(says="What has faded", given={}),
            Example(says="The lowest tenth", given={"percentile": 10, "by": "operator"}),
            Example(
                says="By a level of another score, into the archive",
                given={"verb": "archive", "score": "activation", "level": -9.5},
            ),
            Example(says="Named memories", given={"ids": ["lunch", "name"]}),
            Example(says="All that carry a label", given={"tag": "trip"}),
        ),
    ),
    Operation(
        name="plan_to_budget",
        summary="Write down what would have to go for so many to be left.",
        details=(
            "The lowest by the policy's score for budgets; what a guard spares is made up for by "
            "the next. Without a number or a share it is the policy's own budget."
        ),
        request=BudgetRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(PlanError, PolicyError, ValidationError),
        examples=(
            Example(says="Half of what is active", given={"keep_fraction": 0.5}),
            Example(says="At most a thousand", given={"max_active": 1000, "score": "need"}),
        ),
    ),
    Operation(
        name="plans",
        summary="The latest plans, the newest first.",
        details="Without their memories; get_plan shows one whole.",
        request=PlansRequest,
        effect=Effect.READ,
        permission=Permission.SURVEY,
        errors=(ValidationError,),
        examples=(Example(says="The last ten", given={"limit": 10}),),
    ),
    Operation(
        name="get_plan",
        summary="One plan, whole, with what has become of it.",
        details="As JSON it is the plan's export.",
        request=PlanNameRequest,
        effect=Effect.READ,
        permission=Permission.SURVEY,
        errors=(NotFoundError, ValidationError),
        examples=(Example(says="Look at it", given={"plan": EXAMPLE_PLAN}),),
    ),
    Operation(
        name="approve",
        summary="Approve a plan or a part of it, with a name and a reason.",
        details=(
            "Nothing moves yet. Where the policy asks for two people, not who planned. A later "
            "approval takes the place of an earlier one until something has moved."
        ),
        request=ApproveRequest,
        effect=Effect.WRITE,
        permission=Permission.APPROVE,
        errors=(NotFoundError, PlanError, PolicyError, ValidationError),
        examples=(
            Example(
                says="All of it",
                given={"plan": EXAMPLE_PLAN, "by": "operator-7", "reason": "quarterly tidy"},
            ),
            Example(
                says="A part of it",
                given={
                    "plan": EXAMPLE_PLAN,
                    "by": "operator-7",
                    "reason": "only this",
                    "ids": ["lunch"],
                },
            ),
        ),
    ),
    Operation(
        name="apply",
        summary="Do what was planned and approved, as far as it still holds.",
        details=(
            "Every memory is judged again by every guard, and what no longer qualifies is skipped "
            "with its reason. Applied again it changes nothing; cut off, it goes on where it was. "
            "restore brings back what it moved."
        ),
        request=PlanNameRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(NotFoundError, PlanError, PolicyError, ValidationError),
        examples=(Example(says="Do it", given={"plan": EXAMPLE_PLAN}),),
    ),
)
