"""What a core install costs: seconds, megabytes, and the time of `import lapse`.

Decides nothing about which packages are worth it; docs/adr/ does, with these figures. Each run
makes a virtual environment in a temporary folder, installs without pip's cache, and removes it.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common import (
    Json,
    arguments,
    envelope,
    print_json,
    print_machine,
    print_table,
)

ROOT = Path(__file__).resolve().parents[1]
MEGABYTE = 1_000_000
IMPORTS = 11

# Runs inside the new environment. What pip wrote down for a distribution is what it occupies.
SIZES = """
import json
from importlib.metadata import distributions

sizes = {}
for found in distributions():
    files = [found.locate_file(file) for file in found.files or []]
    size = sum(file.stat().st_size for file in files if file.is_file())
    sizes[found.metadata["Name"]] = [found.version, size]
print(json.dumps(sizes))
"""

IMPORT_TIME = """
import time

started = time.perf_counter()
import lapse

print(time.perf_counter() - started)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one fresh installation took.

    `packages` maps a distribution's name to its version and its size in bytes, without pip.
    """

    seconds: float
    packages: dict[str, tuple[str, int]]
    import_seconds: list[float]


def main() -> None:
    """Measure, then print a table or one JSON object."""
    parser = arguments("seconds and megabytes of a core install into a fresh environment")
    parser.add_argument(
        "--source",
        default=str(ROOT),
        help="what to install, as pip would take it (default: this project)",
    )
    given = parser.parse_args()
    cost = measure(given.source)
    outcome = envelope("install", results(cost))
    if given.as_json:
        print_json(outcome)
        return
    rows = [(name, found, size / MEGABYTE) for name, (found, size) in cost.packages.items()]
    print_table("A core install, by package", ["package", "version", "MB"], rows)
    print(f"installed in {cost.seconds:.1f} s: {len(rows)} packages, {_megabytes(cost):.0f} MB")
    print(
        f"import lapse: {statistics.median(cost.import_seconds):.4f} s"
        f" (median of {IMPORTS}; worst {max(cost.import_seconds):.4f} s)"
    )
    print_machine(outcome)


def measure(source: str) -> Cost:
    """Install `source` into a new environment and look at what came.

    Raises:
        subprocess.CalledProcessError: pip or Python failed there; their words are on stderr.
    """
    with tempfile.TemporaryDirectory(prefix="lapse-install-") as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python")
        before = _sizes(python)
        started = time.perf_counter()
        _run(python, "-m", "pip", "install", "--quiet", "--no-cache-dir", source)
        seconds = time.perf_counter() - started
        packages = {name: size for name, size in _sizes(python).items() if name not in before}
        import_seconds = [float(_run(python, "-c", IMPORT_TIME)) for _ in range(IMPORTS)]
    largest_first = sorted(packages.items(), key=lambda item: -item[1][1])
    return Cost(seconds=seconds, packages=dict(largest_first), import_seconds=import_seconds)


def results(cost: Cost) -> dict[str, Json]:
    """The figures under the names that stay stable: `seconds mb packages import_s`."""
    return {
        "seconds": round(cost.seconds, 2),
        "mb": round(_megabytes(cost), 1),
        "packages": {
            name: {"version": found, "mb": round(size / MEGABYTE, 2)}
            for name, (found, size) in cost.packages.items()
        },
        "import_s": {
            "median": round(statistics.median(cost.import_seconds), 5),
            "worst": round(max(cost.import_seconds), 5),
        },
    }


def _megabytes(cost: Cost) -> float:
    return sum(size for _, size in cost.packages.values()) / MEGABYTE


def _sizes(python: str) -> dict[str, tuple[str, int]]:
    sizes: dict[str, list[str | int]] = json.loads(_run(python, "-c", SIZES))
    return {name: (str(found), int(size)) for name, (found, size) in sizes.items()}


def _run(*command: str) -> str:
    # The folder is one without sources, so that what was installed is what is imported.
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, cwd=tempfile.gettempdir()
    )
    return done.stdout


if __name__ == "__main__":
    main()
