"""The guards that planning reads off columns say what the table of guards says of the records."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapse.lifecycle.guards import Act, Subject, judge
from lapse.lifecycle.holds import holding
from lapse.lifecycle.plan_table import ORDER, score_for
from lapse.model.guards import Basis, Choice, Guard, Planned
from lapse.model.instants import DAY, Instant
from lapse.model.memory import BankRef
from lapse.model.plan import Plan, PlanAsk, PlanBy
from lapse.model.policy import Policy, RetentionScore
from lapse.model.verbs import Verb
from lapse.stores.memory import MemoryStore
from lapse.testing.fakes import START
from tests.unit.engine.opening import Opened, opened

NAMES = "abcdefgh"
MARKS = (
    "pin",
    "verify",
    "exempt",
    "audit",
    "important",
    "cite",
    "restore",
    "use",
    "hold",
    "expire",
)

MARKED = st.dictionaries(st.sampled_from(NAMES), st.sets(st.sampled_from(MARKS)), max_size=8)


def _bank(marked: dict[str, set[str]], anchor: str, off: Iterable[str]) -> Opened:
    retention = {"grace_anchor": anchor, **{f"protect_{each}": False for each in off}}
    lapse = opened(MemoryStore(), policy={"retention": retention})
    bank = lapse.alice
    for name in NAMES:
        marks = marked.get(name, set())
        bank.remember(
            f"{name} is something",
            id=name,
            importance=0.95 if "important" in marks else 0.1,
            audit_evidence="audit" in marks,
            expires_at=START + 50 * DAY if "expire" in marks else None,
        )
    for name, marks in marked.items():
        if "pin" in marks:
            bank.pin([name])
        if "verify" in marks:
            bank.verify_outcome([name])
        if "exempt" in marks:
            bank.exempt([name], reason="contract")
        if "cite" in marks:
            bank.remember(f"on {name}", id=f"on {name}", derived_from=[name], importance=0.5)
        if "hold" in marks:
            bank.hold(f"matter {name}", ids=[name], by="clerk", reason="law")
    lapse.clock.advance(days=20)
    bank.used([name for name, marks in marked.items() if "use" in marks])
    bank.drain()
    restored = [name for name, marks in marked.items() if marks == {"restore"}]
    lapse.clock.advance(days=20)
    if restored:
        bank.suppress(restored, by="boss", reason="try")
        bank.restore(restored, by="boss", reason="back")
    lapse.clock.advance(days=25)
    return lapse


def _by_records(lapse: Opened, basis: Basis) -> dict[str, Guard | None]:
    ref, now = BankRef(name="alice"), lapse.clock.now()
    policy = lapse.core.runtime(ref).rule.policy
    holds = lapse.store.holds(ref)
    cited = lapse.store.cited_by(ref, list(NAMES))
    found: dict[str, Guard | None] = {}
    for record in lapse.store.get(ref, list(NAMES)):
        strength = record.state.strength
        planned = Planned(
            content_version=record.memory.content_version,
            reinforcement_count=strength.reinforcement_count,
            last_counted_at=strength.last_counted_at,
            basis=basis,
        )
        subject = Subject(
            record=record,
            holds=holding(holds, record.memory),
            cited_by=cited.get(record.memory.id, ()),
            planned=planned,
        )
        act = Act(verb=Verb.SUPPRESS, policy=policy, now=now)
        found[record.memory.id] = judge(act, Choice.SCORED, subject)
    return found


def _free(plan: Plan) -> set[str]:
    return {each.memory_id for each in plan.items} & set(NAMES)


@pytest.mark.parametrize("anchor", ["below", "created"])
@settings(max_examples=25)
@given(marked=MARKED, off=st.sets(st.sampled_from(["pinned", "verified", "cited"])))
def test_a_plan_of_everything_takes_what_the_guards_let_go(
    anchor: str, marked: dict[str, set[str]], off: set[str]
) -> None:
    lapse = _bank(marked, anchor, sorted(off))

    plan = lapse.alice.plan(percentile=100)

    judged = _by_records(lapse, Basis.SET)
    assert _free(plan) == {name for name, guard in judged.items() if guard is None}
    spared = {each.guard: each.count for each in plan.spared}
    of_others = len(lapse.alice.list().records) - len(NAMES)
    for guard in ORDER:
        count = sum(each is guard for each in judged.values())
        assert count <= spared.get(guard, 0) <= count + of_others


@pytest.mark.parametrize("anchor", ["below", "created"])
@settings(max_examples=25)
@given(marked=MARKED)
def test_a_plan_by_the_policys_level_takes_what_the_guards_let_go(
    anchor: str, marked: dict[str, set[str]]
) -> None:
    lapse = _bank(marked, anchor, ())

    plan = lapse.alice.plan()

    judged = _by_records(lapse, Basis.DATED)
    assert _free(plan) == {name for name, guard in judged.items() if guard is None}


def test_levels_and_budgets_have_scores_of_their_own() -> None:
    policy = Policy()

    assert score_for(PlanAsk(by=PlanBy.LEVEL, limit=1), policy) is RetentionScore.NEED
    assert score_for(PlanAsk(by=PlanBy.BUDGET, limit=1), policy) is RetentionScore.PROMISE
    assert Instant(START) < START + DAY
