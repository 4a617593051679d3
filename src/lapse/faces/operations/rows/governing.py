"""Rows of the table. Governing: the policy, the numbers behind it, and what can be counted.

Decides what is said of them. Refuses to do them (`calls`).
"""

from lapse.errors import PolicyError, ValidationError
from lapse.faces.operations.operation import (
    Effect,
    Example,
    Operation,
    Permission,
    Presence,
    Subject,
)
from lapse.faces.operations.requests import LawsRequest, NothingRequest, SetPolicyRequest
from lapse.faces.operations.sweep_requests import StatsRequest

GOVERNING: tuple[Operation, ...] = (
    Operation(
        name="policy",
        summary="The policy in force, with the origin of every setting.",
        details="A setting comes from the bank, the environment, a file, the store or the default.",
        request=NothingRequest,
        effect=Effect.READ,
        permission=Permission.SURVEY,
        errors=(),
        examples=(Example(says="All of it", given={}),),
    ),
    Operation(
        name="set_policy",
        summary="Change the bank's own policy.",
        details=(
            "Checked whole: with any fault, all faults are named and the previous policy stays in "
            "force. A blank value is inherited again. A preset replaces the bank's own settings; "
            "the diff is laid over it."
        ),
        request=SetPolicyRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        presence=Presence.MADE,
        errors=(PolicyError, ValidationError),
        examples=(
            Example(
                says="Forget faster, return more",
                given={"diff": {"law.decay": 0.7, "recall.k": 12}, "by": "operator"},
            ),
            Example(
                says="A preset, with one setting of your own",
                given={"preset": "companion", "diff": {"recall.k": 5}},
            ),
            Example(says="Inherit a setting again", given={"diff": {"law.decay": ""}}),
        ),
    ),
    Operation(
        name="stats",
        summary="What can be counted about a bank.",
        details="Memories by kind and lifecycle, faded ones, events that wait, vectors, bytes.",
        request=StatsRequest,
        effect=Effect.READ,
        permission=Permission.SURVEY,
        errors=(ValidationError,),
        examples=(
            Example(says="Count", given={}),
            Example(says="How the active set has grown", given={"history": True}),
        ),
    ),
    Operation(
        name="laws",
        summary="How fast memories fade under each preset, as numbers.",
        details=(
            "For default memories of each kind: retrievability and need from one hour to two "
            "years, half-life, when each level is reached, and the effect of importance and of "
            "spaced uses. Needs no store."
        ),
        request=LawsRequest,
        effect=Effect.READ,
        permission=Permission.SURVEY,
        subject=Subject.NOTHING,
        errors=(PolicyError, ValidationError),
        examples=(
            Example(
                says="Everyday facts of a companion",
                given={"presets": ["companion"], "kinds": ["semantic"]},
            ),
        ),
    ),
)
