"""A hold covers what it names, now and later, and nobody leaves it by another label."""

from dataclasses import replace

import pytest

from lapse.errors import ValidationError
from lapse.lifecycle.holds import attached_to, covers, holding
from lapse.model.hold import Hold, HoldScope, HoldTarget
from lapse.testing.fakes import START, memory

LABELLED = replace(
    memory("a"), subject="anna", key="user/drink", tags=("tax", "2024"), session="s1"
)
TARGETS = [
    (HoldScope.IDS, ("b", "a")),
    (HoldScope.SUBJECT, ("anna",)),
    (HoldScope.KEY_PREFIX, ("user/",)),
    (HoldScope.TAG, ("2024",)),
    (HoldScope.SESSION, ("s1",)),
    (HoldScope.BANK, ()),
]
NEIGHBOURS = [
    (HoldScope.IDS, ("aa", "A")),
    (HoldScope.SUBJECT, ("ann",)),
    (HoldScope.KEY_PREFIX, ("user/drinks",)),
    (HoldScope.KEY_PREFIX, ("use.",)),
    (HoldScope.TAG, ("202",)),
    (HoldScope.SESSION, ("s",)),
]


def _hold(scope: HoldScope, values: tuple[str, ...], name: str = "case 7") -> Hold:
    target = HoldTarget(scope=scope, values=values)
    return Hold(name=name, target=target, holder="clerk", reason="a claim", placed_at=START)


@pytest.mark.parametrize(("scope", "values"), TARGETS)
def test_a_hold_covers_what_it_is_placed_on(scope: HoldScope, values: tuple[str, ...]) -> None:
    assert covers(_hold(scope, values), LABELLED)


@pytest.mark.parametrize(("scope", "values"), NEIGHBOURS)
def test_a_hold_covers_no_neighbour(scope: HoldScope, values: tuple[str, ...]) -> None:
    assert not covers(_hold(scope, values), LABELLED)
    assert not covers(_hold(scope, values), memory("other"))


@pytest.mark.parametrize(
    ("scope", "value"),
    [
        (HoldScope.SUBJECT, " Anna"),
        (HoldScope.TAG, "TAX"),
        (HoldScope.SESSION, "S1"),
        (HoldScope.KEY_PREFIX, "User/"),
    ],
)
def test_a_label_written_otherwise_is_the_same_label(scope: HoldScope, value: str) -> None:
    assert covers(_hold(scope, (value,)), LABELLED)


def test_several_matters_may_cover_one_memory() -> None:
    holds = [_hold(scope, values, name=scope.value) for scope, values in (*TARGETS, NEIGHBOURS[3])]
    assert holding(holds, LABELLED)[:2] == ("ids", "subject")
    assert len(holding(holds, LABELLED)) == len(TARGETS)


def test_a_memory_that_is_relabelled_stays_covered() -> None:
    hold = _hold(HoldScope.TAG, ("tax",))
    relabelled = replace(LABELLED, tags=())
    (kept,) = attached_to([hold], [(LABELLED, relabelled)])
    assert kept == replace(hold, attached=("a",))
    assert covers(kept, relabelled)
    assert list(attached_to([kept], [(relabelled, LABELLED)])) == []
    assert list(attached_to([kept], [(LABELLED, relabelled)])) == []


def test_a_relabelling_that_matters_to_no_hold_changes_none() -> None:
    hold = _hold(HoldScope.TAG, ("tax",))
    moved = replace(LABELLED, session="s2")
    other = memory("other")
    assert (
        list(attached_to([hold], [(LABELLED, moved), (other, replace(other, tags=("x",)))])) == []
    )


@pytest.mark.parametrize(
    ("scope", "values"),
    [
        (HoldScope.BANK, ("x",)),
        (HoldScope.IDS, ()),
        (HoldScope.TAG, ()),
        (HoldScope.TAG, ("a", "b")),
        (HoldScope.SUBJECT, (" ",)),
        (HoldScope.KEY_PREFIX, ("",)),
    ],
)
def test_a_target_that_names_nothing_or_too_much_is_refused(
    scope: HoldScope, values: tuple[str, ...]
) -> None:
    with pytest.raises(ValidationError):
        HoldTarget(scope=scope, values=values)


def test_a_hold_needs_a_name_a_holder_and_a_reason() -> None:
    with pytest.raises(ValidationError) as caught:
        Hold(
            name="",
            target=HoldTarget(scope=HoldScope.BANK),
            holder=" ",
            reason=" ",
            placed_at=START,
        )
    assert {each.field for each in caught.value.faults} == {"name", "holder", "reason"}
