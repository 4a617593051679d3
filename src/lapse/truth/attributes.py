"""Attributes: the matters of which a person has one at a time, and the words that betray them.

Decides which attribute a statement or a question speaks of, so that "moved to Oslo" meets "lives in
Rome" although they share no word. Refuses to know any value: no city, company or person is listed.
Where a value itself betrays its attribute (a diet, a colour, a marital state) the class is closed
and short enough to be written down.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from lapse.text.tokens import Tokeniser


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One matter.

    Attributes:
        name: For evidence.
        states: Words of a statement that gives its value; `verb+particle` where the verb alone
            says something else too ("work at", but not "work on").
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
        states="live+in live+at live+on live+near move+to move+from relocate+to reside+in based"
        " address"
        " residence",
        asks="live lives lived living moved relocated resides home city town apartment house"
        " location residing where street country",
    ),
    Attribute(
        name="work",
        # Who moves, starts or joins may change house or employer: the question tells which.
        states="work+at work+for work+as employed employer hired joined freelance retired"
        " unemployed"
        " engineer teacher nurse consultant ceo vp intern quant startup",
        asks="job work works worked company position career occupation profession role workplace"
        " employment"
        " started moved left hedge fund finance teach industry nonprofit lab",
    ),
    Attribute(
        name="reporting line",
        states="report+to boss supervisor",
        asks="manager reports reporting cto ceo vp director line",
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
def _index(tokeniser: Tokeniser) -> dict[str, frozenset[str]]:
    """Attributes by stem, or by stem and particle."""
    return _by_word(tokeniser, [(each.name, each.states) for each in TABLE])


@cache
def _asking_index(tokeniser: Tokeniser) -> dict[str, frozenset[str]]:
    """The same with the words that only a question means."""
    return _by_word(tokeniser, [(each.name, f"{each.states} {each.asks}") for each in TABLE])


def _by_word(tokeniser: Tokeniser, named: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, words in named:
        for word in words.split():
            stem, plus, particle = word.partition("+")
            key = "-".join(tokeniser.terms(stem)) + plus + particle
            found.setdefault(key, set()).add(name)
    return {key: frozenset(names) for key, names in found.items()}


def stated(
    stems: Iterable[str], phrases: Iterable[tuple[str, str]], tokeniser: Tokeniser
) -> frozenset[str]:
    """The attributes that a statement gives a value of.

    Args:
        stems: Of its words.
        phrases: Its verbs with their particles.
        tokeniser: That of the stems.
    """
    return _met(_index(tokeniser), stems, phrases)


def asked(
    stems: Iterable[str], tokeniser: Tokeniser, phrases: Iterable[tuple[str, str]] = ()
) -> frozenset[str]:
    """The attributes that a question may mean, or a statement may be taken to answer."""
    return _met(_asking_index(tokeniser), stems, phrases)


def single(attributes: frozenset[str]) -> frozenset[str]:
    """Those of which one has but one at a time."""
    return attributes - _MANY


def _met(
    index: Mapping[str, frozenset[str]],
    stems: Iterable[str],
    phrases: Iterable[tuple[str, str]],
) -> frozenset[str]:
    keys = [*stems, *(f"{verb}+{particle}" for verb, particle in phrases)]
    return frozenset().union(*(index.get(each, frozenset()) for each in keys))
