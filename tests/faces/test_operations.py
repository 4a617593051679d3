"""The table of operations agrees with the bank, with its own calls, and with itself."""

import dataclasses
import inspect
import re
import typing
from collections.abc import Callable

import pytest

from lapse import errors
from lapse.bank import HOST, Bank
from lapse.engine.choosing import Covered, Where
from lapse.engine.requests import Overrides
from lapse.errors import LapseError, ValidationError
from lapse.faces.app import Lapse
from lapse.faces.operations import GROUPS, TABLE, Effect, Operation, Presence, Subject, requests
from lapse.faces.operations.attention_requests import AwayRequest, HoldRequest
from lapse.faces.operations.calls import CALLS
from lapse.faces.operations.field_help import HELP
from lapse.faces.operations.fields import Field, FieldType, asked, fields_of
from lapse.faces.operations.requests import (
    ListRequest,
    RecallRequest,
    RememberRequest,
    UpdateRequest,
)
from lapse.intake.drafts import DraftFields, RevisionFields
from lapse.model.paging import Listing

OPERATIONS = pytest.mark.parametrize("operation", TABLE.values(), ids=list(TABLE))
ON_A_BANK = [each for each in TABLE.values() if each.subject is Subject.BANK]
NOT_OFFERED = {"reflect", "preview_erasure", "import_", "backfill_ratings"}
"""Verbs that have no form over a wire (a context manager), or another (`erase` without its yes,
`rate` with its backfill, `import`, which is no name in Python)."""


BESIDE = {
    "rate": {"backfill"},
    "set_policy": {"preset"},
    "suppress": {"yes"},
    "archive": {"yes"},
    "forget": {"by", "reason", "approved_by", "yes"},
    "erase": {"yes"},
    "as_of": {"id", "after", "limit"},
}
"""What a request has beside the arguments of its verb: a yes that carries a preview out; of what is
seen as of a time, one memory or a page."""


OF_THE_CANARIES = {"canaries", "add_canary", "drop_canary"}
"""What is asked of `Bank.canaries`, an object of its own."""

OF_THE_CACHE = {"cache_put", "cache_get", "cache_purge", "cache_clear"}
"""What is asked of `Bank.cache`, likewise."""


OF_THE_LAB = {"lab_fit", "lab_compare", "lab_simulate", "lab_report"}
"""What is asked of `lapse.lab`, which stands over banks and measures them."""


def method_of(operation: Operation) -> Callable[..., object] | None:
    owners = {Subject.BANK: Bank, Subject.STORE: Lapse}
    owner = owners.get(operation.subject)
    method: Callable[..., object] | None = getattr(owner, operation.name, None)
    return method


def test_every_verb_of_the_bank_is_an_operation() -> None:
    verbs = {
        name
        for name, each in inspect.getmembers(Bank, inspect.isfunction)
        if not name.startswith("_")
    }
    # `doctor` and `sweep` go through a whole store, bank by bank.
    offered = {each.name for each in ON_A_BANK} - OF_THE_CANARIES - OF_THE_CACHE - OF_THE_LAB
    assert verbs - NOT_OFFERED == (offered - {"import"}) | {"doctor", "sweep"}


def test_every_operation_can_be_called_and_nothing_else() -> None:
    assert set(CALLS) == set(TABLE)
    assert [each.name for group in GROUPS.values() for each in group] == list(TABLE)


@OPERATIONS
def test_a_call_takes_the_request_and_gives_one_dataclass(operation: Operation) -> None:
    hints = typing.get_type_hints(CALLS[operation.name])
    given = hints.pop("return")
    subject: dict[Subject, list[type]] = {
        Subject.BANK: [Bank],
        Subject.STORE: [Lapse],
        Subject.NOTHING: [],
    }
    taken = [each for name, each in hints.items() if name != "progress"]
    assert taken == [*subject[operation.subject], operation.request]
    assert ("progress" in hints) == operation.reports_progress
    assert operation.result is given
    assert dataclasses.is_dataclass(given)


@OPERATIONS
def test_an_operation_is_described_and_has_an_example_that_is_read(operation: Operation) -> None:
    assert operation.summary.endswith(".")
    assert len(operation.summary) <= 80
    assert operation.details.endswith(".")
    assert operation.examples
    for example in operation.examples:
        assert isinstance(operation.read(example.given), operation.request)
    assert all(each.help.endswith(".") for each in operation.fields)


def test_the_examples_show_every_field_that_only_one_operation_has() -> None:
    shown = {name for each in TABLE.values() for one in each.examples for name in one.given}
    rare = {
        "if_version",
        "event_id",
        "preset",
        "diff",
        "reason",
        "latest_only",
        "path",
        "query_vector",
    }
    assert rare <= shown


@pytest.mark.parametrize(
    ("request_type", "dictionary"),
    [
        (RememberRequest, DraftFields),
        (UpdateRequest, RevisionFields),
        (RecallRequest, Overrides),
        (AwayRequest, Where),
        (HoldRequest, Covered),
    ],
)
def test_the_fields_of_a_request_are_those_of_the_bank(
    request_type: type, dictionary: type
) -> None:
    grouped = [each.name for each in fields_of(request_type) if each.group]
    assert grouped == list(dictionary.__annotations__)
    assert set(HELP[dictionary.__name__]) == set(grouped)


def test_a_listing_can_be_asked_for_with_each_of_its_fields() -> None:
    wanted = {each.name: each.default for each in dataclasses.fields(Listing)}
    assert {each.name: each.default for each in fields_of(ListRequest)} == wanted


def test_a_request_has_a_field_for_each_argument_of_the_verb() -> None:
    faults = []
    for operation in TABLE.values():
        method = method_of(operation)
        if method is None or operation.name in {"list", "doctor", "canaries", "export"}:
            continue
        wanted = {
            name
            for name, each in inspect.signature(method).parameters.items()
            if name not in {"self", "progress", "as_of"} and each.kind is not each.VAR_KEYWORD
        }
        given = {each.name for each in operation.fields if not each.group}
        given -= {"as_of_valid", "as_of_recorded"}
        extra = BESIDE.get(operation.name, set())
        if given - extra != wanted:
            faults.append(f"{operation.name}: {given} is not {wanted}")
    assert faults == []


@OPERATIONS
def test_the_errors_of_an_operation_are_those_that_the_verb_documents(
    operation: Operation,
) -> None:
    method = method_of(operation)
    doc = inspect.getdoc(method) or "" if method is not None else ""
    raises = doc.partition("Raises:")[2]
    documented = {
        getattr(errors, name) for name in re.findall(r"^ +(\w+Error):", raises, re.MULTILINE)
    }
    listed = set(operation.errors)
    missing = {each for each in documented if not any(issubclass(each, one) for one in listed)}
    assert missing <= {errors.StoreError}
    assert all(issubclass(each, LapseError) for each in listed)


def test_reading_is_no_reason_to_make_a_store() -> None:
    made = {each.name for each in TABLE.values() if each.presence is Presence.MADE}
    assert made == {"remember", "remember_many", "ingest", "rank", "set_policy", "import"}
    assert all(TABLE[name].effect is Effect.WRITE for name in made)


def test_the_actor_without_a_name_is_the_same_everywhere() -> None:
    assert requests.HOST == HOST


def field(name: str, request_type: type) -> Field:
    return next(each for each in fields_of(request_type) if each.name == name)


def test_types_become_kinds_of_fields() -> None:
    kinds = {each.name: each.type for each in fields_of(RememberRequest)}
    assert kinds["text"] is FieldType.TEXT
    assert kinds["kind"] is FieldType.CHOICE
    assert kinds["tags"] is FieldType.TEXTS
    assert kinds["metadata"] is FieldType.OBJECT
    assert kinds["created_at"] is FieldType.INSTANT
    assert kinds["importance"] is FieldType.NUMBER
    assert kinds["proof_count"] is FieldType.INTEGER
    assert kinds["pinned"] is FieldType.BOOLEAN
    assert field("role", RememberRequest).choices[:2] == ("user", "host")


def test_null_counts_only_where_it_says_something() -> None:
    remember = {each.name for each in TABLE["remember"].fields if each.null_counts}
    update = {each.name for each in TABLE["update"].fields if each.null_counts}
    assert remember == set()
    assert {"source", "tags", "expires_at"} <= update
    assert not {"text", "confidence", "if_version"} & update
    assert field("reason", TABLE["exempt"].request).null_counts


def test_all_faults_of_a_request_are_named_at_once() -> None:
    with pytest.raises(ValidationError) as raised:
        TABLE["used"].read({"ids": "tea", "recal": 1, "at": "yesterday", "event_id": 7})
    assert {each.field for each in raised.value.faults} == {"ids", "recal", "at", "event_id"}


@pytest.mark.parametrize(
    ("name", "given", "wrong"),
    [
        ("remember", {}, "text"),
        ("remember", {"text": None}, "text"),
        ("used", {"ids": []}, "ids"),
        ("used", {"ids": ["a", 1]}, "ids[1]"),
        ("used", {"ids": {"a": 1}}, "ids"),
        ("exempt", {"ids": ["tea"]}, "reason"),
        ("ingest", {"messages": "hello"}, "messages"),
        ("list", {"limit": True}, "limit"),
        ("rank", {"candidates": [{}], "query": "x", "query_vector": ["1"]}, "query_vector[0]"),
        ("list", {"latest_only": 1}, "latest_only"),
        ("set_policy", {"diff": []}, "diff"),
    ],
)
def test_a_misshapen_field_is_refused_by_name(
    name: str, given: dict[str, object], wrong: str
) -> None:
    with pytest.raises(ValidationError) as raised:
        TABLE[name].read(given)
    assert [each.field for each in raised.value.faults] == [wrong]


def test_a_fault_shows_nothing_of_what_is_in_a_list_or_an_object() -> None:
    secret = [{"text": "The secret"}, "The secret"]
    for name, given in (
        ("remember", {"text": secret}),
        ("remember_many", {"drafts": {"text": "The secret"}}),
        ("used", {"ids": [secret, *secret]}),
        ("set_policy", {"diff": secret}),
    ):
        with pytest.raises(ValidationError) as raised:
            TABLE[name].read(given)
        assert "secret" not in str(raised.value)


def test_null_where_it_says_nothing_is_left_out() -> None:
    read = TABLE["used"].read({"ids": ["tea"], "at": None, "recall": None})
    assert read == TABLE["used"].read({"ids": ["tea"]})


def test_a_type_that_no_face_can_offer_is_refused() -> None:
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Odd:
        what: complex = dataclasses.field(metadata=asked("What?"))

    with pytest.raises(TypeError, match="complex"):
        fields_of(Odd)
