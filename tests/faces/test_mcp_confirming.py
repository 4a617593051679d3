"""Forgetting by MCP: shown first, done when the preview is named, erased when a person agrees."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client, types
from mcp.client import ClientRequestContext

from lapse.bank import Bank
from lapse.errors import LapseError
from lapse.faces.app import Lapse
from lapse.faces.mcp.profiles import Profile
from lapse.faces.previewed import PREVIEW_S
from lapse.model.retention import Lifecycle
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.mcp_helping import (
    BOTH_PROTOCOLS,
    Person,
    Protocol,
    agreeing,
    call,
    declining,
    refused,
    talk,
)


@pytest.fixture
def lapse(store: Path) -> Iterator[Lapse]:
    with Lapse.open(store, clock=FakeClock(NOW), background=False) as opened:
        yield opened


@pytest.fixture
def bank(lapse: Lapse) -> Bank:
    return lapse.bank("alice")


def stands(bank: Bank, memory: str = "tea") -> Lifecycle:
    state = bank.get(memory).state
    assert state is not None
    return state.lifecycle


def is_gone(bank: Bank, memory: str = "tea") -> bool:
    try:
        return stands(bank, memory) is Lifecycle.ERASED
    except LapseError:
        return True


@BOTH_PROTOCOLS
def test_the_first_call_of_forget_only_shows_what_would_go(
    lapse: Lapse, bank: Bank, protocol: Protocol
) -> None:
    async def ask(client: Client) -> None:
        told = await call(client, "forget", ids=["tea"], reason="asked to")
        assert told["result"] == {"verb": "suppress", "applied": False, "ids": ["tea"]}
        assert told["going"] == [{"id": "tea", "text": "I prefer tea, not coffee"}]
        assert str(told["preview"]) in str(told["next"])
        assert stands(bank) is Lifecycle.ACTIVE

    talk(lapse, ask, protocol=protocol, person=agreeing())


@BOTH_PROTOCOLS
def test_naming_the_preview_suppresses_and_restore_undoes_it(
    lapse: Lapse, bank: Bank, protocol: Protocol
) -> None:
    before = bank.get("tea").state

    async def ask(client: Client) -> None:
        preview = (await call(client, "forget", ids=["tea"]))["preview"]
        done = await call(client, "forget", ids=["tea"], confirm=preview, reason="asked to")
        assert done["result"] == {"verb": "suppress", "applied": True, "ids": ["tea"]}
        assert stands(bank) is Lifecycle.SUPPRESSED
        found = (await call(client, "recall", query="tea or coffee"))["memories"]
        assert "tea" not in [each["id"] for each in found]
        await call(client, "restore", ids=["tea"], reason="wanted again")
        assert stands(bank) is Lifecycle.ACTIVE

    talk(lapse, ask, protocol=protocol)
    after = bank.get("tea").state
    assert before is not None
    assert after is not None
    assert after.strength == before.strength


def test_without_a_reason_nothing_is_forgotten(lapse: Lapse, bank: Bank) -> None:
    async def ask(client: Client) -> None:
        preview = (await call(client, "forget", ids=["tea"]))["preview"]
        assert "reason" in await refused(client, "forget", ids=["tea"], confirm=preview)
        assert stands(bank) is Lifecycle.ACTIVE

    talk(lapse, ask)


@pytest.mark.parametrize("wrong", ["", "yes", "0000000000000000", True])
def test_a_yes_to_nothing_that_was_shown_is_no_yes(lapse: Lapse, bank: Bank, wrong: object) -> None:
    async def ask(client: Client) -> None:
        await call(client, "forget", ids=["tea"])
        said = await refused(client, "forget", ids=["tea"], confirm=wrong, reason="asked to")
        assert said.startswith("ConflictError")
        assert stands(bank) is Lifecycle.ACTIVE

    talk(lapse, ask)


def test_a_yes_to_what_was_shown_does_not_take_more(lapse: Lapse, bank: Bank) -> None:
    async def ask(client: Client) -> None:
        bank.remember("Bob came by", id="b1", subject="bob")
        preview = (await call(client, "forget", subject="bob"))["preview"]
        bank.remember("Bob came again", id="b2", subject="bob")
        said = await refused(client, "forget", subject="bob", confirm=preview, reason="asked to")
        assert said.startswith("ConflictError")
        assert stands(bank, "b1") is stands(bank, "b2") is Lifecycle.ACTIVE

    talk(lapse, ask)


def test_what_was_shown_can_be_confirmed_for_as_long_as_by_rest(store: Path) -> None:
    clock = FakeClock(NOW)

    async def ask(client: Client) -> None:
        preview = (await call(client, "forget", ids=["tea"]))["preview"]
        clock.advance(seconds=PREVIEW_S)
        given = {"ids": ["tea"], "reason": "asked to"}
        for late in (preview, f"{2**60:x}-{str(preview).partition('-')[2]}"):
            said = await refused(client, "forget", confirm=late, **given)
            assert said.startswith("ConflictError")
            assert "the last 15 minutes" in said
            assert "call forget without confirm and look again" in said
        fresh = (await call(client, "forget", ids=["tea"]))["preview"]
        clock.advance(seconds=PREVIEW_S - 1)
        await call(client, "forget", confirm=fresh, **given)

    with Lapse.open(store, clock=clock, background=False) as opened:
        talk(opened, ask)
        assert stands(opened.bank("alice")) is Lifecycle.SUPPRESSED


def test_a_preview_of_one_verb_or_by_one_client_is_no_yes_to_another(
    lapse: Lapse, bank: Bank
) -> None:
    previews: list[object] = []

    async def show(client: Client) -> None:
        previews.append((await call(client, "suppress", ids=["tea"]))["preview"])

    async def take(client: Client) -> None:
        for name in ("archive", "erase", "suppress"):
            said = await refused(client, name, ids=["tea"], confirm=previews[0], reason="asked to")
            assert said.startswith("ConflictError")

    talk(lapse, show, profile=Profile.OPERATOR)
    talk(lapse, take, profile=Profile.OPERATOR, actor="somebody else")
    assert stands(bank) is Lifecycle.ACTIVE


def test_an_agent_cannot_choose_to_erase_by_forget(lapse: Lapse, bank: Bank) -> None:
    async def ask(client: Client) -> None:
        said = await refused(client, "forget", ids=["tea"], mode="erase")
        assert "mode: unknown argument" in said
        assert stands(bank) is Lifecycle.ACTIVE

    talk(lapse, ask)


ERASERS = pytest.mark.parametrize(
    ("name", "more"), [("erase", {}), ("forget", {"mode": "erase"})], ids=["erase", "forget"]
)


@ERASERS
@BOTH_PROTOCOLS
def test_an_erasure_asks_the_person_at_the_client_and_is_done_when_they_agree(
    lapse: Lapse, bank: Bank, protocol: Protocol, name: str, more: dict[str, object]
) -> None:
    person = agreeing()

    async def ask(client: Client) -> None:
        preview = (await call(client, name, ids=["tea"], **more))["preview"]
        assert person.asked == []
        given = {"ids": ["tea"], "confirm": preview, "reason": "asked to", **more}
        told = await call(client, name, **given)
        assert told["result"]["applied"] is True

    talk(lapse, ask, profile=Profile.OPERATOR, protocol=protocol, person=person)
    assert len(person.asked) == 1
    assert "tea" in person.asked[0]
    assert "coffee" not in person.asked[0]
    assert is_gone(bank)


@pytest.mark.parametrize(
    "person",
    [declining(), agreeing(agree=False), agreeing(agree="true")],
    ids=["no", "off", "text"],
)
@BOTH_PROTOCOLS
def test_an_erasure_is_not_done_when_the_person_does_not_agree(
    lapse: Lapse, bank: Bank, protocol: Protocol, person: Person
) -> None:
    async def ask(client: Client) -> None:
        preview = (await call(client, "erase", ids=["tea"]))["preview"]
        said = await refused(client, "erase", ids=["tea"], confirm=preview, reason="asked to")
        assert "nothing was changed" in said

    talk(lapse, ask, profile=Profile.OPERATOR, protocol=protocol, person=person)
    assert stands(bank) is Lifecycle.ACTIVE


@BOTH_PROTOCOLS
def test_where_the_client_cannot_ask_the_name_of_the_preview_is_the_word(
    lapse: Lapse, bank: Bank, protocol: Protocol
) -> None:
    async def ask(client: Client) -> None:
        told = await call(client, "erase", ids=["tea"])
        assert not is_gone(bank)
        given = {"ids": ["tea"], "confirm": told["preview"], "reason": "asked to"}
        await call(client, "erase", **given)

    talk(lapse, ask, profile=Profile.OPERATOR, protocol=protocol)
    assert is_gone(bank)


def test_a_hold_spares_what_an_agent_would_forget(lapse: Lapse, bank: Bank) -> None:
    async def ask(client: Client) -> None:
        told = await call(client, "forget", ids=["name"])
        assert told["result"]["spared"][0]["guard"] == "hold"
        given = {"ids": ["name"], "confirm": told["preview"], "reason": "asked to"}
        assert (await refused(client, "forget", **given)).startswith("GuardedError")

    talk(lapse, ask)
    assert stands(bank, "name") is Lifecycle.ACTIVE


@pytest.mark.parametrize("profile", [Profile.DEFAULT, Profile.OPERATOR])
def test_what_was_written_anew_since_it_was_shown_has_to_be_shown_again(
    lapse: Lapse, bank: Bank, profile: Profile
) -> None:
    async def ask(client: Client) -> None:
        preview = (await call(client, "forget", ids=["tea"]))["preview"]
        bank.update("tea", text="The contract ends in May")
        given = {"ids": ["tea"], "confirm": preview, "reason": "asked to"}
        assert (await refused(client, "forget", **given)).startswith("ConflictError")
        again = (await call(client, "forget", ids=["tea"]))["preview"]
        assert again != preview
        assert (await call(client, "forget", **{**given, "confirm": again}))["result"]["applied"]

    talk(lapse, ask, profile=profile)


@BOTH_PROTOCOLS
def test_one_yes_stands_for_one_act(lapse: Lapse, bank: Bank, protocol: Protocol) -> None:
    async def ask(client: Client) -> None:
        preview = (await call(client, "forget", ids=["tea"]))["preview"]
        given = {"ids": ["tea"], "confirm": preview, "reason": "asked to"}
        await call(client, "forget", **given)
        bank.restore(["tea"], by="ada", reason="still wanted")
        assert "confirmed before" in await refused(client, "forget", **given)
        assert stands(bank) is Lifecycle.ACTIVE

    talk(lapse, ask, protocol=protocol)


def test_what_changes_while_a_person_reads_is_not_what_they_agreed_to(
    lapse: Lapse, bank: Bank
) -> None:
    class Slow(Person):
        async def __call__(
            self, context: ClientRequestContext, params: types.ElicitRequestParams
        ) -> types.ElicitResult:
            bank.remember("I like jazz", id="jazz", subject="bob")
            return await Person.__call__(self, context, params)

    bank.remember("I play chess", id="chess", subject="bob")
    agreed = agreeing()
    person = Slow(answer=agreed.answer, asked=agreed.asked)

    async def ask(client: Client) -> None:
        preview = (await call(client, "erase", subject="bob"))["preview"]
        said = await refused(client, "erase", subject="bob", confirm=preview, reason="asked to")
        assert "no longer what was shown" in said
        assert not is_gone(bank, "chess")

    talk(lapse, ask, profile=Profile.OPERATOR, protocol="legacy", person=person)
