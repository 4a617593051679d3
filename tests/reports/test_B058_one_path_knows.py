"""B058: one read path knows about tombstones, another does not.

Waits: export, the tool and REST faces.
"""

import pytest

from lapse.errors import NotFoundError
from lapse.model.codec import dumps
from tests.reports.helping import Place, everything

WHO = {"by": "anna", "reason": "asked for"}


def test_the_erased_word_is_found_through_no_read(place: Place) -> None:
    bank = place.bank()
    bank.remember("The word of the day is zyxquartz", id="word", tags=["zyxtag"])
    bank.remember("The word of the week is fern", id="other")
    bank.recall("word of the day")
    bank.cache.put("which word is it?", "It is zyxquartz.", sources=["word"])
    bank.erase(["word"], **WHO)
    told = [
        bank.recall("zyxquartz word of the day"),
        everything(bank),
        bank.cache.get("which word is it?"),
        bank.search_archive("zyxquartz word"),
        bank.why("word", "other"),
        bank.stats(),
        bank.suppressed(),
        bank.archived(),
        bank.select(query="the word of the day").nearest,
        bank.tombstones(),
    ]
    assert "fern" in dumps(told)
    assert "zyxquartz" not in dumps(told).lower()
    assert "zyxtag" not in dumps(told)
    with pytest.raises(NotFoundError):
        bank.get("word")
