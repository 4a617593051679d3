"""The configuration file of a deployment: laid out with every setting, found where it was left.

Decides how such a file reads and where one is looked for. Refuses to read values
(`lapse.model.policy_sources` does) and to open a store.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap

from lapse.errors import ConflictError, StoreError, ValidationError
from lapse.model.memory import JsonValue
from lapse.model.policy import SETTINGS, Policy, to_json, value_at
from lapse.model.policy_layers import Layer, Origin, difference
from lapse.model.policy_sources import deployment
from lapse.model.settings import Spec

FILE_NAME = "lapse.toml"
ENVIRONMENT = "LAPSE_CONFIG"
"""Variable that names the file of settings where nothing else does."""

_WIDTH = 96
_HEAD = """\
# Settings of this deployment of Lapse. What stays commented out is the default; take the # away to
# change it. Over this file lie the environment (LAPSE_SECTION__SETTING) and each bank's own policy;
# `lapse config show` tells which value holds, and from where. All mistakes are reported at once.
"""


def found(named: str | None, environment: Mapping[str, str], folder: Path) -> Path | None:
    """The file that counts: the one named, else `$LAPSE_CONFIG`, else the folder's own.

    Args:
        named: What was said on the command line.
        environment: Variables of the process; an empty one names none.
        folder: Where `lapse.toml` is looked for.

    Returns:
        Its path; None where there is none. One that was named need not exist: opening it will tell.
    """
    chosen = named or environment.get(ENVIRONMENT)
    if chosen:
        return Path(chosen)
    own = folder / FILE_NAME
    return own if own.is_file() else None


def read(config: Path | None, environment: Mapping[str, str]) -> tuple[Layer, ...]:
    """The layers of a deployment: its environment, and its file of settings if there is one.

    Raises:
        ValidationError: The file cannot be read.
        PolicyError: Every fault of both.
    """
    return deployment(environment=environment, toml=None if config is None else _text_of(config))


def layers(
    config: str | Path | None, environment: Mapping[str, str], policy: Policy | None
) -> tuple[Layer, ...]:
    """The layers of a deployment whose host hands over a policy beneath them.

    Raises:
        ValidationError: The file cannot be read.
        PolicyError: Every fault of file and environment.
    """
    own = read(None if config is None else Path(config), environment)
    if policy is None:
        return own
    return (*own, Layer(origin=Origin.PRESET, diff=difference(policy)))


def write(path: Path, text: str) -> None:
    """Write a new file, whole or not at all.

    Raises:
        ConflictError: There is one already.
        StoreError: It cannot be written.
    """
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        problem = f"{path} exists already and stays as it is; --path names another"
        raise ConflictError(problem, fields={"path": str(path)}) from None
    except OSError as error:
        problem = f"{path} cannot be written: {error.strerror}"
        raise StoreError(problem, fields={"path": str(path)}) from None


def layout(policy: Policy, base: Policy) -> str:
    """A file with every setting: those that differ from `base` set, the others commented out."""
    lines = [_HEAD.rstrip("\n")]
    section = ""
    for path, spec in SETTINGS.items():
        own = path.partition(".")[0]
        if own != section:
            section = own
            lines += ["", f"[{section}]"]
        lines += ["", *_explained(spec), _assigned(policy, base, path, spec)]
    return "\n".join(lines) + "\n"


def _text_of(config: Path) -> str:
    try:
        return config.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = f"needs a TOML file that can be read as UTF-8: {error}"
        raise ValidationError.of("config", str(config), problem) from None


def _explained(spec: Spec) -> Iterator[str]:
    for line in wrap(f"{spec.help} Needs {spec.expected}.", width=_WIDTH - 2):
        yield f"# {line}"


def _assigned(policy: Policy, base: Policy, path: str, spec: Spec) -> str:
    value = value_at(policy, path)
    line = f"{spec.name} = {_toml(to_json(spec, value))}"
    return line if value != value_at(base, path) else f"# {line}"


def _toml(value: JsonValue) -> str:
    """A value as TOML writes it; what is absent is the text `none`."""
    if value is None:
        return '"none"'
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{json.dumps(name)} = {_toml(each)}" for name, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    # What JSON writes of truths, numbers and plain texts is TOML as well.
    return json.dumps(value, ensure_ascii=False)
