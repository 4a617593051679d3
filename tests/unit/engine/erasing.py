"""What the tests of erasing share: who acts, what goes, and how it is told again."""

from typing import TypedDict


class Who(TypedDict):
    """Who acts, and why."""

    by: str
    reason: str


WHO: Who = {"by": "anna", "reason": "she asked for it"}
SECRET = "Maria Okafor lives at 14 Elm Street in Lisbon."
AGAIN = "maria okafor livs at 14 elm street in Lisbon"
