"""What "newer" means, against a rule written out claim by claim."""

from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lapse.index.claims import NEVER, Claims, outdated_at, outdated_from
from lapse.model.index_delta import MISSING

INSTANTS = st.integers(0, 6)
MAYBE = st.one_of(st.none(), INSTANTS)


@dataclass(frozen=True, kw_only=True)
class Told:
    key: int
    told_at: int
    recorded_from: int
    recorded_to: int | None
    valid_from: int | None

    @property
    def starts_at(self) -> int:
        return self.told_at if self.valid_from is None else self.valid_from


TOLD = st.lists(
    st.builds(
        Told,
        key=st.integers(0, 2),
        told_at=INSTANTS,
        recorded_from=INSTANTS,
        recorded_to=MAYBE,
        valid_from=MAYBE,
    ),
    max_size=12,
)


def claims_of(told: list[Told]) -> Claims:
    def column(values: list[int | None]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array([MISSING if v is None else v for v in values], dtype=np.int64)

    return Claims(
        key=column([each.key for each in told]),
        row=np.arange(len(told)),
        starts_at=column([each.starts_at for each in told]),
        recorded_from=column([each.recorded_from for each in told]),
        recorded_to=column([each.recorded_to for each in told]),
        valid_from=column([each.valid_from for each in told]),
    )


def newer(told: list[Told], old: int, new: int) -> bool:
    a, b = told[old], told[new]
    return a.key == b.key and (b.starts_at, b.recorded_from, new) > (
        a.starts_at,
        a.recorded_from,
        old,
    )


@given(TOLD, INSTANTS, INSTANTS)
def test_a_claim_is_outdated_at_two_times_by_any_newer_one_that_counted_then(
    told: list[Told], valid: int, recorded: int
) -> None:
    def counted(each: Told) -> bool:
        known = each.recorded_from <= recorded
        retracted = each.recorded_to is not None and each.recorded_to <= recorded
        return known and not retracted and (each.valid_from is None or each.valid_from <= valid)

    expected = [
        any(newer(told, old, new) and counted(told[new]) for new in range(len(told)))
        for old in range(len(told))
    ]
    none = np.zeros(0, np.int64)
    assert outdated_at(claims_of(told), valid, recorded, none).tolist() == expected


@given(TOLD)
def test_a_claim_is_outdated_from_the_first_newer_one_that_is_not_retracted(
    told: list[Told],
) -> None:
    expected = [
        min(
            (
                MISSING if (start := told[new].valid_from) is None else start
                for new in range(len(told))
                if newer(told, old, new) and told[new].recorded_to is None
            ),
            default=NEVER,
        )
        for old in range(len(told))
    ]
    assert outdated_from(claims_of(told)).tolist() == expected


def test_no_claims_outdate_nothing() -> None:
    assert outdated_from(Claims.none()).tolist() == []
