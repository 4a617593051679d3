"""The commands of the first seed, for who is used to them: `lapse learning …`.

An agent is a bank, a memory is a session and a memory type is a kind. Decides what each command is
called and which operations it stands for. Refuses to do anything that those operations do not.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import Parameter
from typing import Annotated, TypeAlias

import typer

from lapse.errors import ValidationError
from lapse.faces.cli.building import Command, option, with_signature
from lapse.faces.cli.common import Common, common_parameters, laid_over, take
from lapse.faces.cli.failing import OK
from lapse.faces.cli.running import opened, present, run
from lapse.faces.operations import TABLE
from lapse.model.memory import parse_kind

Act: TypeAlias = Callable[[Mapping[str, str | None], Common], None]
"""What a command does with what was typed for it."""

PANEL = "Compatibility"
REASON = "approved on the command line"


def add_learning(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(
        name="learning",
        help="The retention commands of MemoRizz, over the same plans.",
        no_args_is_help=True,
        rich_markup_mode="rich",
    )
    group.command("retention-plan")(
        _command(
            _plan,
            "What would be suppressed: a dry run. Stands for plan.",
            [
                option("session", str | None, "--memory-id", "Only this session.", "NAME"),
                _kind(),
                option("by", str | None, "--planned-by", "Who plans.", "NAME"),
            ],
        )
    )
    group.command("retention-apply")(
        _command(
            _apply,
            "Approve a plan and apply it. Stands for approve and apply.",
            [_argument("plan", "PLAN", "Id of the plan."), _approver(), _reason()],
        )
    )
    group.command("suppressed")(
        _command(_suppressed, "What is suppressed. Stands for suppressed.", [])
    )
    group.command("unsuppress")(
        _command(
            _unsuppress,
            "Bring one memory back. Stands for restore.",
            [_argument("record", "RECORD", "Id of the memory."), _approver(), _reason(), _kind()],
        )
    )
    app.add_typer(group, rich_help_panel=PANEL)


def _plan(given: Mapping[str, str | None], common: Common) -> None:
    session, kind = given["session"], given["kind"]
    wanted: dict[str, object] = {} if given["by"] is None else {"by": given["by"]}
    if session is not None:
        wanted["sessions"] = [session]
    if kind is not None:
        wanted["kinds"] = [parse_kind(kind, "memory-type").value]
    run(TABLE["plan"], wanted, common)


def _apply(given: Mapping[str, str | None], common: Common) -> None:
    approve, apply = TABLE["approve"], TABLE["apply"]
    named = {"plan": given["plan"]}
    approval = approve.read({**named, "by": given["by"], "reason": given["reason"]})
    with opened(apply, common) as place:
        target = place.target(apply.subject)
        approve.call(target, approval)
        present(apply.call(target, apply.read(named)), place, common)


def _suppressed(_given: Mapping[str, str | None], common: Common) -> None:
    run(TABLE["suppressed"], {}, common)


def _unsuppress(given: Mapping[str, str | None], common: Common) -> None:
    if given["kind"] is not None:
        parse_kind(given["kind"], "memory-type")
    asked = {"ids": [given["record"]], "by": given["by"], "reason": given["reason"]}
    run(TABLE["restore"], asked, common)


def _command(act: Act, doc: str, own: list[Parameter]) -> Command:
    names = [each.name for each in own]

    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        agent = values.pop("agent")
        if agent is not None and common.bank not in (None, agent):
            raise ValidationError.of("agent-id", agent, f"the bank {common.bank} is named as well")
        bank = common.bank if agent is None else str(agent)
        given = {name: None if values[name] is None else str(values[name]) for name in names}
        act(given, replace(common, bank=bank))
        return OK

    agent = option("agent", str | None, "--agent-id", "Which agent: its bank.", "NAME")
    return with_signature(command, [*own, agent, *common_parameters()], doc)


def _argument(name: str, metavar: str, text: str) -> Parameter:
    hint = Annotated[str, typer.Argument(metavar=metavar, help=text)]
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=hint)


def _approver() -> Parameter:
    about = typer.Option("--approved-by", help="Who answers for it.", metavar="NAME")
    return Parameter("by", Parameter.KEYWORD_ONLY, annotation=Annotated[str, about])


def _reason() -> Parameter:
    about = typer.Option("--reason", "--because", help="Why, for the journal.", metavar="TEXT")
    return Parameter(
        "reason", Parameter.KEYWORD_ONLY, default=REASON, annotation=Annotated[str, about]
    )


def _kind() -> Parameter:
    text = "Which kind, by its name here or in MemoRizz."
    return option("kind", str | None, "--memory-type", text, "NAME")
