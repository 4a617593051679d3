"""A language model behind an OpenAI-compatible `/chat/completions` endpoint.

Decides how one prompt is sent and which part of the reply is the answer. Refuses to read the answer
(whoever asks does), and to keep a conversation: each prompt stands alone.
"""

from dataclasses import dataclass, field
from typing import Final

from lapse.errors import GeneratorError, fault, raise_all
from lapse.remote.asking import Asker, Manner, Waiting
from lapse.remote.replies import FinalReplyError, MalformedReplyError

_BYTES_BY_TOKEN: Final = 64
"""More than any token takes, escaped and wrapped."""

_BYTES_AROUND: Final = 65_536
"""What an endpoint may say beside the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEndpoint:
    """Where a language model answers, and how it is asked.

    Attributes:
        model: The model's name as the endpoint knows it.
        url: The API's root, to which `/chat/completions` is added.
        api_key: Sent as a bearer token; never shown.
        max_tokens: Most tokens of an answer, as asked of the endpoint.
        timeout_s: Longest silence while connecting, sending or reading.
        whole_s: Longest time that one reply may take in all.
        attempts: How often one request is made before giving up, first one included.
        backoff_s: Wait before the second attempt; doubled before each further one.
        longest_wait_s: The most that is waited before one attempt, also where the endpoint asks for
            more; then the request fails at once.

    Raises:
        ValidationError: A field is out of range; all faults at once.
    """

    model: str
    url: str = "https://api.openai.com/v1"
    api_key: str | None = field(default=None, repr=False)
    max_tokens: int = 1024
    timeout_s: float = 30.0
    whole_s: float = 120.0
    attempts: int = 3
    backoff_s: float = 0.5
    longest_wait_s: float = 30.0

    def __post_init__(self) -> None:
        faults = self.manner.faults()
        if not self.model.strip():
            faults.append(fault("model", self.model, "must name a model"))
        if not 1 <= self.max_tokens <= 1_000_000:
            faults.append(fault("max_tokens", self.max_tokens, "must lie in [1, 1000000]"))
        raise_all(faults)

    @property
    def manner(self) -> Manner:
        """How it is asked, with a limit to what is read of a reply."""
        return Manner(
            url=self.url,
            api_key=self.api_key,
            timeout_s=self.timeout_s,
            whole_s=self.whole_s,
            attempts=self.attempts,
            backoff_s=self.backoff_s,
            longest_wait_s=self.longest_wait_s,
            most_bytes=_BYTES_AROUND + _BYTES_BY_TOKEN * self.max_tokens,
        )


class ChatModel:
    """Sends a prompt, gives the answer. Thread-safe. Satisfies `ports.Generate`.

    Needs the extra `remote`. Nothing is sent before the first prompt.
    """

    def __init__(self, endpoint: ChatEndpoint, waiting: Waiting | None = None) -> None:
        """Choose the endpoint.

        Args:
            endpoint: Where and how to ask.
            waiting: What it waits with.
        """
        self._endpoint = endpoint
        self._asker = Asker(endpoint.manner, self._error, waiting)

    def begin_anew(self) -> None:
        """Let go of lock and connections, which stay with the parent of a forked process."""
        self._asker.begin_anew()

    def __call__(self, prompt: str, /) -> str:
        """The model's answer to one prompt, never blank.

        Raises:
            GeneratorError: The endpoint could not be reached, refused, or answered nothing that
                can be used; the message says what to do, and holds neither key nor prompt.
        """
        body: dict[str, object] = {
            "model": self._endpoint.model,
            "messages": [{"role": "user", "content": _encodable(prompt)}],
            "temperature": 0,
            "max_tokens": self._endpoint.max_tokens,
        }
        return self._asker.ask("chat/completions", body, answer_of)

    def close(self) -> None:
        """Drop the connections; the next prompt opens new ones."""
        self._asker.close()

    def _error(self, reason: str) -> GeneratorError:
        endpoint = self._endpoint
        return GeneratorError(
            f"{endpoint.model} at {endpoint.url}: {reason}",
            fields={"model": endpoint.model, "url": endpoint.url},
        )


def answer_of(payload: object) -> str:
    """The answer that a reply holds.

    Args:
        payload: The decoded JSON, `{"choices": [{"message": {"content": "…"}}]}`.

    Raises:
        MalformedReplyError: It holds no answer.
        FinalReplyError: The answer was cut for its length; asking again would cut it again.
    """
    choices = payload.get("choices") if isinstance(payload, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict):
        raise MalformedReplyError("the reply holds no list `choices`; check the address")
    if first.get("finish_reason") == "length":
        raise FinalReplyError("the answer was cut for its length; raise max_tokens")
    message = first.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, str) or not content.strip():
        raise MalformedReplyError("the answer is empty")
    return content


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
