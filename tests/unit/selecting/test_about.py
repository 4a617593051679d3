import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.model.selector import Certainty, Ground, Passage, Sparing
from lapse.selecting.about import about
from lapse.text.tokens import Tokeniser

TERMS = Tokeniser("english").terms
AROUND = (
    "The bakery on the corner opens at seven.",
    "Tea is sold by weight.",
    "The ferry was late on Monday.",
    "Rain is expected over the weekend.",
)


def taken(query: str, *texts: str) -> set[str]:
    passages = [Passage(id=text, text=text) for text in (*texts, *AROUND)]
    chosen = about(passages, query, terms=TERMS)
    return {each.id for each in chosen.matches}


@pytest.mark.parametrize(
    ("query", "meant", "spared"),
    [
        (
            "alice@acme.io",
            ["Guest alice@acme.io paid.", "Send it to ALICE@ACME.IO"],
            ["Guest alice.smith@acme.io paid.", "See acme.io for more."],
        ),
        ("ticket TKT-100", ["Ticket TKT-100 is closed."], ["Ticket TKT-1000 is open."]),
        ("the file a/conf", ["It reads a/conf first."], ["It keeps a/conf.bak too."]),
        (
            "key rk-77ab",
            ["The key is rk-77ab-live."],
            ["Another key is rk-77ac-live.", "The key fits the door."],
        ),
        ("locker code 58213", ["Locker code: 58213."], ["Locker code: 582130."]),
        ("the visit at 16:45", ["The visit is at 4:45 PM."], ["The train leaves at 16:45."]),
    ],
)
def test_an_identifier_takes_every_spelling_and_no_neighbour(
    query: str, meant: list[str], spared: list[str]
) -> None:
    assert taken(query, *meant, *spared) == set(meant)


@pytest.mark.parametrize(
    ("query", "meant", "spared"),
    [
        (
            "everything about Frank",
            ["Frank paints boats.", "Boats are painted by Frank.", "Frank's van is red."],
            ["Let me be frank about boats.", "Franka paints boats.", "Omar paints boats."],
        ),
        (
            "everything about Mona on the night shift",
            ["Mona started in May.", "The night shift likes Mona."],
            ["The night shift starts at ten."],
        ),
        (
            "Mona cycling plans",
            ["Mona goes cycling on Sundays."],
            ["Mona bakes bread.", "Omar goes cycling on Sundays."],
        ),
        (
            "everything about Mona's bread",
            ["Mona bakes bread at night."],
            ["Mona goes cycling.", "Omar bakes bread too."],
        ),
        ("Mona profile information", ["Mona is a nurse.", "Mona has two cats."], []),
        (
            "everything about Mona and Omar",
            ["Mona is a nurse.", "Omar is a cook."],
            ["Ines is a cook."],
        ),
        ("all you know about Renée", ["Renée sings.", "Renee hums."], ["A renee is a word."]),
    ],
)
def test_a_name_takes_what_is_about_it_and_no_sibling(
    query: str, meant: list[str], spared: list[str]
) -> None:
    assert taken(query, *meant, *spared) == set(meant)


@pytest.mark.parametrize(
    ("query", "meant", "spared"),
    [
        (
            "guest Wang Fang",
            ["Guest 王芳 arrived.", "The same guest, written Wang Fang, left a bag."],
            ["Guest Omar arrived."],
        ),
        (
            "guest Sato Ken",
            ["Guest 佐藤健 arrived.", "Same guest in romaji: Sato Ken has a dog."],
            ["Guest 王芳 left.", "Same guest, written Wang Fang, came back."],
        ),
        (
            "Anna Belova",
            ["Writer Анна Белова sent a text.", "Same writer, Anna Belova, sent two."],
            ["Writer Олег Белов sent a text."],
        ),
        (
            "LAB-OAK-77",
            ["Sample LAB-OAK-77 is frozen.", "Same sample, short form OAK-77, is listed."],
            ["Sample LAB-ELM-77 is frozen."],
        ),
        (
            "nora@fern.io",
            ["nora@fern.io pays.", "nora@fern.io is the same person as @norab.", "@norab rows."],
            ["@norabel rows."],
        ),
        (
            "everything about Nora Blum",
            ["Nora Blum sails.", "Nora Blum, also known as Skipper Jo, won.", "Skipper Jo eats."],
            ["Skipper Al sails."],
        ),
    ],
)
def test_statements_that_two_names_are_one_are_followed(
    query: str, meant: list[str], spared: list[str]
) -> None:
    assert taken(query, *meant, *spared) == set(meant)


@pytest.mark.parametrize(
    ("query", "meant", "spared"),
    [
        (
            "garage door password",
            ["The garage door password is plum-tree."],
            ["The garage door is blue.", "The password manager was renewed."],
        ),
        (
            "the user does not eat fish",
            ["User does not eat fish at all."],
            ["User eats rice.", "User used to eat fish."],
        ),
    ],
)
def test_words_alone_take_what_says_them_all(
    query: str, meant: list[str], spared: list[str]
) -> None:
    assert taken(query, *meant, *spared) == set(meant)


def test_what_nothing_speaks_of_takes_nothing() -> None:
    assert taken("everything about Zora") == set()
    assert taken("the piano in the attic") == set()
    assert taken("zora@fern.io") == set()


def test_each_match_says_why() -> None:
    passages = [
        Passage(id="a", text="Guest alice@acme.io paid."),
        Passage(id="b", text="The same guest, ALICE+tag@acme.io, left."),
    ]
    chosen = about(passages, "alice@acme.io", terms=TERMS)
    assert [(each.id, each.reasons[0].ground) for each in chosen.matches] == [
        ("a", Ground.IDENTIFIER),
        ("b", Ground.LINK),
    ]
    assert all(each.certainty is Certainty.CERTAIN for each in chosen.matches)


def test_what_holds_it_only_as_a_part_is_likely() -> None:
    chosen = about([Passage(id="a", text="Key rk-77ab-live.")], "key rk-77ab", terms=TERMS)
    assert [each.certainty for each in chosen.matches] == [Certainty.LIKELY]


def test_the_nearest_say_what_parts_them() -> None:
    passages = [
        Passage(id="longer", text="Ticket TKT-1000 is open."),
        Passage(id="case", text="Let me be frank."),
        Passage(id="far", text="Rain again."),
    ]
    ticket = about(passages, "TKT-100", terms=TERMS)
    frank = about(passages, "everything about Frank", terms=TERMS)
    assert [(each.id, each.sparing) for each in ticket.nearest] == [
        ("longer", Sparing.LONGER_IDENTIFIER)
    ]
    assert [(each.id, each.sparing) for each in frank.nearest] == [("case", Sparing.OTHER_CASE)]


def test_an_address_that_begins_alike_is_near_and_not_meant() -> None:
    passages = [Passage(id="other", text="Guest alice.smith@acme.io left.")]
    chosen = about(passages, "alice@acme.io", terms=TERMS)
    assert chosen.matches == ()
    assert [each.sparing for each in chosen.nearest] == [Sparing.LONGER_IDENTIFIER]


def test_subject_and_entities_count_as_mentions() -> None:
    passages = [
        Passage(id="a", text="Rows every morning.", subject="Nora"),
        Passage(id="b", text="They row together.", entities=("Nora", "Omar")),
        Passage(id="c", text="Rows every evening.", subject="Omar"),
    ]
    chosen = about(passages, "everything about Nora", terms=TERMS)
    assert [each.id for each in chosen.matches] == ["a", "b"]


FACTS = (
    "Guest alice@acme.io paid.",
    "The same guest, alice+x@acme.io, left.",
    "Guest 王芳 arrived.",
    "The same guest, written Wang Fang, left a bag.",
    "Frank paints boats.",
    "Ticket TKT-100 is closed.",
)


@given(st.permutations(FACTS), st.sampled_from(["Wang Fang", "alice@acme.io", "Frank", "TKT-100"]))
def test_the_order_of_memories_does_not_matter(facts: list[str], query: str) -> None:
    assert taken(query, *facts) == taken(query, *FACTS)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_any_wish_is_answered(query: str) -> None:
    assert taken(query, *FACTS) <= {*FACTS, *AROUND}


def test_a_remark_that_begins_with_same_says_nothing_of_names() -> None:
    talk = [
        "Same here, Mona! Omar and I love rowing.",
        "Same time next week, Mona?",
        "The same thing happened to Omar.",
        "Omar rows.",
    ]
    assert taken("everything about Mona", "Mona sings.", *talk) == {"Mona sings.", *talk[:2]}


def test_many_claims_of_one_kind_lead_to_nobody_in_particular() -> None:
    told = [f"Parcel {at}-X came with Mona." for at in range(60)]
    claims = [f"Same parcel, written P{at}-Y, left." for at in range(60)]
    assert taken("everything about Mona", *told, *claims) == set(told)


def certainties(query: str, *texts: str) -> dict[str, Certainty]:
    passages = [Passage(id=each, text=each) for each in texts]
    return {each.id: each.certainty for each in about(passages, query, terms=TERMS).matches}


def test_what_is_owned_is_asked_for_even_if_it_names_a_kind_elsewhere() -> None:
    texts = ("Mona's address is 5 Elm Road.", "Mona rows.", "Omar's address is 7 Elm Road.")
    assert taken("forget Mona's address", *texts) == {texts[0]}
    assert taken("address of customer Mona", *texts) >= {texts[0], texts[1]}


def test_a_topic_that_nothing_says_leaves_only_what_is_likely() -> None:
    found = certainties("everything about Mona's hardware", "Mona owns a laptop.", "Omar too.")
    assert found == {"Mona owns a laptop.": Certainty.LIKELY}


def test_a_name_at_the_end_of_a_longer_one_is_only_likely() -> None:
    found = certainties("everything about Ben", "Ben rows.", "We saw Big Ben again.")
    assert found == {
        "Ben rows.": Certainty.CERTAIN,
        "We saw Big Ben again.": Certainty.LIKELY,
    }
