"""Plans: their names, what becomes of them, and the form in which they are kept."""

import json
from dataclasses import replace

import pytest

from lapse.errors import CorruptStoreError, ValidationError
from lapse.model.guards import Basis, Choice, Guard, Spared
from lapse.model.instants import DAY, Instant
from lapse.model.memory import BankRef
from lapse.model.plan import Plan, PlanBy, PlanStatus, PlanVerb, totals_of
from lapse.model.plan_form import read_head, read_plan, written
from lapse.model.verbs import Verb
from lapse.testing.fakes import START
from lapse.testing.plans import applied, approved, item, plan


def test_equal_plans_have_one_name_of_64_hexadecimal_digits() -> None:
    one, other = plan(item("a"), item("b")), plan(item("a"), item("b"))

    assert one.id == other.id
    assert len(one.id) == 64
    assert int(one.id, 16) >= 0


def _altered() -> list[Plan]:
    whole = plan(item("a"), item("b"))
    moved = replace(whole, items=(item("b"), item("a")))
    return [
        replace(whole, ref=BankRef(name="bob")),
        replace(whole, ref=BankRef(tenant="other", name="alice")),
        replace(whole, policy="0" * 64),
        replace(whole, created_at=Instant(START + 1)),
        replace(whole, expires_at=Instant(START + 3650 * DAY)),
        replace(whole, ask=replace(whole.ask, by=PlanBy.IDS)),
        replace(whole, ask=replace(whole.ask, by=PlanBy.BUDGET)),
        replace(whole, items=(item("a"), item("c"))),
        replace(whole, items=(item("a"),)),
        replace(whole, items=(item("a"), item("b", version=2))),
        moved,
    ]


@pytest.mark.parametrize("altered", _altered())
def test_what_was_altered_no_longer_has_its_name(altered: Plan) -> None:
    assert altered.true_id != altered.id


def test_what_becomes_of_a_plan_and_its_scores_enter_no_name() -> None:
    whole = plan(item("a"))
    other_score = replace(whole, items=(replace(item("a"), score=0.1, days_below=1.5),))

    assert other_score.true_id == whole.id
    assert applied(approved(whole), "a").true_id == whole.id


def test_a_plan_names_no_memory_twice_and_nothing_of_another_verb() -> None:
    with pytest.raises(ValidationError, match="twice"):
        plan(item("a"), item("a"))
    with pytest.raises(ValidationError, match="another verb"):
        plan(item("a", verb=PlanVerb.ARCHIVE))


def test_a_plan_is_planned_then_approved_then_applying_then_applied() -> None:
    made = plan(item("a"))
    begun = applied(approved(made), "a")
    assert begun.application is not None
    done = replace(begun, application=replace(begun.application, ended_at=START))

    assert made.status(START) is PlanStatus.PLANNED
    assert approved(made).status(START) is PlanStatus.APPROVED
    assert begun.status(START) is PlanStatus.APPLYING
    assert done.status(START) is PlanStatus.APPLIED


def test_a_plan_expires_at_its_very_instant_unless_it_was_begun() -> None:
    made = plan(item("a"))
    late = made.expires_at

    assert made.status(Instant(late - 1)) is PlanStatus.PLANNED
    assert made.status(late) is PlanStatus.EXPIRED
    assert approved(made).status(late) is PlanStatus.EXPIRED
    assert applied(approved(made), "a").status(late) is PlanStatus.APPLYING


def test_of_a_part_only_that_part_is_approved_in_the_plans_own_order() -> None:
    made = plan(item("a"), item("b"), item("c"))

    assert made.approved == ()
    assert approved(made).approved == made.items
    assert [each.memory_id for each in approved(made, "c", "a").approved] == ["a", "c"]


def test_what_was_moved_or_skipped_waits_no_longer() -> None:
    made = approved(plan(item("a"), item("b"), item("c")))
    begun = applied(made, "a", skipped=(Spared(memory_id="b", guard=Guard.HOLD),))

    assert made.waiting == made.items
    assert [each.memory_id for each in begun.waiting] == ["c"]


def test_named_memories_and_scored_ones_are_guarded_differently() -> None:
    scored, named = plan(item("a")), plan(item("a"), by=PlanBy.IDS)
    other_level = replace(scored, ask=replace(scored.ask, level=0.1))

    assert (scored.choice, scored.basis) == (Choice.SCORED, Basis.DATED)
    assert (named.choice, named.basis) == (Choice.NAMED, Basis.SET)
    assert other_level.basis is Basis.SET
    assert scored.planned(item("a")).reinforcement_count == 2
    assert PlanVerb.ARCHIVE.act is Verb.ARCHIVE


def test_totals_count_words_and_means_and_an_empty_plan_has_none() -> None:
    other = replace(item("b"), words=3, importance=0.25, created_at=Instant(START - 100 * DAY))
    totals = totals_of([item("a"), other])

    assert (totals.count, totals.words, totals.oldest) == (2, 10, START - 100 * DAY)
    assert (totals.mean_importance, totals.mean_confidence) == (0.375, 0.5)
    assert totals_of([]).mean_importance is None
    assert totals_of([]).oldest is None


@pytest.mark.parametrize(
    "made",
    [
        plan(),
        plan(item("a"), item("ß\U0001f9e0")),
        approved(plan(item("a"), item("b")), "b"),
        applied(
            approved(plan(item("a"), item("b"))),
            "a",
            skipped=(Spared(memory_id="b", guard=Guard.USED),),
        ),
        plan(replace(item("a"), score=None, parts=None, below_since=None, days_below=None)),
        plan(replace(item("a"), last_counted_at=None), by=PlanBy.IDS),
    ],
)
def test_what_is_read_is_what_was_written(made: Plan) -> None:
    texts = written(made)

    assert read_plan(texts) == made
    assert read_head(texts.head, texts.progress) == made.head
    assert all(each.isascii() for each in (texts.head, texts.items, texts.progress))


def test_the_head_says_nothing_of_what_becomes_of_a_plan() -> None:
    made = plan(item("a"))

    assert written(approved(made)).head == written(made).head
    assert written(approved(made)).progress != written(made).progress


@pytest.mark.parametrize("items", ["", "[[1]]", "7", '[["a","explode"]]', json.dumps([["a"] * 14])])
def test_items_that_cannot_be_read_are_a_corrupt_store(items: str) -> None:
    texts = replace(written(plan(item("a"))), items=items)

    with pytest.raises(CorruptStoreError, match="cannot be read"):
        read_plan(texts)


def test_items_that_contradict_each_other_are_a_corrupt_store_too() -> None:
    texts = written(plan(item("a"), item("b")))

    with pytest.raises(CorruptStoreError, match="cannot be read"):
        read_plan(replace(texts, items=texts.items.replace('"a"', '"b"')))
