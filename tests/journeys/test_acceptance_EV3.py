"""EV3: every derived index is dropped and made anew from the rows; the trays are the same.

Derived are the index in RAM, the vectors with their epoch's IDF, and the terms with their counts.
Control: the trays are not empty.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from lapse.bank import Bank
from tests.journeys.acceptance import on_every_store, place_on, tray
from tests.reports.helping import Place, ago
from tests.reports.helping_b import by_sql
from tests.unit.engine.opening import Opened, WordEmbedder, opened, store_of

PLACES = ("harbour", "market", "bridge", "tower", "garden")
THINGS = ("boat", "bread", "lantern", "bicycle", "letter", "violin", "map")
QUERIES = (
    *(f"the {thing} at the {place}" for thing, place in zip(THINGS, PLACES * 2, strict=False)),
    "harbour",
    "a letter about bread",
    "note number17",
)


def tell(bank: Bank) -> None:
    """Some one by one, some at once: across several epochs, with claims, marks and uses."""
    for at in range(21):
        bank.remember(f"Note number{at}: the {THINGS[at % 7]} at the {PLACES[at % 5]}", id=f"m{at}")
    bank.remember_many(
        {"text": f"Note number{at}: a {THINGS[at % 7]}", "created_at": ago(days=at)}
        for at in range(21, 60)
    )
    for drink in ("tea", "milk", "water"):
        bank.remember(f"I drink {drink} at the harbour", key="user/drink", value=drink)
    bank.pin(["m3"])
    bank.used(["m4", "m9"])
    bank.drain()


def trays(bank: Bank) -> list[str]:
    return [tray(bank.recall(query, k=5)) for query in QUERIES]


def reopened(place: Place) -> Bank:
    return place.bank(embedder=WordEmbedder())


def without_vectors(place: Place) -> Bank:
    assert by_sql(Path(place.target), "DELETE FROM vector") == 63
    bank = reopened(place)
    assert bank.stats().without_vector == 63
    bank.drain()
    return bank


def without_terms(place: Place) -> Bank:
    assert by_sql(Path(place.target), "UPDATE bank SET tokeniser = 'an older one'") == 1
    bank = reopened(place)
    assert bank.drain().reread == 63
    return bank


def with_a_new_space(place: Place) -> Bank:
    bank = reopened(place)
    assert bank.reembed() == 63
    return bank


DROPPED: dict[str, Callable[[Place], Bank]] = {
    "RAM": reopened,
    "vectors": without_vectors,
    "terms": without_terms,
    "space and epoch": with_a_new_space,
}


@pytest.mark.parametrize("dropped", DROPPED)
def test_a_file_whose_derived_data_is_made_anew_answers_as_before(
    dropped: str, tmp_path: Path
) -> None:
    with place_on("file", tmp_path) as place:
        bank = reopened(place)
        tell(bank)
        before = trays(bank)
        after = DROPPED[dropped](place)
        assert trays(after) == before
        assert after.doctor() == []
        assert all('"hits"' in each or '"m' in each for each in before)
        assert all(len(bank.recall(each, k=5).hits) == 5 for each in QUERIES[:7])


@on_every_store
def test_another_process_builds_the_same_index_from_the_same_rows(
    kind: str, tmp_path: Path
) -> None:
    store = store_of("memory" if kind == "memory" else "sqlite", tmp_path)
    first = opened(store, embedder=WordEmbedder())
    tell(first.alice)
    before = trays(first.alice)

    def anew() -> Opened:
        return opened(store, clock=first.clock, embedder=WordEmbedder())

    assert trays(anew().alice) == before
    rebuilt = anew()
    assert rebuilt.alice.reembed() == 63
    assert trays(rebuilt.alice) == before
    assert all(len(first.alice.recall(each, k=5).hits) == 5 for each in QUERIES[:7])
    store.close()


@on_every_store
def test_a_bank_told_one_by_one_has_the_vectors_of_one_told_at_once(
    kind: str, tmp_path: Path
) -> None:
    drafts = [{"text": f"Note {at} of a {THINGS[at % 7]}", "id": f"m{at}"} for at in range(37)]
    with place_on(kind, tmp_path) as place:
        mind = place.open(embedder=WordEmbedder())
        mind.bank("at once").remember_many(drafts)
        for each in drafts:
            mind.bank("one by one").remember_many([each])
        seen = [
            [(hit.id, hit.explanation.cosine) for hit in mind.bank(name).recall("a map").hits]
            for name in ("at once", "one by one")
        ]
        assert seen[0] == seen[1]
        assert len(seen[0]) == 8
