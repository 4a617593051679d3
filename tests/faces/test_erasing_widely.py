"""Erasing over all banks of a tenant at a server: who may, and that nothing else is reached."""

from collections.abc import Iterator

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

from lapse import Lapse
from lapse.client import LapseClient
from lapse.errors import AccessError, GuardedError, NotFoundError
from lapse.faces.access import Role
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.remote_helping import URL, Inside
from tests.faces.rest.serving import Served

BANKS = (("acme", "a"), ("acme", "b"), ("acme", "c"), ("other", "a"))


@pytest.fixture
def served() -> Iterator[Served]:
    with Lapse.open("memory://", clock=FakeClock(NOW), embedder=None, background=False) as lapse:
        for tenant, bank in BANKS:
            there = lapse.bank(bank, tenant=tenant)
            there.remember(f"Bob was in {bank}", id="bob", subject="bob")
            there.remember("The harbour is closed", id="harbour")
        yield Served(lapse)


def client(served: Served, *banks: str, role: Role = Role.OPERATOR) -> LapseClient:
    key = served.key(role, banks=banks or ("*",))
    return LapseClient.open(URL, key=key, transport=Inside(served.app))


def left(served: Served) -> list[tuple[str, str]]:
    """Banks in which Bob is still known."""
    found = []
    for tenant, bank in BANKS:
        try:
            served.lapse.bank(bank, tenant=tenant).get("bob")
        except NotFoundError:
            continue
        found.append((tenant, bank))
    return found


def test_a_person_goes_from_all_banks_of_the_tenant_and_from_no_other(served: Served) -> None:
    ada = client(served)
    shown = ada.preview_erasure(tenant="acme", subject="bob")
    assert (shown.applied, [each.bank for each in shown.banks]) == (False, ["a", "b", "c"])
    assert len(left(served)) == 4
    done = ada.erase(tenant="acme", subject="bob", by="ada", reason="asked for")
    assert done.applied
    assert done.receipt is not None
    assert left(served) == [("other", "a")]
    assert served.lapse.bank("a", tenant="acme").get("harbour").memory.text


def test_only_the_banks_that_are_named_are_reached(served: Served) -> None:
    one = client(served, "a", "b")
    done = one.erase(tenant="acme", banks=["b"], subject="bob", by="ada", reason="asked for")
    assert [each.bank for each in done.banks] == ["b"]
    assert left(served) == [("acme", "a"), ("acme", "c"), ("other", "a")]


def test_a_key_to_some_banks_reaches_no_other(served: Served) -> None:
    one = client(served, "a", "b")
    who = {"subject": "bob", "by": "ada", "reason": "asked for"}
    with pytest.raises(AccessError, match="name those that the key opens"):
        one.erase(tenant="acme", **who)
    for banks in (["c"], ["a", "c"], ["*"], ["nothing"]):
        with pytest.raises(NotFoundError, match="none that this key opens"):
            one.erase(tenant="acme", banks=banks, **who)
    with pytest.raises(NotFoundError, match="none that this key opens"):
        client(served).erase(tenant="other", **who)
    for role in set(Role) - {Role.OPERATOR}:
        with pytest.raises(AccessError, match="may not erase_everywhere"):
            client(served, role=role).preview_erasure(tenant="acme", subject="bob")
    assert len(left(served)) == 4


@pytest.mark.parametrize("banks", ["c", "*", {"c": 1}, 7, [["c"]], [None]])
def test_what_is_no_list_of_banks_reaches_nothing(banks: object, served: Served) -> None:
    key = served.key(banks=("a", "b"))
    path = "/v1/tenants/acme/erasures"
    told = {"subject": "bob", "banks": banks}
    answer = served.client(key).request("POST", path, json=told)
    assert answer.status_code in (404, 422), answer.text


def test_a_hold_in_one_bank_keeps_all(served: Served) -> None:
    bank = served.lapse.bank("c", tenant="acme")
    bank.hold("matter", ids=["bob"], by="clerk", reason="a claim")
    with pytest.raises(GuardedError):
        client(served).erase(tenant="acme", subject="bob", by="ada", reason="asked for")
    assert len(left(served)) == 4


def test_no_earlier_answer_tells_of_what_went_from_another_bank(served: Served) -> None:
    key = served.key()
    there = served.client(key, bank="b")
    told = {"query": "Bob"}
    assert "Bob was in b" in there.post("recalls", told, Idempotency_Key="once").text
    client(served).erase(tenant="acme", subject="bob", by="ada", reason="asked for")
    again = there.post("recalls", told, Idempotency_Key="once")
    assert "Idempotent-Replayed" not in again.headers
    assert "Bob was in b" not in again.text


def test_no_earlier_answer_tells_of_a_copy_that_went_with_its_source(served: Served) -> None:
    source = served.lapse.bank("a", tenant="acme")
    source.remember("The pear is ripe", id="pear")
    source.share(["pear"], "c", by="ada", reason="they ask")
    there, told = served.client(served.key(), bank="c"), {"query": "pear"}
    assert "pear is ripe" in there.post("recalls", told, Idempotency_Key="once").text
    bank = client(served).bank("a", tenant="acme")
    assert len(bank.erase(["pear"], by="ada", reason="asked for").copies) == 1
    assert "pear is ripe" not in there.post("recalls", told, Idempotency_Key="once").text
