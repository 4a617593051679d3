"""Clauses about cached answers: kept in the order of putting, gone with what they rest on."""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from collections.abc import Sequence
from dataclasses import replace

from lapse.errors import LapseError
from lapse.model.answer import AnswerChanges, CachedAnswer, KeptAnswer
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.instants import HOUR, Instant
from lapse.model.memory import BankRef
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View
from lapse.ports import Store
from lapse.testing.fakes import ALICE, START
from lapse.testing.store_contract_writes import BOB, entry, remember


def answer(name: str, *sources: str, text: str = "an answer") -> CachedAnswer:
    """Give an answer of that id."""
    return CachedAnswer(
        id=name,
        query=f"a question called {name}",
        answer=text,
        domain="general",
        sources=sources,
        put_at=START,
        expires_at=Instant(START + HOUR),
    )


def cache(
    store: Store,
    *put: CachedAnswer,
    gone: Sequence[str] = (),
    of: Sequence[str] = (),
    ref: BankRef = ALICE,
) -> None:
    """Write to the cache of a bank."""
    told = AnswerChanges(put=put, gone=tuple(gone), of_sources=tuple(of))
    changes = Changes(answers=told)
    store.commit(
        ChangeSet(verb=Verb.CACHE, ref=ref, now=START, reads=Reads(), judge=lambda _: changes)
    )


def names(found: Sequence[KeptAnswer]) -> list[str]:
    """Give the ids."""
    return [each.answer.id for each in found]


class AnswerClauses:
    """Answers are kept in the order of putting, and die with their sources."""

    def test_answers_are_read_back_as_they_were(self, store: Store) -> None:
        told = answer("a", "m1", "m 2", text="mit Umlaut: äöü 茶 ")
        cache(store, told, answer("b"))
        assert [each.answer for each in store.answers(ALICE)] == [told, answer("b")]
        found = store.answer(ALICE, "a")
        assert found is not None
        assert found == store.answers(ALICE)[0]
        assert store.answer(ALICE, "c") is None
        assert store.answer_count(ALICE) == 2

    def test_only_answers_above_a_number_are_read(self, store: Store) -> None:
        cache(store, answer("b"), answer("a"), answer("c"))
        numbers = [each.number for each in store.answers(ALICE)]
        assert numbers == sorted(set(numbers))
        assert names(store.answers(ALICE, numbers[0])) == ["a", "c"]
        assert store.answers(ALICE, numbers[2]) == []

    def test_an_answer_put_again_takes_a_new_number_and_the_place_of_the_old_one(
        self, store: Store
    ) -> None:
        cache(store, answer("a", "m1"), answer("b", "m1"))
        last = store.answers(ALICE)[-1].number
        again = answer("a", "m2", text="another answer")
        cache(store, again)
        assert [each.answer for each in store.answers(ALICE, last)] == [again]
        assert names(store.answers(ALICE)) == ["b", "a"]
        cache(store, of=["m1"], gone=["nobody"])
        assert names(store.answers(ALICE)) == ["a"]

    def test_numbers_are_never_given_twice(self, store: Store) -> None:
        cache(store, answer("a"))
        last = store.answers(ALICE)[-1].number
        cache(store, gone=["a"])
        cache(store, answer("b"))
        assert store.answers(ALICE)[-1].number > last

    def test_answers_belong_to_one_bank(self, store: Store) -> None:
        cache(store, answer("a", "m1"))
        cache(store, answer("a", "m1", text="bob's answer"), ref=BOB)
        cache(store, gone=["a"], ref=BOB)
        assert names(store.answers(ALICE)) == ["a"]
        assert (store.answers(BOB), store.answer(BOB, "a")) == ([], None)
        assert store.answer_count(BOB) == 0
        stranger = replace(BOB, tenant="nobody")
        assert (store.answers(stranger), store.answer_count(stranger)) == ([], 0)

    def test_answers_of_a_source_go_in_the_write_that_names_it(self, store: Store) -> None:
        remember(store, "m1", "m2")
        cache(store, answer("one", "m1"), answer("both", "m2", "m1"), answer("two", "m2"))
        changes = Changes(
            removed=("m1",),
            answers=AnswerChanges(of_sources=("m1",)),
            journal=entry(Verb.ERASE, "m1"),
        )
        store.commit(
            ChangeSet(verb=Verb.ERASE, ref=ALICE, now=START, reads=Reads(), judge=lambda _: changes)
        )
        assert names(store.answers(ALICE)) == ["two"]
        assert list(store.faults(ALICE)) == []

    def test_what_only_names_sources_is_no_write_of_its_own(self, store: Store) -> None:
        cache(store, answer("a", "m1"))
        before = store.revision(ALICE)
        cache(store, of=["m1"])
        assert store.revision(ALICE) == before
        assert names(store.answers(ALICE)) == ["a"]

    def test_each_write_to_the_cache_takes_a_revision_and_leaves_the_index_as_it_is(
        self, store: Store
    ) -> None:
        remember(store, "m1")
        before = store.revision(ALICE)
        cache(store, answer("a"))
        assert store.revision(ALICE) == before + 1
        assert len(store.changes(ALICE, before).content.ids) == 0

    def test_a_judge_sees_the_answers_above_a_number(self, store: Store) -> None:
        cache(store, answer("a"), answer("b"))
        kept = store.answers(ALICE)
        seen: list[tuple[KeptAnswer, ...]] = []

        def judge(view: View) -> Changes:
            seen.append(view.answers)
            return Changes()

        for after in (0, kept[0].number, kept[1].number, None):
            store.commit(
                ChangeSet(
                    verb=Verb.CACHE, ref=ALICE, now=START, reads=Reads(answers=after), judge=judge
                )
            )
        assert seen == [tuple(kept), (kept[1],), (), ()]

    def test_a_refused_write_keeps_no_answer(self, store: Store) -> None:
        changes = Changes(
            removed=("nobody",),
            answers=AnswerChanges(put=(answer("a"),)),
            journal=entry(Verb.ERASE),
        )
        change = ChangeSet(
            verb=Verb.ERASE, ref=ALICE, now=START, reads=Reads(), judge=lambda _: changes
        )
        try:
            store.commit(change)
        except LapseError:
            assert store.answers(ALICE) == []
            return
        raise AssertionError("a write that names nobody was taken")
