"""A proposed change of a bank's policy, with the evidence for it.

Decides its form. Refuses to judge the evidence, and to put anything in force: somebody does.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lapse.model.instants import Instant
from lapse.model.memory import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyProposal:
    """Settings that somebody may put in force.

    Attributes:
        id: Names it: 16 hexadecimal digits.
        at: When it was made.
        settings: What is proposed, by path.
        evidence: Figures that speak for it, by name.
        beside: Fingerprint of the policy that it was held against.
    """

    id: str
    at: Instant
    settings: Mapping[str, JsonValue]
    evidence: Mapping[str, float]
    beside: str
