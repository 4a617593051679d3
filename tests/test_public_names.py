"""Whatever can be called from outside says what it means, and which errors it raises itself."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.project_files import assert_none, place, trees

RAISERS = {"raise_all": "ValidationError"}
"""Functions of ours that raise for whoever calls them."""

Documented = ast.FunctionDef | ast.ClassDef


def public(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Documented]]:
    """Public functions and classes and their public methods; a clause's name is its sentence."""
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        if node.name.startswith(("_", "test_")):
            continue
        yield f"{prefix}{node.name}", node
        if isinstance(node, ast.ClassDef):
            yield from public(node.body, f"{node.name}.")


def raised(function: Documented) -> Iterator[str]:
    """Names of the errors that the function's own lines raise; a nested function's are its own."""
    for node in own(function):
        if isinstance(node, ast.Raise) and node.exc is not None:
            name = ast.unparse(node.exc).partition("(")[0].partition(".")[0]
            if name[:1].isupper():
                yield name
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from filter(None, [RAISERS.get(node.func.id)])


def own(function: Documented) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            continue
        yield node
        waiting.extend(ast.iter_child_nodes(node))


def faults_of(path: Path, tree: ast.Module) -> Iterator[str]:
    for name, node in public(tree.body):
        text = ast.get_docstring(node)
        if text is None:
            yield f"{place(path, node.lineno)} {name} has no docstring"
        elif isinstance(node, ast.FunctionDef):
            missing = sorted({each for each in raised(node) if each not in text})
            if missing:
                yield f"{place(path, node.lineno)} {name} does not say that it raises {missing}"


def test_every_public_name_says_what_it_means_and_what_it_raises() -> None:
    assert_none(fault for path, tree in trees("src") for fault in faults_of(path, tree))


def test_a_public_name_that_keeps_an_error_to_itself_is_found(project_root: Path) -> None:
    code = (
        "def bare(): pass\n"
        'def silent():\n    """Do."""\n    raise ValidationError.of("a", 1, "b")\n'
        'def collected(faults):\n    """Do."""\n    raise_all(faults)\n'
        'def told():\n    """Do.\n\n    Raises:\n        StoreError: Always.\n    """\n'
        '    raise StoreError("x")\n'
        'def inner():\n    """Do."""\n    def _f():\n        raise StoreError("x")\n    return _f\n'
        "def _own(): pass\n"
    )
    found = list(faults_of(project_root / "x.py", ast.parse(code)))
    assert [each.split()[1] for each in found] == ["bare", "silent", "collected"]
