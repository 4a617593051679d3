"""What Lapse needs from the outside, as protocols.

Decides the smallest interface of every replaceable part. Refuses to know any implementation: only
`faces/app.py` picks them.
"""

from lapse.ports.answers import Answers
from lapse.ports.copying import Copying
from lapse.ports.governing import Governing
from lapse.ports.journals import Journals
from lapse.ports.models import Generate
from lapse.ports.near import SearchesNear
from lapse.ports.outside import (
    Clock,
    Embedder,
    Entropy,
    NewId,
    Reranker,
    TokenCounter,
    TombstoneKeys,
)
from lapse.ports.records import Records
from lapse.ports.stores import KeepsNotes, Leasing, Notes, Store
from lapse.ports.truths import Truths

__all__ = [
    "Answers",
    "Clock",
    "Copying",
    "Embedder",
    "Entropy",
    "Generate",
    "Governing",
    "Journals",
    "KeepsNotes",
    "Leasing",
    "NewId",
    "Notes",
    "Records",
    "Reranker",
    "SearchesNear",
    "Store",
    "TokenCounter",
    "TombstoneKeys",
    "Truths",
]
