"""The one table of operations, from which command line, REST, MCP and the reference are made.

Decides which operations exist and in which order and under which headings faces list them. Refuses
anything that only one face needs: tables, progress bars and routes hang on the faces.

The examples in the rows work on a bank that holds `tea`, `lunch` and `name`, a hold on `name`
called `matter`, and the canary `who is she`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from lapse.faces.operations.operation import Operation
from lapse.faces.operations.rows.asking import ASKING
from lapse.faces.operations.rows.attending import ATTENDING
from lapse.faces.operations.rows.caching import CACHING
from lapse.faces.operations.rows.chronicling import CHRONICLING
from lapse.faces.operations.rows.consolidating import CONSOLIDATING
from lapse.faces.operations.rows.copying import COPYING
from lapse.faces.operations.rows.correcting import CORRECTING
from lapse.faces.operations.rows.erasing import ERASING
from lapse.faces.operations.rows.governing import GOVERNING
from lapse.faces.operations.rows.keeping import KEEPING
from lapse.faces.operations.rows.measuring import MEASURING
from lapse.faces.operations.rows.planning import PLANNING
from lapse.faces.operations.rows.rating import RATING
from lapse.faces.operations.rows.strengthening import STRENGTHENING
from lapse.faces.operations.rows.sweeping import SWEEPING
from lapse.faces.operations.rows.telling import TELLING

GROUPS: Mapping[str, tuple[Operation, ...]] = MappingProxyType(
    {
        "Tell": TELLING,
        "Ask": ASKING,
        "Correct": CORRECTING,
        "Strengthen": STRENGTHENING,
        "Attend": ATTENDING,
        "Erase": ERASING,
        "Copy": COPYING,
        "Plan": PLANNING,
        "Chronicle": CHRONICLING,
        "Sweep": SWEEPING,
        "Cache": CACHING,
        "Govern": GOVERNING,
        "Measure": MEASURING,
        "Keep": (*RATING, *CONSOLIDATING, *KEEPING),
    }
)
"""Every operation under the headings of help and reference."""

TABLE: Mapping[str, Operation] = MappingProxyType(
    {each.name: each for group in GROUPS.values() for each in group}
)
"""Every operation by its name."""
