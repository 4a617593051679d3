"""The background model that settings name: who rates and summarises, asked with which key.

Decides that the key is read once, from the variable that the settings name, and that a model which
could not be asked is refused when the store is opened, not left to fail in silence later; and that
a process which ends waits for no answer. Refuses to read the environment (it is handed in), and to
say what is asked.
"""

import queue
import threading
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Final

from lapse.errors import Fault, PolicyError, StoppedError, fault
from lapse.faces.ending import Ending
from lapse.faces.outside import BeginsAnew
from lapse.model.policy import Policy
from lapse.model.policy_model import KEY_VARIABLE, MODEL, shown_variable
from lapse.ports import Generate
from lapse.remote.asking import Waiting
from lapse.remote.chat import ChatEndpoint, ChatModel

_LOOKS_EVERY_S: Final = 0.1
"""Seconds between two looks whether a question is to be given up."""

_Reply = tuple[str] | BaseException
"""An answer, or what the model raised instead."""


class Counted:
    """A model whose questions are counted, for the metrics. Thread-safe as far as the model is.

    A question of a thread that may be told to end is asked by a thread of its own, and left to it
    once that thread is told: nobody hears the answer then.
    """

    def __init__(self, model: Generate, ending: Ending | None = None) -> None:
        """Count nothing yet; `ending` says whether the thread that asks is to end."""
        self._model = model
        self._ending = ending or Ending()
        self.begin_anew()

    def begin_anew(self) -> None:
        """Count from nothing in a forked process, and let go of what stays with its parent."""
        self._lock = threading.Lock()
        self._answered = self._failed = 0
        if isinstance(self._model, BeginsAnew):
            self._model.begin_anew()

    @property
    def answered(self) -> int:
        """Questions that were answered, whatever the answer was worth."""
        return self._answered

    @property
    def failed(self) -> int:
        """Questions that were not answered."""
        return self._failed

    def __call__(self, prompt: str, /) -> str:
        """The model's answer.

        Raises:
            StoppedError: The thread that asks is to end. It counts as no question.
            Exception: Whatever the model raises.
        """
        try:
            answer = self._outlived(prompt) if self._ending.possible else self._model(prompt)
        except StoppedError:
            raise
        except BaseException:
            with self._lock:
                self._failed += 1
            raise
        with self._lock:
            self._answered += 1
        return answer

    def _outlived(self, prompt: str) -> str:
        replies: queue.SimpleQueue[_Reply] = queue.SimpleQueue()

        def put() -> None:
            try:
                replies.put((self._model(prompt),))
            except BaseException as error:  # noqa: BLE001 - raised again where it was asked for
                replies.put(error)

        asker = threading.Thread(target=put, name="lapse-question", daemon=True)
        while not self._ending():
            if asker.ident is None:
                asker.start()
            try:
                reply = replies.get(timeout=_LOOKS_EVERY_S)
            except queue.Empty:
                continue
            if isinstance(reply, BaseException):
                raise reply
            return reply[0]
        raise StoppedError("the process ends: what waits for the model waits for its next start")


def counted(model: Generate | None, ending: Ending | None = None) -> Counted | None:
    """The same model, counted and given up when a thread is to end; None for none."""
    return None if model is None else Counted(model, ending)


def model_of(
    policy: Policy, environment: Mapping[str, str], stopwatch: Callable[[], float]
) -> Generate | None:
    """The model that the settings of a deployment name; None where they name none.

    Args:
        policy: The deployment's, with no bank's own over it.
        environment: Where the key is; it is never shown.
        stopwatch: Seconds from an arbitrary start, which bound how long one reply may take.

    Raises:
        PolicyError: Its key is nowhere, or the driver is not installed; both at once.
    """
    named = policy.importance
    if named.model is None or named.endpoint is None:
        return None
    faults: list[Fault] = []
    if find_spec("httpx") is None:
        needed = "needs httpx to be asked; run: pip install 'lapse[remote]'"
        faults.append(fault(MODEL, named.model, needed))
    key: str | None = None
    if named.key_variable is not None:
        key = environment.get(named.key_variable, "").strip()
        if not key:
            problem = (
                "names a variable that is not in this process's environment: set it to the key, or"
                " leave this out where the endpoint wants none"
            )
            shown = shown_variable(named.key_variable)
            faults.append(Fault(field=KEY_VARIABLE, value=shown, problem=problem))
    if faults:
        raise PolicyError(faults)
    endpoint = ChatEndpoint(
        model=named.model,
        url=named.endpoint,
        api_key=key,
        max_tokens=named.max_answer_tokens,
        timeout_s=named.timeout_s,
        whole_s=min(4 * named.timeout_s, 3600.0),
    )
    return ChatModel(endpoint, Waiting(stopwatch=stopwatch))
