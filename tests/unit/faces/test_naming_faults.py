"""How a fault's field is named to somebody far away."""

import pytest

from lapse.faces.naming_faults import shown_field


@pytest.mark.parametrize(
    "name",
    ["text", "drafts[0].colour", "Idempotency-Key", "line 718.json", "recall.k", "metadata.a[3]"],
)
def test_words_and_positions_are_shown(name: str) -> None:
    assert shown_field(name) == name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("my fear of heights", "…"),
        ("drafts[0].my fear of heights", "drafts[0].…"),
        ("metadata.Höhenangst", "metadata.…"),
        ("metadata.a[fear]", "metadata.a…"),
        ("metadata." + "x" * 41, "metadata.…"),
    ],
)
def test_a_name_that_may_be_what_somebody_told_is_left_out(name: str, shown: str) -> None:
    assert shown_field(name) == shown


def test_a_name_without_end_is_cut_short() -> None:
    assert len(shown_field("a" + "[0]" * 900)) <= 101
