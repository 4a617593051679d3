"""Letters that look like others, brought back to the letters they stand for.

Decides which Cyrillic, Greek, Armenian and rarer Latin letters are taken for plain Latin ones.
Refuses to translate: a word that is written in its own script alone keeps whatever has no twin.

Two readings, because a letter is drawn differently as a capital and as a small one. In a word that
also holds plain Latin letters each letter is read as it is drawn. In a word of one foreign script
small letters are read as their capitals are drawn, so that its case makes no difference.
"""

import re
import unicodedata
from typing import Final

_MARKS: Final = re.compile("[\u0300-\u036f]+")
_LATIN: Final = re.compile("[A-Za-z]")


def _table(pairs: str) -> dict[int, str]:
    return {ord(each[0]): each[1:] for each in pairs.split()}


_ALIKE_IN_BOTH_CASES: Final = _table(
    # Cyrillic, capital and small, as the capital is drawn
    "Аa Вb Еe Ѕs Іi Јj Кk Мm Нh Оo Рp Сc Тt Уy Хx Ԁd Ԛq Ԝw Ѵv Ғf Һh"
    " аa вb еe ѕs іi јj кk мm нh оo рp сc тt уy хx ԁd ԛq ԝw ѵv ғf һh Ӏl ӏl"
    # Greek
    " Αa Βb Εe Ζz Ηh Ιi Κk Μm Νn Οo Ρp Τt Υy Χx Ϲc Ϳj"
    " αa βb εe ζz ηh ιi κk μm νn οo ρp τt υy χx ϲc ϳj µm"
    # Armenian, and Latin letters that are no accented ones
    " Օo օo Տs տs Լl հh ոn սu ցg զq ɑa ɡg ɩi ıi ȷj ɪi ʏy ʀr ɴn ʟl ɢg ʙb ʜh"
    " ᴀa ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz øo łl đd ħh ŧt ðd þþ ɓb ɗd ɖd ɠg ƙk"
    " ɲn ƥp ʋv ƴy ʐz ⱥa ƀb ɇe ɨi ɉj ɍr ʉu ɏy ƶz"
    " ßss æae œoe ØO ŁL ĐD ĦH ŦT ÆAE ŒOE ẞss"
)

_AS_DRAWN: Final = _ALIKE_IN_BOTH_CASES | _table("νv υu ηn ωw γy σo κk ιi ρp пn гr ѡw ьb зe ցg")


def plain(word: str) -> str:
    """A word as its letters look, without case and without accents on Latin and Greek letters.

    Args:
        word: Letters of any script, in a form without width and ligatures (`without_forms`).
    """
    if word.isascii():
        return word.lower()
    bare = unicodedata.normalize("NFD", word)
    mixed = _LATIN.search(bare) is not None
    if mixed or _accented_elsewhere(bare):
        # й is no и, and Indic vowels are marks: only what a Latin or Greek letter carries goes.
        bare = _without_marks(bare)
    drawn = bare.translate(_AS_DRAWN if mixed else _ALIKE_IN_BOTH_CASES)
    return unicodedata.normalize("NFC", drawn.casefold())


def _accented_elsewhere(bare: str) -> bool:
    return any("\u0370" <= each <= "\u03ff" or "\u00c0" <= each <= "\u02af" for each in bare)


def _without_marks(bare: str) -> str:
    return _MARKS.sub("", bare)
