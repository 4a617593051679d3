"""Pruning: which archived memories a plan would destroy, and how that is done.

Decides what is read for it, that it is refused where the policy does not ask for it, and that what
went is let go of in RAM and looked for where the store is kept. Refuses to judge: the guards and
`lapse.erasure.pruning` do.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from lapse.engine.core import Core
from lapse.engine.needles import MOST, needles_of
from lapse.engine.runtime import BankRuntime
from lapse.erasure.pruning import leaning, pruned
from lapse.errors import PlanError
from lapse.lifecycle.guards import GUARDS, Act, Subject, judge
from lapse.lifecycle.holds import holding
from lapse.lifecycle.planning import Chosen
from lapse.lifecycle.record_items import item_of
from lapse.model.canary import Canary
from lapse.model.changeset import Changes
from lapse.model.due import FROM_THE_START, DueBy
from lapse.model.guards import Choice, Guard
from lapse.model.instants import Instant, plus_days
from lapse.model.journal import JournalDraft
from lapse.model.memory import Memory
from lapse.model.plan import EXAMPLES, Plan, PlanAsk, PlanItem, PlanVerb, Sparing
from lapse.model.record import Record
from lapse.model.scrubbing import Scrubbed
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.truth.supersession import settle

PORTION: Final = 500
"""Archived memories looked at together."""


def check_pruning(runtime: BankRuntime) -> None:
    """Make sure that the policy in force lets memories be pruned.

    Raises:
        PlanError: It does not.
    """
    if not runtime.rule.policy.retention.prune:
        raise PlanError(
            "nothing is pruned here: retention.prune is off, so what is archived stays; "
            "erase destroys what is named"
        )


def choose_prunable(
    core: Core, runtime: BankRuntime, ask: PlanAsk, named: Sequence[Record] | None, now: Instant
) -> Chosen:
    """What may be pruned, what was archived first coming first.

    Args:
        core, runtime: The bank.
        ask: Kinds, sessions and the limit.
        named: Only these, in this order; None for whatever has long been archived.
        now: The instant of the plan.
    """
    policy = runtime.rule.policy
    act = Act(verb=Verb.PRUNE, policy=policy, now=now)
    portions = _due(core, runtime, act) if named is None else iter([list(named)])
    free: list[PlanItem] = []
    spared: dict[Guard, list[str]] = {}
    considered = left_out = 0
    for portion in portions:
        wanted = [each for each in portion if named is not None or _asked_for(ask, each.memory)]
        considered += len(wanted)
        for record, guard in _judged(core, runtime, act, wanted):
            if guard is not None:
                spared.setdefault(guard, []).append(record.memory.id)
            elif len(free) < ask.limit:
                archived_at = (
                    None if record.state.transition is None else record.state.transition.at
                )
                free.append(item_of(policy, PlanVerb.PRUNE, record, now=now, since=archived_at))
            else:
                left_out += 1
    return Chosen(
        items=tuple(free),
        considered=considered,
        left_out=left_out,
        spared=tuple(
            Sparing(guard=each, count=len(spared[each]), examples=tuple(spared[each][:EXAMPLES]))
            for each in GUARDS[Verb.PRUNE]
            if each in spared
        ),
    )


@dataclass(slots=True, kw_only=True)
class Destroying:
    """What destroys the memories of one plan, a batch at a time.

    Attributes:
        told: Contents that went, as far as their bytes are looked for afterwards.
        waiting: The same of what may go with this batch, by id.
        citing: Who cites the memories of this batch, wherever they stand.
        canaries: The bank's, as they were before this batch.
    """

    core: Core
    runtime: BankRuntime
    told: list[Memory] = field(default_factory=list)
    waiting: dict[str, list[Memory]] = field(default_factory=dict)
    citing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    canaries: tuple[Canary, ...] = ()

    def reads(self, ids: Sequence[str]) -> Reads:
        """What has to be read inside the transaction that destroys these."""
        store, ref = self.core.parts.store, self.runtime.ref
        self.citing = store.derived(ref, ids)
        self.canaries = tuple(store.canaries(ref))
        memories = self.core.contents(ref, ids)
        linked = [one for each in memories for one in (each.supersedes, each.superseded_by) if one]
        beside = [*linked, *(one for each in memories for one in each.derived_from)]
        citers = [one for names in self.citing.values() for one in names]
        keys = [each.key for each in memories if each.key is not None]
        few = memories[: max(MOST - len(self.told), 0)]
        self.waiting = {each.id: [*store.versions(ref, each.id), each] for each in few}
        return Reads(
            ids=tuple(dict.fromkeys([*ids, *beside, *citers])),
            keys=tuple(dict.fromkeys(keys)),
            cited=True,
            events=True,
            closings=True,
        )

    def spares(self, view: View, memory_id: str) -> Guard | None:
        """`CITED` where anything leans on the memory, active or not."""
        leans = leaning(view, self.citing, memory_id)
        if not self.runtime.rule.policy.retention.protect_cited:
            # Who came just now was not read, and could not be cut loose.
            leans = tuple(each for each in leans if each not in view.records)
        return Guard.CITED if leans else None

    def changes(self, going: Sequence[str], view: View) -> Changes:
        """What is written when these go."""
        return pruned(going, self.canaries, settle, view)

    def let_go(self, ids: Iterable[str]) -> None:
        """Let go of what RAM keeps of these."""
        gone = tuple(ids)
        self.told += [one for each in gone for one in self.waiting.pop(each, ())]
        self.waiting.clear()
        self.runtime.forget(gone)
        self.runtime.refresh()

    def look_after(self, plan: Plan) -> Plan:
        """Overwrite what is free where the store is kept, search it, and note that on the plan."""
        application, approval = plan.application, plan.approval
        if application is None or approval is None or application.scrubbed is not None:
            return plan
        scrubbed = self.core.parts.store.scrub(tuple(needles_of(self.told)))
        done = replace(plan, application=replace(application, scrubbed=scrubbed))
        now = self.core.now()
        journal = JournalDraft(
            verb=Verb.PRUNE,
            at=now,
            by=approval.by,
            counts=_counted(scrubbed),
            about=plan.id,
        )
        changes = Changes(plans=(done,), journal=journal)
        self.core.commit(Verb.PRUNE, self.runtime.ref, now, Reads(), lambda _: changes)
        return done


def _counted(scrubbed: Scrubbed) -> tuple[tuple[str, int], ...]:
    return (
        ("places_searched", len(scrubbed.places)),
        ("residue", scrubbed.residue),
        ("log_emptied", int(scrubbed.log_emptied)),
        ("rebuilt", int(scrubbed.rebuilt)),
    )


def _due(core: Core, runtime: BankRuntime, act: Act) -> Iterator[list[Record]]:
    """What has been archived long enough, along the index, a portion at a time."""
    until = plus_days(act.now, -act.policy.retention.prune_after_days)
    place = FROM_THE_START
    store, ref = core.parts.store, runtime.ref
    while found := store.due(ref, DueBy.ARCHIVED, until, place, PORTION):
        place = found[-1].place
        yield core.get(ref, [each.memory_id for each in found])


def _asked_for(ask: PlanAsk, memory: Memory) -> bool:
    return memory.kind in ask.kinds and (not ask.sessions or memory.session in ask.sessions)


def _judged(
    core: Core, runtime: BankRuntime, act: Act, records: Sequence[Record]
) -> Iterator[tuple[Record, Guard | None]]:
    store, ref = core.parts.store, runtime.ref
    ids = [each.memory.id for each in records]
    sources = [one for each in records for one in each.memory.derived_from]
    citing = store.derived(ref, ids)
    closers = {
        one for each in store.closings(ref, [*ids, *sources]) for one in (each.by_id, each.rest_id)
    }
    holds = store.holds(ref)
    for record in records:
        memory = record.memory
        subject = Subject(
            record=record,
            holds=holding(holds, memory),
            cited_by=citing.get(memory.id, ()),
            closes=memory.id in closers,
        )
        yield record, judge(act, Choice.SCORED, subject)
