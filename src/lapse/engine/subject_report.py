"""What a bank keeps of a person: the same memories that erasing the person would take.

Decides what is told of each. Refuses to find them by itself: `erasing.reach` lists them for the
report and for the erasure alike, so that what a person may see is what can be removed.
"""

from dataclasses import dataclass

from lapse.engine.core import Core
from lapse.engine.erasing import reach
from lapse.engine.runtime import BankRuntime
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.retention import Lifecycle
from lapse.model.selector import Selector


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One memory that is kept of a subject.

    Attributes:
        memory: What it says now, with all that is told of it.
        lifecycle: Where it stands; active where its state was lost.
        derived: Whether it was made of the others, and would go with them.
        earlier: What it said before, oldest first.
    """

    memory: Memory
    lifecycle: Lifecycle
    derived: bool
    earlier: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectReport:
    """Everything that a bank keeps of a subject.

    Attributes:
        subject: Of whom.
        tenant, bank: Where.
        at: When it was read.
        kept: Every memory that an erasure of the subject would destroy, in the order it would.
        shared: Ids of memories that were made of some of these and of others, and would stay,
            without naming these any more.
    """

    subject: str
    tenant: str
    bank: str
    at: Instant
    kept: tuple[Kept, ...] = ()
    shared: tuple[str, ...] = ()


def report_subject(core: Core, runtime: BankRuntime, subject: str) -> SubjectReport:
    """Everything that the bank keeps of a subject; looking changes nothing."""
    found = reach(core, runtime, Selector(subject=subject))
    ref = runtime.ref
    blank = SubjectReport(subject=subject, tenant=ref.tenant, bank=ref.name, at=core.now())
    if found is None:
        return blank
    family, fate, _ = found
    states = {each.memory.id: each.state for each in core.get(ref, fate.removed)}
    derived = frozenset(fate.derived)
    return SubjectReport(
        subject=subject,
        tenant=ref.tenant,
        bank=ref.name,
        at=blank.at,
        kept=tuple(
            Kept(
                memory=family.versions[each][-1],
                lifecycle=states[each].lifecycle if each in states else Lifecycle.ACTIVE,
                derived=each in derived,
                earlier=family.versions[each][:-1],
            )
            for each in fate.removed
        ),
        shared=fate.cut,
    )
