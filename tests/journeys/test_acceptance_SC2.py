"""SC2: a caller names what belongs to another tenant; it is refused, or confined to the caller.

In the library the tenant is what the program says, so what a caller can forge are fields, ids and
names. That a key opens its own tenant only is the server's to show.
Control: the caller's own calls succeed.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.bank import Bank
from lapse.errors import LapseError, ValidationError
from lapse.model.codec import dumps
from lapse.model.paging import Listing
from tests.journeys.acceptance import on_every_store, place_on, tray
from tests.reports.helping import everything

FORGED: dict[str, Callable[[Bank], object]] = {
    "a draft of another tenant": lambda bank: bank.remember_many([{"text": "x", "tenant": "b"}]),
    "a draft of another bank": lambda bank: bank.remember_many([{"text": "x", "bank": "theirs"}]),
    "a message of another tenant": lambda bank: bank.ingest([{"content": "x", "tenant": "b"}]),
    "a candidate of another tenant": lambda bank: bank.rank(
        [{"id": "x", "text": "x", "tenant": "b"}], query="x"
    ),
    "a recall elsewhere": lambda bank: bank.recall("harbour", tenant="b"),  # type: ignore[call-arg]  # forged
    "an update elsewhere": lambda bank: bank.update("own", tenant="b"),  # type: ignore[call-arg]  # forged
}

ELSEWHERE = ("*", "%", "theirs", "b/notes", "../b", "b%2Fnotes", "_____", "[a-z]*", ".*")

BY_ID: dict[str, Callable[[Bank, str], object]] = {
    "get": lambda bank, it: bank.get(it),
    "why": lambda bank, it: bank.why("harbour", it),
    "update": lambda bank, it: bank.update(it, text="Mine"),
    "pin": lambda bank, it: bank.pin([it]),
    "used": lambda bank, it: bank.used([it]),
    "derive": lambda bank, it: bank.remember("From it", derived_from=[it]),
}


def told(mind: Lapse) -> tuple[Bank, Bank]:
    """The caller's bank, of tenant a, and another's."""
    theirs = mind.bank("notes", tenant="b")
    theirs.remember("The harbour is guarded", id="theirs", subject="s", tags=["t"], key="k")
    own = mind.bank("notes", tenant="a")
    own.remember("The harbour is quiet", id="own")
    return own, theirs


def outcome(act: Callable[[], object], name: str) -> str:
    """What a caller learns from a call, without the name that was asked for."""
    try:
        return f"gave {act()}"
    except LapseError as error:
        return f"{type(error).__name__} {error} {error.fields}".replace(name, "…")


@on_every_store
@pytest.mark.parametrize("forgery", FORGED)
def test_a_field_that_names_another_tenant_is_refused(
    kind: str, forgery: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        own, theirs = told(place.open())
        before = theirs.get("theirs")
        with pytest.raises(ValidationError):
            FORGED[forgery](own)
        assert len(everything(own)) == len(everything(theirs)) == 1
        assert theirs.get("theirs") == before
        assert own.remember("Lunch was soup").action == "created"


@on_every_store
def test_an_id_of_another_tenant_is_answered_as_one_that_does_not_exist(
    kind: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        own, theirs = told(place.open())
        before = theirs.get("theirs")
        for name, act in BY_ID.items():
            asked = [
                outcome(lambda act=act, it=it: act(own, it), it)  # type: ignore[misc]  # bound here
                for it in ("theirs", "nobody")
            ]
            assert asked[0] == asked[1], name
            assert not asked[0].startswith("gave"), name
            assert outcome(lambda act=act: act(own, "own"), "own").startswith("gave"), name  # type: ignore[misc]  # bound here
        assert theirs.get("theirs") == before


@on_every_store
def test_a_wildcard_or_another_bank_of_ones_own_is_an_empty_one(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        mind = place.open()
        own, _ = told(mind)
        empty = mind.bank("no such bank", tenant="a")
        for name in ELSEWHERE:
            other = mind.bank(name, tenant="a")
            assert tray(other.recall("harbour")) == tray(empty.recall("harbour"))
            assert everything(other) == []
            assert mind.banks(tenant=name) == []
        assert mind.banks(tenant="a") == ["notes"]
        assert len(own.recall("harbour").hits) == 1


@on_every_store
def test_a_scope_that_says_nothing_is_confined_to_the_callers_bank(
    kind: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        own, _ = told(place.open())
        wide = own.recall("harbour", kinds=(), tags=(), metadata={}, subject=None, k=10_000)
        assert [each.id for each in wide.hits] == ["own"]
        assert list(wide.exclusions) == []
        for listing in (Listing(limit=1000), Listing(after=0), Listing(latest_only=True)):
            assert [each.memory.id for each in everything(own, listing)] == ["own"]
        for nothing in (Listing(subject="s"), Listing(tag="t"), Listing(key="k")):
            assert everything(own, nothing) == []
        assert "theirs" not in dumps(own.stats())
