"""Settings of serving: how much one request may hold, and how many may come.

Decides names, defaults and ranges. Refuses to count (`lapse.faces.rest`).
"""

from dataclasses import dataclass
from typing import ClassVar

from lapse.model.setting_values import Section
from lapse.model.settings import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPolicy(Section):
    """What a served bank takes."""

    section: ClassVar[str] = "server"

    max_request_bytes: int = setting(
        default=4_194_304,
        within="[1024, 1073741824]",
        unit="bytes",
        help="Largest body of one request; a larger one is refused with 413.",
    )
    max_import_bytes: int = setting(
        default=268_435_456,
        within="[1024, 1099511627776]",
        unit="bytes",
        help="Largest export that one request may bring in; a larger one is refused with 413.",
    )
    max_page: int = setting(
        default=1000,
        within="[1, 1000]",
        unit="memories",
        help="Most memories of one page.",
    )
    requests_per_minute: int = setting(
        default=6000,
        within="[1, 10000000]",
        help="Requests that one key may make in a minute, by REST and MCP together; one more is"
        " refused with 429. Each server process counts its own: behind n of them it is n times it.",
    )
    answer_hours: float = setting(
        default=24.0,
        within="(0, 8760]",
        unit="hours",
        help="How long an answer is kept for the same Idempotency-Key, and a job's result.",
    )
