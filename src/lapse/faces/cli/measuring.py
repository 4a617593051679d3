"""What the command line adds to the lab: a report as files, and `policy apply` and `policy revert`.

Decides the names of the files. Refuses to know what is in them.
"""

import base64
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Final

import typer

from lapse.errors import ValidationError
from lapse.faces.cli.building import Command, help_of, option, parameters, with_signature
from lapse.faces.cli.common import Common, laid_over, take
from lapse.faces.cli.failing import OK
from lapse.faces.cli.running import carried_out, present, run
from lapse.faces.cli.streams import note
from lapse.faces.operations import TABLE, Operation
from lapse.model.codec import dumps

PAGE: Final = "index.html"
FIGURES: Final = "report.json"
APPLY, REVERT = "apply", "revert"

Given = Callable[[Operation, Mapping[str, object]], dict[str, object]]
"""Makes the named values of a request of what was typed."""


def reporting(operation: Operation, given: Given) -> Command:
    """`lab report`, which with --out writes a page, its pictures and its figures."""
    out = option("out", str | None, "--out", "Write the page into this folder.", "FOLDER")

    def command(context: typer.Context, **values: object) -> int:
        common: Common = laid_over(context.obj, take(values))
        folder = values.pop("out")
        with carried_out(operation, given(operation, values), common) as (found, place):
            if folder is None:
                present(found, place, common)
            else:
                write(found, Path(str(folder)))
        return OK

    return with_signature(command, [out, *parameters(operation)], help_of(operation))


def write(found: object, folder: Path) -> None:
    """Write a report into a folder, which is made where there is none.

    Raises:
        ValidationError: It cannot be written there.
    """
    from lapse.faces.operations.lab_results import (  # noqa: PLC0415 - the engine loads slowly
        Reported,
    )

    assert isinstance(found, Reported)  # noqa: S101 - the operation gives nothing else
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PAGE).write_text(found.html, encoding="utf-8")
        (folder / FIGURES).write_text(dumps(found.figures) + "\n", encoding="ascii")
        for name, encoded in found.pictures.items():
            (folder / f"{name}.png").write_bytes(base64.b64decode(encoded))
    except OSError as error:
        problem = f"cannot be written: {error.strerror}"
        raise ValidationError.of("out", str(folder), problem) from None
    note(f"report written to {folder / PAGE}")


def policy_act() -> Parameter:
    """What may stand after `policy`: a proposal to take, or that the last change is taken back."""
    text = (
        f"{APPLY} and the id of a proposal, as apply-policy; or {REVERT}, as revert-policy. "
        "Shows the policy if left out."
    )
    about = typer.Argument(metavar=f"[{APPLY} PROPOSAL | {REVERT}]", help=text, show_default=False)
    hint = Annotated[list[str] | None, about]
    return Parameter("act", Parameter.KEYWORD_ONLY, default=None, annotation=hint)


def act_on_policy(act: Sequence[str], asked: Mapping[str, object], common: Common) -> None:
    """Take a proposal, or take the last change back.

    Args:
        act: What stood after `policy`.
        asked: What else was said: nothing but who does it.
        common: Where.
    """
    match list(act):
        case ["apply", proposal]:
            operation, named = TABLE["apply_policy"], {"proposal": proposal}
        case ["revert"]:
            operation, named = TABLE["revert_policy"], {}
        case _:
            raise typer.BadParameter(f"policy {' '.join(act)}: needs apply PROPOSAL, or revert")
    other = sorted(asked.keys() - {"by"})
    if other:
        raise typer.BadParameter(f"policy {act[0]} and --{other[0]} exclude each other")
    run(operation, {**named, **asked}, common)
