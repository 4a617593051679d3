"""Who calls, and which bank they work on.

Decides what an operation is called on for a caller. Refuses to find out who it is: a process is
told when it starts (`serving`), a served bank asks the key (`mounting`).
"""

from dataclasses import dataclass

from lapse.faces.access import Caller as Rights
from lapse.faces.access.caller import as_model
from lapse.faces.app import Lapse
from lapse.faces.mcp.profiles import Profile, Reach
from lapse.faces.operations import Operation, Subject
from lapse.faces.operations.operation import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whoever is at the other end.

    Attributes:
        lapse: The open store.
        tenant, bank: The one bank they work on.
        actor: Their name, for the journal.
        profile: What they are offered.
        reach: Where they are.
        rights: What they may do, and with whose voice they tell.
    """

    lapse: Lapse
    tenant: str
    bank: str
    actor: str
    profile: Profile
    reach: Reach
    rights: Rights

    def target(self, operation: Operation) -> Target:
        """What an operation is called on."""
        match operation.subject:
            case Subject.NOTHING:
                return None
            case Subject.STORE:
                return self.lapse
            case Subject.BANK:
                return self.lapse.bank(self.bank, tenant=self.tenant)

    def place(self, operation: Operation) -> dict[str, object]:
        """Fields of a request that say where: its own bank, and no other."""
        names = {each.name for each in operation.fields}
        known: dict[str, object] = {"tenant": self.tenant, "banks": [self.bank]}
        return {name: each for name, each in known.items() if name in names}


def spoken_for(rights: Rights, profile: Profile) -> Rights:
    """The rights of a caller in a profile: in the default one only models speak."""
    return as_model(rights) if profile is Profile.DEFAULT else rights
