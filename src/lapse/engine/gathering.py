"""Gathering the memories that somebody chose.

Decides where they are looked for. Refuses to judge whether they may go.
"""

from lapse.engine.core import Core
from lapse.engine.runtime import BankRuntime
from lapse.engine.selecting import matching
from lapse.model.retention import Lifecycle
from lapse.model.selector import Selector


def chosen(
    core: Core, runtime: BankRuntime, selector: Selector, lifecycles: tuple[Lifecycle, ...]
) -> tuple[str, ...]:
    """Ids of the memories chosen, in the order named or stored.

    Args:
        core: Open banks.
        runtime: The bank.
        selector: The choice.
        lifecycles: Where memories must stand to be found by what they have in common.
    """
    if selector.ids:
        return selector.ids
    return tuple(each.id for each in matching(core, runtime, selector, lifecycles))
