"""What a person may see is what an erasure removes: one list behind both."""

import pytest

from lapse.errors import ValidationError
from lapse.model.retention import Lifecycle
from tests.unit.engine.erasing import WHO
from tests.unit.engine.opening import Opened


def _fill(lapse: Opened) -> None:
    bank = lapse.alice
    bank.remember("Maria lives at 14 Elm Street", id="home", subject="maria")
    bank.update("home", text="Maria lives at 15 Elm Street")
    bank.remember("Maria asked for a taxi", id="taxi", subject="maria", kind="episodic")
    bank.remember("How Maria files her invoices", id="way", subject="maria", kind="procedural")
    bank.remember("Ben keeps bees", id="bees", subject="ben")
    bank.remember("She moved within Elm Street", id="moved", derived_from=["home"])
    bank.remember("She moves often", id="often", derived_from=["moved"])
    bank.remember("Two people were busy", id="both", derived_from=["taxi", "bees"])
    bank.suppress(["taxi"], **WHO)
    bank.archive(["way"], **WHO)


def test_the_report_names_exactly_what_an_erasure_takes(lapse: Opened) -> None:
    _fill(lapse)
    report = lapse.alice.subject_report("maria")
    preview = lapse.alice.preview_erasure(subject="maria")
    done = lapse.alice.erase(subject="maria", **WHO)

    named = [each.memory.id for each in report.kept]
    assert named == [*done.erased, *done.derived]
    assert sorted(named) == ["home", "moved", "often", "taxi", "way"]
    assert (preview.erased, preview.derived) == (done.erased, done.derived)
    assert report.shared == done.cut == ("both",)
    assert lapse.alice.subject_report("maria").kept == ()


def test_it_tells_where_each_stands_what_was_derived_and_what_it_said_before(
    lapse: Opened,
) -> None:
    _fill(lapse)
    kept = {each.memory.id: each for each in lapse.alice.subject_report("maria").kept}
    assert kept["taxi"].lifecycle is Lifecycle.SUPPRESSED
    assert kept["way"].lifecycle is Lifecycle.ARCHIVED
    assert [name for name, each in kept.items() if each.derived] == ["moved", "often"]
    assert [each.text for each in kept["home"].earlier] == ["Maria lives at 14 Elm Street"]


def test_looking_writes_nothing(lapse: Opened) -> None:
    _fill(lapse)
    revision = lapse.store.revision(lapse.alice.ref)
    lapse.alice.subject_report("maria")
    assert lapse.store.revision(lapse.alice.ref) == revision


def test_of_nobody_nothing_is_kept_and_a_blank_name_is_refused(lapse: Opened) -> None:
    assert lapse.alice.subject_report("nobody").kept == ()
    with pytest.raises(ValidationError, match="subject"):
        lapse.alice.subject_report(" ")
