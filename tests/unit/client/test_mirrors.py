"""A client's bank and its asynchronous twin have the methods of a bank; none is forgotten."""

import inspect
from pathlib import Path

import pytest

from docs.generate import awaiting
from lapse import Lapse
from lapse.bank import Bank
from lapse.bank.cache import AnswerCache
from lapse.bank.sweeps import CanaryBook
from lapse.bank.views import View
from lapse.client import AsyncBank, AsyncLapse, LapseClient, RemoteBank
from lapse.client.awaiting.answer_cache import AsyncAnswerCache
from lapse.client.awaiting.canary_book import AsyncCanaryBook
from lapse.client.awaiting.view import AsyncView
from lapse.client.bank import RemoteCanaryBook, RemoteView
from lapse.client.cache import RemoteAnswerCache
from lapse.client.lapse import APART as APART_OF_A_STORE
from lapse.client.mirroring import APART, methods, mirrored_as
from lapse.engine.choosing import Where
from lapse.faces.operations import TABLE, Subject
from lapse.faces.operations.plan_requests import PlannedWhere

OF_THE_CACHE = {"cache_put", "cache_get", "cache_purge", "cache_clear"}
NO_METHOD = {
    "backup",
    "banks",
    "erase_everywhere",
    "laws",
    "verify_receipt",
    "add_canary",
    "drop_canary",
} | OF_THE_CACHE
"""Operations that are no method of a bank of that name: of the store, of nothing, of a book."""
SAME_BUT_IN_THE_TYPE_OF_ITS_RESULT = {"as_of", "cache", "canaries", "reflect"}
"""What gives something else than a value gives the twin of that."""


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def shape(kind: type, name: str) -> list[tuple[str, object, object, object]]:
    found = inspect.signature(getattr(kind, name)).parameters.values()
    return [(each.name, each.kind, each.default, each.annotation) for each in found]


def test_every_method_of_a_bank_is_asked_of_a_server_or_told_apart() -> None:
    asked = set(methods())
    assert asked | APART.keys() == public(Bank)
    assert asked & APART.keys() == set()
    for name in public(Bank):
        own = inspect.getattr_static(RemoteBank, name)
        assert own is not inspect.getattr_static(Bank, name), name


def test_every_operation_is_a_method_of_a_clients_bank() -> None:
    apart = {each.removesuffix("_") for each in APART}
    behind = {mirrored_as(name).operation for name in methods()} | apart
    of_the_lab = {each for each in TABLE if each.startswith("lab_")}
    assert TABLE.keys() - behind == NO_METHOD | of_the_lab
    assert all(
        TABLE[each].subject is not Subject.BANK
        for each in NO_METHOD - {"add_canary", "drop_canary"} - OF_THE_CACHE
    )


@pytest.mark.parametrize(
    ("kind", "twin"),
    [
        (Bank, RemoteBank),
        (View, RemoteView),
        (CanaryBook, RemoteCanaryBook),
        (AnswerCache, RemoteAnswerCache),
    ],
)
def test_a_clients_methods_have_the_names_and_parameters_of_a_banks(kind: type, twin: type) -> None:
    assert public(kind) <= public(twin)
    for name in public(kind):
        if callable(getattr(kind, name)):
            assert shape(twin, name) == shape(kind, name), name
            assert inspect.getdoc(getattr(twin, name)), name


@pytest.mark.parametrize(
    ("kind", "twin"),
    [
        (Bank, AsyncBank),
        (View, AsyncView),
        (CanaryBook, AsyncCanaryBook),
        (AnswerCache, AsyncAnswerCache),
    ],
)
def test_an_asynchronous_twin_has_the_names_and_parameters_of_what_blocks(
    kind: type, twin: type
) -> None:
    served = {"two_people"} if kind is Bank else set()
    assert public(twin) == (public(kind) - {"engine"}) | served
    for name in public(kind) - {"cache", "canaries", "engine"}:
        assert shape(twin, name) == shape(kind, name), name
        if name not in SAME_BUT_IN_THE_TYPE_OF_ITS_RESULT:
            assert inspect.iscoroutinefunction(getattr(twin, name)), name
            own, its = (inspect.signature(getattr(each, name)) for each in (kind, twin))
            assert own.return_annotation == its.return_annotation, name


def test_a_plan_is_served_by_all_that_memories_have_in_common_but_one_session() -> None:
    assert PlannedWhere.__optional_keys__ == Where.__optional_keys__ - {"session"}


def test_a_store_that_is_served_has_the_methods_of_one_that_is_open_or_says_why_not() -> None:
    assert public(Lapse) == (public(Lapse) & public(LapseClient)) | APART_OF_A_STORE.keys()
    assert not public(LapseClient) & APART_OF_A_STORE.keys()
    awaited = public(AsyncLapse) - {"over", "served_by", "two_people"}
    assert awaited == public(Lapse) - {"notes", "parts", "through"}


def test_the_asynchronous_twins_are_what_their_sources_say_now() -> None:
    stale = [
        path.name
        for path, text in awaiting.pages().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run `make docs`"
    by_hand = {"__init__.py", "apart.py", "consenting.py", "twin.py"}
    found = {each.name for each in Path(awaiting.SOURCE).glob("*.py")}
    assert found - by_hand == {each.name for each in awaiting.pages()}
