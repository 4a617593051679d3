"""How the settings of another system are mapped to settings of Lapse.

Decides what is said of each: its name and default there, its place here, the number that the preset
keeps. Refuses to hold the mappings: the modules beside it do, and a test
holds each preset to them.
"""

from dataclasses import dataclass

from lapse.model.settings import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One setting of a source, and where it lives here.

    Attributes:
        name: The setting, as the source writes it.
        given: The source's default, as written there; empty where it gives none.
        paths: Settings of Lapse that hold it; empty where a call or a memory holds it.
        kept: Value that the preset must have at the first path, when the source gives one.
        note: What differs, or where else it lives.
    """

    name: str
    given: str = ""
    paths: tuple[str, ...] = ()
    kept: Value = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One of the four systems.

    Attributes:
        title: Its name.
        preset: Preset that reproduces it.
        intro: What to know before the table.
        rows: Its settings.
    """

    title: str
    preset: str
    intro: str
    rows: tuple[Row, ...]
