"""`lapse keys rotate`: another key for tombstones and receipts.

Decides what is told of a rotation. Refuses to know where keys lie (`lapse.faces.app`), and to print
one.
"""

import typer

from lapse.faces.cli.building import Command, with_signature
from lapse.faces.cli.common import DEFAULT_TARGET, laid_over, local_parameters, take
from lapse.faces.cli.failing import OK
from lapse.faces.cli.remote import refuse_url
from lapse.faces.cli.streams import write_line

ROTATE = """Make tombstones and receipts with a new key; keys to a served store stay as they are.

The older keys are kept in the same file: what was erased under them stays erased, and receipts
signed with them stay genuine. Keys of the environment are rotated there."""


def rotation() -> Command:
    """The command, for the group of all that is about keys."""

    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        refuse_url(common)
        from lapse.faces.app import rotate_keys  # noqa: PLC0415 - loads what help must not

        name = rotate_keys(DEFAULT_TARGET if common.db is None else common.db)
        write_line(f'{{"key":"{name}"}}' if common.json else f"the key in use is {name}")
        return OK

    return with_signature(command, local_parameters(), ROTATE)
