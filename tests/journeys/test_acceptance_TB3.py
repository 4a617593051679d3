"""TB3: an erased value told again in disguise is refused; a paraphrase passes, as is written down.

Control: two hundred near neighbours with another number, name or negation are accepted.
"""

from pathlib import Path

import pytest

from lapse.errors import TombstonedError
from lapse.model.outcome import Action
from tests.journeys.acceptance import on_every_store, place_on

WHO = {"by": "anna", "reason": "she asked for it"}
SECRET = "Maria Okafor lives at 14 Elm Street in Lisbon."

DISGUISES = (
    "MARIA OKAFOR LIVES AT 14 ELM STREET IN LISBON",
    "maria   okafor lives at 14 elm\tstreet in lisbon!",
    "M a r i a Okafor lives at 14 Elm Street in Lisbon",
    "Mаriа Okаfor lives at 14 Elm Street in Lisbon",
    "Mar\u200bia Oka\u2060for lives at 14 Elm Street in Lisbon",
    "Ｍaria Okafor lives at １４ Elm Street in Lisbon",
    "Maria Okafor livs at 14 Elm Street in Lisbon",
)
PARAPHRASE = "The Okafor home is in the Portuguese capital, number fourteen of Elm Street"


def neighbours() -> list[str]:
    """Two hundred that differ in a number, a name or a negation."""
    numbers = [SECRET.replace("14", str(each)) for each in range(15, 115)]
    names = [SECRET.replace("Maria", f"Mari{each}") for each in "enokutw"]
    names += [SECRET.replace("Okafor", f"Okaf{each}") for each in ("ur", "ora", "er", "i")]
    negated = [
        "Maria Okafor never lives at 14 Elm Street in Lisbon.",
        "Maria Okafor does not live at 14 Elm Street in Lisbon.",
        "It is not so that Maria Okafor lives at 14 Elm Street in Lisbon.",
    ]
    streets = [SECRET.replace("Elm", name) for name in ("Oak", "Ash", "Fir", "Ela", "Elms")]
    cities = [SECRET.replace("Lisbon", f"Lisb{each}") for each in ("oa", "urn", "on-sur-Mer")]
    halves = [SECRET.replace("14", f"{each}.5") for each in range(100)]
    return [*numbers, *names, *negated, *streets, *cities, *halves][:200]


@on_every_store
def test_no_disguise_brings_it_back_and_every_neighbour_passes(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        bank.remember(SECRET, id="secret")
        bank.erase(["secret"], **WHO)
        for told in DISGUISES:
            with pytest.raises(TombstonedError):
                bank.remember(told)
        assert bank.remember(PARAPHRASE).action is Action.CREATED
        drafts = [{"text": each, "subject": each} for each in neighbours()]
        assert len(drafts) == 200
        done = bank.remember_many(drafts)
        assert [each.memory.text for each in done if each.action is Action.REFUSED] == []
