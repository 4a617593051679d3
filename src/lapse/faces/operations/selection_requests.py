"""The request of `select`.

Decides the names of its arguments and what they mean. Refuses every rule.
"""

from dataclasses import dataclass, field

from lapse.engine.choosing import Marks
from lapse.faces.operations.fields import From, asked
from lapse.model.selector import Reach


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectRequest:
    """Which memories are meant."""

    query: str | None = field(
        default=None,
        metadata=asked(
            "What is meant, in plain words, such as: everything about Alice.",
            source=From.POSITION,
        ),
    )
    ids: tuple[str, ...] = field(default=(), metadata=asked("Only these memories."))
    marks: Marks = field(default_factory=Marks)
    reach: Reach = field(
        default=Reach.BANK, metadata=asked("This bank, or all banks of its tenant.")
    )
    everything: bool = field(default=False, metadata=asked("All there is."))
    limit: int = field(default=1_000, metadata=asked("Most matches shown; all are counted."))
    near: int = field(
        default=10, metadata=asked("Most others shown that lie near and are not meant.")
    )
