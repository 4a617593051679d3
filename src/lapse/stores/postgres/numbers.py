"""The numbers of banks, as this process last met them.

Decides how many are kept. Refuses to vouch for any: whoever uses one has it confirmed by what it
asks.
"""

from typing import Final

from lapse.model.memory import BankRef

_MOST: Final = 10_000


class Numbers:
    """Numbers by bank. Threads may share it: to lose one costs a message, nothing else."""

    def __init__(self) -> None:
        self._known: dict[BankRef, int] = {}

    def known(self, ref: BankRef) -> int | None:
        """Give the number met last, or None."""
        return self._known.get(ref)

    def learn(self, ref: BankRef, number: int | None) -> None:
        """Remember a number; None for a bank that is not there."""
        if number is None:
            self._known.pop(ref, None)
            return
        if len(self._known) >= _MOST:
            self._known = {}
        self._known[ref] = number
