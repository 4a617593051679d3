"""What a client says itself, before or instead of asking a server."""

import asyncio
from io import BytesIO

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

import httpx

from lapse import Lapse
from lapse.client import AsyncLapse, LapseClient
from lapse.errors import NotFoundError, UnreachableError, ValidationError
from lapse.faces.remote.wire import Server
from tests.faces.remote_helping import URL, Inside, inside
from tests.faces.rest.serving import Served


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
        with pytest.raises(ValidationError, match="is the server's"):
            bank.engine  # noqa: B018 - asking for it is the test
        with pytest.raises(ValidationError, match="select first"):
            bank.plan(session="monday")
        with pytest.raises(AttributeError, match="the server's own disk"):
            client.backup  # noqa: B018 - asking for it is the test


def test_a_client_lists_and_sweeps_the_banks_that_its_key_opens() -> None:
    with Lapse.open("memory://", background=False) as lapse:
        for tenant, bank in (("acme", "a"), ("acme", "b"), ("other", "c")):
            lapse.bank(bank, tenant=tenant).remember("I prefer tea")
        served = Served(lapse)
        whole = LapseClient.open(URL, key=served.key(), transport=Inside(served.app))
        assert whole.banks(tenant="acme") == ["a", "b"]
        assert [each.ref.name for each in whole.sweep(tenant="acme")] == ["a", "b"]
        one = LapseClient.open(URL, key=served.key(banks=("b",)), transport=Inside(served.app))
        assert one.banks(tenant="acme") == ["b"]
        for tenant in ("other", "nobody", "*"):
            with pytest.raises(NotFoundError, match="no such bank, or none that this key opens"):
                one.banks(tenant=tenant)


def test_a_memory_is_shared_only_into_a_bank_that_the_key_opens() -> None:
    with Lapse.open("memory://", background=False) as lapse:
        lapse.bank("a", tenant="acme").remember("I prefer tea", id="tea")
        served = Served(lapse)
        key = served.key(banks=("a", "b"))
        bank = LapseClient.open(URL, key=key, transport=Inside(served.app)).bank("a", tenant="acme")
        assert bank.share(["tea"], "b", by="ada", reason="they ask").created == 1
        for name in ("c", "*"):
            with pytest.raises(NotFoundError, match="no such bank, or none that this key opens"):
                bank.share(["tea"], name, by="ada", reason="they ask")
        assert lapse.banks(tenant="acme") == ["a", "b"]


def test_an_export_that_breaks_off_is_no_export() -> None:
    def half(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=b'{"format":"lapse-export"}\n{"bank":')

    client = LapseClient.open(URL, transport=httpx.MockTransport(half))
    with pytest.raises(UnreachableError, match="not whole"):
        client.bank("notes").export(BytesIO())


def test_a_stream_that_was_lost_is_not_sent_again() -> None:
    asked: list[str] = []

    def lost(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        raise httpx.ReadError("gone")

    client = LapseClient.open(URL, transport=httpx.MockTransport(lost), pause=lambda _: None)
    with pytest.raises(UnreachableError, match="did not answer"):
        client.bank("notes").import_(BytesIO(b"{}\n"))
    assert asked == ["/v1/tenants/default/banks/notes/imports"]


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
