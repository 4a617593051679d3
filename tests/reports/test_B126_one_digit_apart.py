"""B126: facts that differ in one digit are nearly the same to an embedder; one is thrown away."""

import math

from tests.reports.helping import VECTORS, ChosenVectors, Place, everything, hit_ids

PAIRS = (
    ("Invoice 1041 is due on 15 October", "Invoice 1041 is due on 16 October"),
    ("It leaves from gate 12", "It leaves from gate 13"),
)
SAME = ("The ferry leaves in the morning", "The ferry leaves in the early morning")
QUERY = "when and where"


def embedder() -> ChosenVectors:
    """Cosine 0.99 within each pair, 0 between pairs, the same to the query."""
    sine = math.sqrt(1 - 0.99**2)
    vectors: dict[str, tuple[float, ...]] = {QUERY: (1.0, 0.0, 1.0, 0.0, 1.0, 0.0)}
    for axis, (one, other) in enumerate((*PAIRS, SAME)):
        before, after = (0.0,) * (2 * axis), (0.0,) * (4 - 2 * axis)
        vectors[one] = (*before, 1.0, 0.0, *after)
        vectors[other] = (*before, 0.99, sine, *after)
    return ChosenVectors(vectors)


def test_facts_that_differ_in_one_number_are_all_kept_and_all_recalled(place: Place) -> None:
    bank = place.bank(VECTORS, embedder=embedder())
    facts = [text for pair in PAIRS for text in pair]
    told = bank.remember_many({"text": text} for text in (*facts, *SAME))
    assert [each.action for each in told] == ["created"] * 6
    assert len(everything(bank)) == 6

    recall = bank.recall(QUERY)

    shown = {each.text for each in recall.hits}
    assert shown >= set(facts)
    # As alike to the embedder, and saying the same: of those one is enough.
    assert len(shown & set(SAME)) == 1
    assert [each.reason for each in recall.exclusions] == ["duplicate"]


def test_a_new_number_under_the_same_key_supersedes_and_says_so(place: Place) -> None:
    bank = place.bank(VECTORS, embedder=embedder())
    (before, after), key = PAIRS[0], "invoice/1041/due"
    bank.remember(before, id="first", key=key)
    told = bank.remember(after, id="second", key=key)
    assert (told.action, told.superseded) == ("created", ("first",))
    assert hit_ids(bank.recall(QUERY)) == ["second"]
    assert bank.get("first").memory.superseded_by == "second"
    assert bank.get("first").memory.text == before
