"""A text without what only sets it: mark-up of pages, and lines drawn through or over its letters.

Decides what of a text says nothing because a page or a screen turns it into looks: tags of HTML,
character references, and combining marks that make no letter of their own (a stroke through a word,
the stress of a Russian vowel). Refuses to take anything in angle brackets for a tag: `<Anna>` is a
name; and to take away what lifts or lowers a figure: 10<sup>2</sup> is not 102.
"""

import html
import re
import unicodedata
from typing import Final

from lapse.text.normalise import without_forms

_ATTRIBUTES: Final = r"""(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))*\s*/?>"""
_INLINE: Final = re.compile(
    r"</?(?:a|abbr|b|big|code|del|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strong|tt|u|wbr)"
    + _ATTRIBUTES,
    re.IGNORECASE,
)
_BLOCK: Final = re.compile(
    r"</?(?:article|aside|blockquote|body|br|dd|div|dl|dt|footer|h[1-6]|head|header|hr|html|li|main"
    r"|nav|ol|p|pre|section|table|tbody|td|th|thead|title|tr|ul)" + _ATTRIBUTES,
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(r"&(?:[a-zA-Z]{2,8}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_LEFT_OVER: Final = re.compile("[\u0300-\u036f]+")


def without_setting(text: str) -> str:
    """The text without mark-up, width, ligatures, invisible characters and marks of no letter.

    Tags between words in one line vanish, those that begin a block become a line break. What is
    left is in Normalisation Form C, so that the accents of letters which have one of their own
    stay: й is no и.
    """
    if "<" in text:
        text = _BLOCK.sub("\n", _INLINE.sub("", text))
    if "&" in text:
        text = _REFERENCE.sub(lambda found: html.unescape(found.group()), text)
    formless = without_forms(text)
    if formless.isascii():
        return formless
    return _LEFT_OVER.sub("", unicodedata.normalize("NFC", formless))
