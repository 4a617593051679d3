"""Select, and what is suppressed by what it selects."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lapse.errors import GuardedError, ValidationError
from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle
from lapse.model.selector import Certainty, Ground, Sparing
from tests.unit.engine.opening import Opened, opened, store_of


@pytest.fixture(params=["memory", "sqlite"])
def lapse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """An engine over each kind of store, with a few memories in one bank."""
    made = opened(store_of(request.param, tmp_path))
    bank = made.alice
    bank.remember("Guest alice@acme.io paid.", id="paid", subject="Alice", tags=["till"])
    bank.remember(
        "Guest alice.smith@acme.io left.", id="left", subject="alice", tags=["tills"], key="stay"
    )
    bank.remember("Frank paints boats.", id="boats", session="s1", occurred_at="2026-01-05")
    bank.remember("Let me be frank: no boats.", id="candid", session="s2")
    bank.remember("Card 5500 0000 0000 0004 is on file.", id="card", occurred_at="2026-01-06")
    yield made
    made.mind.close()


def ids(lapse: Opened, query: str | None = None, **marks: str) -> list[str]:
    return [each.id for each in lapse.alice.select(query, **marks).matches]  # type: ignore[arg-type]  # marks by name


@pytest.mark.parametrize(
    ("marks", "meant"),
    [
        ({"identifier": "ALICE@acme.io"}, ["paid"]),
        ({"identifier": "alice at acme dot io"}, ["paid"]),
        ({"identifier": "5500-0000-0000-0004"}, ["card"]),
        ({"identifier": "5500"}, []),
        ({"entity": "Frank"}, ["boats"]),
        ({"entity": "frank"}, ["candid"]),
        ({"subject": "Alice"}, ["paid"]),
        ({"tag": "till"}, ["paid"]),
        ({"key": "stay"}, ["left"]),
        ({"session": "s1"}, ["boats"]),
        ({"since": "2026-01-05", "until": "2026-01-06"}, ["boats"]),
        ({"until": "2026-01-07"}, ["boats", "card"]),
        ({"since": "2026-01-06", "identifier": "alice@acme.io"}, ["paid"]),
        ({"until": "2026-01-07", "entity": "Frank"}, ["boats"]),
        ({"session": "s2", "entity": "Frank"}, []),
        ({"query": "everything about Frank"}, ["boats"]),
    ],
)
def test_all_marks_that_are_given_must_hold(
    lapse: Opened, marks: dict[str, str], meant: list[str]
) -> None:
    assert ids(lapse, **marks) == meant


def test_a_selection_says_why_and_what_lies_near(lapse: Opened) -> None:
    found = lapse.alice.select(tag="till", entity="alice@acme.io")
    assert [each.ground for each in found.matches[0].reasons] == [Ground.TAG, Ground.IDENTIFIER]
    assert found.matches[0].text == "Guest alice@acme.io paid."
    assert found.matches[0].certainty is Certainty.CERTAIN
    assert [(each.id, each.sparing) for each in found.nearest] == [("left", Sparing.LONGER_NAME)]
    assert [(each.id, each.sparing) for each in lapse.alice.select(subject="Alice").nearest] == [
        ("left", Sparing.OTHER_CASE)
    ]
    near = lapse.alice.select("everything about Frank").nearest
    assert [(each.id, each.sparing) for each in near] == [("candid", Sparing.OTHER_CASE)]


def test_everything_must_be_said(lapse: Opened) -> None:
    with pytest.raises(ValidationError, match="at least one of"):
        lapse.alice.select()
    assert lapse.alice.select(everything=True, limit=2).total == 5
    assert len(lapse.alice.select(everything=True, limit=2).matches) == 2


def test_a_tenant_is_reached_only_when_asked(lapse: Opened) -> None:
    lapse.mind.bank("bob").remember("Write to alice@acme.io again.", id="again")
    lapse.mind.bank("eve", tenant="other").remember("alice@acme.io is here too.", id="theirs")
    here = lapse.alice.select(identifier="alice@acme.io")
    wide = lapse.alice.select(identifier="alice@acme.io", reach="tenant")
    assert [(each.bank, each.id) for each in here.matches] == [("alice", "paid")]
    assert [(each.bank, each.id) for each in wide.matches] == [("alice", "paid"), ("bob", "again")]


def test_what_is_wrong_is_named(lapse: Opened) -> None:
    for field, asked in {
        "until": {"since": "2026-02-01", "until": "2026-01-01"},
        "query": {"query": "x" * 2001},
        "entity": {"entity": "  "},
        "subject": {"subject": ""},
        "since": {"since": "soon"},
    }.items():
        with pytest.raises(ValidationError) as caught:
            ids(lapse, **asked)
        assert [each.field for each in caught.value.faults] == [field]
    with pytest.raises(ValidationError, match="reach"):
        lapse.alice.select("tea", reach="world")


def test_a_preview_and_the_act_take_the_same(lapse: Opened) -> None:
    for mark in ({"identifier": "alice@acme.io"}, {"entity": "Frank"}, {"query": "card on file"}):
        ahead = lapse.alice.forget(**mark)
        seen = [each.id for each in lapse.alice.select(**mark).matches]  # type: ignore[arg-type]  # likewise
        done = lapse.alice.suppress(by="anna", reason="asked", **mark)
        assert list(ahead.ids) == seen == list(done.ids) != []


def test_forgetting_in_plain_words_previews_what_goes_and_what_stays(lapse: Opened) -> None:
    lapse.alice.remember("Frank has a dog.", id="dog", pinned=True)
    ahead = lapse.alice.forget("everything about Frank")
    assert ahead.ids == ("boats",)
    assert [each.memory_id for each in ahead.spared] == ["dog"]
    assert ahead.selection is not None
    assert [each.id for each in ahead.selection.nearest] == ["candid"]
    assert lapse.alice.get("boats").state.lifecycle is Lifecycle.ACTIVE
    lapse.alice.suppress(query="everything about Frank", by="anna", reason="asked")
    assert lapse.alice.get("boats").state.lifecycle is Lifecycle.SUPPRESSED
    assert lapse.alice.get("candid").state.lifecycle is Lifecycle.ACTIVE
    with pytest.raises(GuardedError):
        lapse.alice.suppress(query="Frank dog", by="anna", reason="asked")


def test_what_is_put_away_is_still_selected(lapse: Opened) -> None:
    lapse.alice.archive(["boats"], by="anna", reason="old")
    found = lapse.alice.select("everything about Frank").matches
    assert [(each.id, each.lifecycle) for each in found] == [("boats", Lifecycle.ARCHIVED)]
    back = lapse.alice.restore(entity="Frank", by="anna", reason="needed")
    assert back.ids == ("boats",)


def test_a_new_text_is_found_by_what_it_says_now(lapse: Opened) -> None:
    lapse.alice.update("paid", text="Guest alice@beta.io paid.")
    assert ids(lapse, identifier="alice@acme.io") == []
    assert ids(lapse, identifier="alice@beta.io") == ["paid"]
    assert lapse.store.holders(BankRef(name="alice"), ["alice@acme.io"]) == []


def test_looking_changes_nothing(lapse: Opened) -> None:
    before = lapse.store.revision(lapse.alice.ref)
    lapse.alice.select("everything about Frank", reach="tenant")
    lapse.alice.forget("everything about Frank")
    assert lapse.store.revision(lapse.alice.ref) == before


def test_a_bank_that_was_never_written_holds_nothing(lapse: Opened) -> None:
    assert lapse.mind.bank("empty").select("everything about Frank").total == 0
    assert lapse.mind.bank("empty").select(identifier="a@b.io").total == 0
