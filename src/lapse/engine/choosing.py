"""Choosing memories for an act on them: by id, or by a selector.

Decides that what is chosen is named by exactly one of both. Refuses to judge whether the memories
may go.
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypedDict

from lapse.engine.untyped import as_given, as_name, as_names, as_text
from lapse.errors import ValidationError
from lapse.model.guards import ForgetMode
from lapse.model.hold import HoldScope, HoldTarget
from lapse.model.instants import InstantLike, parse_instant
from lapse.model.selector import Reach, Selector

_INSTANTS: Final = ("since", "until")


class Marks(TypedDict, total=False):
    """What memories have in common besides words: all that is given must hold.

    Attributes:
        session: Conversation they belong to.
        subject: Whom or what they are about.
        tag: Label they carry.
        key: Claim key they have.
        since, until: When what they tell of happened, or else when they were created; half-open.
        identifier: An address, number, code, date or path that they name, in any spelling.
        entity: A name or identifier: everything about it.
    """

    session: str | None
    subject: str | None
    tag: str | None
    key: str | None
    since: InstantLike | None
    until: InstantLike | None
    identifier: str | None
    entity: str | None


class Where(Marks, total=False):
    """What memories have in common: all that is given must hold. See `Marks`.

    Attributes:
        query: What is meant, in plain words: names, identifiers and words.
    """

    query: str | None


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


def read_choosing(ids: Iterable[str], where: Mapping[str, object]) -> Selector:
    """Read a choice for an act: memories by id, or else by what they have in common.

    Raises:
        ValidationError: Nothing is chosen, or both ways at once; an unknown or blank name.
    """
    named = as_names("ids", ids)
    given = any(value is not None for value in where.values())
    if bool(named) == given:
        problem = f"needs ids, or one of {', '.join(sorted(Where.__optional_keys__))}, and not both"
        raise ValidationError.of("ids", named, problem)
    return read_selector(named, where)


def read_mode(mode: object) -> ForgetMode:
    """Read in which sense something is to be forgotten.

    Raises:
        ValidationError: In no sense that there is.
    """
    if as_text("mode", mode) not in set(ForgetMode):
        raise ValidationError.of("mode", mode, f"needs one of {', '.join(ForgetMode)}")
    return ForgetMode(as_text("mode", mode))


def read_selector(
    ids: Iterable[str],
    where: Mapping[str, object],
    *,
    reach: Reach | str = Reach.BANK,
    everything: bool = False,
) -> Selector:
    """Read a selector: all that is given must hold.

    Raises:
        ValidationError: Nothing is asked for, or something that cannot be.
    """
    _check_names(where, Where.__optional_keys__)
    if as_text("reach", reach) not in set(Reach):
        raise ValidationError.of("reach", reach, f"needs one of {', '.join(Reach)}")
    given = {name: value for name, value in where.items() if value is not None}
    texts = {name: as_text(name, value) for name, value in given.items() if name not in _INSTANTS}
    instants = {name: parse_instant(given[name], name) for name in _INSTANTS if name in given}
    return Selector(
        ids=as_names("ids", ids),
        reach=Reach(reach),
        everything=as_given("everything", everything, otherwise=False),
        since=instants.get("since"),
        until=instants.get("until"),
        subject=texts.get("subject"),
        key=texts.get("key"),
        tag=texts.get("tag"),
        session=texts.get("session"),
        identifier=texts.get("identifier"),
        entity=texts.get("entity"),
        query=texts.get("query"),
    )


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
