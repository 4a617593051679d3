"""Two people on a command line: each on a machine of their own, at the same server.

    ada$ lapse erase lunch --because "asked for" --ask-second
    bob$ lapse erase lunch --approve PREVIEW
    ada$ lapse erase lunch --because "asked for" --confirm PREVIEW --approval APPROVAL

Decides the options for it, and what is said after each step. Refuses them where no server is named:
there, `--approved-by` names the second person.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Parameter
from typing import TYPE_CHECKING

import typer

from lapse.faces.cli.building import option
from lapse.faces.cli.common import Common
from lapse.faces.cli.remote import served
from lapse.faces.cli.running import present
from lapse.faces.cli.streams import note, write_line
from lapse.faces.operations import Effect, Operation
from lapse.model.codec import dumps

if TYPE_CHECKING:
    from lapse.faces.remote.consenting import Consented, Looked

_PANEL = "Two people, at a server"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What was typed of a second person.

    Attributes:
        ask: Whether a preview is to be named for one.
        approve: The preview of somebody else to consent to.
        confirm, approval: The preview to carry out, and the consent to it.
    """

    ask: bool = False
    approve: str | None = None
    confirm: str | None = None
    approval: str | None = None

    @property
    def anything(self) -> bool:
        """Whether anything was."""
        return self.ask or any((self.approve, self.confirm, self.approval))


def takes_two(operation: Operation) -> bool:
    """Whether it may need a second person, who is shown what it would do."""
    names = {each.name for each in operation.fields}
    return operation.effect is Effect.DESTRUCTIVE and {"yes", "approved_by"} <= names


def consent_options() -> list[Parameter]:
    """Options of commands that may need a second person."""
    text = str | None
    return [
        option(
            "ask_second",
            bool | None,
            "--ask-second",
            "Only show what would go, and name that for a second person.",
            None,
            _PANEL,
        ),
        option("approve", text, "--approve", "Consent to what it names.", "PREVIEW", _PANEL),
        option("confirm", text, "--confirm", "Do what was consented to.", "PREVIEW", _PANEL),
        option("approval", text, "--approval", "The consent to it.", "WORD", _PANEL),
    ]


def take_said(values: dict[str, object]) -> Said:
    """Take them out of a command's values.

    Raises:
        typer.BadParameter: They do not go together.
    """
    taken = {name: values.pop(name, None) for name in ("approve", "confirm", "approval")}
    words = {name: None if each is None else str(each) for name, each in taken.items()}
    said = Said(ask=bool(values.pop("ask_second", None)), **words)
    steps = [said.ask, said.approve is not None, said.confirm is not None]
    if sum(steps) > 1:
        raise typer.BadParameter("--ask-second, --approve and --confirm exclude each other")
    if (said.confirm is None) is not (said.approval is None):
        raise typer.BadParameter("--confirm and --approval go together")
    return said


def by_two(operation: Operation, given: Mapping[str, object], said: Said, common: Common) -> None:
    """Carry out the step of two people that was asked for.

    Raises:
        typer.BadParameter: No server is named.
        LapseError: What the server answers.
    """
    if common.url is None:
        raise typer.BadParameter(
            "--ask-second, --approve and --confirm are for a server (--url); here --approved-by "
            "names the second person"
        )
    from lapse.faces.remote import consenting  # noqa: PLC0415 - the engine loads slowly

    with served(common) as there:
        if said.confirm is not None and said.approval is not None:
            words = (said.confirm, said.approval)
            present(there.run(consenting.confirmed_by_two, operation, given, words), there, common)
        elif said.approve is not None:
            done = there.run(consenting.consented, operation, given, said.approve)
            _tell(
                done, f"approval by {done.by}, to confirm the preview with: {done.approval}", common
            )
        else:
            found = there.run(consenting.looked, operation, given)
            _tell(
                found,
                f"for the second person to --approve, until {found.expires_at}: {found.preview}",
                common,
            )


def _tell(done: "Looked | Consented", last: str, common: Common) -> None:
    if common.json:
        write_line(dumps(done))
        return
    present(done.shown, _Nobody(), common)
    note(last)


class _Nobody:
    """Knows no texts: what would go is named."""

    def text_of(self, memory_id: str) -> str | None:  # noqa: ARG002 - it knows none
        """Nothing."""
        return None
