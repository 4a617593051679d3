"""B162: after a change of the embedding model recall is empty, as if nothing were stored."""

from tests.reports.helping import Place, hit_ids
from tests.unit.engine.opening import WordEmbedder

COUNT = 100


def filled(place: Place) -> None:
    bank = place.bank(embedder=WordEmbedder("small", dimension=384))
    bank.remember_many({"text": f"note number{at}", "id": f"m{at}"} for at in range(COUNT))
    assert bank.recall("number7").hits[0].explanation.cosine is not None


def test_another_model_finds_by_words_and_says_what_to_do(in_file: Place) -> None:
    filled(in_file)
    bank = in_file.bank(embedder=WordEmbedder("large", dimension=768))

    for name in ("m7", "m42"):
        recall = bank.recall(f"number{name[1:]}")
        assert hit_ids(recall)[:1] == [name]
        (warning,) = recall.warnings
        for part in ("small-384", "large-768", "384 numbers", "reembed"):
            assert part in warning


def test_health_tells_of_another_model_with_both_sizes(in_file: Place) -> None:
    filled(in_file)
    bank = in_file.bank(embedder=WordEmbedder("large", dimension=768))
    (told,) = bank.doctor()
    for part in ("small-384", "384 numbers", "large-768", "with 768", "reembed"):
        assert part in told
    assert bank.stats().embedder == "small-384"

    assert bank.reembed() == COUNT

    assert bank.doctor() == []
    assert bank.stats().embedder == "large-768"
    recall = bank.recall("number7")
    assert recall.warnings == ()
    assert recall.hits[0].explanation.cosine is not None


def test_what_is_told_under_another_model_is_stored_and_says_how_it_is_found(
    in_file: Place,
) -> None:
    filled(in_file)
    bank = in_file.bank(embedder=WordEmbedder("large", dimension=768))
    told = bank.remember("A note on quokkas")
    assert "reembed" in told.note
    assert hit_ids(bank.recall("quokkas"))[:1] == [told.id]
