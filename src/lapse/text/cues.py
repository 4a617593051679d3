"""Small closed word lists that the comparison of texts reads.

Decides which words turn a statement round, which stand for a number, a date or a unit, which only
relate others, and which say nothing. Refuses to be a dictionary: what is not listed is treated as
if it mattered.

Several languages share one set. A word that says "not" in one and something else in another does no
harm, because it is only asked whether two texts use it alike.
"""

from collections.abc import Mapping
from typing import Final


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


NEGATIONS: Final = _words(
    # English, and its contractions as they are often typed
    "no not never none nobody nothing nowhere neither nor without cannot cant dont doesnt didnt"
    " isnt arent wasnt werent wont wouldnt shouldnt couldnt hasnt havent hadnt aint"
    # German, Dutch, Scandinavian
    " nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne"
    " niet geen nooit niets zonder inte aldrig ingen inget inga utan ikke aldri uten ej"
    # French, Spanish, Portuguese, Italian, Romanian
    " n ne pas jamais rien personne aucun aucune sans nunca jamás nadie nada ninguno ninguna sin"
    " não nao ninguém sem non mai nessuno nessuna niente senza nu niciodată fără"
    # Russian, Ukrainian, Polish, Czech, Greek, Turkish, Indonesian
    " не нет никогда никто ничего без ні nie nigdy nikt nic bez není nikdy"
    " δεν μην όχι ποτέ χωρίς değil yok hiç tidak bukan jangan tanpa"
)
"""Words that turn a statement round. Scripts without capitals need none (see `distinctions`)."""

NUMBER_WORDS: Final[Mapping[str, str]] = dict(
    each.split("=")
    for each in _words(
        "zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11"
        " twelve=12 thirteen=13 fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18"
        " nineteen=19 twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90"
        " hundred=100 thousand=1000 million=1000000 half=half once=once twice=twice first=1st"
        " second=2nd third=3rd fourth=4th fifth=5th sixth=6th seventh=7th eighth=8th ninth=9th"
        " tenth=10th"
    )
)
"""English words for numbers, most of them in the form in which digits would be written."""

DATES: Final = _words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june"
    " july august september october november december today tomorrow yesterday"
)
"""Words that date something as a number would, capitalised or not."""

UNITS: Final = _words(
    "mg g kg km m cm mm l ml h hr hrs hour hours min mins minute minutes s sec day days week weeks"
    " month months year years am pm kb mb gb tb mph kmh ft lb lbs oz usd eur gbp percent"
)
"""What a number before it counts."""

FILLERS: Final = _words(
    "a an the and that just also very really quite so well oh ok okay hey hi hello actually please"
    " yes do does"
)
"""English words that neither name nor relate: coming, going or exchanged, they change nothing."""

RELATIONS: Final = _words(
    "or but if as at by for from in into of off on onto out over under to up down with than then"
    " this these those there here it its he him his she her hers they them their theirs we us our"
    " ours you your yours i me my mine myself who whom whose which what when where why how is are"
    " was were be been being am did doing done has have had having will would shall should can"
    " could may might must still already only even too again ever about because while since before"
    " after until though although maybe perhaps some any all both each every much many more most"
    " less least few such own same other another now currently initially originally previously"
    " formerly earlier later finally last next always usually often sometimes rarely seldom left"
    " right new old"
)
"""English words that name nothing either, but say who, when, where and how much. One more or less
may be style; one in place of another is a different statement: her and his, on and off, is and was.
"""
