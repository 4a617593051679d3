"""What a store says of the answers that a bank keeps."""

from typing import Protocol

from lapse.model.answer import KeptAnswer
from lapse.model.memory import BankRef


class Answers(Protocol):
    """Reads of kept answers. A store neither compares questions nor looks at dates."""

    def answers(self, ref: BankRef, after: int = 0) -> list[KeptAnswer]:
        """Answers with a number above `after`, by number."""
        ...

    def answer(self, ref: BankRef, answer_id: str) -> KeptAnswer | None:
        """The answer of an id, or None."""
        ...

    def answer_count(self, ref: BankRef) -> int:
        """How many answers the bank keeps; cheap."""
        ...
