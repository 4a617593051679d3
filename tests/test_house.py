"""The rules of the house that no tool knows, and the tools that know the others.

Each test names every place where its rule is broken, so that one run is enough to mend them.
"""

import ast
import io
import os
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project_files import ROOT, assert_none, place, python, trees

APP = ROOT / "src" / "lapse" / "faces" / "app.py"
FACES = ROOT / "src" / "lapse" / "faces"
LONGEST_FILE = 400
CODE = ("src", "tests", "benchmarks", "docs", "examples")

# What only the composition root may read: the clock, the environment, chance.
OUTSIDE_WORLD = (
    "datetime.date.today",
    "datetime.datetime.now",
    "datetime.datetime.today",
    "datetime.datetime.utcnow",
    "os.environ",
    "os.getenv",
    "os.urandom",
    "random",
    "secrets",
    "time.monotonic",
    "time.perf_counter",
    "time.process_time",
    "time.time",
    "uuid.uuid1",
    "uuid.uuid4",
    "uuid.uuid7",
)
CONTAINERS = {"Counter", "OrderedDict", "defaultdict", "deque", "dict", "list", "set"}
WAY_AROUND = re.compile(r"# (type: ignore|noqa)")
CLAIMS = ("assert", "check", "expect", "verify")


def run(program: str, *arguments: str) -> list[str]:
    """Run a tool installed beside this interpreter: what it says when it is not content."""
    done = subprocess.run(
        [Path(sys.executable).with_name(program), *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    return [] if done.returncode == 0 else (done.stdout + done.stderr).splitlines()


# --- the tools ----------------------------------------------------------------------------


@pytest.mark.house
def test_every_file_is_formatted() -> None:
    assert_none(run("ruff", "format", "--check", "."))


@pytest.mark.house
def test_no_file_breaks_a_lint_rule() -> None:
    assert_none(run("ruff", "check", "--output-format=concise", "."))


@pytest.mark.house
def test_imports_point_down_the_layers() -> None:
    assert_none(run("lint-imports", "--no-logo", "--no-cache"))


@pytest.mark.house
def test_types_hold_under_strict_mypy() -> None:
    assert_none(run("mypy"))


# --- size and shape -----------------------------------------------------------------------


def test_no_file_is_longer_than_one_subject_needs() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in python(*CODE)}
    faults = [
        f"{path.relative_to(ROOT)}: {length} lines, at most {LONGEST_FILE}"
        for path, length in lengths.items()
        if length > LONGEST_FILE
    ]
    assert lengths
    assert_none(faults)


def test_every_module_says_what_it_decides() -> None:
    faults = [
        f"{place(path, 1)} has no docstring"
        for path, tree in trees("src", "benchmarks")
        if not ast.get_docstring(tree)
    ]
    assert_none(faults)


def test_only_faces_print() -> None:
    faults = [
        f"{place(path, node.lineno)} prints"
        for path, tree in trees("src")
        if not path.is_relative_to(FACES)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert_none(faults)


# --- the outside world --------------------------------------------------------------------


def imported_names(tree: ast.Module) -> dict[str, str]:
    """What each imported name stands for: `dt` for `datetime.datetime`, and so on."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                names[alias.asname or whole] = whole
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def dotted(node: ast.AST, names: dict[str, str]) -> str | None:
    """The full name of what an expression such as `np.random.rand` refers to."""
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=value, attr=attr):
            whole = dotted(value, names)
            return None if whole is None else f"{whole}.{attr}"
        case _:
            return None


def touched(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each place that reads the clock, the environment or chance, with what it reads."""
    names = imported_names(tree)
    for node in ast.walk(tree):
        whole = dotted(node, names) or ""
        if any(whole == banned or whole.startswith(f"{banned}.") for banned in OUTSIDE_WORLD):
            yield getattr(node, "lineno", 0), whole
        elif hidden_chance(node, whole, names):
            yield getattr(node, "lineno", 0), f"{whole or ast.unparse(node)}: chance without a seed"


def hidden_chance(node: ast.AST, whole: str, names: dict[str, str]) -> bool:
    """Whether NumPy is asked for chance; a generator made with a seed is arithmetic."""
    if isinstance(node, ast.Call) and not node.args and not node.keywords:
        return dotted(node.func, names) == "numpy.random.default_rng"
    return (
        whole.startswith("numpy.random.")
        and whole != "numpy.random.default_rng"
        and whole.split(".")[2].islower()
    )


def test_only_the_composition_root_reads_clock_environment_and_chance() -> None:
    faults = [
        f"{place(path, line)} reads {what}"
        for path, tree in trees("src")
        if path != APP
        for line, what in touched(tree)
    ]
    assert_none(faults)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("import time\nx = time.time()", "time.time"),
        ("from time import time as t\nx = t()", "time.time"),
        ("import datetime as d\nx = d.datetime.now(d.UTC)", "datetime.datetime.now"),
        ("from datetime import datetime\nf = datetime.now", "datetime.datetime.now"),
        ("def f():\n    import os\n    return os.environ['A']", "os.environ"),
        ("import random\nx = random.random()", "random.random"),
        ("import numpy as np\nx = np.random.rand()", "numpy.random.rand"),
        ("import numpy as np\nx = np.random.default_rng()", "without a seed"),
    ],
)
def test_the_search_for_the_outside_world_finds(source: str, what: str) -> None:
    assert any(what in found for _, found in touched(ast.parse(source)))


def test_the_search_for_the_outside_world_lets_values_pass() -> None:
    source = (
        "import numpy as np\nfrom datetime import UTC, datetime\n"
        "a = datetime.fromisoformat('2026-01-01').replace(tzinfo=UTC)\n"
        "b = np.random.default_rng(7)\ndef f(rng: np.random.Generator, time: int): return time\n"
    )
    assert list(touched(ast.parse(source))) == []


def test_no_module_keeps_state_of_its_own() -> None:
    faults = []
    for path, tree in trees("src"):
        faults += [
            f"{place(path, node.lineno)} declares a global"
            for node in ast.walk(tree)
            if isinstance(node, ast.Global)
        ]
        faults += [
            f"{place(path, line)} keeps {name} at module level, where it can change"
            for line, name in module_containers(tree)
            if name != name.upper() and not name.startswith("__")
        ]
    assert_none(faults)


def module_containers(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=targets, value=value):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                names = [name]
            case _:
                continue
        if is_container(value):
            yield from ((node.lineno, name) for name in names)


def is_container(value: ast.expr) -> bool:
    match value:
        case ast.Dict() | ast.List() | ast.Set() | ast.DictComp() | ast.ListComp() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name in CONTAINERS
        case _:
            return False


# --- exceptions to rules carry their reason -----------------------------------------------


def test_every_way_around_a_rule_says_why() -> None:
    faults = [
        f"{place(path, line)} {what} without a reason beside it or on the line above"
        for path, tree in trees("src")
        for line, what in unexplained(path.read_text(encoding="utf-8"), tree)
    ]
    assert_none(faults)


def unexplained(source: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each `Any`, cast, ignored type and ignored lint rule that has no sentence with it."""
    comments = {
        token.start[0]: token.string
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    lines = source.splitlines()

    def explained(line: int) -> bool:
        comment = comments.get(line, "")
        beside = re.sub(r"# (type: ignore|noqa)(\[[^]]*\]|: [A-Z0-9, ]+)?", "", comment)
        if len(re.findall(r"\w{2,}", beside)) > 1:
            return True
        # One comment may stand over several lines that go around the same rule.
        return line > 1 and (
            lines[line - 2].strip().startswith("#")
            or (WAY_AROUND.search(comments.get(line - 1, "")) is not None and explained(line - 1))
        )

    for line, comment in comments.items():
        if WAY_AROUND.search(comment) and not explained(line):
            yield line, "ignores a rule"
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="typing", names=names) if any(
                n.name == "Any" for n in names
            ):
                if not any(map(explained, range(node.lineno, (node.end_lineno or 0) + 1))):
                    yield node.lineno, "imports Any"
            case ast.Call(func=ast.Name(id="cast")) if not explained(node.lineno):
                yield node.lineno, "casts"


def test_a_way_around_a_rule_without_its_reason_is_found() -> None:
    bare = "from typing import Any\nx = cast(int, y)\nz = 1  # noqa: E501\n"
    reasoned = (
        "from typing import Any  # JSON has no closed type\n# the driver says object\n"
        "x = cast(int, y)\nz = 1  # noqa: E501 - a table row\n"
    )
    assert len(list(unexplained(bare, ast.parse(bare)))) == 3
    assert list(unexplained(reasoned, ast.parse(reasoned))) == []


# --- tests --------------------------------------------------------------------------------


def every_test() -> Iterator[tuple[Path, ast.FunctionDef]]:
    for path, tree in trees("tests"):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield path, node


def claims(test: ast.FunctionDef) -> bool:
    """Whether a test holds something that can fail by its own word."""
    for node in ast.walk(test):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2].lstrip("_")
            if name in {"raises", "warns", "fail"} or name.startswith(CLAIMS):
                return True
    return False


def test_every_test_can_fail() -> None:
    faults = [
        f"{place(path, t.lineno)} {t.name} asserts nothing"
        for path, t in every_test()
        if not claims(t)
    ]
    assert_none(faults)


def test_the_name_of_a_test_is_a_sentence() -> None:
    faults = [
        f"{place(path, test.lineno)} {test.name}"
        for path, test in every_test()
        if len(test.name.split("_")) < 4
    ]
    assert_none(faults)


def test_no_test_sleeps_or_mocks() -> None:
    faults = []
    for path, tree in trees("tests"):
        names = imported_names(tree)
        used = {(getattr(n, "lineno", 0), dotted(n, names) or "") for n in ast.walk(tree)}
        faults += [
            f"{place(path, line)} uses {whole}"
            for line, whole in sorted(used)
            if whole in {"time.sleep", "asyncio.sleep"} or whole.startswith("unittest.mock")
        ]
    assert_none(faults)
