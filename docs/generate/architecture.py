"""Write the pictures in ARCHITECTURE.md from the layers in pyproject.toml and the imports in src/.

Decides how the pictures read. Refuses to hold a fact about any package: layers come from the
import contract, sentences from the packages' own docstrings, arrows from their imports.

    python docs/generate/architecture.py
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "ARCHITECTURE.md"
BEGIN = "<!-- From the imports, by `make docs`: begin -->"
END = "<!-- From the imports, by `make docs`: end -->"
WIDTH = 98

Edges = Mapping[str, frozenset[str]]


def layers(root: Path = ROOT) -> list[list[str]]:
    """Names of each layer, highest first, whether or not they are built."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (found,) = [each["layers"] for each in contracts if each["id"] == "layers"]
    return [[name.strip(" ()") for name in layer.split("|")] for layer in found]


def packages(root: Path = ROOT) -> dict[str, str]:
    """First sentence of each package's or module's docstring, by its name."""
    source = root / "src" / "lapse"
    files = [*source.glob("*/__init__.py"), *source.glob("[!_]*.py")]
    return {_name(source, each): _sentence(each) for each in sorted(files)}


def imports(root: Path = ROOT) -> Edges:
    """Which packages each one imports, itself left out."""
    source = root / "src" / "lapse"
    known = packages(root)
    edges: dict[str, set[str]] = {name: set() for name in known}
    for path in sorted(source.rglob("*.py")):
        name = _name(source, path)
        if name in known:
            edges[name].update(set(_imported(path)) & known.keys() - {name})
    return {name: frozenset(found) for name, found in edges.items()}


def picture(root: Path = ROOT) -> str:
    """Everything between the two marks."""
    built, order, edges = packages(root), layers(root), imports(root)
    waiting = [name for layer in order for name in layer if name not in built]
    drawn = [[name for name in layer if name in built] for layer in order]
    return "\n".join(
        [
            BEGIN,
            "",
            "```text",
            *_boxes([layer for layer in drawn if layer], built),
            "```",
            "",
            "Imports point down; names of one box do not see each other, but for `engine` and\n"
            f"`bank`. Not built yet: {', '.join(f'`{name}`' for name in waiting) or 'nothing'}.",
            "",
            "```mermaid",
            *_graph([layer for layer in drawn if layer], edges),
            "```",
            "",
            "An arrow means *imports*; what follows from two arrows is left out. `model` and\n"
            "`errors` are imported by all.",
            "",
            END,
        ]
    )


def page(root: Path = ROOT) -> str:
    """The whole page with its pictures as they are now.

    Raises:
        ValueError: The page has lost a mark.
    """
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    found = re.search(f"{re.escape(BEGIN)}.*?{re.escape(END)}", text, re.DOTALL)
    if found is None:
        raise ValueError(f"ARCHITECTURE.md needs the lines {BEGIN!r} and {END!r}")
    return text[: found.start()] + picture(root) + text[found.end() :]


def _name(source: Path, path: Path) -> str:
    return path.relative_to(source).parts[0].removesuffix(".py")


def _sentence(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    first = text.partition("\n\n")[0].replace("\n", " ")
    return first.partition(". ")[0].removesuffix(".")


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        elif isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        else:
            continue
        parts = [each.split(".") for each in names]
        yield from (each[1] for each in parts if each[0] == "lapse" and len(each) > 1)


def _boxes(drawn: Sequence[Sequence[str]], built: Mapping[str, str]) -> Iterator[str]:
    """A box for each layer, a line for each package with what it is."""
    longest = max(len(name) for layer in drawn for name in layer)
    rule = "─" * (WIDTH - 2)
    yield f"┌{rule}┐"
    for at, layer in enumerate(drawn):
        if at:
            yield f"├{rule}┤"
        for name in layer:
            for part, line in enumerate(wrap(built[name], WIDTH - longest - 7)):
                shown = f" {'' if part else name:<{longest}}  {line}"
                yield f"│{shown:<{WIDTH - 2}}│"
    yield f"└{rule}┘"


def _graph(drawn: Sequence[Sequence[str]], edges: Edges) -> Iterator[str]:
    """The same as a graph: layers as rows, arrows that do not follow from others."""
    yield "flowchart TB"
    names = [name for layer in drawn for name in layer if name not in ("model", "errors")]
    for at, layer in enumerate(drawn):
        mine = [name for name in layer if name in names]
        if mine:
            yield f'  subgraph layer{at}[" "]'
            yield f"    {' ~~~ '.join(mine)}"
            yield "  end"
    for name in names:
        for other in sorted(_direct(name, edges)):
            if other in names:
                yield f"  {name} --> {other}"


def _direct(name: str, edges: Edges) -> set[str]:
    """What a package imports and no other of its imports leads to."""
    reached = {each: _reached(edges[each], edges) for each in edges[name]}
    return {
        each
        for each in edges[name]
        if not any(each in found for other, found in reached.items() if other != each)
        or name in reached[each]
    }


def _reached(start: Iterable[str], edges: Edges) -> set[str]:
    seen: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(edges[name])
    return seen


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
