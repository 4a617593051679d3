"""Lapse: the forgetting layer for the long-term memory of AI agents.

This module decides which names a user imports first, and nothing else. It loads no part of
Lapse until a name is asked for: `import lapse` opens nothing and pulls in no heavy library.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapse.engine.rater import Rater as Rater
    from lapse.errors import LapseError as LapseError
    from lapse.faces.app import Lapse as Lapse
    from lapse.faces.migrating import migrate as migrate
    from lapse.faces.restoring import preview_restore as preview_restore
    from lapse.faces.restoring import restore_backup as restore_backup
    from lapse.model import presets as presets
    from lapse.recall.qualifying import render as render

__version__ = "0.1.0.dev0"

__all__ = [
    "Lapse",
    "LapseError",
    "__version__",
    "migrate",
    "presets",
    "preview_restore",
    "render",
    "restore_backup",
]


def __getattr__(name: str) -> object:
    """Import the module behind a public name when the name is asked for.

    Raises:
        AttributeError: Lapse has no public name of that spelling.
    """
    match name:
        case "Lapse":
            return import_module("lapse.faces.app").Lapse
        case "LapseError":
            return import_module("lapse.errors").LapseError
        case "migrate":
            return import_module("lapse.faces.migrating").migrate
        case "preview_restore":
            return import_module("lapse.faces.restoring").preview_restore
        case "restore_backup":
            return import_module("lapse.faces.restoring").restore_backup
        case "Rater":
            return import_module("lapse.engine.rater").Rater
        case "presets":
            return import_module("lapse.model.presets")
        case "render":
            return import_module("lapse.recall.qualifying").render
        case _:
            raise AttributeError(f"module 'lapse' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names, so that completion works before anything is loaded."""
    return sorted(__all__)
