"""Two people: who has to be named where the policy asks for a second person.

Decides when two names are one person, and that the actor who stands for everybody that names nobody
is none. Refuses to know who somebody is: a name is what the caller says.
"""

from collections.abc import Iterator
from typing import Final

from lapse.errors import Fault, fault, raise_all
from lapse.model.policy import Policy
from lapse.text.normalise import fold

HOST: Final = "host"
"""The actor when the caller names none."""


def same_person(one: str, other: str) -> bool:
    """Whether two names are one but for case, spacing and width."""
    return fold(one) == fold(other)


def check_planner(policy: Policy, by: object) -> None:
    """Make sure that a plan tells who made it, where another person has to approve it.

    Raises:
        ValidationError: It would not.
    """
    if policy.retention.two_person:
        raise_all(_named("by", by))


def check_second(policy: Policy, by: str, approved_by: str | None) -> None:
    """Make sure that a second person stands for a direct act, where the policy asks for two.

    Raises:
        ValidationError: Nobody does, or nobody else than who acts, or it is not told who acts.
    """
    if not policy.retention.two_person:
        return
    faults = list(_named("by", by))
    if approved_by is None or same_person(approved_by, by):
        problem = (
            f"needs the name of another person than {by}, since retention.two_person is on; what "
            "is to leave attention can also be planned, and the plan approved by somebody else"
        )
        faults.append(fault("approved_by", approved_by, problem))
    else:
        faults.extend(_named("approved_by", approved_by))
    raise_all(faults)


def _named(field: str, name: object) -> Iterator[Fault]:
    if isinstance(name, str) and same_person(name, HOST):
        problem = f"needs a person's name, since retention.two_person is on: {HOST} names nobody"
        yield fault(field, name, problem)
