"""Bodies of requests: short ones are read with the head, long ones once their sender is known."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest

from tests.faces.rest.serving import Client, Served

SHORT, LONG = "short. " * 100, "long. " * 20_000
LIMIT = 2048


@dataclass
class Stream:
    """A body that says whether anybody has begun to read it."""

    whole: bytes
    begun: bool = False

    async def pieces(self) -> AsyncIterator[bytes]:
        self.begun = True
        for at in range(0, len(self.whole), 1000):
            yield self.whole[at : at + 1000]


def sent(served: Served, key: str | None, text: str, *, announced: bool) -> tuple[int, bool]:
    """The status of telling a text by a streamed body, and whether the body was begun."""
    stream = Stream(json.dumps({"text": text}).encode())
    headers = {"Content-Type": "application/json"}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    if announced:
        headers["Content-Length"] = str(len(stream.whole))

    async def ask() -> int:
        transport = httpx.ASGITransport(app=served.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            answer = await client.post(
                "/v1/tenants/acme/banks/notes/memories", headers=headers, content=stream.pieces()
            )
            return answer.status_code

    return asyncio.run(ask()), stream.begun


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("text", [SHORT, LONG[:50_000]])
def test_a_body_is_taken_whole_whatever_its_length_and_however_it_comes(
    text: str, announced: bool, served: Served, operator: Client
) -> None:
    status, _ = sent(served, served.key(), text, announced=announced)

    assert status == 201
    assert f'"{text}"' in operator.get("memories").text


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("text", [SHORT * 5, LONG])
def test_more_than_the_policy_allows_is_refused_however_it_comes(
    text: str, announced: bool, served: Served, operator: Client
) -> None:
    operator.request(
        "PATCH", "policies/current", json={"diff": {"server.max_request_bytes": LIMIT}}
    )

    status, _ = sent(served, served.key(), text, announced=announced)

    assert status == 413


def test_of_a_long_body_nothing_is_read_for_somebody_unknown(served: Served) -> None:
    assert sent(served, None, LONG, announced=True) == (401, False)
    assert sent(served, None, SHORT, announced=False) == (401, False)
    # The control: who is known has it read.
    assert sent(served, served.key(), SHORT, announced=False) == (201, True)
