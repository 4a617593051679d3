"""B069: an ordinary deletion silently bars learning the same again for ever.

Design differs: what is only put out of mind is suppressed or archived, and comes back when a user
tells it again; what was erased is refused with an error that names the tombstone to lift.
"""

import pytest

from lapse.errors import TombstonedError
from lapse.model.outcome import Action
from lapse.model.retention import Lifecycle
from tests.reports.helping import Place

WHO = {"by": "anna", "reason": "asked for"}


def test_told_by_the_user_again_it_is_there_again_and_a_refusal_is_never_silent(
    place: Place,
) -> None:
    bank = place.bank()
    bank.remember("The user prefers green tea", id="tea", role="user")
    bank.archive(["tea"], **WHO)
    place.clock.advance(days=60)
    told = bank.remember("The user prefers green tea", role="user")
    assert (told.id, told.action) == ("tea", Action.RECONFIRMED)
    assert bank.get("tea").state.lifecycle is Lifecycle.ACTIVE
    bank.erase(["tea"], **WHO)
    with pytest.raises(TombstonedError, match="lift_tombstone"):
        bank.remember("The user prefers green tea", role="user")
