"""B122: one NUL character makes a store refuse its row, and the whole batch is lost.

Design differs: a batch is checked before anything of it is written, and refused as a whole with the
place of every fault, on every store alike. So nobody has to find out which part of a batch arrived,
and what is not named is stored for certain when it is sent again.
"""

import pytest

from lapse.errors import ValidationError
from tests.reports.helping import Place, everything


def batch() -> list[dict[str, object]]:
    drafts: list[dict[str, object]] = [{"text": f"Note {at}", "id": f"m{at}"} for at in range(100)]
    drafts[57] |= {"text": "Note\x0057", "tags": ["a\x00b"], "metadata": {"from": ["x", "a\x00b"]}}
    return drafts


def test_a_batch_with_nul_is_refused_by_the_name_of_each_fault_and_leaves_nothing(
    place: Place,
) -> None:
    bank = place.bank()
    with pytest.raises(ValidationError) as caught:
        bank.remember_many(batch())
    named = {each.field for each in caught.value.faults}
    assert named == {"[57].text", "[57].tags", "[57].metadata.from[1]"}
    assert everything(bank) == []


def test_the_other_99_are_stored_once_the_named_one_is_left_out(place: Place) -> None:
    bank = place.bank()
    bank.remember_many(each for at, each in enumerate(batch()) if at != 57)
    assert len(everything(bank)) == 99
    assert bank.doctor() == []


@pytest.mark.parametrize("bad", ["a\x00b", "\ud800"])
def test_what_no_store_can_keep_is_refused_in_every_field(place: Place, bad: str) -> None:
    bank = place.bank()
    with pytest.raises(ValidationError) as caught:
        bank.remember_many(
            [
                {"text": bad},
                {"text": "x", "metadata": {"a": bad}},
                {"text": "x", "metadata": {bad: 1}},
                {"text": "x", "metadata": {"a": [{"b": {bad: 1}}]}},
                {"text": "x", "tags": [bad]},
                {"text": "x", "subject": bad},
                {"text": "x", "key": "k", "value": bad},
            ]
        )
    assert {each.field.split(".")[0] for each in caught.value.faults} == {
        f"[{at}]" for at in range(7)
    }
    kept = bank.remember("x", metadata={"a": "b\n\u200b😀", "é": 1}, tags=["b 😀"])
    assert bank.get(kept.id).memory.metadata == {"a": "b\n\u200b😀", "é": 1}


def test_a_revision_is_held_to_the_same_rule(place: Place) -> None:
    bank = place.bank()
    bank.remember("Lunch was soup", id="m1", metadata={"a": "b"})
    with pytest.raises(ValidationError, match="metadata"):
        bank.update("m1", metadata={"a": "b\x00"})
    assert bank.get("m1").memory.metadata == {"a": "b"}
