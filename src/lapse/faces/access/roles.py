"""Roles, and the matrix of what each may do.

Decides both. Refuses to know any operation: each row of the table says which permission it needs.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from lapse.faces.operations import Permission


class Role(StrEnum):
    """What a key is for."""

    READER = "reader"
    """Recalls and looks."""
    WRITER = "writer"
    """An agent or application: also tells, corrects, puts out of mind and brings back."""
    APPROVER = "approver"
    """Looks at what was planned and approves it; changes nothing else."""
    OPERATOR = "operator"
    """Runs the bank: all of it."""
    AUDITOR = "auditor"
    """Reads the journal and how things stand, and nothing of what is remembered."""


ALLOWED: Mapping[Role, frozenset[Permission]] = MappingProxyType(
    {
        Role.READER: frozenset({Permission.SURVEY, Permission.READ}),
        Role.WRITER: frozenset({Permission.SURVEY, Permission.READ, Permission.WRITE}),
        Role.APPROVER: frozenset({Permission.SURVEY, Permission.READ, Permission.APPROVE}),
        Role.OPERATOR: frozenset(Permission),
        Role.AUDITOR: frozenset({Permission.SURVEY, Permission.AUDIT}),
    }
)
"""The permission matrix. Two people are a matter of policy: an operator may approve, but not their
own plan where `retention.two_person` is on."""


class Voice(StrEnum):
    """With whose authority a key tells what it tells."""

    HOST = "host"
    """A program that people trust: it may hand on what a user said as said by the user."""
    MODEL = "model"
    """A language model: whatever it tells is recorded as a model's, whoever it says it quotes."""
