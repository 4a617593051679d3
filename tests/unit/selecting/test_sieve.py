from hypothesis import given
from hypothesis import strategies as st

from lapse.model.selector import Passage
from lapse.selecting import about
from lapse.selecting.about import about as choose
from lapse.selecting.asking import read_wish
from lapse.selecting.reading import read_passage
from lapse.selecting.sieve import sieve_for
from lapse.text.tokens import Tokeniser

TERMS = Tokeniser("english").terms
TOLD = (
    "Guest alice@acme.io paid.",
    "Ring +44 20 7946 0958.",
    "Ring 0044 20 7946 0958 now.",
    "a l i c e @ a c m e . i o was here",
    "The same guest, written Wang Fang, left a bag.",
    "Guest 王芳 arrived.",
    "Nora Blum, also known as Skipper Jo, won.",
    "Skipper Jo eats.",
    "The visit is at 4:45 PM.",
    "It cost €12,50.",
    "Happily married, they say.",
    "Ticket TKT-100 is closed.",
    "Let me be frank.",
)
WISHES = (
    "alice@acme.io",
    "+442079460958",
    "everything about Wang Fang",
    "Nora Blum",
    "the visit at 16:45",
    "EUR 12.5 cost",
    "happy marriage",
    "TKT-100",
    "everything about Frank",
)


@given(st.permutations(TOLD), st.sampled_from(WISHES))
def test_what_is_passed_over_could_not_have_been_meant(told: list[str], wish: str) -> None:
    passages = [Passage(id=each, text=each) for each in told]
    sieved = {each.id for each in choose(passages, wish, terms=TERMS).matches}
    finder = about._Finder(
        asked=read_wish(wish, TERMS), readings=[read_passage(each, TERMS) for each in passages]
    )
    finder.seek()
    assert sieved == set(finder.reasons)


def test_most_of_a_bank_is_not_read() -> None:
    asked = read_wish("everything about Nora", TERMS)
    sieve = sieve_for(asked)
    assert not any(map(sieve.lets_through, ("Rain is expected.", "Tea is sold by weight.")))
    assert sieve.lets_through("A note on NORA.")
