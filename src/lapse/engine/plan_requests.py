"""What a caller asks of a plan, without types, and what it becomes.

Decides which ways of choosing exclude each other, what is left to the policy, and when the policy's
own level is meant: that one is dated, any other is not. Refuses to choose.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import ceil, isfinite

from lapse.engine.untyped import as_name, as_names, as_number, check_actor, read
from lapse.errors import Fault, ValidationError, fault, raise_all
from lapse.laws import DATED_SCORES
from lapse.model.memory import Kind, line_faults, parse_kind
from lapse.model.plan import PlanAsk, PlanBy, PlanVerb
from lapse.model.policy import RetentionPolicy, RetentionScore


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a caller asks of a plan, as given.

    Attributes:
        verb: suppress, archive or prune.
        ids: Named memories, or None.
        where: What named memories have in common, by field of `Where`.
        level, percentile, score: See `PlanAsk`; None leaves it to the policy.
        max_active, keep_fraction: A budget, as a number or as a share of what is active.
        kinds, sessions: See `PlanAsk`.
        limit: Most memories in the plan, or None for the policy's.
        by: Who plans.
    """

    verb: object
    ids: object = None
    where: Mapping[str, object] = field(default_factory=dict)
    level: object = None
    percentile: object = None
    score: object = None
    max_active: object = None
    keep_fraction: object = None
    kinds: object = ()
    sessions: object = ()
    limit: object = None
    by: object = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approving:
    """One call that approves.

    Attributes:
        plan_id: Which plan.
        by, reason: Who approves, and why.
        ids: Only these of its memories, or None for all.
    """

    plan_id: str
    by: str
    reason: str
    ids: tuple[str, ...] | None


def read_verb(value: object) -> PlanVerb:
    """What should be done.

    Raises:
        ValidationError: No such verb.
    """
    known = {each.value: each for each in PlanVerb}
    if isinstance(value, str) and value in known:
        return known[value]
    raise ValidationError.of("verb", value, f"needs one of {', '.join(known)}")


def read_ask(wish: Wish, policy: RetentionPolicy, active: int) -> tuple[PlanAsk, tuple[str, ...]]:
    """How the memories are chosen, and which are named.

    Args:
        wish: As given.
        policy: Names what the wish leaves open.
        active: How many memories of the bank are active, for a share of them.

    Raises:
        ValidationError: All faults at once.
    """
    faults: list[Fault] = []
    read(check_actor, wish.by, faults)
    verb = read(read_verb, wish.verb, faults)
    by = _by(wish, faults)
    if verb is PlanVerb.PRUNE and by is not PlanBy.IDS:
        by = PlanBy.ARCHIVED
        faults.extend(_unscored(wish))
    ids = () if wish.ids is None else read(partial(as_names, "ids"), wish.ids, faults) or ()
    score = None if by is PlanBy.ARCHIVED else _score(wish, by, policy, faults)
    ask = PlanAsk(
        by=by,
        score=score,
        level=_level(wish, score, policy, faults) if by is PlanBy.LEVEL else None,
        percentile=_percentile(wish, faults) if by is PlanBy.PERCENTILE else None,
        max_active=_max_active(wish, policy, active, faults) if by is PlanBy.BUDGET else None,
        kinds=_kinds(wish, by, policy, faults),
        sessions=read(partial(as_names, "sessions"), wish.sessions, faults) or (),
        limit=_limit(wish, policy, faults),
    )
    if wish.ids is not None and not ids and not faults:
        faults.append(fault("ids", wish.ids, "needs at least one id"))
    raise_all(faults)
    return ask, ids


def read_approval(
    plan_id: object, by: object, reason: object, ids: Iterable[str] | None
) -> Approving:
    """Who approves which plan, and why.

    Raises:
        ValidationError: A blank name or reason, an empty part; all at once.
    """
    faults: list[Fault] = []
    plan = read(partial(as_name, "plan"), plan_id, faults)
    read(check_actor, by, faults)
    if isinstance(reason, str):
        faults.extend(line_faults("reason", reason))
    else:
        faults.append(fault("reason", reason, "needs a reason: it is journalled"))
    part = None if ids is None else read(partial(as_names, "ids"), ids, faults)
    if part == ():
        faults.append(fault("ids", (), "needs at least one id; leave it out for the whole plan"))
    raise_all(faults)
    return Approving(plan_id=plan or "", by=str(by), reason=str(reason), ids=part)


def _by(wish: Wish, faults: list[Fault]) -> PlanBy:
    traits = [name for name, each in wish.where.items() if each is not None]
    ways = {
        "ids": wish.ids,
        **({"selector": traits} if traits else {}),
        "level": wish.level,
        "percentile": wish.percentile,
        "max_active": wish.max_active,
        "keep_fraction": wish.keep_fraction,
    }
    given = [name for name, each in ways.items() if each is not None]
    if len(given) > 1:
        faults.append(fault(", ".join(given), "…", "exclude each other: give one of them"))
    match given:
        case ["ids" | "selector", *_]:
            return PlanBy.IDS
        case ["percentile", *_]:
            return PlanBy.PERCENTILE
        case ["max_active" | "keep_fraction", *_]:
            return PlanBy.BUDGET
        case _:
            return PlanBy.LEVEL


def _unscored(wish: Wish) -> Iterator[Fault]:
    """Ways of choosing that pruning does not know."""
    for name in ("level", "percentile", "score", "max_active", "keep_fraction"):
        given = getattr(wish, name)
        if given is not None:
            yield fault(name, given, "what is pruned is chosen by how long it was archived")


def _score(
    wish: Wish, by: PlanBy, policy: RetentionPolicy, faults: list[Fault]
) -> RetentionScore | None:
    known = {each.value: each for each in RetentionScore}
    if wish.score is None:
        own = policy.score if by is PlanBy.LEVEL else policy.budget_score
        return None if by is PlanBy.IDS else own
    if by is PlanBy.IDS:
        faults.append(fault("score", wish.score, "named memories are not chosen by a score"))
    if isinstance(wish.score, str) and wish.score in known:
        return known[wish.score]
    faults.append(fault("score", wish.score, f"needs one of {', '.join(known)}"))
    return None


def _level(
    wish: Wish, score: RetentionScore | None, policy: RetentionPolicy, faults: list[Fault]
) -> float | None:
    """The level, or None for the policy's own one of a score that is dated by it."""
    own = score is policy.score
    dated = own and score in DATED_SCORES
    if wish.level is None:
        if not own:
            name = None if score is None else score.value
            faults.append(fault("level", None, f"the policy has none for the score {name}"))
        return None if dated else policy.level
    level = read(partial(as_number, "level"), wish.level, faults)
    if level is not None and not isfinite(level):
        faults.append(fault("level", level, "needs a finite number"))
    return None if dated and level == policy.level else level


def _percentile(wish: Wish, faults: list[Fault]) -> float | None:
    share = read(partial(as_number, "percentile"), wish.percentile, faults)
    if share is not None and not 0 < share <= 100:
        faults.append(fault("percentile", share, "needs a number above 0 and up to 100"))
    return share


def _max_active(
    wish: Wish, policy: RetentionPolicy, active: int, faults: list[Fault]
) -> int | None:
    if wish.keep_fraction is not None:
        share = read(partial(as_number, "keep_fraction"), wish.keep_fraction, faults)
        if share is None or not 0 <= share <= 1:
            faults.append(fault("keep_fraction", share, "needs a number from 0 to 1"))
            return None
        return ceil(active * share)
    most = policy.max_active if wish.max_active is None else wish.max_active
    if isinstance(most, bool) or not isinstance(most, int) or most < 0:
        faults.append(fault("max_active", most, "needs an integer from 0"))
        return None
    return most


def _kinds(
    wish: Wish, by: PlanBy, policy: RetentionPolicy, faults: list[Fault]
) -> tuple[Kind, ...]:
    """The kinds asked for, of those that the policy lets plans propose; named ones are any."""
    told = read(partial(as_names, "kinds"), wish.kinds, faults) or ()
    kinds = [read(partial(parse_kind, name="kinds"), each, faults) for each in told]
    wanted = tuple(dict.fromkeys(each for each in kinds if each is not None))
    if by is PlanBy.IDS:
        return wanted
    barred = [each.value for each in wanted if each not in policy.kinds]
    if barred:
        allowed = ", ".join(each.value for each in policy.kinds)
        faults.append(fault("kinds", ", ".join(barred), f"the policy plans only {allowed}"))
    return wanted or tuple(policy.kinds)


def _limit(wish: Wish, policy: RetentionPolicy, faults: list[Fault]) -> int:
    if wish.limit is None:
        return policy.plan_limit
    most = wish.limit
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= policy.plan_limit:
        faults.append(fault("limit", most, f"needs an integer from 1 to {policy.plan_limit}"))
        return policy.plan_limit
    return most
