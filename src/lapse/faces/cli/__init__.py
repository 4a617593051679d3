"""The command line: `lapse`, made from the table of operations.

Decides nothing itself: `entry` starts it and ends it, `building` makes commands of operations,
`reading` reads what was typed, `running` opens the store.
"""

from lapse.faces.cli.entry import main

__all__ = ["main"]
