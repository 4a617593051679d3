"""Words that persons wrote beside memories: they go with what they repeat, and do not come back."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.errors import TombstonedError
from lapse.model.journal import GENESIS, JournalEntry, follows
from lapse.model.redaction import mark
from lapse.model.verbs import Verb
from tests.unit.engine.erasing import AGAIN, SECRET, WHO
from tests.unit.engine.opening import Opened, opened, store_of

QUOTE = f'She wrote to us and asked that "{SECRET}" be no longer shown to anybody.'
NEIGHBOUR = "She wrote to us: Maria Okafor lives at 15 Elm Street in Lisbon, as the contract says."
PLAIN = "by the ticket of 3 March"

BYTES = b"14 Elm Street"


@pytest.fixture(params=["memory", "sqlite", "files"])
def lapse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """An engine over each kind of store, with a few memories in one bank."""
    made = opened(store_of(request.param, tmp_path))
    made.alice.remember(SECRET, id="secret", subject="maria", session="s1", tags=["home"])
    made.alice.remember("Ben keeps bees behind the mill.", id="bees", session="s1")
    made.alice.remember("The mill was built in 1804.", id="mill", session="s2")
    yield made
    made.mind.close()


def _entries(lapse: Opened, bank: Bank | None = None) -> list[JournalEntry]:
    return lapse.store.journal((bank or lapse.alice).ref, 0, 1000)


def _whole(entries: list[JournalEntry]) -> bool:
    hashes = [GENESIS, *(each.hash for each in entries)]
    return all(follows(e, before) for e, before in zip(entries, hashes, strict=False))


def _quote_everywhere(bank: Bank) -> None:
    """Repeat the secret wherever a person gives words, and say other things beside."""
    bank.suppress(["bees"], by="anna", reason=QUOTE)
    bank.restore(["bees"], by="anna", reason=PLAIN)
    bank.exempt(["mill"], reason=QUOTE, by="anna")
    bank.hold("case 7", ids=["mill"], by="anna", reason=QUOTE)
    bank.hold(SECRET, ids=["mill"], by="anna", reason=NEIGHBOUR)
    bank.release("case 7", by="anna", reason=QUOTE)
    plan = bank.plan("suppress", ids=["bees"], by="anna")
    bank.approve(plan.id, by="ben", reason=QUOTE)
    bank.canaries.add("Who keeps bees?", ["bees"], by="anna")


def test_words_that_repeat_what_is_erased_go_with_it_wherever_they_stand(lapse: Opened) -> None:
    bank = lapse.alice
    _quote_everywhere(bank)
    done = bank.erase(["secret"], **WHO)
    words = lapse.store.words(bank.ref)
    assert not [each for each in words if "14 Elm" in each]
    assert {NEIGHBOUR, PLAIN} <= set(words)
    assert done.receipt is not None
    stone = mark(done.receipt.tombstones[0])
    assert bank.get("mill").state.exempt_reason == stone
    assert [each.reason for each in bank.holds()] == [NEIGHBOUR]
    assert bank.holds()[0].name.startswith(stone)
    assert bank.plans()[0].approval.reason == stone  # type: ignore[union-attr]  # it was approved
    assert (done.receipt.redacted, done.receipt.residue) == (2, 0)
    assert [each.query for each in bank.canaries] == ["Who keeps bees?"]


def test_the_journal_stays_whole_and_says_which_erasure_took_its_words(lapse: Opened) -> None:
    bank = lapse.alice
    bank.suppress(["bees"], by="anna", reason=QUOTE)
    before = [each.hash for each in _entries(lapse)]
    done = bank.erase(["secret"], **WHO)
    after = _entries(lapse)
    assert _whole(after)
    assert [each.hash for each in after[: len(before)]] == before
    assert bank.verify_journal().sound
    assert done.receipt is not None
    lived = [each for each in bank.history("bees").happenings if each.what == "suppress"]
    assert [each.reason for each in lived] == [mark(done.receipt.tombstones[0])]
    assert after[-1].counts[-1] == ("redacted", 1)


def test_an_erasure_is_not_refused_for_its_own_reason_which_goes_at_once(lapse: Opened) -> None:
    done = lapse.alice.erase(["secret"], by="anna", reason=QUOTE)
    last = _entries(lapse)[-1]
    assert (done.applied, last.verb, last.reason, last.about) == (True, Verb.ERASE, None, "")
    assert last.redacted_by == done.receipt.tombstones[0]  # type: ignore[union-attr]  # it was done
    again = lapse.alice.erase(["mill"], by="anna", reason=QUOTE)
    assert again.applied
    assert _entries(lapse)[-1].redacted_by == last.redacted_by


def test_a_restored_memory_keeps_its_way_back_when_words_of_it_went(lapse: Opened) -> None:
    bank = lapse.alice
    bank.suppress(["bees"], by="anna", reason=QUOTE)
    before = bank.get("bees").state
    bank.erase(["secret"], **WHO)
    after = bank.get("bees").state
    assert after.transition is not None
    assert before.transition is not None
    assert (after.transition.prior, after.transition.at) == (
        before.transition.prior,
        before.transition.at,
    )
    assert bank.restore(["bees"], by="anna", reason=PLAIN).ids == ("bees",)


ACTS: dict[str, Callable[[Bank, str], object]] = {
    "suppress": lambda bank, why: bank.suppress(["bees"], by="anna", reason=why),
    "archive": lambda bank, why: bank.archive(["bees"], by="anna", reason=why),
    "exempt": lambda bank, why: bank.exempt(["bees"], reason=why, by="anna"),
    "hold": lambda bank, why: bank.hold("case", ids=["bees"], by="anna", reason=why),
    "name of a hold": lambda bank, why: bank.hold(why[:250], ids=["bees"], by="anna", reason="x"),
    "what a hold is on": lambda bank, why: bank.hold("c", tag=why[:250], by="anna", reason="x"),
    "retract": lambda bank, why: bank.retract(["bees"], reason=why, by="anna"),
    "canary": lambda bank, why: bank.canaries.add(why, ["bees"], by="anna"),
    "approve": lambda bank, why: bank.approve(
        bank.plan("suppress", ids=["bees"], by="anna").id, by="ben", reason=why
    ),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("said", [QUOTE, SECRET, AGAIN])
def test_nobody_acts_afterwards_with_words_that_repeat_it(
    lapse: Opened, act: str, said: str
) -> None:
    bank = lapse.alice
    bank.erase(["secret"], **WHO)
    before = bank.get("bees")
    with pytest.raises(TombstonedError) as raised:
        ACTS[act](bank, said)
    assert raised.value.fields["met"] == "words"
    assert "Elm" not in str(raised.value)
    assert bank.get("bees") == before
    assert not bank.holds()
    assert not bank.canaries.list()
    last = _entries(lapse)[-1]
    assert (last.reason, last.counts) == (None, (("refused_tombstone", 1),))
    assert not [each for each in lapse.store.words(bank.ref) if "Elm" in each]


@pytest.mark.parametrize("act", ACTS)
def test_words_that_only_come_near_are_taken(lapse: Opened, act: str) -> None:
    lapse.alice.erase(["secret"], **WHO)
    ACTS[act](lapse.alice, NEIGHBOUR)
    said = {*lapse.store.words(lapse.alice.ref), *(each.query for each in lapse.alice.canaries)}
    said |= {one for each in lapse.alice.holds() for one in each.target.values}
    assert NEIGHBOUR in said


def test_a_single_word_of_letters_is_a_word_of_everybody(lapse: Opened) -> None:
    bank = lapse.alice
    bank.remember("duplicate", id="word")
    bank.remember("hunter2", id="password")
    bank.exempt(["bees"], reason="duplicate", by="anna")
    bank.exempt(["mill"], reason="hunter2", by="anna")
    bank.erase(["word", "password"], **WHO)
    assert bank.get("bees").state.exempt_reason == "duplicate"
    assert str(bank.get("mill").state.exempt_reason).startswith("redacted by erasure")
    bank.pin(["mill"])
    bank.hold("case", ids=["mill"], by="anna", reason="duplicate")


def test_who_lifts_a_tombstone_may_say_what_is_allowed_again(lapse: Opened) -> None:
    bank = lapse.alice
    receipt = bank.erase(["secret"], **WHO).receipt
    assert receipt is not None
    lifted = bank.lift_tombstone(receipt.tombstones[0], by="anna", reason=QUOTE)
    assert lifted.reason == QUOTE
    bank.suppress(["bees"], by="anna", reason=QUOTE)
    bank.remember(SECRET, id="back")
    bank.erase(["back"], **WHO)
    assert not [each for each in lapse.store.words(bank.ref) if "Elm" in each]


def test_who_lifts_one_tombstone_may_not_repeat_another(lapse: Opened) -> None:
    bank = lapse.alice
    bank.erase(["secret"], **WHO)
    other = bank.erase(["mill"], **WHO).receipt
    assert other is not None
    with pytest.raises(TombstonedError):
        bank.lift_tombstone(other.tombstones[0], by="anna", reason=QUOTE)


def test_what_is_erased_for_a_whole_tenant_goes_from_the_words_of_its_other_banks(
    lapse: Opened,
) -> None:
    other = lapse.mind.bank("other")
    other.remember("Somebody else keeps goats.", id="goats")
    other.suppress(["goats"], by="anna", reason=QUOTE)
    other.canaries.add(SECRET, ["goats"], by="anna")
    stranger = lapse.mind.bank("alice", tenant="stranger")
    stranger.remember("Nobody keeps goats.", id="none")
    stranger.suppress(["none"], by="anna", reason=QUOTE)
    done = lapse.alice.erase(subject="maria", **WHO)
    assert done.receipt is not None
    assert done.receipt.redacted == 1
    assert lapse.store.words(other.ref) == sorted(
        {mark(done.receipt.tombstones[0]), str(WHO["reason"])}
    )
    assert not other.canaries.list()
    assert _whole(_entries(lapse, other))
    assert QUOTE in lapse.store.words(stranger.ref)


def test_what_is_erased_in_one_bank_may_be_said_in_another(lapse: Opened) -> None:
    other = lapse.mind.bank("other")
    other.remember("Somebody else keeps goats.", id="goats")
    other.suppress(["goats"], by="anna", reason=QUOTE)
    lapse.alice.erase(["secret"], **WHO)
    assert QUOTE in lapse.store.words(other.ref)


def test_no_byte_of_the_words_is_left_in_a_file(tmp_path: Path) -> None:
    for kind in ("sqlite", "files"):
        root = tmp_path / kind
        root.mkdir()
        made = opened(store_of(kind, root))
        made.alice.remember(SECRET, id="secret", subject="maria")
        made.alice.remember("Ben keeps bees behind the mill.", id="bees")
        made.alice.remember("The mill was built in 1804.", id="mill")
        _quote_everywhere(made.alice)
        found = [each for each in root.rglob("*") if each.is_file() and BYTES in each.read_bytes()]
        assert found
        done = made.alice.erase(["secret"], by="anna", reason=QUOTE)
        assert done.receipt is not None
        assert (done.receipt.residue, done.receipt.log_emptied) == (0, True)
        files = [each for each in root.rglob("*") if each.is_file()]
        left = [each for each in files if BYTES in each.read_bytes().replace(b"15 Elm", b"")]
        assert left == []
        made.mind.close()


def test_the_receipt_names_who_else_stood_for_it(lapse: Opened) -> None:
    alone = lapse.alice.erase(["secret"], **WHO).receipt
    both = lapse.alice.erase(["mill"], approved_by="ben", **WHO).receipt
    assert alone is not None
    assert both is not None
    assert (alone.approved_by, both.approved_by, both.by) == ("", "ben", "anna")
