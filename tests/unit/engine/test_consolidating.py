"""Consolidation: when it is done, once, what it makes, and what stays out of it."""

from pathlib import Path

import pytest

from lapse.engine.upkeep import keep_up
from lapse.errors import TombstonedError, ValidationError
from lapse.model.codec import dumps
from lapse.model.consolidation import ConsolidationEnding, SummarisedBy
from lapse.model.memory import Kind
from lapse.model.retention import UseSource
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.testing.fakes import SequentialIds
from tests.unit.engine.consolidating import ON, SAID, Model, derived, stages, tell
from tests.unit.engine.opening import Opened, opened, store_of

WHO = {"by": "ann", "reason": "asked for"}


@pytest.fixture
def lapse(store: Store) -> Opened:
    """An engine whose sessions are consolidated after four memories."""
    return opened(store, policy=dict(ON))


def test_a_session_that_has_gathered_enough_gets_one_derived_memory(lapse: Opened) -> None:
    tell(lapse.alice)
    assert derived(lapse.alice) == []
    assert lapse.alice.drain().consolidated == 1
    (made,) = derived(lapse.alice)
    told = {each.memory.id: each.memory.text for each in lapse.alice.list().records}
    assert made.kind is Kind.SEMANTIC
    assert made.session == "s1"
    assert made.source == "reflection"
    assert made.text == "\n".join(told[each] for each in made.derived_from)
    assert len(made.derived_from) == 3
    assert made.proof_count == 1


def test_one_memory_less_is_not_enough(lapse: Opened) -> None:
    tell(lapse.alice, SAID[:3])
    assert lapse.alice.drain().consolidated == 0
    assert stages(lapse.store, lapse.alice) == []
    tell(lapse.alice, SAID[3:])
    assert lapse.alice.drain().consolidated == 1


def test_a_crossing_is_consolidated_once_and_the_sum_begins_anew(lapse: Opened) -> None:
    tell(lapse.alice)
    lapse.alice.drain()
    assert lapse.alice.drain().consolidated == 0
    tell(lapse.alice, ("The dog is called Rex.", "Rex was born in 2019.", "Ben has two cats."))
    assert lapse.alice.drain().consolidated == 0
    tell(lapse.alice, ("The car was sold to Carla.",))
    assert lapse.alice.drain().consolidated == 1
    assert stages(lapse.store, lapse.alice) == ["scheduled", "done", "scheduled", "done"]


def test_given_importance_counts_and_what_nobody_rated_counts_with_the_default(
    lapse: Opened,
) -> None:
    lapse.alice.remember(SAID[0], session="s1", importance=1.0)
    lapse.alice.remember(SAID[1], session="s1", importance=0.4)
    assert lapse.alice.drain().consolidated == 0
    lapse.alice.remember(SAID[2], session="s1")
    lapse.alice.set_policy({"scoring.default_importance": 0.6})
    assert lapse.alice.drain().consolidated == 1


def test_nothing_is_consolidated_unless_the_policy_says_so(store: Store) -> None:
    lapse = opened(store, policy={**ON, "reflection.enabled": False})
    tell(lapse.alice)
    assert lapse.alice.drain().consolidated == 0
    assert len(lapse.alice.consolidate()) == 1


def test_what_belongs_to_no_session_is_gathered_nowhere(lapse: Opened) -> None:
    lapse.alice.remember_many([{"text": each} for each in SAID])
    assert lapse.alice.drain().consolidated == 0
    assert lapse.alice.consolidate() == []


def test_sessions_and_banks_are_kept_apart(lapse: Opened) -> None:
    tell(lapse.alice, SAID[:2], session="s1")
    tell(lapse.alice, SAID[2:], session="s2")
    bert = lapse.mind.bank("bert")
    tell(bert, SAID[2:], session="s1")
    lapse.mind.drain()
    assert derived(lapse.alice) == []
    assert derived(bert) == []


def test_what_was_put_out_of_mind_retired_or_ended_is_not_read(lapse: Opened) -> None:
    bank = lapse.alice
    for at, text in enumerate(SAID):
        bank.remember(text, id=f"m{at}", session="s1", importance=1.0)
    bank.remember("The room is 14.", session="s1", importance=1.0, expires_at=lapse.clock.now() + 1)
    lapse.clock.advance(days=1)
    bank.suppress(["m0"], **WHO)
    bank.retract("m1", reason="a mistake")
    assert bank.drain().consolidated == 1
    (made,) = derived(bank)
    assert made.derived_from == ("m2", "m3")


def test_a_named_session_is_consolidated_however_little_it_holds(lapse: Opened) -> None:
    tell(lapse.alice, SAID[:2])
    (done,) = lapse.alice.consolidate("s1", by="ann")
    assert done.ending is ConsolidationEnding.DERIVED
    assert (done.read, done.sources, done.gathered) == (2, 2, 1.0)
    assert done.summarised_by is SummarisedBy.SENTENCES
    assert lapse.alice.consolidate("s1") == []
    assert lapse.alice.consolidate("nobody's") == []
    with pytest.raises(ValidationError):
        lapse.alice.consolidate(" ")


def test_a_single_sentence_needs_no_memory_of_its_own(lapse: Opened) -> None:
    tell(lapse.alice, (SAID[0], "ok, thanks"))
    (done,) = lapse.alice.consolidate("s1")
    assert done.ending is ConsolidationEnding.NOTHING
    assert lapse.alice.consolidate("s1") == []


def test_what_was_derived_is_not_read_again(lapse: Opened) -> None:
    bank = lapse.alice
    tell(bank)
    bank.drain()
    (made,) = derived(bank)
    bank.remember("All about Ann", session="s1", derived_from=[made.id], importance=1.0)
    bank.remember("More of Ann", session="s1", derived_from=[made.id], importance=1.0)
    assert bank.drain().consolidated == 0


def test_the_journal_tells_stages_and_counts_and_nothing_of_a_text(lapse: Opened) -> None:
    tell(lapse.alice)
    lapse.alice.drain()
    told = lapse.store.journal_by(lapse.alice.ref, Verb.CONSOLIDATE, 0)
    assert dict(told[-1].counts) == {"derived": 1, "done": 1, "read": 4, "sentences": 1}
    assert {each.by for each in told} == {"lapse"}
    written = dumps([list(told)])
    assert not any(word in written for word in ("Ann", "Rome", "peanut", "s1"))
    assert lapse.alice.verify_journal().sound


def test_a_restart_and_another_process_know_what_was_consolidated(tmp_path: Path) -> None:
    first = opened(store_of("sqlite", tmp_path), policy=dict(ON))
    tell(first.alice)
    first.alice.drain()
    second = opened(store_of("sqlite", tmp_path), policy=dict(ON))
    assert second.alice.drain().consolidated == 0
    assert second.alice.consolidate("s1") == []
    first.mind.close()
    second.mind.close()


def test_a_pass_that_another_process_did_meanwhile_is_not_done_twice(tmp_path: Path) -> None:
    other = opened(store_of("sqlite", tmp_path), policy=dict(ON), ids=SequentialIds("o"))

    def slow(prompt: str, /) -> str:
        # While this one thinks, its lease runs out, and another process does the work.
        first.clock.advance(days=1)
        other.clock.advance(days=1)
        assert [each.ending for each in other.alice.consolidate()] == [ConsolidationEnding.DERIVED]
        return "Ann moved to Rome in 2021. [1]\nThe deadline is 5 May 2027. [3]"

    first = opened(store_of("sqlite", tmp_path), policy=dict(ON), generate=slow)
    tell(first.alice)
    (left,) = first.alice.consolidate()
    assert left.ending is ConsolidationEnding.LEFT
    assert len(derived(first.alice)) == 1
    assert stages(first.store, first.alice).count("done") == 1
    first.mind.close()
    other.mind.close()


def test_while_one_process_is_at_it_another_leaves_it(tmp_path: Path) -> None:
    other = opened(store_of("sqlite", tmp_path), policy=dict(ON), ids=SequentialIds("o"))

    def asking(prompt: str, /) -> str:
        assert other.alice.consolidate() == []
        return "Ann moved to Rome in 2021. [1]\nThe deadline is 5 May 2027. [3]"

    first = opened(store_of("sqlite", tmp_path), policy=dict(ON), generate=asking)
    tell(first.alice)
    assert first.alice.consolidate()[0].ending is ConsolidationEnding.DERIVED
    first.mind.close()
    other.mind.close()


def test_a_write_in_between_does_not_stop_a_pass(store: Store) -> None:
    def asking(prompt: str, /) -> str:
        mine.alice.remember("Something else altogether", session="s2")
        return "Ann moved to Rome in 2021. [1]\nThe deadline is 5 May 2027. [3]"

    mine = opened(store, policy=dict(ON), generate=asking)
    tell(mine.alice)
    assert mine.alice.consolidate()[0].ending is ConsolidationEnding.DERIVED


def test_what_changed_while_the_model_thought_is_not_told_as_it_was(store: Store) -> None:
    def asking(prompt: str, /) -> str:
        (first, *_) = mine.alice.list().records
        if first.memory.text == SAID[0]:
            mine.alice.erase([first.memory.id], **WHO)
        return "Ann moved to Rome in 2021. [1]\nThe deadline is 5 May 2027. [3]"

    mine = opened(store, policy=dict(ON), generate=asking)
    tell(mine.alice, (*SAID, "Ben has two cats and a dog."))
    assert mine.alice.consolidate()[0].ending is ConsolidationEnding.LEFT
    assert derived(mine.alice) == []


def test_the_hosts_model_is_asked_and_its_lines_keep_their_sources(store: Store) -> None:
    model = Model("Ann lives in Rome since 2021. [1]\n- She cannot eat peanuts [2]")
    lapse = opened(store, policy={**ON, "importance.purpose": "cooking"}, generate=model)
    tell(lapse.alice)
    (done,) = lapse.alice.consolidate()
    assert done.summarised_by is SummarisedBy.MODEL
    (made,) = derived(lapse.alice)
    assert made.text == "Ann lives in Rome since 2021.\nShe cannot eat peanuts"
    ids = [each.memory.id for each in lapse.alice.list().records]
    assert made.derived_from == tuple(ids[:2])
    assert '"cooking"' in model.prompts[0]


def test_a_model_that_fails_is_asked_again_later_and_then_done_without(store: Store) -> None:
    model = Model(None)
    lapse = opened(store, policy=dict(ON), generate=model)
    tell(lapse.alice)
    for attempts in (1, 2, 3):
        assert lapse.alice.drain().consolidated == 0
        assert lapse.alice.drain().consolidated == 0
        assert len(model.prompts) == attempts
        lapse.clock.advance(days=1)
    assert lapse.alice.drain().consolidated == 1
    assert len(model.prompts) == 3
    assert stages(lapse.store, lapse.alice) == ["scheduled", "failed", "failed", "failed", "done"]


@pytest.mark.parametrize("reply", ["", "The moon is made of cheese.", "x" * 200_000])
def test_a_reply_that_rests_on_no_memory_is_a_failure(store: Store, reply: str) -> None:
    lapse = opened(store, policy=dict(ON), generate=Model(reply))
    tell(lapse.alice)
    assert lapse.alice.consolidate()[0].ending is ConsolidationEnding.FAILED
    assert derived(lapse.alice) == []


def test_a_summary_that_says_what_was_erased_is_refused_and_counted(store: Store) -> None:
    lapse = opened(store, policy=dict(ON), generate=Model("The code of the gate is 4711 blue. [1]"))
    lapse.alice.remember("The code of the gate is 4711 blue.", id="code")
    lapse.alice.erase(["code"], **WHO)
    tell(lapse.alice, ("A gate was built, with a blue code lock.", *SAID))
    (done,) = lapse.alice.consolidate()
    assert (done.ending, done.refused) == (ConsolidationEnding.REFUSED, 1)
    assert derived(lapse.alice) == []
    assert lapse.alice.consolidate("s1") == []


def test_what_was_erased_with_its_source_is_not_made_again(lapse: Opened) -> None:
    bank = lapse.alice
    tell(bank)
    bank.drain()
    (made,) = derived(bank)
    bank.erase(list(made.derived_from), **WHO)
    assert derived(bank) == []
    assert bank.consolidate() == []
    assert bank.consolidate("s1") == []


def test_what_other_sources_still_say_may_be_told_again_when_a_summary_goes(lapse: Opened) -> None:
    bank = lapse.alice
    tell(bank)
    bank.drain()
    (made,) = derived(bank)
    gone, *staying = made.derived_from
    texts = [bank.get(each).memory.text for each in staying]
    forbidden = bank.get(gone).memory.text
    assert bank.erase([gone], **WHO).derived == (made.id,)
    for text in texts:
        bank.remember(text, subject="somebody else")
    with pytest.raises(TombstonedError):
        bank.remember(made.text)
    with pytest.raises(TombstonedError):
        bank.remember(forbidden)


def test_a_summary_goes_and_comes_back_with_what_it_quotes(lapse: Opened) -> None:
    bank = lapse.alice
    tell(bank)
    bank.drain()
    (made,) = derived(bank)
    bank.retract([made.derived_from[0]], reason="a mistake")
    assert bank.get(made.id).memory.recorded_to is not None
    bank.unretract([made.derived_from[0]])
    assert bank.get(made.id).memory == made


def test_an_erased_summary_is_not_made_again(lapse: Opened) -> None:
    bank = lapse.alice
    tell(bank)
    bank.drain()
    bank.erase([derived(bank)[0].id], **WHO)
    assert bank.drain().consolidated == 0
    assert bank.consolidate("s1") == []
    assert derived(bank) == []


def test_an_observation_said_again_in_another_session_gains_evidence(lapse: Opened) -> None:
    bank = lapse.alice
    tell(bank)
    bank.drain()
    (before,) = derived(bank)
    again = (SAID[0], "The dog is called Rex.", "Rex was born in 2019.", "Ben has two cats.")
    # The same words about another subject are another memory.
    for text in again:
        bank.remember(text, session="s2", subject="ann")
    (done,) = bank.consolidate("s2")
    assert done.corroborated == 1
    after = next(each for each in derived(bank) if each.id == before.id)
    assert after.proof_count == 2
    assert after.text == before.text
    assert len(after.derived_from) == len(before.derived_from) + 1
    events = lapse.store.events(bank.ref, [before.id])
    assert [(each.source, each.weight) for each in events] == [(UseSource.EVIDENCE, 0.5)]
    assert SAID[0] not in derived(bank)[-1].text


def test_an_observation_told_again_from_new_sources_gains_evidence(lapse: Opened) -> None:
    bank = lapse.alice
    bank.remember("Ann said she lives in Rome", id="a", session="s1")
    bank.remember("Her letters come from Rome", id="b", session="s2")
    bank.remember("In Rome, she wrote", id="c", session="s1")
    bank.remember("Ann lives in Rome", id="o", derived_from=["a"])
    bank.remember("Ann lives in Rome", derived_from=["a"])
    bank.remember("Ann lives in Rome", derived_from=["c"])
    assert bank.get("o").memory.proof_count == 1
    bank.remember("Ann lives in Rome", derived_from=["b"])
    told = bank.get("o").memory
    assert (told.proof_count, told.derived_from) == (2, ("a", "b"))
    bank.remember("Ann lives in Rome", derived_from=["b"])
    assert bank.get("o").memory.proof_count == 2
    events = lapse.store.events(bank.ref, ["o"])
    assert {each.source for each in events} == {UseSource.RECONFIRMED, UseSource.EVIDENCE}


def test_many_sessions_are_consolidated_some_at_a_time(lapse: Opened) -> None:
    for at in range(25):
        tell(
            lapse.alice,
            [f"House {at}{part} was sold to client {part}{at}." for part in "ABCD"],
            session=f"s{at}",
        )
    runtime = lapse.core.runtime(lapse.alice.ref)
    lapse.wakes.clear()
    assert keep_up(lapse.core, runtime).consolidated == 20
    assert lapse.wakes
    assert keep_up(lapse.core, runtime).consolidated == 5
