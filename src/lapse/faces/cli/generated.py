"""One command for each operation of the table.

Decides how what was typed becomes a request, and the few options that only a command line has
(`policy --set`, `laws --plot`, `sweep --watch`). Refuses to know what an operation does.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import typer

from lapse.errors import LapseError, NotFoundError, ValidationError
from lapse.faces.cli import copying
from lapse.faces.cli.building import (
    UNSET,
    Command,
    command_name,
    emptiable,
    help_of,
    option,
    option_name,
    parameters,
    with_signature,
)
from lapse.faces.cli.common import Common, laid_over, named_place, take
from lapse.faces.cli.configuring import without_defaults
from lapse.faces.cli.consenting import by_two, consent_options, take_said, takes_two
from lapse.faces.cli.examining import examine
from lapse.faces.cli.failing import FOUND, OK
from lapse.faces.cli.measuring import act_on_policy, policy_act, reporting
from lapse.faces.cli.reading import named_values, typed
from lapse.faces.cli.running import carried_out, present, run
from lapse.faces.cli.streams import note, read_input
from lapse.faces.operations import GROUPS, TABLE, Operation
from lapse.faces.operations.fields import FieldType, From

_EMPTY: Mapping[FieldType, object] = MappingProxyType({FieldType.TEXTS: [], FieldType.OBJECT: {}})

_GROUPS: Mapping[str, str] = MappingProxyType(
    {"lab": "Measure what forgetting would cost, on a bank's own log."}
)

_CHANGES_FIRST = "--set, --unset and --preset change the bank's policy first, as set-policy does."


def add_operations(app: typer.Typer) -> None:
    """Add a command for every operation."""
    groups: dict[str, typer.Typer] = {}
    for heading, operations in GROUPS.items():
        for operation in operations:
            made = _SPECIAL.get(operation.name, plain)(operation)
            *group, name = command_name(operation).split()
            if not group:
                app.command(name, rich_help_panel=heading)(made)
                continue
            if group[0] not in groups:
                groups[group[0]] = typer.Typer(
                    name=group[0], help=_GROUPS[group[0]], no_args_is_help=True
                )
                app.add_typer(groups[group[0]], rich_help_panel=heading)
            groups[group[0]].command(name)(made)


def plain(operation: Operation) -> Command:
    """The command of an operation that needs nothing special."""

    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        run(operation, given(operation, values), common)
        return OK

    if takes_two(operation):
        return _by_one_or_two(operation)
    return with_signature(command, parameters(operation), help_of(operation))


def _by_one_or_two(operation: Operation) -> Command:
    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        said = take_said(values)
        asked = given(operation, values)
        if said.anything:
            by_two(operation, asked, said, common)
        else:
            run(operation, asked, common)
        return OK

    own = [*parameters(operation), *consent_options()]
    return with_signature(command, own, help_of(operation))


def given(operation: Operation, values: Mapping[str, object]) -> dict[str, object]:
    """Named values of a request, of what was typed for its options."""
    found: dict[str, object] = {}
    for field in operation.fields:
        value, none = values.get(field.name), values.get(f"no_{field.name}")
        if none and value is not None:
            name = field.name.replace("_", "-")
            raise typer.BadParameter(f"--{name} and --no-{name} exclude each other")
        if field.source is not From.PLACE and value not in (None, [], ()):
            found[field.name] = typed(field, value, read_input)
        elif none:
            found[field.name] = None
    emptied = _emptied(operation, values)
    both = next((each for each in operation.fields if each.name in found.keys() & emptied), None)
    if both is not None:
        raise typer.BadParameter(f"{option_name(both)} and --unset {both.name} exclude each other")
    return found | emptied


def _emptied(operation: Operation, values: Mapping[str, object]) -> dict[str, object]:
    names = _texts(values.get(UNSET)) if emptiable(operation) else []
    wrong = [each for each in names if each.replace("-", "_") not in emptiable(operation)]
    if wrong:
        known = ", ".join(emptiable(operation))
        raise typer.BadParameter(f"--unset {wrong[0]}: these can be emptied: {known}")
    kinds = {each.name: each.type for each in operation.fields}
    return {name: _EMPTY.get(kinds[name]) for name in (each.replace("-", "_") for each in names)}


def _policy(operation: Operation) -> Command:
    """`policy` shows, and with something to change it changes first, as `set-policy` does."""
    setting = TABLE["set_policy"]
    unset = option(
        UNSET, list[str] | None, "--unset", "Inherit a setting again, by its path.", "PATH"
    )
    changes = operation is setting

    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        asked = given(setting, values)
        diff = named_values("set", _texts(values.get("diff")))
        unset = _texts(values.get(UNSET))
        act = _texts(values.get("act"))
        if act:
            also = {"set": diff} if diff else {"unset": unset} if unset else {}
            act_on_policy(act, {**asked, **also}, common)
            return OK
        for path in diff.keys() & set(unset):
            raise typer.BadParameter(f"--set {path} and --unset {path} exclude each other")
        diff.update(dict.fromkeys(unset, ""))
        if diff or "preset" in asked:
            _change(setting, {**asked, "diff": diff}, common)
        elif changes:
            raise typer.BadParameter("nothing to change: give --set, --unset or --preset")
        else:
            run(operation, {}, common)
        return OK

    own = parameters(setting)
    doc = help_of(operation) if changes else f"{help_of(operation)} {_CHANGES_FIRST}"
    acts = [] if changes else [policy_act()]
    return with_signature(command, [*acts, own[0], unset, *own[1:]], doc)


def _change(setting: Operation, asked: Mapping[str, object], common: Common) -> None:
    """Change a policy, and show people what is no default in it: a hundred lines hide one."""
    with carried_out(setting, asked, common) as (result, reader):
        if not common.json:
            from lapse.faces.operations.results import (  # noqa: PLC0415 - the engine loads slowly
                PolicyInForce,
            )

            assert isinstance(result, PolicyInForce)  # noqa: S101 - it gives nothing else
            present(without_defaults(result), reader, common)
        else:
            present(result, reader, common)


def _laws(operation: Operation) -> Command:
    plot = option("plot", str | None, "--plot", "Draw the curves into this PNG file too.", "FILE")

    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        path = values.pop("plot")
        asked = given(operation, values)
        run(operation, asked, common)
        if path is not None:
            _draw(Path(str(path)), _texts(asked.get("presets")), _texts(asked.get("kinds")))
        return OK

    return with_signature(command, [plot, *parameters(operation)], help_of(operation))


def _plan(operation: Operation) -> Command:
    """`plan` plans, and with --suggest shows what there is to plan with, as `suggest` does."""
    suggesting = TABLE["suggest"]
    text = "Only show how the scores are spread and where levels would cut, as suggest does."
    flag = option("suggest", bool | None, "--suggest", text, None)

    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        suggest = values.pop("suggest")
        asked = given(operation, values)
        if not suggest:
            run(operation, asked, common)
            return OK
        other = sorted(asked.keys() - {each.name for each in suggesting.fields})
        if other:
            raise typer.BadParameter(f"--suggest and --{other[0]} exclude each other")
        run(suggesting, asked, common)
        return OK

    return with_signature(command, [flag, *parameters(operation)], help_of(operation))


def _sweep(operation: Operation) -> Command:
    watch = option("watch", bool, "--watch", "Say how far it is after every portion.", None)

    def command(context: typer.Context, **values: object) -> int:
        common = laid_over(context.obj, take(values))
        watching = values.pop("watch")
        asked = given(operation, values) | _place(common)
        run(operation, asked, common, _told if watching else None)
        return OK

    return with_signature(command, [watch, *parameters(operation)], help_of(operation))


def _told(done: int, total: int) -> None:
    """Say on standard error how many memories a sweep has visited."""
    note(f"visited {done}{', and goes on' if total > done else ''}")


def _why(operation: Operation) -> Command:
    """`why` tells when question and id change places, which is easily done."""

    def command(context: typer.Context, **values: object) -> int:
        common: Common = laid_over(context.obj, take(values))
        asked = given(operation, values)
        try:
            run(operation, asked, common)
        except NotFoundError as error:
            turned = {"id": asked.get("query")}
            try:
                with carried_out(TABLE["get"], turned, common):
                    problem = "the question comes first, then the id of the memory: turn them round"
            except LapseError:
                raise error from None
            raise NotFoundError(f"{error}; {problem}", fields=error.fields) from None
        return OK

    return with_signature(command, parameters(operation), help_of(operation))


def _export(operation: Operation) -> Command:
    def command(context: typer.Context, **values: object) -> int:
        common: Common = laid_over(context.obj, take(values))
        streamed = copying.streamed(values)
        asked = given(operation, values)
        if streamed:
            copying.export_out(operation, asked, common)
        else:
            run(operation, asked, common)
        return OK

    return with_signature(command, parameters(operation), help_of(operation))


def _import(operation: Operation) -> Command:
    def command(context: typer.Context, **values: object) -> int:
        common: Common = laid_over(context.obj, take(values))
        streamed = copying.streamed(values)
        asked = given(operation, values)
        if streamed:
            with copying.spooled() as path:
                run(operation, asked | {"path": path}, common)
        else:
            run(operation, asked, common)
        return OK

    return with_signature(command, parameters(operation), help_of(operation))


def _everywhere(operation: Operation) -> Command:
    """Over the tenant that was named, and within its banks the one that was."""

    def command(context: typer.Context, **values: object) -> int:
        common: Common = laid_over(context.obj, take(values))
        run(operation, given(operation, values) | _place(common), common)
        return OK

    return with_signature(command, parameters(operation), help_of(operation))


def _place(common: Common) -> dict[str, object]:
    """The tenant that was named, and the one bank of it where one was."""
    banks = [] if common.bank is None else [common.bank]
    return {"tenant": named_place(common)[0], "banks": banks}


def _of_tenant(operation: Operation) -> Command:
    """About the tenant that was named."""

    def command(context: typer.Context, **values: object) -> int:
        common: Common = laid_over(context.obj, take(values))
        run(operation, given(operation, values) | {"tenant": named_place(common)[0]}, common)
        return OK

    return with_signature(command, parameters(operation), help_of(operation))


def _doctor(operation: Operation) -> Command:
    def command(context: typer.Context, **values: object) -> int:
        common: Common = laid_over(context.obj, take(values))
        return FOUND if examine(operation, common) else OK

    return with_signature(command, parameters(operation), help_of(operation))


def _verify(operation: Operation) -> Command:
    def command(context: typer.Context, **values: object) -> int:
        common: Common = laid_over(context.obj, take(values))
        found = run(operation, given(operation, values), common)
        good = any(getattr(found, each, False) for each in ("sound", "genuine"))
        return OK if good else FOUND

    return with_signature(command, parameters(operation), help_of(operation))


def _draw(path: Path, presets: list[str], kinds: list[str]) -> None:
    try:
        from lapse.faces.plots import draw_laws  # noqa: PLC0415 - Matplotlib is an extra, and slow

        draw_laws(path, presets, kinds)
    except ModuleNotFoundError:
        wanted = "needs matplotlib; run: pip install 'lapse[plots]'"
        raise ValidationError.of("plot", str(path), wanted) from None
    except OSError as error:
        problem = f"cannot be written: {error.strerror}"
        raise ValidationError.of("plot", str(path), problem) from None
    note(f"curves drawn into {path}")


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else []


_SPECIAL: Mapping[str, Callable[[Operation], Command]] = MappingProxyType(
    {
        "policy": _policy,
        "set_policy": _policy,
        "laws": _laws,
        "lab_report": lambda operation: reporting(operation, given),
        "plan": _plan,
        "doctor": _doctor,
        "why": _why,
        "sweep": _sweep,
        "verify_journal": _verify,
        "verify_receipt": _verify,
        "export": _export,
        "import": _import,
        "banks": _of_tenant,
        "erase_everywhere": _everywhere,
    }
)
