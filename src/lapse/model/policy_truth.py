"""Settings of truth over time: what is found to be replaced, and what then happens.

Decides names, defaults and ranges. Refuses to find (`lapse.truth`).
"""

# ruff: noqa: RUF009 - setting() returns a field declaration, made once, on purpose

from dataclasses import dataclass
from typing import ClassVar

from lapse.model.policy_enums import Detect
from lapse.model.setting_values import Section
from lapse.model.settings import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthPolicy(Section):
    """What a statement without a key replaces."""

    section: ClassVar[str] = "truth"

    detect: Detect = setting(
        default=Detect.OFF,
        help="What happens when a new memory seems to replace another: off does not look, propose "
        "lists it as a conflict, act lets it take the place from act_level on and lists the rest.",
    )
    act_level: float = setting(
        default=0.5,
        within="[0, 1]",
        help="Confidence from which a replacement that was found takes place by itself.",
    )
    propose_level: float = setting(
        default=0.3,
        within="[0, 1]",
        help="Confidence from which a replacement that was found is listed as a conflict.",
    )
    query_level: float = setting(
        default=0.4,
        within="[0, 1]",
        help="Confidence from which a query names a memory, where a caller corrects by a query.",
    )
    candidates: int = setting(
        default=50,
        within="[1, 1000]",
        unit="memories",
        help="Most memories that a new statement is compared with.",
    )
    inherit_strength: bool = setting(
        default=False,
        help="Whether what takes a place starts with the strength of what it replaces.",
    )
