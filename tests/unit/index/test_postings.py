"""Postings sorted by term, and facets, at their edges."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lapse.index.facets import FacetTable, metadata_facet
from lapse.index.postings import PostingTable, based, distinct

TEXTS = st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=9)


def arrays(texts: list[list[int]]) -> list[np.ndarray[tuple[int], np.dtype[np.int32]]]:
    return [np.array(each, dtype=np.int32) for each in texts]


@given(TEXTS)
def test_the_distinct_terms_of_texts_are_counted_text_by_text(texts: list[list[int]]) -> None:
    terms, counts, sizes = distinct(arrays(texts))
    expected = [(term, each.count(term)) for each in texts for term in sorted(set(each))]
    assert list(zip(terms.tolist(), counts.tolist(), strict=True)) == expected
    assert sizes.tolist() == [len(set(each)) for each in texts]


@given(TEXTS, st.booleans())
def test_sorting_postings_by_term_is_the_same_packed_or_not(
    texts: list[list[int]], far: bool
) -> None:
    terms, counts, sizes = distinct(arrays(texts))
    # Slots too far apart to be packed into one number with the rest take the other way.
    step = 1 << 58 if far else 1
    slots = np.repeat(np.arange(len(sizes), dtype=np.int64) * step, sizes)
    base = based(terms, slots, counts)
    for term in range(11):
        holders = [(at * step, t.count(term)) for at, t in enumerate(texts) if term in t]
        found = [each.tolist() for each in base.of(term)]
        assert list(zip(*found, strict=True)) == holders


def test_a_text_without_terms_has_a_place_and_no_postings() -> None:
    table = PostingTable()
    table.extend(arrays([[], [3], []]))
    table.count_in(np.arange(3, dtype=np.int64))
    postings = table.postings()
    assert postings.lengths.tolist() == [0, 1, 0]
    assert postings.of(3)[0].tolist() == [1]
    assert postings.mean_length == 1 / 3
    assert postings.frequency(99) == 0


def test_metadata_values_are_the_same_by_content_and_numbers_by_value() -> None:
    def same(one: object, other: object) -> bool:
        return metadata_facet("n", one) == metadata_facet("n", other)  # type: ignore[arg-type]

    assert same(1, 1.0)
    assert not same(1, True)
    assert not same(1, "1")
    assert not same(None, "null")
    assert same({"a": 1, "b": (2, 3)}, {"b": [2, 3], "a": 1})
    assert metadata_facet("n", 1) != metadata_facet("m", 1)


def test_an_erased_slot_leaves_its_facets_and_others_keep_theirs() -> None:
    table = FacetTable()
    table.add(0, ["x", "y"], {"n": 1})
    table.add(1, ["x"], None)
    table.scrub(0)
    table.scrub(5)
    assert table.slots(("tag", "", "x"), 9).tolist() == [1]
    assert table.slots(("tag", "", "y"), 9).tolist() == []
    assert table.slots(metadata_facet("n", 1), 9).tolist() == []
    assert table.slots(("tag", "", "x"), 1).tolist() == []
