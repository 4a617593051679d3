"""Claims: another value of a key, and batches that come to the same as their drafts."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.model.bank import Bank
from lapse.model.instants import DAY, Instant
from lapse.model.outcome import Action, Outcome
from lapse.model.proposal import ProposalKind
from lapse.testing.fakes import ALICE, START
from tests.unit.intake.telling import Teller


@pytest.fixture
def teller() -> Teller:
    return Teller()


def _later(teller: Teller, days: float = 1.0) -> None:
    teller.now = Instant(teller.now + round(days * DAY))


def _actions(outcomes: Sequence[Outcome]) -> list[Action]:
    return [each.action for each in outcomes]


def _drink(text: str, **fields: object) -> dict[str, object]:
    return {"text": text, "key": "user/drink", **fields}


def test_another_value_supersedes_and_the_older_one_stays_stored(teller: Teller) -> None:
    teller.tell(_drink("tea", id="a"))
    _later(teller)

    (outcome,) = teller.tell(_drink("coffee", id="b"))

    assert outcome.superseded == ("a",)
    tea, coffee = (teller.record(each).memory for each in "ab")
    assert (tea.is_latest, coffee.is_latest) == (False, True)
    assert (tea.superseded_by, coffee.supersedes) == ("b", "a")
    assert tea.valid_to == coffee.valid_from == teller.now


def test_superseding_never_touches_a_retention_state(teller: Teller) -> None:
    teller.tell(_drink("tea", id="a"))
    before = teller.record("a").state
    _later(teller)

    teller.tell(_drink("coffee"))

    assert teller.record("a").state == before


def test_the_current_value_told_again_is_reconfirmed_whatever_the_words(teller: Teller) -> None:
    teller.tell(_drink("I prefer tea", id="a", value="tea"))

    (outcome,) = teller.tell(_drink("Tea is what she likes best.", value="TEA"))

    assert (outcome.memory_id, outcome.action) == ("a", Action.RECONFIRMED)


def test_a_value_left_out_is_the_text(teller: Teller) -> None:
    teller.tell(_drink("tea", id="a"))

    assert _actions(teller.tell(_drink("Tea."), _drink("other words", value="tea"))) == [
        Action.RECONFIRMED,
        Action.RECONFIRMED,
    ]


def test_the_same_value_under_another_key_is_another_claim(teller: Teller) -> None:
    teller.tell(_drink("tea"))

    (outcome,) = teller.tell({"text": "tea", "key": "guest/drink"})

    assert (outcome.action, outcome.superseded) == (Action.CREATED, ())


def test_a_superseded_value_told_again_is_history_and_a_listed_conflict(teller: Teller) -> None:
    for at, drink in enumerate(["tea", "coffee", "tea", "Tea"]):
        teller.now = Instant(START + at * DAY)
        outcomes = teller.tell(_drink(drink))

    assert [each.memory.is_latest for each in teller.stored()] == [False, True]
    assert _actions(outcomes) == [Action.DISPUTED]
    tea, coffee = (each.memory.id for each in teller.stored())
    (listed,) = teller.store.proposals(ALICE)
    assert (listed.kind, listed.memory_id, listed.other_ids) == (
        ProposalKind.RESTATE,
        tea,
        (coffee,),
    )
    assert teller.events() == []


@pytest.mark.parametrize("time", ["occurred_at", "valid_from"])
def test_a_superseded_value_holds_again_from_a_time_after_its_closing(
    teller: Teller, time: str
) -> None:
    teller.tell(_drink("tea", id="a"))
    _later(teller)
    teller.tell(_drink("coffee", id="b"))
    teller.now = Instant(teller.now + 5 * DAY)

    (early,) = teller.tell(_drink("tea", **{time: START + DAY // 2}))
    (mere,) = teller.tell(_drink("tea", role="assistant", **{time: teller.now}))
    (outcome,) = teller.tell(_drink("tea", id="c", **{time: teller.now}))

    assert [early.action, mere.action] == [Action.DISPUTED, Action.DISPUTED]
    assert (outcome.action, outcome.superseded) == (Action.CREATED, ("b",))
    assert [each.memory.is_latest for each in teller.stored()] == [False, False, True]


def test_a_superseded_value_may_have_held_before_it_was_first_told_of(teller: Teller) -> None:
    teller.tell(_drink("tea", id="a", valid_from=START))
    teller.tell(_drink("coffee", id="b", valid_from=START + DAY))

    (outcome,) = teller.tell(_drink("tea", id="c", valid_from=START - 9 * DAY))

    assert (outcome.action, outcome.superseded) == (Action.CREATED, ())
    assert teller.record("b").memory.is_latest


def test_a_plain_text_of_a_superseded_claim_does_not_come_in_by_another_door(
    teller: Teller,
) -> None:
    teller.tell(_drink("She drinks tea", id="a"))
    _later(teller)
    teller.tell(_drink("She drinks coffee", id="b"))

    (again,) = teller.tell({"text": "she drinks  TEA"})
    (other,) = teller.tell({"text": "she drinks tea", "subject": "Bob"})

    assert (again.action, again.memory_id) == (Action.DISPUTED, "a")
    assert other.action is Action.CREATED


def test_values_that_stand_beside_each_other_displace_none(teller: Teller) -> None:
    outcomes = teller.tell(
        {"text": "tea", "key": "likes", "multi": True, "id": "a"},
        {"text": "jazz", "key": "likes", "multi": True, "id": "b"},
        {"text": "tea", "key": "likes", "multi": True},
        {"text": "rum", "key": "likes", "id": "c"},
    )

    assert _actions(outcomes) == [*[Action.CREATED] * 2, Action.RECONFIRMED, Action.CREATED]
    assert all(each.superseded == () for each in outcomes)
    assert all(each.memory.is_latest for each in teller.stored())


def test_a_late_older_fact_takes_its_place_in_the_past(teller: Teller) -> None:
    teller.tell(_drink("coffee", id="now", valid_from=START))

    (outcome,) = teller.tell(_drink("milk", id="then", valid_from=START - 100 * DAY))

    assert outcome.superseded == ()
    then, now = teller.record("then").memory, teller.record("now").memory
    assert (then.is_latest, now.is_latest) == (False, True)
    assert then.valid_to == START
    assert (then.superseded_by, now.supersedes) == ("now", "then")


def test_a_late_fact_between_two_others_is_put_between_them(teller: Teller) -> None:
    teller.tell(_drink("milk", id="a", valid_from=START - 100 * DAY))
    teller.tell(_drink("coffee", id="c", valid_from=START))

    teller.tell(_drink("tea", id="b", occurred_at=START - 50 * DAY))

    chain = [teller.record(each).memory for each in "abc"]
    assert [each.superseded_by for each in chain] == ["b", "c", None]
    assert [each.valid_to for each in chain] == [START - 50 * DAY, START, None]


def test_a_claim_superseded_in_a_batch_is_known_as_such_to_what_comes_after(
    teller: Teller,
) -> None:
    teller.tell(_drink("tea", id="a"))
    _later(teller)

    outcomes = teller.tell(
        _drink("coffee", id="b"), _drink("tea", id="a"), {"text": "tea", "derived_from": ["a"]}
    )

    assert _actions(outcomes) == [Action.CREATED, Action.UNCHANGED, Action.DISPUTED]
    assert teller.record("a").memory.superseded_by == "b"


def test_a_retracted_value_is_neither_current_nor_superseded(teller: Teller) -> None:
    teller.tell(_drink("tea", id="a"))
    teller.retract("a")
    _later(teller)

    outcomes = teller.tell(_drink("tea", id="b"), _drink("coffee", id="c"))

    assert [(each.action, each.superseded) for each in outcomes] == [
        (Action.DISPUTED, ()),
        (Action.CREATED, ()),
    ]
    assert teller.record("a").memory.superseded_by is None


def test_a_suppressed_value_is_still_the_current_one(teller: Teller) -> None:
    teller.tell(_drink("tea", id="a"))
    teller.suppress("a")

    (outcome,) = teller.tell(_drink("coffee"))

    assert outcome.superseded == ("a",)


# --- batches -------------------------------------------------------------------------------

TEXTS = st.sampled_from(["tea", "Tea.", "coffee", "milk"])
TIMES = st.none() | st.integers(-40, 5).map(lambda days: START + days * DAY)
DRAFTS = st.fixed_dictionaries(
    {"text": TEXTS},
    optional={
        "key": st.sampled_from(["a", "b"]),
        "role": st.sampled_from(["user", "assistant"]),
        "subject": st.sampled_from(["x", "y"]),
        "created_at": TIMES,
        "occurred_at": TIMES,
        "valid_from": TIMES,
        "expires_at": TIMES,
    },
)


@given(st.lists(DRAFTS, max_size=8), st.data())
def test_a_batch_gives_what_its_drafts_give_one_by_one(
    drafts: list[dict[str, object]], data: st.DataObject
) -> None:
    whole, single = Teller(), Teller()
    suppressed = data.draw(st.booleans())
    for teller in (whole, single):
        teller.tell({"text": "tea", "id": "first"})
        if suppressed:
            teller.suppress("first")
        teller.now = Instant(START + DAY)

    together = whole.tell(*drafts)
    one_by_one = [outcome for draft in drafts for outcome in single.tell(draft)]

    assert together == one_by_one
    assert whole.stored() == single.stored()
    assert whole.events() == single.events()
    assert whole.store.bank(ALICE) == replace(_bank(single), revision=_bank(whole).revision)


@given(st.lists(DRAFTS, min_size=1, max_size=6))
def test_drafts_with_ids_of_their_own_can_be_told_any_number_of_times(
    drafts: list[dict[str, object]],
) -> None:
    teller = Teller()
    named = [{**draft, "id": f"d{at}", "key": None} for at, draft in enumerate(drafts)]
    teller.tell(*named)
    first, events = teller.stored(), teller.events()

    again = teller.tell(*named)

    kept = {each.memory.id for each in first}
    assert all(
        outcome.action is (Action.UNCHANGED if draft["id"] in kept else Action.RECONFIRMED)
        for draft, outcome in zip(named, again, strict=True)
    )
    assert teller.stored() == first
    assert len(teller.events()) <= len(events) + len(drafts)


@given(st.lists(DRAFTS, max_size=8))
def test_of_every_key_exactly_one_claim_is_the_latest(drafts: list[dict[str, object]]) -> None:
    teller = Teller()
    teller.tell(*drafts)

    for key in ("a", "b"):
        claims = [each.memory for each in teller.stored() if each.memory.key == key]
        assert sum(each.is_latest for each in claims) == min(len(claims), 1)


def _bank(teller: Teller) -> Bank:
    bank = teller.store.bank(ALICE)
    assert bank is not None
    return bank
