"""The verb that gives a bank's access log.

Decides its signature. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Sequence

from lapse.bank.base import BankBase
from lapse.engine import access_log
from lapse.model.access_log import Entry


class Logs(BankBase):
    """What happened to memories, for the lab."""

    def access_log(self) -> Sequence[Entry]:
        """What happened to every memory that is still there, in order: ids and instants alone.

        Created, used, rejected, superseded, suppressed and restored are always known; what recalls
        returned is with `reinforcement.access_log` on, once a drain has written it. Reads the whole
        bank.
        """
        return access_log.access_log(self._core, self._runtime)
