"""Which store, and which keys to it, a target names.

Decides how a target is spelled, and that a driver is imported only where its store was chosen.
Refuses to read the environment: it is handed in.
"""

from collections.abc import Mapping
from pathlib import Path

from lapse.errors import ValidationError
from lapse.faces.folders import files_path, is_files
from lapse.faces.keys import VARIABLE, FileKeys, HeldKeys
from lapse.faces.outside import TARGETS
from lapse.faces.postgres import is_postgres, key_file, postgres_store
from lapse.ports import Entropy, Store, TombstoneKeys

IN_MEMORY = "memory://"

_SQLITE = "sqlite:///"


def store_of(target: str) -> Store:
    """Open the store that a target names.

    Raises:
        ValidationError: It names none.
        StoreError: It cannot be opened.
    """
    if target == IN_MEMORY:
        from lapse.stores.memory import MemoryStore  # noqa: PLC0415 - only the chosen store loads

        return MemoryStore()
    if is_postgres(target):
        return postgres_store(target)
    if is_files(target):
        from lapse.stores.files.store import FileStore  # noqa: PLC0415 - only the chosen store loads

        return FileStore.open(files_path(target))
    if not target.strip() or ("://" in target and not target.startswith(_SQLITE)):
        # What follows the scheme may hold a password.
        shown = f"{target.partition('://')[0]}://…" if "://" in target else target
        raise ValidationError.of("target", shown, TARGETS)
    if target.startswith(_SQLITE) and "?" in target:
        name = target.partition("?")[2].partition("=")[0]
        raise ValidationError.of("target", f"?{name}=…", "a file has no options: give its path")
    from lapse.stores.sql.sqlite import SqliteStore  # noqa: PLC0415 - SQLAlchemy loads slowly

    return SqliteStore.open(path_of(target))


def may_be_there(target: str) -> bool:
    """Whether a store is kept there already; of a server this cannot be told without opening."""
    if is_postgres(target):
        return True
    if is_files(target):
        return Path(files_path(target)).is_dir()
    return Path(path_of(target)).is_file()


def path_of(target: str) -> str:
    """The path that the target of an embedded store names."""
    return target.removeprefix(_SQLITE)


def keys_of(target: str, entropy: Entropy, environment: Mapping[str, str]) -> TombstoneKeys:
    """The keys of tombstones and receipts that belong to a target."""
    if target == IN_MEMORY:
        return HeldKeys(entropy, environment.get(VARIABLE))
    if is_postgres(target):
        return FileKeys(key_file(target, Path.home()), entropy, environment.get(VARIABLE))
    if is_files(target):
        # In the folder itself a key would go wherever a copy of the folder goes.
        return FileKeys.beside(files_path(target).rstrip("/"), entropy, environment)
    return FileKeys.beside(path_of(target), entropy, environment)
