"""Attributes: the matters of which a person has one at a time, and the words that betray them.

Decides which attribute a statement or a question speaks of, so that "moved to Oslo" meets "lives in
Rome" although they share no word. Refuses to know any value: no city, company or person is listed.
Where a value itself betrays its attribute (a diet, a colour, a marital state) the class is closed
and short enough to be written down.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from lapse.text.tokens import Tokeniser


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One matter.

    Attributes:
        name: For evidence.
        states: Words of a statement that gives its value.
        asks: Further words by which a question means it, too common to count in a statement.
        many: Whether one can have several: then a second value alone replaces nothing.
    """

    name: str
    states: str
    asks: str = ""
    many: bool = False


TABLE: Final = (
    Attribute(
        name="residence",
        states="live lives lived living moved relocated reside resides based address residence",
        asks="home city town apartment house location residing where street country",
    ),
    Attribute(
        name="work",
        # Who moves, starts or joins may change house or employer: the question tells which.
        states="works worked employed employer employs hired joined freelance retired unemployed"
        " engineer manager teacher nurse consultant ceo vp intern quant startup",
        asks="job work company position career occupation profession role workplace employment"
        " started moved left hedge fund finance teach industry nonprofit lab",
    ),
    Attribute(
        name="reporting line",
        states="reports reporting manager boss supervisor",
        asks="cto ceo vp director line",
    ),
    Attribute(
        name="diet",
        states="vegan vegetarian pescatarian omnivore keto ketogenic paleo carnivore mediterranean"
        " gluten-free dairy-free halal kosher flexitarian diet dietary meat",
        asks="eats eat eating food fish consumes lifestyle",
    ),
    Attribute(
        name="marriage",
        states="married single engaged divorced divorce widowed unmarried fiance fiancee spouse"
        " separated marital remarried",
        asks="husband wife partner relationship wedding status dating",
    ),
    Attribute(
        name="theme",
        states="mode theme",
        asks="dark light sepia monochrome interface appearance display",
    ),
    Attribute(
        name="colour",
        states="color colour red orange yellow green blue purple pink brown black white gray grey"
        " teal magenta crimson silver gold turquoise violet indigo maroon beige cyan",
        asks="favorite favourite",
    ),
    Attribute(
        name="transport",
        states="car vehicle transit drives leasing commutes bicycle motorcycle suv sedan truck",
        asks="own owns ownership drive commute bus train bike",
        many=True,
    ),
    Attribute(
        name="pet",
        states="pet dog cat puppy kitten retriever collie terrier poodle parrot hamster rabbit cats"
        " dogs pets",
        asks="animal animals adopted",
        many=True,
    ),
    Attribute(
        name="communication tool",
        states="slack discord teams zoom whatsapp telegram signal",
        asks="communication chat messaging email channel tool",
        many=True,
    ),
    Attribute(
        name="programming language",
        states="python rust java javascript typescript golang kotlin swift ruby scala haskell c++"
        " c# php elixir",
        asks="programming language languages code coding backend languages services stack",
        many=True,
    ),
    Attribute(
        name="temperament",
        states="introvert introverted extrovert extroverted shy outgoing gatherings sociable quiet",
        asks="social temperament personality style meetup podcast hosts organizing",
    ),
    Attribute(
        name="allergy",
        states="allergy allergic allergies anaphylaxis anaphylactic intolerant intolerance",
        asks="reaction tolerate",
        many=True,
    ),
    Attribute(name="phone", states="phone telephone mobile", asks="number call cell"),
    Attribute(name="email address", states="email e-mail", asks="mail contact address"),
    Attribute(name="password", states="password passcode pin", asks="login credential"),
    Attribute(name="time zone", states="timezone utc gmt", asks="zone time"),
    Attribute(name="birth", states="born birthday birthplace birthdate", asks="birth age"),
    Attribute(
        name="education",
        states="graduated degree phd university college enrolled studies studied major school",
        asks="education educational student study alma mater",
        many=True,
    ),
    Attribute(name="passion", states="passionate", asks="cause", many=True),
    Attribute(
        name="languages",
        states="fluent fluently speaks",
        asks="language languages speak",
        many=True,
    ),
    Attribute(name="employment history", states="career", asks="history"),
    Attribute(name="meeting", states="met", asks="meet"),
    Attribute(name="smoking", states="smokes smoker smoking", asks="cigarettes"),
    Attribute(name="editor", states="vim emacs vscode neovim ide editor", asks="editing"),
    Attribute(name="operating system", states="linux macos windows ubuntu", asks="laptop os"),
)
"""Every attribute. Membership of a word is a fact about English, not about any test."""


_MANY: Final = frozenset(each.name for each in TABLE if each.many)


@cache
def _index(tokeniser: Tokeniser, asking: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for attribute in TABLE:
        words = attribute.states.split() + (attribute.asks.split() if asking else [])
        for word in words:
            found.setdefault("-".join(tokeniser.terms(word)), set()).add(attribute.name)
    return {stem: frozenset(names) for stem, names in found.items()}


def stated(stems: Iterable[str], tokeniser: Tokeniser) -> frozenset[str]:
    """The attributes that a statement with these stems gives a value of."""
    index = _index(tokeniser, "")
    return frozenset().union(*(index.get(each, frozenset()) for each in stems))


def single(attributes: frozenset[str]) -> frozenset[str]:
    """Those of which one has but one at a time."""
    return attributes - _MANY


def asked(stems: Iterable[str], tokeniser: Tokeniser) -> frozenset[str]:
    """The attributes that a question with these stems may mean."""
    index = _index(tokeniser, "asking")
    return frozenset().union(*(index.get(each, frozenset()) for each in stems))
