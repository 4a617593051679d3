"""TB4: an erased sentence inside a new paragraph is refused.

Control: the paragraph without it is accepted.
"""

from pathlib import Path

import pytest

from lapse.errors import TombstonedError
from lapse.model.outcome import Action
from tests.journeys.acceptance import on_every_store, place_on

WHO = {"by": "anna", "reason": "she asked for it"}
SECRET = "Maria Okafor lives at 14 Elm Street in Lisbon."


@on_every_store
def test_a_paragraph_with_an_erased_sentence_is_refused(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        bank.remember(SECRET, id="secret")
        bank.erase(["secret"], **WHO)
        before, after = "The week was long and wet.", "On Sunday we baked bread with rye."
        for paragraph in (f"{before} {SECRET} {after}", f"{before}\n{SECRET.lower()}\n{after}"):
            with pytest.raises(TombstonedError):
                bank.remember(paragraph)
        assert bank.remember(f"{before} {after}").action is Action.CREATED
