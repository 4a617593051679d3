"""B197: after a restart the index names rows that the store does not know.

The index lives in RAM and is made from the rows, so there is no file of it to lose. That a process
killed at any moment leaves each write whole is tested in `tests/journeys/test_crash.py`.
Waits: taking away what belongs to a row that somebody deleted by hand, for the store.
"""

from pathlib import Path

import pytest

from lapse.bank import Bank
from tests.reports.helping import Place, hit_ids
from tests.reports.helping_b import by_sql
from tests.unit.engine.opening import WordEmbedder

COUNT = 300
QUERIES = ("note number7", "harbour", "number250 number251", "note", "harbour number3")
TAKEN = ("m7", "m70")


def filled(place: Place) -> Bank:
    bank = place.bank(embedder=model())
    # Rated alike: a state made anew knows no rating.
    bank.set_policy({"importance.rater": "off"})
    bank.remember_many(
        {"text": f"{'harbour' if at % 10 == 0 else 'note'} number{at}", "id": f"m{at}"}
        for at in range(COUNT)
    )
    return bank


def model() -> WordEmbedder:
    return WordEmbedder("words", dimension=128, vocabulary=0)


def answers(bank: Bank) -> list[list[str]]:
    return [hit_ids(bank.recall(each)) for each in QUERIES]


@pytest.fixture
def full(in_file: Place) -> tuple[Place, Bank]:
    """Some hundred memories in a file."""
    return in_file, filled(in_file)


def test_the_same_questions_have_the_same_answers_after_a_restart(full: tuple[Place, Bank]) -> None:
    place, bank = full
    before = answers(bank)
    assert all(before)
    assert sum(map(len, before)) > 20
    assert answers(place.bank(embedder=model())) == before
    assert answers(place.bank(embedder=model())) == before


def test_a_row_deleted_by_hand_is_skipped_the_next_ones_move_up_and_health_tells(
    full: tuple[Place, Bank],
) -> None:
    place, bank = full
    whole = {query: hit_ids(bank.recall(query, k=20)) for query in QUERIES}
    for taken in TAKEN:
        assert by_sql(Path(place.target), "DELETE FROM memory WHERE id = ?", taken) == 1

    def as_expected(asked: Bank) -> bool:
        return all(
            hit_ids(asked.recall(query)) == [each for each in whole[query] if each not in TAKEN][:8]
            for query in QUERIES
        )

    assert as_expected(bank)
    assert as_expected(place.bank(embedder=model()))
    told = bank.doctor()
    assert any("does not exist" in each for each in told)
    assert any("counts 300 memories and holds 298" in each for each in told)
    bank.remember("harbour number7 again", id="again")
    assert "again" in hit_ids(bank.recall("harbour number7 again"))


def test_states_and_vectors_deleted_by_hand_are_told_of_and_made_anew(
    full: tuple[Place, Bank],
) -> None:
    place, bank = full
    path = Path(place.target)
    before = answers(bank)
    rows = "(SELECT row FROM memory WHERE id IN ('m7', 'm70'))"
    assert by_sql(path, f"DELETE FROM retention WHERE row IN {rows}") == 2
    assert by_sql(path, f"DELETE FROM vector WHERE row IN {rows}") == 2

    again = place.bank(embedder=model())
    assert sum("no retention state" in each for each in again.doctor()) == 2
    assert len(again.recall("note number7").hits) == 8
    again.drain()
    assert again.doctor() == []
    assert again.stats().without_vector == 0
    assert answers(place.bank(embedder=model())) == before
