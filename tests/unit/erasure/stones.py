"""Tombstones for tests: of one text or many, under one key."""

from collections.abc import Iterable

from lapse.erasure.digests import Digester
from lapse.erasure.marking import Erased, mark
from lapse.erasure.matching import TombstoneIndex
from lapse.model.instants import Instant
from lapse.model.tombstone import KeptTombstone, Tombstone, TombstoneKey, TombstoneScope

KEY = TombstoneKey(id="first", secret=b"k" * 32)


def stone(number: int, erased: Erased, key: TombstoneKey = KEY) -> KeptTombstone:
    salt = number.to_bytes(16, "big")
    digests = mark(Digester(key), salt, erased)
    return KeptTombstone(
        number=number,
        tombstone=Tombstone(
            id=f"t{number}",
            tenant="default",
            bank="anna",
            scope=TombstoneScope.BANK,
            key_id=key.id,
            salt=salt,
            exact=digests.exact,
            sums=digests.sums,
            slips=digests.slips,
            at=Instant(0),
            by="anna",
        ),
    )


def index_of(texts: Iterable[str]) -> TombstoneIndex:
    index = TombstoneIndex()
    kept = [
        stone(number, Erased(memory_id=f"m{number}", texts=(text,)))
        for number, text in enumerate(texts, start=1)
    ]
    index.advance(kept, {KEY.id: KEY}.get)
    return index
