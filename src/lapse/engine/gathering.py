"""Gathering the memories that somebody chose.

Decides where they are looked for. Refuses to judge whether they may go.
"""

from lapse.engine.choosing import Choosing
from lapse.engine.core import Core
from lapse.engine.paging import PAGE, pages
from lapse.engine.runtime import BankRuntime
from lapse.model.paging import Listing
from lapse.model.retention import Lifecycle


def chosen(
    core: Core, runtime: BankRuntime, choosing: Choosing, lifecycles: tuple[Lifecycle, ...]
) -> tuple[str, ...]:
    """Ids of the memories chosen, in the order named or stored.

    Args:
        core: Open banks.
        runtime: The bank.
        choosing: The choice.
        lifecycles: Where memories must stand to be found by what they have in common.
    """
    if choosing.ids:
        return choosing.ids
    session = choosing.where.get("session")
    listing = Listing(
        limit=PAGE,
        lifecycles=lifecycles,
        sessions=() if session is None else (session,),
        subject=choosing.where.get("subject"),
        tag=choosing.where.get("tag"),
        key=choosing.where.get("key"),
    )
    return tuple(each.memory.id for page in pages(core, runtime, listing) for each in page)
