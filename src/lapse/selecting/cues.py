"""Small closed word lists that reading a wish rests on.

Decides which words of a wish only ask, which name a category rather than a thing, and which claim
that two names are one. Refuses to be a dictionary: an unlisted word is taken to matter.
"""

import re
from typing import Final


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


EVERYTHING: Final = re.compile(
    r"\b(?:everything|all|anything|whatever)\b(?: (?:that|you|we|i|know|have|remember|stored))*"
    r"(?: (?:about|on|of|regarding|concerning|to do with|related to|for|from))?\b",
    re.IGNORECASE,
)
"""How a person asks for all there is."""

ABOUT: Final = re.compile(r"\b(?:about|regarding|concerning)\b", re.IGNORECASE)
"""How a person names whom or what it is about."""

COMMAND: Final = re.compile(
    r"^\s*(?:please |can you |could you )*"
    r"(?:forget|delete|remove|erase|purge|release|drop|clear|suppress|wipe)\b"
    r"(?: (?:that|the fact that|about))?",
    re.IGNORECASE,
)
"""What a person says before what is to go."""

GENERIC: Final = _words(
    "profile information info record records history data details detail preference preferences"
    " file files entry entries note notes memory memories stuff thing things fact facts medical"
    " personal"
)
"""Words for whatever is known of somebody: they choose nothing, whatever stands beside them."""

CATEGORIES: Final = GENERIC | _words(
    "contact account customer client user patient person people member employee vendor supplier"
    " contractor engineer student resident athlete reviewer handle card ticket order number id"
    " identifier email mail address phone"
)
"""Words that say of what kind a memory or a person is; besides `GENERIC`, they choose something
when somebody owns them: "Nora's address"."""

STOP: Final = _words(
    "a an the and or of to in on at by for from with about as is are was were be been do does did"
    " has have had it its this that these those there their his her my your our i you he she they"
    " we me him them us all any everything anything current currently any under after before"
    " without not no never please what who which where when how s t"
)
"""Words that relate others."""

VERBS: Final = _words(
    "is was has had will can could would should may might must does did went said told took made"
    " got came left met saw sent bought sold paid ran led wrote began kept found gave knew lives"
    " and or who which isn't wasn't hasn't won't can't doesn't didn't"
)
"""What often follows somebody's name; besides, most verbs there end in s or ed."""

VAGUE: Final = STOP | _words("here thing things way time times day days one ones old goes too kind")
"""What may follow "the same" without saying the same of what."""

SAME: Final = re.compile(
    r"^\W*(?:the |this |that |an? |also )*(?:(?:same|equivalent|identical|alternate|alternative)\b"
    r"|\w+-equivalent\b)\s*(?:as )?",
    re.IGNORECASE,
)
"""How a statement begins that tells more of a thing another statement named."""

EQUALS: Final = re.compile(
    r",?\s{0,3}\(?\b(?:(?:is|was|and|are) (?:the|one and the) same (?:\w+ ){1,2}(?:as|is|are)?"
    r"|(?:is )?(?:also|otherwise|formerly|previously|better|now)"
    r" (?:known|written|spelled|called|listed) as"
    r"|a\.?k\.?a\.?|alias|goes by|also goes by|is short for|is the (?:handle|alias|nickname) of"
    r"|is an alias (?:of|for))\b:?\s{0,3}",
    re.IGNORECASE,
)
"""How a statement says that two names are one."""

CLAIM: Final = re.compile(
    r"\b(?:same|equivalent|identical|alternate|alternative|also|otherwise|formerly|previously"
    r"|better|now) |-equivalent|\balias\b|\ba\.?k\.?a\b|goes by|short for"
)
"""What every statement holds that may say two names are one, without case."""

NEGATION: Final = re.compile(
    r"\b(?:not|no longer|never|without|cannot)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What turns a statement round."""
