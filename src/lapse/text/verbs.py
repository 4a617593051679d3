"""Which words carry a statement: the verbs by which a clause is told from a list of things.

Decides whether an English word can be the verb of a clause. Refuses to parse: a clause is found by
its verb and by what stands around it, and what is not listed is taken for a thing.
"""

from collections.abc import Iterator
from typing import Final

from lapse.text.listing import listed

# Regular verbs that say what somebody is, has, does or likes: what memories are made of.
_REGULAR: Final = (
    "accept achieve acquire add adopt advise aim allow alternate appear apply arrive ask assist"
    " attend author avoid award base belong boast book borrow call care carry change claim climb"
    " co-author co-found co-host co-own code collaborate collect commit communicate commute compete"
    " complete compose conduct consider consist consult consume contain contribute cook cost create"
    " cycle dance date decide deliver depart depend deploy design despise develop direct dislike"
    " display"
    " document donate earn employ enjoy enrol enroll exercise exhibit expect expire explore"
    " experience favor favour feature finalize finish fish fix follow form found gather graduate"
    " handle happen hate head"
    " help hike hire host illustrate include inspire install intend interview invest invite involve"
    " jog join journal label lack last launch learn lease like list live locate look love maintain"
    " manage marry mention mentor migrate miss move name need notice obtain occur offer open"
    " operate opt order"
    " organise organize originate own paint participate pass pay perform phone photograph pick plan"
    " play practice practise prefer prepare present produce promote propose provide publish"
    " purchase pursue rank reach realise realize rebuild receive recommend recover refuse"
    " register reject relocate"
    " rely remain rent replace report represent reschedule research reside resign retire return"
    " review sail sample save schedule score seem serve share ship showcase sign skate ski smoke"
    " specialise specialize spend sponsor start stay stop study submit succeed suffer supervise"
    " support surf swim switch talk tend text track train transfer transition travel treat try"
    " tutor update upgrade use value visit volunteer vote wait walk want watch weigh wish wonder"
    " work worry"
    " adore bake breed brew close coach divorce dread edit foster freelance interpret juggle knit"
    " meditate outgrow owe pray preach raise recycle roast sew swear tolerate translate turn vape"
    " weld worship"
)

# Base form, third person, past, participle, present participle, where the endings do not give them.
_IRREGULAR: Final = (
    "bring brings brought bringing / break breaks broke broken breaking"
    " / catch catches caught / cut cuts cutting / deal deals dealt / forget forgets forgot"
    " / hear hears heard hearing / hide hides hid hidden / hit hits hitting / hurt hurts"
    " / lend lends lent / let lets / pay pays paid paying / put puts putting / rise rises rose"
    " / say says said / shoot shoots shot / spend spends spent spending / stand stands stood"
    " / steal steals stole / stick sticks stuck / strike strikes struck / tell tells told"
    " / throw throws threw / understand understands understood / "
    "be is are was were am been being / have has had having / do does did done doing"
    " / go goes went gone going / get gets got gotten getting / become becomes became becoming"
    " / begin begins began begun beginning / build builds built building"
    " / buy buys bought buying / choose chooses chose chosen choosing / come comes came coming"
    " / draw draws drew drawn drawing / drink drinks drank drunk drinking"
    " / drive drives drove driven driving / eat eats ate eaten eating / fall falls fell fallen"
    " / feel feels felt feeling / find finds found finding / fly flies flew flown flying"
    " / give gives gave given giving / grow grows grew grown growing / hold holds held holding"
    " / keep keeps kept keeping / know knows knew known knowing / lead leads led leading"
    " / leave leaves left leaving / lose loses lost losing / make makes made making"
    " / mean means meant / meet meets met meeting / oversee oversees oversaw overseen"
    " / quit quits quitting / read reads reading / rebuild rebuilds rebuilt rebuilding"
    " / ride rides rode ridden riding / run runs ran running / see sees saw seen seeing"
    " / sell sells sold selling / send sends sent sending / set sets setting"
    " / show shows showed shown showing / sing sings sang sung singing / sit sits sat sitting"
    " / sleep sleeps slept sleeping / speak speaks spoke spoken speaking"
    " / swim swims swam swum swimming / take takes took taken taking"
    " / teach teaches taught teaching / think thinks thought thinking"
    " / wake wakes woke woken waking / wear wears wore worn wearing / win wins won winning"
    " / write writes wrote written writing"
)

PASTS: Final = listed(
    "brought broke caught heard hit paid quit spent stood stole told threw said"
    " did went got became began built bought chose came drew drank drove ate fell felt found flew"
    " gave grew held kept knew led left lost made met oversaw rebuilt rode ran saw sold sent sang"
    " sat slept spoke swam took taught thought woke wore won wrote"
)
"""Past forms of irregular verbs."""

_AUXILIARIES: Final = listed(
    "can could will would shall should may might must cannot can't won't wouldn't couldn't isn't"
    " aren't wasn't weren't doesn't don't didn't hasn't haven't hadn't i'm i've we've we're"
    " he's she's they're they've it's that's there's here's what's who's"
)


def _regular_forms(base: str) -> Iterator[str]:
    """The forms a regular verb has in writing; a doubled consonant is allowed for all."""
    stem = base.removesuffix("e")
    yield from (base, f"{base}s", f"{base}es", f"{stem}ed", f"{stem}ing")
    yield from (f"{base}{base[-1]}ed", f"{base}{base[-1]}ing")
    if base.endswith("y"):
        yield from (f"{base[:-1]}ies", f"{base[:-1]}ied")


FORMS: Final = frozenset(
    [form for base in _REGULAR.split() for form in _regular_forms(base)]
    + _IRREGULAR.replace("/", " ").split()
) | frozenset(_AUXILIARIES)
"""Every listed verb in every form, folded."""

# As "the plans", "a run": after one of these a listed form is a thing.
_DETERMINERS: Final = listed(
    "a an the this that these those my your his her its our their some any each every no of in on"
    " at for with to several many few new old first last next favorite favourite"
)


def is_verb(word: str, before: str | None) -> bool:
    """Whether a folded word can be the verb of a clause, given the folded word before it."""
    if word not in FORMS:
        return False
    if before is None:
        return True
    return before not in _DETERMINERS and not before.endswith(("'s", "’s"))
