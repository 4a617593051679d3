"""A bank: the memories of one person, team or agent, with a policy of their own.

This is the façade that a user holds. Every verb reads its input, hands it to the engine and gives
back a value. Its verbs stand in files by what they are for; decides only that they are one class.
"""

from lapse.bank.attention import Attention
from lapse.bank.base import HOST, BankBase
from lapse.bank.cache import Cache
from lapse.bank.chronicle import Chronicle
from lapse.bank.consolidations import Consolidations
from lapse.bank.copies import Copies
from lapse.bank.erasure import Erasing
from lapse.bank.keeping import Keeping
from lapse.bank.logs import Logs
from lapse.bank.marks import Marks
from lapse.bank.plans import Plans
from lapse.bank.ratings import Ratings
from lapse.bank.reads import Reads
from lapse.bank.recalls import Recalls
from lapse.bank.selections import Selections
from lapse.bank.sweeps import Sweeps
from lapse.bank.truths import Truths
from lapse.bank.uses import Uses
from lapse.bank.views import Views
from lapse.bank.writes import Writes

__all__ = ["HOST", "Bank", "BankBase"]


class Bank(
    Writes,
    Truths,
    Recalls,
    Views,
    Uses,
    Marks,
    Attention,
    Erasing,
    Plans,
    Reads,
    Selections,
    Chronicle,
    Consolidations,
    Ratings,
    Copies,
    Keeping,
    Sweeps,
    Cache,
    Logs,
):
    """One bank of one tenant. Thread-safe; cheap to make, so it need not be kept.

    Nothing is written before the first verb that writes.
    """
