"""Text of unknown origin made safe to show in a terminal.

Decides which characters are shown as their code instead: those that move the cursor, colour,
reorder or hide what is on the screen. Refuses to touch letters, marks and emoji of any script.
"""

import unicodedata

_REORDERING = frozenset(
    chr(code) for code in (0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)
_CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})
LINE_BREAK = " ↵ "
"""What stands for a line break where a text has one line."""


def visible(text: str) -> str:
    r"""The text as one or more lines, with control characters as `\x1b` or `\u202e`.

    Line breaks and tabs stay. Nothing in the result can change the colour, the position or the
    order of what is shown after it.
    """
    return "".join(each if each in "\n\t" else _shown(each) for each in _breaks(text))


def visible_line(text: str) -> str:
    """The text on one line: breaks become `↵`, tabs a space."""
    line = _breaks(text).strip("\n").replace("\n", LINE_BREAK).replace("\t", " ")
    return "".join(map(_shown, line))


def _breaks(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\u2028", "\n").replace("\u2029", "\n")


def _shown(character: str) -> str:
    if character in _REORDERING or unicodedata.category(character) in _CONTROLS:
        code = ord(character)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return character
