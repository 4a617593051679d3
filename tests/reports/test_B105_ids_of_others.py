"""B105: knowing an id is enough to read, change or delete another tenant's memory.

Waits: delete, suppress, restore and history, for their verbs; logging the attempt, for a server
with keys.
"""

from collections.abc import Callable

import pytest

from lapse.bank import Bank
from lapse.errors import ConflictError, NotFoundError
from tests.reports.helping import Place, everything

VERBS: dict[str, Callable[[Bank, str], object]] = {
    "get": lambda bank, it: bank.get(it),
    "why": lambda bank, it: bank.why("harbour", it),
    "update": lambda bank, it: bank.update(it, text="Changed by somebody else"),
    "update one version": lambda bank, it: bank.update(it, tags=["x"], if_version=1),
    "pin": lambda bank, it: bank.pin([it]),
    "unpin": lambda bank, it: bank.unpin([it]),
    "exempt": lambda bank, it: bank.exempt([it], reason="mine"),
    "verify_outcome": lambda bank, it: bank.verify_outcome([it]),
    "used": lambda bank, it: bank.used([it]),
    "rejected": lambda bank, it: bank.used([it], source="rejected"),
    "derive from": lambda bank, it: bank.remember("What follows from it", derived_from=[it]),
}


def refusal(act: Callable[[Bank, str], object], bank: Bank, memory_id: str) -> tuple[object, ...]:
    """How a verb is refused, without the id itself."""
    with pytest.raises(NotFoundError) as caught:
        act(bank, memory_id)
    error = caught.value
    fields = {name: value.replace(memory_id, "…") for name, value in error.fields.items()}
    return type(error), str(error).replace(memory_id, "…"), fields, error.http_status


@pytest.mark.parametrize("verb", VERBS)
def test_the_id_of_another_tenant_is_refused_as_one_that_does_not_exist(
    place: Place, verb: str
) -> None:
    mind = place.open()
    owner, caller = mind.bank("notes", tenant="t1"), mind.bank("notes", tenant="t2")
    theirs = owner.remember("The harbour is quiet", id="the-secret").id
    caller.remember("Something of my own")
    before = owner.get(theirs)

    assert refusal(VERBS[verb], caller, theirs) == refusal(VERBS[verb], caller, "no-such-id")
    caller.drain()

    assert owner.get(theirs) == before
    assert len(everything(caller)) == 1
    VERBS[verb](owner, theirs)


@pytest.mark.parametrize("bank", ["notes", "diary"])
def test_another_bank_of_the_same_tenant_is_as_foreign(place: Place, bank: str) -> None:
    mind = place.open()
    theirs = mind.bank("theirs").remember("The harbour is quiet", id="the-secret").id
    for act in VERBS.values():
        assert refusal(act, mind.bank(bank), theirs) == refusal(act, mind.bank(bank), "no-such-id")
    assert mind.bank("theirs").get(theirs).state.strength.access_count == 0


def test_telling_under_the_id_of_another_tenant_makes_a_memory_of_ones_own(place: Place) -> None:
    mind = place.open()
    owner, caller = mind.bank("notes", tenant="t1"), mind.bank("notes", tenant="t2")
    owner.remember("The harbour is quiet", id="m1")
    before = owner.get("m1")

    caller.remember("Lunch was soup", id="m1")

    assert owner.get("m1") == before
    assert caller.get("m1").memory.text == "Lunch was soup"
    with pytest.raises(ConflictError):
        owner.remember("Lunch was soup", id="m1")
