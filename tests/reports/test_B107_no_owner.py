"""B107: where the owner cannot be established, the operation is allowed.

In Lapse nothing is without an owner: every call names a tenant and a bank, and each memory lives in
one. What can be missing is the subject, and what can fail is the store.
Waits: delete, for `erase`.
"""

from collections.abc import Callable

import pytest

from lapse.bank import Bank
from lapse.errors import StoreError, ValidationError
from lapse.model.paging import Listing
from tests.reports.helping import Place, everything, hit_ids
from tests.reports.helping_b import store_of

LOOKUPS = ("revision", "bank", "get", "commit", "page", "changes")

VERBS: dict[str, Callable[[Bank], object]] = {
    "get": lambda bank: bank.get("m1"),
    "list": lambda bank: bank.list(),
    "update": lambda bank: bank.update("m1", text="Changed"),
    "recall": lambda bank: bank.recall("harbour"),
    "pin": lambda bank: bank.pin(["m1"]),
    "used": lambda bank: bank.used(["m1"]),
}


def test_a_memory_about_nobody_is_not_one_about_whoever_asks(place: Place) -> None:
    bank = place.bank()
    bank.remember("The harbour is quiet", id="nobodys")
    bank.remember("The harbour is loud", id="u1s", subject="u1")
    assert hit_ids(bank.recall("harbour", subject="u1")) == ["u1s"]
    assert [each.memory.id for each in everything(bank, Listing(subject="u1"))] == ["u1s"]
    # Whoever may ask the whole bank, asks without a subject.
    assert sorted(hit_ids(bank.recall("harbour"))) == ["nobodys", "u1s"]


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_that_cannot_look_up_whose_it_is_gives_and_changes_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    mind = place.open()
    bank, store = mind.bank("notes"), store_of(mind)
    bank.remember("The harbour is quiet", id="m1")
    before = bank.get("m1")

    def fail(*_: object) -> None:
        raise StoreError("the store does not answer")

    with monkeypatch.context() as patched:
        for lookup in LOOKUPS:
            patched.setattr(store, lookup, fail)
        with pytest.raises(StoreError, match="does not answer"):
            VERBS[verb](bank)

    assert bank.get("m1") == before
    VERBS[verb](bank)


@pytest.mark.parametrize("name", ["", " ", "\t", "x" * 256, "a\x00b", "\ud800"])
def test_no_bank_and_no_tenant_is_without_a_name(place: Place, name: str) -> None:
    mind = place.open()
    with pytest.raises(ValidationError, match="bank"):
        mind.bank(name)
    with pytest.raises(ValidationError, match="tenant"):
        mind.bank("notes", tenant=name)
    assert mind.bank("notes").remember("The harbour is quiet").memory.tenant == "default"
