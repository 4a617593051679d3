"""Asking a bank, however large it is.

Decides that a large bank is asked through its store where that can answer, and that any other is
held in RAM. Refuses to rank.
"""

from lapse.engine import recalling, searching_near
from lapse.engine.core import Core
from lapse.engine.judging import Asked
from lapse.engine.recalling import Why
from lapse.engine.runtime import BankRuntime
from lapse.model.instants import Instant
from lapse.model.query import Recall


def answer(core: Core, runtime: BankRuntime, asked: Asked) -> Recall:
    """What comes to mind for a question, judged at one instant."""
    found = searching_near.answer_near(core, runtime, asked)
    return recalling.answer(core, runtime, asked) if found is None else found


def explain(core: Core, runtime: BankRuntime, asked: Asked, memory_id: str) -> Why:
    """Why one memory is or is not an answer to a question.

    Raises:
        NotFoundError: No such memory in this bank.
    """
    found = searching_near.explain_near(core, runtime, asked, memory_id)
    return recalling.explain(core, runtime, asked, memory_id) if found is None else found


def silent_ids(core: Core, runtime: BankRuntime, query: str, now: Instant) -> tuple[str, ...]:
    """Ids of the hits of a question that Lapse asks itself. See `recalling.silent_ids`."""
    found = searching_near.silent_ids_near(core, runtime, query, now)
    return recalling.silent_ids(core, runtime, query, now) if found is None else found
