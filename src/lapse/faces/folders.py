"""Targets that name a folder of files.

Decides how they are spelled. Refuses to open anything, so that it loads at once.
"""

from urllib.parse import unquote

from lapse.errors import ValidationError

_FILES = "file:///"


def is_files(target: str) -> bool:
    """Whether a target names a folder of files."""
    return target.startswith(_FILES)


def files_path(target: str) -> str:
    """The folder that a target names; an option in it is refused.

    Raises:
        ValidationError: It names none, or has options.
    """
    path, mark, options = target.removeprefix("file://").partition("?")
    if mark:
        name = options.partition("=")[0]
        raise ValidationError.of("target", f"?{name}=…", "a folder of files has no options")
    if not path.strip("/"):
        raise ValidationError.of("target", target, "needs a folder, as in file:///path/to/folder")
    return unquote(path)
