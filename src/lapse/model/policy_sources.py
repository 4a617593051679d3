"""From what people write to a diff: JSON, environment variables and TOML.

Decides how names are mapped to paths, and that every fault of a source is reported at once. Refuses
to read the environment or a file (mappings and text are parameters), and to say which source wins
(`policy_layers`).
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lapse.errors import Fault, PolicyError
from lapse.model.policy import SECTIONS, SETTINGS, Policy
from lapse.model.policy_layers import DEFAULT, Diff, Layer, Origin, apply, request_faults, unknown
from lapse.model.setting_values import Unfit, is_blank, nearest, read, refused, shown_name
from lapse.model.settings import Value

ENVIRONMENT_PREFIX = "LAPSE_"
RESERVED_VARIABLES = frozenset(
    {"LAPSE_DB", "LAPSE_URL", "LAPSE_KEY", "LAPSE_CONFIG", "LAPSE_TOMBSTONE_KEY"}
)
"""Variables that configure a process, not a policy; so is everything from `LAPSE_TEST_` on."""

_TEST_PREFIX = "LAPSE_TEST_"
_SECTION_NAMES = tuple(section.section for section in SECTIONS)
_UNDERSCORED = {path.replace(".", "_"): path for path in SETTINGS}


@dataclass(slots=True, kw_only=True)
class _Reading:
    """What has been read so far, right and wrong; local to one call."""

    values: dict[str, Value] = field(default_factory=dict)
    unset: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)

    def take(self, path: str, raw: object, source: str = "") -> None:
        """Read one setting; `source` is added to the words of a fault."""
        if path not in SETTINGS:
            self.refuse(unknown(path), source)
        elif path in self.values or path in self.unset:
            self.refuse(refused(path, raw, "is given twice"), source)
        elif is_blank(raw):
            self.unset.add(path)
        else:
            value = read(SETTINGS[path], raw)
            if isinstance(value, Unfit):
                self.refuse(refused(path, raw, value.problem), source)
            else:
                self.values[path] = value

    def refuse(self, found: Fault, source: str = "") -> None:
        """Note a fault, with the source it came from."""
        suffix = f" ({source})" if source else ""
        self.faults.append(
            Fault(field=found.field, value=found.value, problem=found.problem + suffix)
        )

    def diff(self, over: Policy | None) -> Diff:
        """The diff, or every fault: of values, and of their combination over another policy."""
        found = Diff(values=self.values, unset=frozenset(self.unset))
        faults = list(self.faults)
        if over is not None:
            wrong = {each.field for each in faults}
            faults += [
                each
                for each in _contradictions(over, found)
                if not wrong.intersection(each.field.split(", "))
            ]
        if faults:
            raise PolicyError(faults)
        return found


def from_diff(mapping: Mapping[str, object], *, over: Policy | None = None) -> Diff:
    """Read a diff written as nested mappings, dotted paths, or both.

    Blank text unsets. `None` is a value where a setting has one (`budget_words`: no limit).

    Args:
        mapping: For example `{"law": {"decay": 0.7}, "recall.k": "12"}`.
        over: Policy that the diff is meant for; contradictions with it are reported too.

    Raises:
        PolicyError: Every fault, by dotted path, with what would be right.
    """
    reading = _Reading()
    for path, raw in _flat(mapping, reading):
        reading.take(path, raw)
    return reading.diff(over)


def paths_of(mapping: Mapping[str, object]) -> dict[str, object]:
    """Raw values by dotted path, of nested mappings, dotted paths, or both; unchecked."""
    return dict(_flat_raw(mapping))


def unknown_of(paths: Iterable[str]) -> tuple[str, ...]:
    """The paths that no setting has, in order."""
    return tuple(path for path in paths if path not in SETTINGS)


def without(mapping: Mapping[str, object], paths: Iterable[str]) -> Mapping[str, object]:
    """The same diff without some paths; it stays as it is where it holds none of them."""
    dropped = set(paths)
    if dropped.isdisjoint(paths_of(mapping)):
        return mapping
    return {path: raw for path, raw in paths_of(mapping).items() if path not in dropped}


def from_request(mapping: Mapping[str, object], *, over: Policy) -> Diff:
    """Read what a single request asks for, and refuse what no request may change.

    Raises:
        PolicyError: Every fault, by dotted path.
    """
    reading = _Reading()
    for path, raw in _flat(mapping, reading):
        reading.take(path, raw)
    reading.faults.extend(request_faults(Diff(values=reading.values), over))
    return reading.diff(over)


def from_mapping(mapping: Mapping[str, object]) -> Policy:
    """Read a policy, complete or in part, as `policy.to_mapping` writes it; the rest is default.

    Raises:
        PolicyError: Every fault, by dotted path.
    """
    return apply(DEFAULT, from_diff(mapping, over=DEFAULT))


def from_environment(environment: Mapping[str, str]) -> Diff:
    """Read `LAPSE_` variables: section and setting joined by two underscores, in capitals.

    `LAPSE_FORGETTING__ENABLED=false`. Variables without two underscores are not settings, but one
    that spells a setting with a single underscore is refused rather than ignored.

    Raises:
        PolicyError: Every fault, by dotted path, with the variable's name.
    """
    reading = _Reading()
    for name in sorted(environment):
        _take_variable(reading, name, environment[name])
    return reading.diff(None)


def from_toml(text: str) -> Diff:
    """Read TOML whose tables are sections: `[law]` / `decay = 0.7`.

    Raises:
        PolicyError: Text that is no TOML, or every fault, by dotted path.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError([Fault(field="toml", value="…", problem=str(error))]) from error
    return from_diff(document)


def deployment(
    *,
    environment: Mapping[str, str],
    toml: str | None = None,
    stored: Mapping[str, object] | None = None,
) -> tuple[Layer, ...]:
    """Read the deployment's three layers, and report the faults of all of them at once.

    Args:
        environment: All variables of the process.
        toml: Text of the configuration file, or None.
        stored: Diff kept by the store for the whole deployment, or None.

    Raises:
        PolicyError: Every fault of every layer, then of their combination.
    """
    sources: list[tuple[Origin, Callable[[], Diff]]] = [
        (Origin.ENVIRONMENT, lambda: from_environment(environment))
    ]
    if toml is not None:
        sources.append((Origin.TOML, lambda: from_toml(toml)))
    if stored is not None:
        sources.append((Origin.STORED, lambda: from_diff(stored)))
    layers: list[Layer] = []
    faults: list[Fault] = []
    for origin, read_source in sources:
        try:
            layers.append(Layer(origin=origin, diff=read_source()))
        except PolicyError as error:
            faults.extend(error.faults)
    if faults:
        raise PolicyError(faults)
    return tuple(layers)


def _no_section(name: str) -> Fault:
    return Fault(field=shown_name(name), value="…", problem=f"is no section{_meant(name)}")


def _meant(name: str) -> str:
    """The end of a sentence that proposes what a name without its section may stand for."""
    paths = [path for path in SETTINGS if path.partition(".")[2] == name.lower()]
    if paths:
        return f"; did you mean {' or '.join(paths)}?"
    own = tuple({path.partition(".")[2] for path in SETTINGS})
    return nearest(name, _SECTION_NAMES) or nearest(name, own)


def _contradictions(over: Policy, diff: Diff) -> tuple[Fault, ...]:
    try:
        apply(over, diff)
    except PolicyError as error:
        return error.faults
    return ()


def _take_variable(reading: _Reading, name: str, raw: str) -> None:
    if not name.startswith(ENVIRONMENT_PREFIX) or name.startswith(_TEST_PREFIX):
        return
    if name in RESERVED_VARIABLES:
        return
    rest = name.removeprefix(ENVIRONMENT_PREFIX).lower()
    if "__" in rest:
        reading.take(rest.replace("__", "."), raw, name)
    elif rest in _UNDERSCORED:
        right = ENVIRONMENT_PREFIX + _UNDERSCORED[rest].replace(".", "__").upper()
        reading.refuse(refused(_UNDERSCORED[rest], raw, f"write {right}"), name)


def _flat_raw(mapping: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, raw in mapping.items():
        if "." not in name and isinstance(raw, Mapping):
            yield from ((f"{name}.{part}", inner) for part, inner in raw.items())
        else:
            yield name, raw


def _flat(mapping: Mapping[str, object], reading: _Reading) -> Iterator[tuple[str, object]]:
    """Dotted paths and raw values; what is no section goes to the reading's faults."""
    for name, raw in mapping.items():
        if "." in name:
            yield name, raw
        elif name not in _SECTION_NAMES:
            reading.refuse(_no_section(name))
        elif not isinstance(raw, Mapping):
            if not is_blank(raw):
                reading.refuse(refused(name, raw, "is a section and needs settings of its own"))
        else:
            for part, inner in raw.items():
                yield f"{name}.{part}", inner
