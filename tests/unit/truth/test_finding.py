"""What a new statement replaces, found by rules alone."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.model.finding import ChangeKind, Finding, Statement
from lapse.model.instants import DAY, Instant, parse_instant
from lapse.testing.fakes import START
from lapse.text.tokens import Tokeniser
from lapse.truth.finding import ChangeFinder

TOKENISER = Tokeniser()
FIND = ChangeFinder(TOKENISER)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=120)


def statement(text: str, name: str = "new", similarity: float = 0.6) -> Statement:
    return Statement(id=name, text=text, recorded_from=START, similarity=similarity)


MOVED = statement("Nora moved to Linz.")
LIVES = statement("Nora lives in Graz.", "old")
LATER = Instant(START + DAY)


def found(new: str, *olds: str, query: str | None = None) -> Sequence[Finding]:
    """What is found of old statements, each a little less similar than the one before it."""
    candidates = [statement(text, f"old{at}", 0.6 * 0.5**at) for at, text in enumerate(olds)]
    return FIND(statement(new), candidates, query)


def sure(findings: Sequence[Finding]) -> list[str]:
    return [name for each in findings if each.confidence >= 0.5 for name in each.ids]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Nora lives in Graz.", "Nora moved to Linz."),
        ("I live in Graz.", "I just moved to Linz."),
        ("I work at Initech.", "I work at Hooli now."),
        ("My dentist is Dr. Roth.", "My dentist is Dr. Adler."),
        ("The standup is at 9:30.", "The standup is at 10:00."),
        ("Nora's phone number is +43 660 1234567.", "Nora's phone number is +43 660 7654321."),
        ("Nora graduated from Graz University.", "Nora graduated from Linz University."),
        ("Emil reports to Ida.", "Emil reports to Nora now."),
        ("Nora uses Vim.", "Nora switched to Emacs."),
        ("I have read 20 plays so far.", "I have read 30 plays so far."),
    ],
)
def test_another_value_of_the_same_matter_replaces(old: str, new: str) -> None:
    assert sure(found(new, old)) == ["old0"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Nora likes tea.", "Emil likes tea."),
        ("Nora likes tea.", "Nora also likes coffee."),
        ("Nora likes tea.", "Nora lives in Graz."),
        ("I visited Graz in May.", "I visited Linz in June."),
        ("Nora bought a bike.", "Nora bought a helmet."),
        ("Nora ran 5 km on Monday.", "Nora ran 8 km on Tuesday."),
        ("Customer ida@x.example bought 3 books.", "Customer emil@x.example bought 5 books."),
        ("Ticket OPS-100 was closed in March.", "Ticket OPS-1000 is still open."),
        ("Nora works at Initech.", "Nora works in the sales department."),
        ("Nora has a goat named Salt.", "Nora has a cat named Pepper."),
        ("Nora speaks German.", "Nora speaks French."),
        ("My sister lives in Graz.", "My brother lives in Linz."),
        ("I paid 30 dollars for lunch.", "I paid 45 dollars for dinner."),
        ("I have finished 8 courses on Learnix.", "I have finished 12 courses on Teachly."),
        ("Nora lives in Graz.", "Nora lives in Graz, near the river."),
        ("Does Nora live in Graz?", "Nora moved to Linz."),
        ("I'm looking for a flat in Graz.", "I'm looking for a book on birds."),
        ("That's a great list of tips.", "That's a great list, thanks."),
        ("I managed to fix the roof.", "I managed to finish the novel two weeks ago."),
        ("I'm building a Ferrari 288 model.", "I'm building a Ferrari 288 model and a 1/48 plane."),
    ],
)
def test_what_can_be_so_together_replaces_nothing(old: str, new: str) -> None:
    assert sure(found(new, old)) == []


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("Nora lives in Graz.", "Nora moved to Linz.", ChangeKind.REPLACEMENT),
        ("Nora does not eat meat.", "Nora eats meat again.", ChangeKind.POLARITY),
        ("Nora is allergic to nuts.", "Nora is not allergic to nuts.", ChangeKind.POLARITY),
        ("Nora drinks coffee daily.", "Nora no longer drinks coffee.", ChangeKind.RETRACTION),
        (
            "Nora lives in Graz and teaches music as a hobby.",
            "Nora now lives in Linz.",
            ChangeKind.PARTIAL,
        ),
        ("Nora is vegetarian.", "Nora was vegetarian until 2024.", ChangeKind.BOUNDED),
    ],
)
def test_the_kind_of_a_change_is_told(old: str, new: str, kind: ChangeKind) -> None:
    (finding,) = found(new, old)
    assert finding.kind is kind


def test_of_a_compound_only_the_clause_that_changed_goes() -> None:
    (finding,) = found("Nora now lives in Linz.", "Nora lives in Graz and plays the oboe.")
    assert finding.clause == "Nora lives in Graz"
    assert finding.rest == "Nora plays the oboe."


def test_a_compound_told_anew_as_a_whole_is_replaced_as_a_whole() -> None:
    (finding,) = found(
        "Nora is a baker at Initech, based in Graz, and plays the oboe.",
        "Nora is a baker at Hooli, based in Graz, and plays the oboe.",
    )
    assert finding.kind is ChangeKind.REPLACEMENT


def test_of_a_compound_the_clause_that_is_given_up_goes() -> None:
    (finding,) = found(
        "Nora gave up Basque and is learning Galician.",
        "Nora speaks Catalan and is learning Basque.",
        query="Nora's learning of Basque",
    )
    assert finding.rest == "Nora speaks Catalan."


def test_a_compound_of_which_nothing_names_a_clause_goes_whole() -> None:
    (finding,) = found(
        "Nora sold a startup.", "Nora is broke and counts pennies.", query="Nora's finances"
    )
    assert finding.rest is None


@pytest.mark.parametrize(
    ("told", "since"),
    [
        ("Nora has lived in Linz since 2022.", "2022-01-01"),
        ("Nora lives in Linz as of March 2021.", "2021-03-01"),
        ("Nora lives in Linz since 2020-05-06.", "2020-05-06"),
        ("Nora now lives in Linz.", None),
    ],
)
def test_a_start_that_the_new_statement_gives_itself_is_read(told: str, since: str | None) -> None:
    (finding,) = found(told, "Nora lives in Graz.")
    assert finding.until == (None if since is None else parse_instant(since, "since"))


@pytest.mark.parametrize(
    ("query", "new", "meant", "beside"),
    [
        (
            "user car",
            "User bought a Cupra.",
            "User drives a Skoda, plays padel and rows.",
            "User is 41.",
        ),
        (
            "user pet tortoise",
            "User adopted a hound; the tortoise went to a farm.",
            "User adopted a tortoise in 2020.",
            "Pet day is once a quarter.",
        ),
    ],
)
def test_a_query_about_the_user_means_what_else_it_names_too(
    query: str, new: str, meant: str, beside: str
) -> None:
    candidates = [statement(beside, "beside", 0.45), statement(meant, "meant", 0.4)]
    assert FIND(statement(new), candidates, query)[0].ids == ("meant",)


def test_clauses_of_one_matter_stand_or_fall_together() -> None:
    (finding,) = found(
        "Nora started leasing a van.",
        "Nora owns no car and uses public transit exclusively.",
        query="Nora's vehicle",
    )
    assert finding.rest is None


@pytest.mark.parametrize(
    ("told", "until"),
    [
        ("2024", "2024-01-01"),
        ("March 2024", "2024-03-01"),
        ("2024-03-09", "2024-03-09"),
    ],
)
def test_a_stated_end_is_read(told: str, until: str) -> None:
    (finding,) = found(f"Nora was vegetarian until {told}.", "Nora is vegetarian.")
    assert finding.until == parse_instant(until, "until")


def test_an_end_of_something_else_bounds_nothing() -> None:
    findings = found(
        "Nora lives in Linz now, and the lease runs until 2031.", "Nora lives in Graz."
    )
    assert [each.kind for each in findings] == [ChangeKind.REPLACEMENT]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Nora's employer", "old1"),
        ("where Nora lives", "old0"),
        ("Nora's diet", "old2"),
        ("Emil's employer", "old3"),
    ],
)
def test_a_query_finds_what_it_means_by_its_matter_and_its_subject(
    query: str, expected: str
) -> None:
    olds = [
        "Nora lives in Graz.",
        "Nora joined Initech in 2019.",
        "Nora is strictly vegan.",
        "Emil joined Initech in 2020.",
    ]
    candidates = [statement(text, f"old{at}", 0.3) for at, text in enumerate(olds)]
    new = {"old3": "Emil is at Hooli now."}.get(expected, "Nora changed that last week.")
    assert FIND(statement(new), candidates, query)[0].ids == (expected,)


def test_nothing_is_replaced_by_itself_or_by_what_says_the_same() -> None:
    assert found("Nora lives in Graz.", "Nora  lives in graz.") == []
    same = statement("Nora lives in Graz.", "new")
    assert FIND(statement("Nora moved to Linz."), [same]) == []


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (replace(MOVED, subject="nora"), replace(LIVES, subject="emil")),
        (replace(MOVED, key="nora/city"), replace(LIVES, key="nora/birthplace")),
        (replace(MOVED, occurred_at=START), replace(LIVES, occurred_at=LATER)),
    ],
)
def test_another_subject_another_key_and_a_later_time_are_left_out(
    new: Statement, old: Statement
) -> None:
    assert FIND(new, [old]) == []
    assert len(FIND(MOVED, [old])) == 1


def test_evidence_names_signs_and_never_the_text() -> None:
    (finding,) = found("Nora moved to Linz.", "Nora lives in Graz.")
    assert "same attribute" in finding.evidence
    told = " ".join(finding.evidence).casefold()
    assert not any(word in told for word in ("nora", "graz", "linz"))


@given(
    st.lists(TEXTS, min_size=1, max_size=5),
    TEXTS,
    st.none() | TEXTS,
    st.randoms(use_true_random=False),
)
def test_any_text_has_an_answer_and_the_order_of_candidates_does_not_matter(
    olds: list[str], new: str, query: str | None, random: Random
) -> None:
    candidates = [statement(text, f"old{at}", 0.1 * at) for at, text in enumerate(olds)]
    shuffled = random.sample(candidates, len(candidates))
    findings = FIND(statement(new), candidates, query)
    assert findings == FIND(statement(new), shuffled, query)
    ids = [name for each in findings for name in each.ids]
    assert len(ids) == len(set(ids))
    assert [each.confidence for each in findings] == sorted(
        (each.confidence for each in findings), reverse=True
    )
