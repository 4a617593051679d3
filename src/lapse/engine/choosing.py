"""Choosing memories for an act on them: by id, or by what they have in common.

Decides that what is chosen is named by exactly one of both. Refuses to judge whether the memories
may go.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypedDict

from lapse.engine.untyped import as_name, as_names
from lapse.errors import ValidationError
from lapse.model.hold import HoldScope, HoldTarget


class Where(TypedDict, total=False):
    """What memories have in common: all that is given must hold.

    Attributes:
        session: Conversation they belong to.
        subject: Whom or what they are about.
        tag: Label they carry.
        key: Claim key they have.
    """

    session: str | None
    subject: str | None
    tag: str | None
    key: str | None


class Covered(TypedDict, total=False):
    """What a hold is placed on: exactly one of these.

    Attributes:
        ids: Memories by id, there already or to come.
        subject: All about exactly this.
        key_prefix: All claims whose key begins so.
        tag: All that carry this label.
        session: All of this conversation.
        everything: The whole bank.
    """

    ids: Iterable[str]
    subject: str | None
    key_prefix: str | None
    tag: str | None
    session: str | None
    everything: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """Memories chosen by id, or by what they have in common.

    Attributes:
        ids: The memories, each once; empty when `where` chooses.
        where: What they have in common, by field of `Where`.
    """

    ids: tuple[str, ...]
    where: Mapping[str, str]


def read_choosing(ids: Iterable[str], where: Mapping[str, object]) -> Choosing:
    """Read a choice.

    Raises:
        ValidationError: Nothing is chosen, or both ways at once; an unknown or blank name.
    """
    _check_names(where, Where.__optional_keys__)
    named = as_names("ids", ids)
    given = {name: as_name(name, value) for name, value in where.items() if value is not None}
    if bool(named) == bool(given):
        problem = "needs ids, or a session, subject, tag or key, and not both"
        raise ValidationError.of("ids", named, problem)
    return Choosing(ids=named, where=given)


def read_nothing_else(name: str, ids: Iterable[str], where: Mapping[str, object]) -> None:
    """Make sure that nothing is chosen beside what chooses already.

    Raises:
        ValidationError: Something is.
    """
    _check_names(where, Where.__optional_keys__)
    beside = ["ids"] if as_names("ids", ids) else []
    beside += [each for each, value in where.items() if value is not None]
    if beside:
        raise ValidationError.of(name, "…", f"chooses by itself: leave out {', '.join(beside)}")


def read_covered(covered: Mapping[str, object]) -> HoldTarget:
    """Read what a hold is placed on.

    Raises:
        ValidationError: Nothing, or several things at once; an unknown or blank name.
    """
    _check_names(covered, Covered.__optional_keys__)
    ids = as_names("ids", covered.get("ids") or ())
    targets = [HoldTarget(scope=HoldScope.IDS, values=ids)] if ids else []
    if covered.get("everything"):
        targets.append(HoldTarget(scope=HoldScope.BANK))
    for scope in (HoldScope.SUBJECT, HoldScope.KEY_PREFIX, HoldScope.TAG, HoldScope.SESSION):
        value = covered.get(scope.value)
        if value is not None:
            targets.append(HoldTarget(scope=scope, values=(as_name(scope.value, value),)))
    if len(targets) != 1:
        problem = "needs exactly one of ids, subject, key_prefix, tag, session or everything"
        raise ValidationError.of("target", [each.scope.value for each in targets], problem)
    return targets[0]


def _check_names(given: Mapping[str, object], known: frozenset[str]) -> None:
    unknown = [each for each in given if each not in known]
    if unknown:
        raise ValidationError.of(unknown[0], "…", f"no such option: {', '.join(sorted(known))}")
