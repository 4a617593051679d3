"""Selection across the ways people write one thing; each with a neighbour that must stay."""

import pytest

from lapse.model.selector import Passage
from lapse.selecting.about import about
from lapse.text.tokens import Tokeniser

TERMS = Tokeniser("english").terms

CASES = [
    ("host 10.0.0.7", ["Host 10.0.0.7 is up.", "Same host: 010.000.000.007."], ["Host 10.0.0.70."]),
    ("pass K7654321", ["Pass: K7654321.", "Same pass, spaced: K 7654 321."], ["Pass: K7654322."]),
    ("train RE 204", ["Train RE204 is late.", "RE-204 stops here."], ["RE2040 is on time."]),
    (
        "release 3.11.0",
        ["Release 3.11.0 is out.", "Tag v3.11.0 is set."],
        ["Release 3.1.10 is old."],
    ),
    (
        "everything about Joy",
        ["Joy sings.", "Ask Joy."],
        ["Joy division of labour.", "What a joy."],
    ),
    ("guest Jung Ho", ["Guest 정호 came.", "Same guest Jung Ho left."], ["Guest 민수 came."]),
    ("Köhler", ["Köhler paid.", "Koehler called.", "Kohler wrote."], ["Kahler paid."]),
    ("the talk on June 5, 2026", ["The talk is on 2026-06-05."], ["The fair is on June 5, 2026."]),
    ("plate B-KX 4821", ["Plate: B-KX 4821.", "Same plate: BKX4821."], ["Plate: B-KX 48210."]),
    ("card GC 77AB 90KL", ["Card GC-77AB-90KL."], ["Card GC-77AB-90KM."]),
    (
        "@mira_k",
        ["Handle: @mira_k.", "Same person, profile link: t.me/mira_k."],
        ["Same person, profile link: t.me/mira_k2.", "See t.me/news/mira_k."],
    ),
    (
        "repository hub.dev/x/widget",
        ["Repository: hub.dev/x/widget.git.", "Same repository, no suffix: hub.dev/x/widget."],
        ["Repository: hub.dev/x/widget-old."],
    ),
    ("model GX-5 Pro", ["Model GX-5 Pro has two plugs."], ["Model GX-5 has one plug."]),
    ("model GX-5 Max", ["Model GX-5 has one plug."], ["Model GX-50 has none."]),
    ("everything about Jean-Luc", ["Jean-Luc sings.", "Ask Jean-Luc."], ["Jean rows."]),
    (
        "123-45-6789",
        ["SSN: 123 45 6789.", "SSN: 123456789."],
        ["SSN: 123 45 6780.", "12 345 678 books."],
    ),
    ("badge 4411", ["Badge 4411 is lost."], ["Badge 44110 is new.", "Locker 4411 is free."]),
    ("invoice 90210 / 90210-B", ["Invoice 90210 is due.", "90210-B is paid."], ["902100 is old."]),
]


@pytest.mark.parametrize(("query", "meant", "spared"), CASES, ids=[each[0] for each in CASES])
def test_one_thing_is_found_in_every_spelling(
    query: str, meant: list[str], spared: list[str]
) -> None:
    passages = [Passage(id=each, text=each) for each in (*meant, *spared)]
    chosen = about(passages, query, terms=TERMS)
    assert {each.id for each in chosen.matches} == set(meant)
