"""What a client says itself, before or instead of asking a server."""

import asyncio

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

from lapse import Lapse
from lapse.client import AsyncLapse, LapseClient
from lapse.errors import UnreachableError, ValidationError
from lapse.faces.remote.wire import Server
from tests.faces.remote_helping import URL, inside


@pytest.mark.parametrize(
    "url",
    ["", "lapse.db", "ftp://host", "http://", "http://me:secret@host", "http://host?key=x", 7],
)
def test_a_url_that_names_no_server_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(ValidationError) as caught:
        LapseClient.open(url)
    assert [each.field for each in caught.value.faults] == ["url"]
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "field"),
    [({"key": "two words"}, "key"), ({"timeout_s": 0}, "timeout_s"), ({"retries": -1}, "retries")],
)
def test_an_option_that_cannot_be_is_refused(options: dict[str, object], field: str) -> None:
    with pytest.raises(ValidationError) as caught:
        LapseClient.open(URL, **options)  # type: ignore[arg-type]  # that is what is tested
    assert [each.field for each in caught.value.faults] == [field]


def test_a_key_is_never_shown() -> None:
    assert "lapse_secret" not in repr(Server(url=URL, key="lapse_secret"))


def test_nobody_listening_is_told_as_an_error_of_ours() -> None:
    with (
        LapseClient.open("http://127.0.0.1:9", retries=0) as client,
        pytest.raises(UnreachableError, match="did not answer"),
    ):
        client.bank("notes").recall("tea")


def test_what_is_not_served_says_why() -> None:
    with Lapse.open("memory://", background=False) as lapse:
        client = LapseClient.open(URL, transport=inside(lapse))
        bank = client.bank("notes")
        with pytest.raises(ValidationError, match="digests of what was erased"):
            bank.tombstones()
        with pytest.raises(ValidationError, match="only the process that answered"):
            bank.canaries.capture("r")
        with pytest.raises(ValidationError, match="select first"):
            bank.plan(subject="ann")
        with pytest.raises(ValidationError, match="needs names"):
            client.sweep()
        with pytest.raises(AttributeError, match="goes beyond one bank"):
            client.erase  # noqa: B018 - asking for it is the test


def test_an_asynchronous_store_is_opened_by_path_or_by_url(tmp_path: object) -> None:
    async def story() -> tuple[str, list[str]]:
        async with await AsyncLapse.open(f"{tmp_path}/a.db", embedder=None) as mind:
            await mind.bank("notes").remember("I prefer tea", id="tea")
            found = await mind.bank("notes").recall("tea")
            names = await mind.banks()
        async with await AsyncLapse.open("http://127.0.0.1:9", retries=0) as served:
            with pytest.raises(UnreachableError):
                await served.bank("notes").get("tea")
        return found.hits[0].memory.id, list(names)

    assert asyncio.run(story()) == ("tea", ["notes"])


@pytest.mark.parametrize(
    ("target", "options", "field"),
    [("a.db", {"key": "lapse_x"}, "key"), (URL, {"config": "lapse.toml"}, "config")],
)
def test_an_option_of_the_other_kind_of_store_is_refused(
    target: str, options: dict[str, str], field: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        asyncio.run(AsyncLapse.open(target, **options))  # type: ignore[arg-type]  # as is tested
    assert [each.field for each in caught.value.faults] == [field]


def test_many_callers_share_one_asynchronous_bank() -> None:
    async def story() -> int:
        with Lapse.open("memory://", embedder=None, background=False) as lapse:
            bank = AsyncLapse.over(lapse).bank("notes")
            told = [bank.remember(f"note number {at}", id=f"n{at}") for at in range(20)]
            await asyncio.gather(*told)
            return (await bank.stats()).memories

    assert asyncio.run(story()) == 20
