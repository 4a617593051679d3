"""An embeddings endpoint that misbehaves as told, and what asks it."""

import json
import threading
from dataclasses import dataclass, field

import pytest

from lapse.embed.remote import RemoteEmbedder
from lapse.errors import EmbedderError

KEY = "sk-very-secret"
WORDS = ("tea", "coffee", "dog", "rain")


@dataclass
class Reply:
    """What the server does with one request."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    hold: bool = False  # says nothing until the server closes


@dataclass
class Service:
    """An endpoint that counts words, and misbehaves as told: one reply per request, then well."""

    url: str
    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, object]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    dimension: int = len(WORDS)

    def well(self, texts: list[str]) -> bytes:
        rows = [
            {
                "object": "embedding",
                "index": place,
                "embedding": [float(text.count(word)) for word in WORDS][: self.dimension],
            }
            for place, text in enumerate(texts)
        ]
        # In no order: the index says which is which.
        return json.dumps({"data": rows[::-1], "model": "words"}).encode()


@dataclass
class Opened:
    embedder: RemoteEmbedder
    waits: list[float]


def refused(opened: Opened, *texts: str) -> str:
    """The message of the error that embedding these texts raises; never with the key or a text."""
    with pytest.raises(EmbedderError) as caught:
        opened.embedder.embed(texts or ["tea time"], None)
    message = f"{caught.value} {caught.value.fields}"
    assert KEY not in message
    assert "tea time" not in message
    assert "words at http://127.0.0.1" in message
    return message
