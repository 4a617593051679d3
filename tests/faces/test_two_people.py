"""What takes two people on a served bank, by client and command line, each with a key."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

from lapse import Lapse
from lapse.client import AsyncLapse, LapseClient, RemoteBank
from lapse.engine.erasing_widely import WideErasure
from lapse.errors import AccessError, ConflictError, NotFoundError, ValidationError
from lapse.faces.access import Role
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW, Cli
from tests.faces.remote_helping import URL, Inside, listening
from tests.faces.rest.serving import Served


@pytest.fixture
def lapse(store: Path) -> Iterator[Lapse]:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as opened:
        opened.bank("alice").set_policy({"retention.two_person": True}, by="ada")
        yield opened


def client_of(served: Served, owner: str, role: Role = Role.OPERATOR) -> LapseClient:
    """The store as the owner of a key sees it."""
    key = served.key(role, owner=owner, tenant="default")
    return LapseClient.open(URL, key=key, transport=Inside(served.app))


def of(served: Served, owner: str, role: Role = Role.OPERATOR) -> RemoteBank:
    """The bank as the owner of a key sees it."""
    return client_of(served, owner, role).bank("alice")


@pytest.mark.parametrize("method", ["erase", "suppress", "archive", "forget"])
def test_one_looks_another_consents_and_the_first_confirms(method: str, lapse: Lapse) -> None:
    served = Served(lapse)
    ada, bob = of(served, "ada"), of(served, "bob", Role.APPROVER)
    seen = ada.two_people.look(method, ["tea"])
    assert getattr(seen.shown, "applied", None) is False
    said = bob.two_people.consent(seen.preview, method, ["tea"])
    assert (said.by, said.shown) == ("bob", seen.shown)
    done = ada.two_people.confirm(
        seen.preview, said.approval, method, ["tea"], by="ada", reason="over"
    )
    assert getattr(done, "applied", None) is True
    ref = lapse.bank("alice").ref
    acts = [each for each in lapse.parts.store.journal(ref, 0, 100) if each.approved_by]
    assert [(each.by, each.approved_by) for each in acts][-1] == ("ada", "bob")


def test_no_word_of_one_persons_stands_for_two(lapse: Lapse) -> None:
    served = Served(lapse)
    ada, bob = of(served, "ada"), of(served, "bob", Role.READER)
    with pytest.raises(AccessError, match="a key of their own"):
        ada.erase(["tea"], by="ada", reason="over", approved_by="bob")
    seen = ada.two_people.look("erase", ["tea"])
    with pytest.raises(AccessError, match="may not approve"):
        bob.two_people.consent(seen.preview, "erase", ["tea"])
    own = ada.two_people.consent(seen.preview, "erase", ["tea"])
    with pytest.raises(ValidationError, match="approved_by"):
        ada.two_people.confirm(seen.preview, own.approval, "erase", ["tea"], reason="over")
    assert lapse.bank("alice").get("tea").memory.text


def test_a_consent_is_to_what_was_shown_and_to_nothing_else(lapse: Lapse) -> None:
    served = Served(lapse)
    ada, bob = of(served, "ada"), of(served, "bob", Role.APPROVER)
    seen = ada.two_people.look("erase", ["tea"])
    with pytest.raises(ConflictError):
        bob.two_people.consent(seen.preview, "erase", ["lunch"])
    said = bob.two_people.consent(seen.preview, "erase", ["tea"])
    lapse.bank("alice").update("tea", text="I prefer mint tea", by="ada")
    with pytest.raises(ConflictError):
        ada.two_people.confirm(seen.preview, said.approval, "erase", ["tea"], reason="over")
    for method in ("pin", "no_such_method"):
        with pytest.raises(ValidationError):
            ada.two_people.look(method, ["tea"])


def test_two_people_do_it_by_the_command_line(lapse: Lapse, cli: Cli) -> None:
    with listening(lapse, keys=True) as (url, served):
        ada = ("--url", url, "--key", served.key(owner="ada", tenant="default"), "--bank", "alice")
        key = served.key(Role.APPROVER, owner="bob", tenant="default")
        bob = ("--url", url, "--key", key, "--bank", "alice")
        erase = ("erase", "tea", "--because", "asked for")
        shown = cli(*ada, *erase, "--ask-second")
        assert "would erase 1 memory" in shown.out
        preview = shown.err.split()[-1]
        said = cli(*bob, "erase", "tea", "--approve", preview, "--json")
        assert isinstance(said.json, dict)
        assert (said.json["by"], said.json["shown"]["applied"]) == ("bob", False)
        alone = cli(*ada, *erase, "--yes")
        assert alone.code == 2
        done = cli(*ada, *erase, "--confirm", preview, "--approval", said.json["approval"])
        assert (done.code, done.err) == (0, "")
        assert "erased 1 memory" in done.out
    with pytest.raises(NotFoundError):
        lapse.bank("alice").get("tea")


def test_two_people_erase_over_all_banks_of_a_tenant(lapse: Lapse) -> None:
    lapse.bank("diary").remember("I like green tea", id="green", subject="zoe")
    served = Served(lapse)
    ada = client_of(served, "ada").two_people()
    bob = client_of(served, "bob", Role.APPROVER).two_people()
    seen = ada.look("erase", subject="zoe", banks=["diary", "alice"])
    assert isinstance(seen.shown, WideErasure)
    with pytest.raises(ConflictError):
        bob.consent(seen.preview, "erase", subject="zoe", banks=["alice"])
    said = bob.consent(seen.preview, "erase", subject="zoe", banks=["diary", "alice"])
    given = {"subject": "zoe", "banks": ["diary", "alice"], "reason": "asked for"}
    done = ada.confirm(seen.preview, said.approval, "erase", **given)
    assert isinstance(done, WideErasure)
    assert done.applied
    with pytest.raises(NotFoundError):
        lapse.bank("diary").get("green")
    for method, names in (("sweep", ()), ("erase", ("diary",))):
        with pytest.raises(ValidationError, match="method"):
            ada.look(method, *names)


def test_two_people_do_it_awaiting(lapse: Lapse) -> None:
    async def act(url: str, ada_key: str, bob_key: str) -> object:
        async with (
            await AsyncLapse.open(url, key=ada_key) as ada,
            await AsyncLapse.open(url, key=bob_key) as bob,
        ):
            seen = await ada.bank("alice").two_people.look("erase", ["tea"])
            said = await bob.bank("alice").two_people.consent(seen.preview, "erase", ["tea"])
            wide = await ada.two_people().look("erase", subject="nobody")
            assert isinstance(wide.shown, WideErasure)
            words = (seen.preview, said.approval)
            return await ada.bank("alice").two_people.confirm(
                *words, "erase", ["tea"], reason="over"
            )

    with listening(lapse, keys=True) as (url, served):
        keys = (
            served.key(owner="ada", tenant="default"),
            served.key(owner="bob", tenant="default"),
        )
        done = asyncio.run(act(url, *keys))
    assert getattr(done, "applied", None) is True


def test_where_a_store_is_open_the_second_person_is_named(lapse: Lapse) -> None:
    mind = AsyncLapse.over(lapse)
    for two in (mind.bank("alice").two_people, mind.two_people()):
        with pytest.raises(ValidationError, match="approved_by="):
            asyncio.run(two.look("erase", ["tea"]))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("--ask-second",), "are for a server"),
        (("--approve", "p", "--ask-second"), "exclude each other"),
        (("--confirm", "p"), "go together"),
    ],
)
def test_what_does_not_go_together_is_refused(
    typed: tuple[str, ...], said: str, cli: Cli, store: Path
) -> None:
    ended = cli("--db", str(store), "--bank", "alice", "erase", "tea", *typed)
    assert ended.code == 2
    assert said in ended.err
