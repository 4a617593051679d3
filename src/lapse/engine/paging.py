"""Walking through a whole bank, a page at a time.

Decides the size of a page. Refuses to keep more than one in RAM.
"""

from collections.abc import Iterator
from dataclasses import replace

from lapse.engine.core import Core
from lapse.engine.runtime import BankRuntime
from lapse.model.paging import Listing
from lapse.model.record import Record

PAGE = 500
"""Memories handled by one transaction of a pass over a bank."""


EVERYTHING = Listing(limit=PAGE)
"""A listing that leaves nothing out."""


def pages(
    core: Core, runtime: BankRuntime, listing: Listing = EVERYTHING
) -> Iterator[tuple[Record, ...]]:
    """Memories of a bank, by internal number; those that come meanwhile included."""
    after: int | None = listing.after
    while after is not None:
        page = core.page(runtime.ref, replace(listing, after=after))
        if page.records:
            yield page.records
        after = page.next_after
