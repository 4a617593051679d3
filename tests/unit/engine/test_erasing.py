"""Erasing memories: what goes, what stays, what is refused afterwards, and what can be shown."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.errors import GuardedError, LapseError, NotFoundError, TombstonedError
from lapse.model.journal import GENESIS, NO_DIGEST, JournalEntry, follows
from lapse.model.outcome import Action
from lapse.model.query import Reason
from lapse.model.tombstone import TombstoneScope
from lapse.model.verbs import VERBS, Verb
from tests.unit.engine.erasing import AGAIN, SECRET, WHO
from tests.unit.engine.opening import Opened, opened, store_of


@pytest.fixture(params=["memory", "sqlite"])
def lapse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """An engine over each kind of store, with a few memories in one bank."""
    made = opened(store_of(request.param, tmp_path))
    made.alice.remember(SECRET, id="secret", subject="maria", session="s1", tags=["home"])
    made.alice.remember("Ben keeps bees behind the mill.", id="bees", session="s1")
    yield made
    made.mind.close()


def _entries(lapse: Opened) -> list[JournalEntry]:
    return lapse.store.journal(lapse.alice.ref, 0, 1000)


def _ids(bank: Bank) -> list[str]:
    return [each.memory.id for each in bank.list().records]


def test_what_is_erased_is_gone_from_every_read(lapse: Opened) -> None:
    bank = lapse.alice
    bank.recall("Where does Maria live?")
    done = bank.erase(["secret"], **WHO)
    assert (done.applied, done.erased, done.derived, done.cut) == (True, ("secret",), (), ())
    with pytest.raises(NotFoundError):
        bank.get("secret")
    assert _ids(bank) == ["bees"]
    assert [each.id for each in bank.recall("Where does Maria live in Lisbon?").hits] != ["secret"]
    assert bank.stats().memories == 1
    delta = lapse.store.changes(bank.ref, 0)
    assert not {"maria", "okafor", "lisbon"} & set(delta.terms)
    assert lapse.store.versions(bank.ref, "secret") == []
    assert list(lapse.store.faults(bank.ref)) == []


def test_a_preview_changes_nothing_and_tells_what_erasing_then_does(lapse: Opened) -> None:
    bank = lapse.alice
    bank.remember("Maria is far away", id="far", derived_from=["secret"])
    before = _entries(lapse)
    told = bank.preview_erasure(["secret"])
    assert (told.applied, told.receipt, _entries(lapse)) == (False, None, before)
    assert _ids(bank) == ["secret", "bees", "far"]
    done = bank.erase(["secret"], **WHO)
    assert (done.erased, done.derived, done.cut) == (told.erased, told.derived, told.cut)


def test_the_journal_tells_who_and_why_and_nothing_of_what(lapse: Opened) -> None:
    lapse.alice.erase(["secret"], **WHO)
    entry = _entries(lapse)[-1]
    assert (entry.verb, entry.by, entry.reason) == (Verb.ERASE, "anna", "she asked for it")
    assert dict(entry.counts) == {
        "cut": 0,
        "derived": 0,
        "erased": 1,
        "tombstones": 1,
        "redacted": 0,
    }
    assert [each.after for each in entry.items] == [NO_DIGEST]
    assert b"Maria" not in repr(entry).encode()
    hashes = [GENESIS, *(each.hash for each in _entries(lapse))]
    assert all(follows(e, h) for e, h in zip(_entries(lapse), hashes, strict=False))


def _remember(bank: Bank) -> None:
    bank.remember(AGAIN)


def _claim(bank: Bank) -> None:
    bank.remember("Her home: there", key="maria/home", value=SECRET)


def _derive(bank: Bank) -> None:
    bank.remember(f"A summary. {SECRET} And more.", derived_from=["bees"])


def _metadata(bank: Bank) -> None:
    bank.remember("A note about somebody", metadata={"page": [{"line": SECRET}]})


def _update(bank: Bank) -> None:
    bank.update("bees", text=f"{SECRET} {AGAIN}")


def _update_metadata(bank: Bank) -> None:
    bank.update("bees", metadata={"line": AGAIN})


def _same_id(bank: Bank) -> None:
    bank.remember("Something else altogether", id="secret")


def _overlay(bank: Bank) -> None:
    offered = [{"id": "theirs", "text": SECRET, "created_at": "2026-01-01T00:00Z"}]
    bank.rank(offered, query="home")
    bank.used(["theirs"])


PATHS: dict[str, Callable[[Bank], None]] = {
    "remember": _remember,
    "claim": _claim,
    "derived": _derive,
    "metadata": _metadata,
    "update": _update,
    "update of metadata": _update_metadata,
    "an erased id": _same_id,
    "overlay": _overlay,
}


@pytest.mark.parametrize("path", PATHS)
def test_no_path_that_writes_one_thing_brings_it_back(lapse: Opened, path: str) -> None:
    bank = lapse.alice
    bank.erase(["secret"], **WHO)
    before, entries = _ids(bank), len(_entries(lapse))
    with pytest.raises(TombstonedError) as caught:
        PATHS[path](bank)
    assert "Maria" not in str(caught.value)
    assert caught.value.fields["tombstones"] == bank.tombstones()[0].tombstone.id
    assert _ids(bank) == before
    refused = _entries(lapse)[entries:]
    assert [dict(each.counts) for each in refused] == [{"refused_tombstone": 1}]


def test_every_verb_is_either_tested_here_or_stores_no_new_text() -> None:
    # Whoever adds a verb says here whether it can bring text into the store.
    tells = {"remember", "remember_many", "ingest", "update", "overlay", "correct", "supersede"}
    tells |= {"accept", "retell"}
    silent = {each.value for each in VERBS} - tells
    assert {"erase", "pin", "drain", "restore", "lift_tombstone"} <= silent


def test_a_batch_loses_only_what_was_erased(lapse: Opened) -> None:
    bank = lapse.alice
    bank.erase(["secret"], **WHO)
    told = bank.remember_many(
        [{"text": "Rain is likely."}, {"text": AGAIN}, {"text": "Snow is not."}]
    )
    assert [each.action for each in told] == [Action.CREATED, Action.REFUSED, Action.CREATED]
    assert bank.tombstones()[0].tombstone.id in told[1].note
    assert dict(_entries(lapse)[-1].counts) == {"created": 2, "refused": 1}
    chat = [
        {"role": "user", "content": f"Well. {SECRET}"},
        {"role": "user", "content": "I like plums."},
    ]
    told = bank.ingest(chat, session="s2")
    assert [each.action for each in told] == [Action.REFUSED, Action.CREATED]
    told = bank.remember_many([{"text": AGAIN}])
    assert dict(_entries(lapse)[-1].counts) == {"refused": 1}


def test_a_neighbour_passes_on_every_path(lapse: Opened) -> None:
    bank = lapse.alice
    bank.erase(["secret"], **WHO)
    other = "Maria Okafor lives at 15 Elm Street in Lisbon."
    assert bank.remember(other).action is Action.CREATED
    bank.update("bees", text="Maria Okafor doesn't live at 14 Elm Street in Lisbon.")
    assert bank.remember_many([{"text": "Ben lives at 14 Elm Street in Lisbon."}])[0].note == ""


def test_what_was_derived_goes_unless_others_support_it(lapse: Opened) -> None:
    bank = lapse.alice
    bank.remember("Maria is far away", id="far", derived_from=["secret"])
    bank.remember("Far people travel", id="travel", derived_from=["far"])
    bank.remember("Neighbours and bees", id="both", derived_from=["secret", "bees"])
    bank.remember(f"Bees. {SECRET}", id="telling", derived_from=["secret", "bees"])
    bank.archive(["travel"], by="anna", reason="old")
    done = bank.erase(["secret"], **WHO)
    assert set(done.derived) == {"far", "travel", "telling"}
    assert done.cut == ("both",)
    assert bank.get("both").memory.derived_from == ("bees",)
    assert _ids(bank) == ["bees", "both"]
    with pytest.raises(TombstonedError):
        bank.remember("Far people travel!")


def test_a_hold_on_anything_that_would_go_refuses_all_of_it(lapse: Opened) -> None:
    bank = lapse.alice
    bank.remember("Maria is far away", id="far", derived_from=["secret"])
    bank.hold("matter 7", by="clerk", reason="a lawsuit", ids=["far"])
    assert [each.memory_id for each in bank.preview_erasure(["secret"]).spared] == ["far"]
    with pytest.raises(GuardedError):
        bank.erase(["secret"], **WHO)
    assert _ids(bank) == ["secret", "bees", "far"]
    assert bank.tombstones() == ()
    assert dict(_entries(lapse)[-1].counts) == {"refused_hold": 1}
    bank.release("matter 7", by="clerk", reason="settled")
    bank.pin(["secret"])
    assert bank.erase(["secret"], **WHO).derived == ("far",)


def test_claims_are_linked_without_what_was_erased(lapse: Opened) -> None:
    bank = lapse.alice
    for at, drink in enumerate(("tea", "milk", "juice")):
        bank.remember(f"I drink {drink} most", id=drink, key="drink", value=drink)
        lapse.clock.advance(days=at + 1)
    bank.erase(["milk"], **WHO)
    tea, juice = bank.get("tea").memory, bank.get("juice").memory
    assert (tea.superseded_by, juice.supersedes) == ("juice", "tea")
    assert (tea.is_latest, juice.is_latest) == (False, True)
    bank.erase(["juice"], **WHO)
    assert bank.get("tea").memory.is_latest
    with pytest.raises(TombstonedError):
        bank.remember("My drink of the day", key="drink", value="Milk")


def test_a_claim_goes_although_what_it_replaced_has_others_made_of_it(lapse: Opened) -> None:
    bank = lapse.alice
    bank.remember("Ann drinks tea", id="first", key="ann/drink")
    bank.remember("Ann likes hot drinks", id="made", derived_from=["first"])
    bank.remember("Ann drinks cocoa", id="second", key="ann/drink")
    assert bank.erase(["second"], **WHO).erased == ("second",)
    assert bank.get("first").memory.is_latest
    assert bank.get("made").memory.derived_from == ("first",)


def test_earlier_versions_are_refused_too(lapse: Opened) -> None:
    bank = lapse.alice
    bank.update("secret", text="Maria Okafor moved to 3 Oak Road in Porto.")
    bank.erase(["secret"], **WHO)
    for told in (SECRET, "Maria Okafor moved to 3 Oak Road in Porto!"):
        with pytest.raises(TombstonedError):
            bank.remember(told)


@pytest.mark.parametrize(
    ("where", "scope"),
    [
        ({"subject": "maria"}, TombstoneScope.TENANT),
        ({"session": "s1"}, TombstoneScope.BANK),
        ({"tag": "home"}, TombstoneScope.BANK),
    ],
)
def test_memories_are_erased_by_what_they_have_in_common(
    lapse: Opened, where: dict[str, str], scope: TombstoneScope
) -> None:
    bank, other = lapse.alice, lapse.mind.bank("other")
    done = bank.erase(
        subject=where.get("subject"), session=where.get("session"), tag=where.get("tag"), **WHO
    )
    assert "secret" in done.erased
    assert {each.tombstone.scope for each in bank.tombstones()} == {scope}
    if scope is TombstoneScope.TENANT:
        with pytest.raises(TombstonedError):
            other.remember(AGAIN)
    else:
        assert other.remember(AGAIN).action is Action.CREATED


def test_an_erased_identifier_stands_in_no_new_text_of_the_tenant(lapse: Opened) -> None:
    bank, other = lapse.alice, lapse.mind.bank("other")
    bank.remember("Write to maria.okafor@acme.io about the house", id="mail")
    bank.erase(identifier="maria.okafor@acme.io", **WHO)
    for each in (bank, other):
        with pytest.raises(TombstonedError):
            each.remember("The plumber knows Maria.Okafor@ACME.io as well")
        assert each.remember("The plumber knows maria@acme.io").action is Action.CREATED


def test_another_tenant_is_not_touched(lapse: Opened) -> None:
    lapse.alice.erase(subject="maria", **WHO)
    stranger = lapse.mind.bank("alice", tenant="stranger")
    assert stranger.remember(SECRET).action is Action.CREATED


def test_a_lifted_tombstone_lets_it_back_and_stays_on_record(lapse: Opened) -> None:
    bank = lapse.alice
    bank.erase(["secret"], **WHO)
    name = bank.tombstones()[0].tombstone.id
    with pytest.raises(NotFoundError):
        bank.lift_tombstone("nobody", by="anna", reason="a mistake")
    bank.lift_tombstone(name, by="ben", reason="erased by mistake")
    entry = _entries(lapse)[-1]
    assert (entry.verb, entry.by, entry.about) == (Verb.LIFT_TOMBSTONE, "ben", name)
    assert bank.remember(AGAIN).action is Action.CREATED
    lift = bank.tombstones()[0].tombstone.lift
    assert lift is not None
    assert (lift.by, lift.reason) == ("ben", "erased by mistake")
    with pytest.raises(NotFoundError):
        bank.lift_tombstone(name, by="ben", reason="again")


def test_erasing_twice_says_so_and_an_unknown_id_is_not_found(lapse: Opened) -> None:
    bank = lapse.alice
    bank.erase(["secret"], **WHO)
    again = bank.erase(["secret"], **WHO)
    assert (again.erased, again.unchanged, again.receipt) == ((), ("secret",), None)
    with pytest.raises(NotFoundError):
        bank.erase(["nobody", "bees"], **WHO)
    assert _ids(bank) == ["bees"]


def test_a_late_use_of_what_was_erased_makes_no_row(lapse: Opened) -> None:
    bank = lapse.alice
    bank.used(["secret"])
    bank.erase(["secret"], **WHO)
    bank.drain()
    with pytest.raises(NotFoundError):
        bank.used(["secret"])
    bank.drain()
    assert _ids(bank) == ["bees"]
    assert lapse.store.pending_count(bank.ref) == 0


def test_a_canary_in_erased_words_goes_and_others_are_cut(lapse: Opened) -> None:
    bank = lapse.alice
    bank.canaries.add("who keeps bees", ["bees", "secret"], by="anna")
    bank.canaries.add("home of her", ["secret"], by="anna")
    bank.canaries.add(AGAIN, ["bees"], by="anna")
    bank.erase(["secret"], **WHO)
    left = lapse.store.canaries(bank.ref)
    assert [(each.query, each.expected_ids) for each in left] == [("who keeps bees", ("bees",))]


def test_ranking_leaves_out_what_was_erased_whoever_offers_it(lapse: Opened) -> None:
    bank = lapse.alice
    bank.erase(["secret"], **WHO)
    texts = {"theirs": AGAIN, "secret": "Maria moved away", "other": SECRET.replace("14", "15")}
    offered = [
        {"id": name, "text": text, "created_at": "2026-01-01T00:00Z"}
        for name, text in texts.items()
    ]
    ranked = bank.rank(offered, query="Where does Maria Okafor live?")
    assert [each.id for each in ranked.hits] == ["other"]
    reasons = {each.id: each.reason for each in ranked.exclusions}
    assert reasons == {"theirs": Reason.ERASED, "secret": Reason.ERASED}


def test_an_error_of_another_kind_is_not_hidden(lapse: Opened) -> None:
    with pytest.raises(LapseError):
        lapse.alice.erase([], **WHO)
