"""What a caller may hand to a verb: what it asks for, what it might, and anything at all.

Decides which values are tried for a parameter of which name. Refuses to know any verb: parameters
are read off the signatures, so that a new verb is tried without a word here.
"""

import inspect
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Final, Unpack, get_args, get_origin, is_typeddict
from uuid import UUID

import numpy as np
from hypothesis import strategies as st

from lapse.bank import Bank
from lapse.model.instants import EARLIEST, LATEST
from lapse.model.memory import Kind, Role
from lapse.model.paging import Listing
from lapse.model.query import AsOf
from lapse.model.retention import UseSource

IDS: Final = ("tea", "lunch", "name", "claim")
"""Memories that every bank here begins with."""

Values = st.SearchStrategy[object]


class Odd(Enum):
    """An enumeration that Lapse does not know."""

    ODD = "cited"


class Opaque:
    """An object that nobody knows, with nothing to be read."""

    def __repr__(self) -> str:
        return "opaque" * 100


def _cycle() -> list[object]:
    turned: list[object] = []
    turned.append(turned)
    return turned


def _deep(levels: int) -> list[object]:
    nested: list[object] = []
    for _ in range(levels):
        nested = [nested]
    return nested


ODD_TEXTS: Final = (
    "",
    " ",
    "\u00a0\u2003",
    "\x00",
    "a\x00b",
    "\ud800",
    "tea \udcff",
    "\u200b\u200d\ufeff",
    "\u202etxet",
    "ﷺ" * 40,
    "e\u0301" * 200,
    "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "x" * 255,
    "x" * 256,
    "w" * 70_000,
    "'; DROP TABLE memory; --",
    "%s %d {0} {} $x",
    "\r\n\t\v\f\x1b[2J\x85\u2028",
    "nan",
    "inf",
    "-1",
    "1e400",
    "0x10",
    "true",
    "9" * 5000,
    "2026-13-40",
    "2026-02-30T25:61Z",
    "2016-12-31T23:59:60Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-12:00",
)

ENDS: Final = (
    datetime(1, 1, 1),  # noqa: DTZ001 - a caller may well leave the zone out
    datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone(-timedelta(hours=23))),
    datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=23))),
)

_SCALARS: Final[Values] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([0, -1, 2**31, 2**53, 2**63 - 1, 2**63, -(2**63) - 1, 2**200]),
    st.floats(),
    st.sampled_from([0.0, -0.0, 5e-324, 1.7e308, -1e-9, 1 + 1e-9]),
    st.complex_numbers(max_magnitude=10),
    st.sampled_from([Decimal("0.5"), Decimal("NaN"), Decimal("1e9999"), Fraction(1, 3), 1j]),
    st.binary(max_size=8),
    st.text(max_size=12),
    st.sampled_from(ODD_TEXTS),
    st.sampled_from([date.max, date.min, timedelta.max, *ENDS]),
    st.sampled_from([Odd.ODD, Kind.SEMANTIC, Role.USER, UseSource.REJECTED, int, ..., UUID(int=1)]),
    st.sampled_from(
        [np.float64("nan"), np.int64(3), np.float32(0.5), np.bool_(True), np.str_("x")]
    ),
)
_SPECIAL: Final[Values] = st.one_of(
    st.builds(Opaque),
    # Made when drawn: Python shows no number of so many digits, and Hypothesis would.
    st.builds(lambda: 10**5000),
    st.builds(object),
    st.builds(_cycle),
    st.builds(_deep, st.sampled_from([3, 33, 5000])),
    st.builds(lambda: (each for each in ("tea", 5))),
    st.builds(lambda: np.array([[1.0, 2.0]])),
    st.builds(lambda: np.array(["tea"])),
    st.builds(lambda: np.array([])),
    st.builds(lambda: {1: {2: 3}}),
    st.builds(lambda: {"tea", "lunch"}),
    st.builds(lambda: frozenset({1})),
    st.builds(lambda: lambda: None),
)
_HASHABLE: Final[Values] = st.one_of(st.text(max_size=6), st.sampled_from(["id", "text", "k", 1]))

ANYTHING: Final[Values] = st.recursive(
    st.one_of(_SCALARS, _SPECIAL),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner),
        st.dictionaries(_HASHABLE, inner, max_size=3),
    ),
    max_leaves=4,
)
"""Whatever Python can make, with what is most awkward made most often."""

IDENTIFIERS: Final[Values] = st.sampled_from([*IDS, "new", "missing", "ид", "🙂"])
TEXTS: Final[Values] = st.one_of(
    st.sampled_from(["tea or coffee", "I prefer tea", "茶が好き", "أحب الشاي"]),
    st.text(min_size=1, max_size=40),
    st.sampled_from(ODD_TEXTS),
)
NAMES: Final[Values] = st.one_of(st.sampled_from(["a", "user/drink", "Zoë"]), st.text(max_size=6))
SHARES: Final[Values] = st.one_of(st.floats(0, 1), st.sampled_from([0, 1, 0.5]))
INSTANTS: Final[Values] = st.one_of(
    st.datetimes(),
    st.datetimes(timezones=st.just(UTC)),
    st.integers(EARLIEST, LATEST),
    st.sampled_from(["2026-03-01", "2026-03-29T01:30+01:00", "2016-12-31T23:59:59Z", LATEST]),
    st.none(),
)
JSON: Final[Values] = st.dictionaries(
    st.text(max_size=5), st.one_of(st.none(), st.integers(-9, 9), st.text(max_size=5)), max_size=3
)
_SETTINGS: Final[Values] = st.dictionaries(
    st.sampled_from(
        [
            "recall.k",
            "recall.budget_words",
            "forgetting",
            "forgetting.mode",
            "forgetting.enabled",
            "law",
            "law.name",
            "law.half_life_hours",
            "law.archive_level",
            "scoring",
            "scoring.boost_alpha",
            "importance.default",
            "memory.language",
            "memory.max_text_bytes",
            "reinforcement.access_log",
            "x.y",
            ".",
        ]
    ),
    st.one_of(
        st.sampled_from([1, 0.5, "filter", "exponential", "english", True, None, "", "{}", "all"]),
        st.dictionaries(st.sampled_from(["mode", "name", "k"]), st.integers(-1, 9), max_size=2),
        ANYTHING,
    ),
    max_size=3,
)

BY_NAME: Final[Mapping[str, Values]] = {
    "id": IDENTIFIERS,
    "text": TEXTS,
    "query": TEXTS,
    "ids": st.lists(IDENTIFIERS, max_size=4),
    "derived_from": st.lists(IDENTIFIERS, max_size=2),
    "by": st.sampled_from(["host", "alice"]),
    "reason": st.sampled_from(["because", None, "…"]),
    "key": NAMES,
    "value": NAMES,
    "subject": NAMES,
    "session": NAMES,
    "source": st.sampled_from([*UseSource, "chat"]),
    "kind": st.sampled_from([*Kind, "conversation", "fact"]),
    "kinds": st.lists(st.sampled_from([*Kind, "entity"]), max_size=2),
    "role": st.sampled_from([*Role, "user"]),
    "tags": st.lists(NAMES, max_size=2),
    "entities": st.lists(NAMES, max_size=2),
    "metadata": JSON,
    "importance": SHARES,
    "confidence": SHARES,
    "proof_count": st.integers(1, 2**63 - 1),
    "if_version": st.integers(1, 3),
    "k": st.integers(0, 12),
    "limit": st.integers(0, 5),
    "budget_words": st.integers(0, 50),
    "max_age_hours": st.floats(0, 1e6),
    "mode": st.sampled_from(["off", "observe", "rank"]),
    "scorer": st.sampled_from(["boost", "weighted", "blend"]),
    "explain": st.booleans(),
    "pinned": st.booleans(),
    "audit_evidence": st.booleans(),
    "query_vector": st.lists(st.floats(width=32), min_size=2, max_size=2),
    "as_of": st.builds(AsOf, valid=st.integers(EARLIEST, LATEST), recorded=st.none()),
    "listing": st.builds(Listing, limit=st.integers(1, 3)),
    "diff": _SETTINGS,
    "event_id": NAMES,
    "recall": NAMES,
    "drafts": st.lists(
        st.dictionaries(
            st.sampled_from(["text", "id", "key", "kind", "importance", "created_at", "x"]),
            st.one_of(TEXTS, SHARES, ANYTHING),
            max_size=4,
        ),
        max_size=3,
    ),
    "messages": st.lists(
        st.dictionaries(
            st.sampled_from(["role", "content", "at", "text", "name"]),
            st.one_of(st.sampled_from(["user", "hello there", "2026-03-01"]), ANYTHING),
            max_size=3,
        ),
        max_size=3,
    ),
    "candidates": st.lists(
        st.fixed_dictionaries(
            {"id": IDENTIFIERS, "text": TEXTS},
            optional={
                "score": st.one_of(st.floats(), ANYTHING),
                "vector": st.one_of(st.lists(st.floats(), max_size=3), ANYTHING),
                "importance": SHARES,
                "created_at": st.one_of(INSTANTS, ANYTHING),
                "metadata": st.one_of(JSON, ANYTHING),
                "kind": st.one_of(st.sampled_from(list(Kind)), ANYTHING),
            },
        ),
        max_size=3,
    ),
    **dict.fromkeys(
        ("at", "created_at", "occurred_at", "valid_from", "valid_to", "expires_at"), INSTANTS
    ),
}
"""Likely values by the name of a parameter; whatever is missing here is tried with anything."""

UNTRIED: Final = frozenset({"progress"})
"""Parameters that take the caller's own code, whose errors are the caller's."""


def verbs() -> list[str]:
    """Names of all public methods of a bank."""
    return [
        name
        for name, each in inspect.getmembers(Bank, inspect.isfunction)
        if not name.startswith("_")
    ]


def arguments(verb: str) -> st.SearchStrategy[dict[str, object]]:
    """Arguments of a verb by name: mostly likely ones, the optional ones now and then."""
    method: Callable[..., object] = getattr(Bank, verb)
    needed: dict[str, Values] = {}
    optional: dict[str, Values] = {"no_such_option": ANYTHING} if _takes_more(method) else {}
    for parameter in list(inspect.signature(method).parameters.values())[1:]:
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            optional |= {name: _tried(name) for name in _unpacked(parameter.annotation)}
        elif parameter.name in UNTRIED:
            continue
        elif parameter.default is inspect.Parameter.empty:
            needed[parameter.name] = _tried(parameter.name)
        else:
            optional[parameter.name] = _tried(parameter.name)
    return st.fixed_dictionaries(needed, optional=optional)


def _takes_more(method: Callable[..., object]) -> bool:
    kinds = {each.kind for each in inspect.signature(method).parameters.values()}
    return inspect.Parameter.VAR_KEYWORD in kinds


def _tried(name: str) -> Values:
    likely = BY_NAME.get(name)
    if likely is None:
        return ANYTHING
    # Three in four as they should be: otherwise no call of many arguments ever gets to its work.
    return st.one_of(likely, likely, likely, ANYTHING)


def _unpacked(hint: object) -> tuple[str, ...]:
    fields = get_args(hint)[0] if get_origin(hint) is Unpack else hint
    return tuple(fields.__annotations__) if is_typeddict(fields) else ()
