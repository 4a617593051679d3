"""Whatever is handed to a verb, it answers with a value or with one of Lapse's errors, whole."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapse.bank import Bank
from lapse.faces.app import Lapse
from lapse.testing.fakes import FakeClock, SeededEntropy, SequentialIds
from tests.robustness.anything import ANYTHING, IDS, arguments, verbs
from tests.robustness.held import held, refused

READS = frozenset({"recall", "why", "get", "list", "policy", "stats", "doctor"})
"""Verbs that change nothing even when they succeed."""


@contextmanager
def bank_at(target: str) -> Iterator[Bank]:
    """A bank that holds four memories, one of them under a key."""
    with closing(
        Lapse.open(
            target,
            embedder=None,
            clock=FakeClock(),
            new_id=SequentialIds(),
            entropy=SeededEntropy(),
            background=False,
        )
    ) as lapse:
        bank = lapse.bank("alice")
        bank.remember("I prefer tea, not coffee", id=IDS[0], tags=["drink"])
        bank.remember("Lunch was noodles at the corner", id=IDS[1], importance=0.1)
        bank.remember("My name is Alice Hartley", id=IDS[2], pinned=True, session="s1")
        bank.remember("Her drink is tea", id=IDS[3], key="user/drink", value="tea")
        yield bank


def entered(answer: object) -> object:
    """What a verb gives; a context is entered and left, with memories cited in between."""
    if isinstance(answer, AbstractContextManager):
        with answer as inside:
            inside.cited(IDS[:1])
    return answer


def check_answer(bank: Bank, verb: str, given_arguments: dict[str, object]) -> None:
    """Call a verb, and hold what it leaves behind against what was there before.

    Raises:
        AssertionError: Something was written by halves, or an error says nothing.
    """
    call: Callable[..., object] = getattr(bank, verb)
    before = held(bank)
    refusal = refused(lambda: entered(call(**given_arguments)))
    if refusal is not None:
        assert str(refusal).strip()
        assert len(str(refusal)) < 100_000
    if refusal is not None or verb in READS:
        assert held(bank) == before
    assert list(bank.doctor()) == []


@pytest.mark.parametrize("verb", verbs())
@given(data=st.data())
def test_a_verb_answers_or_refuses_whatever_it_is_given(verb: str, data: st.DataObject) -> None:
    given_arguments = data.draw(arguments(verb))
    with bank_at("memory://") as bank:
        check_answer(bank, verb, given_arguments)


@given(data=st.data())
def test_a_file_takes_any_run_of_verbs_and_stays_whole(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder, bank_at(str(Path(folder) / "any.db")) as bank:
        for _ in range(data.draw(st.integers(1, 6))):
            verb = data.draw(st.sampled_from(verbs()))
            check_answer(bank, verb, data.draw(arguments(verb)))


@given(name=ANYTHING, tenant=ANYTHING)
def test_a_bank_has_a_name_or_is_refused(name: object, tenant: object) -> None:
    with closing(Lapse.open("memory://", embedder=None, background=False)) as lapse:
        refusal = refused(lambda: lapse.bank(name, tenant=tenant))  # type: ignore[arg-type]  # anything
        assert refusal is not None or isinstance(name, str)


def opened_and_closed(target: object) -> None:
    Lapse.open(target, embedder=None, background=False).close()  # type: ignore[arg-type]  # anything


@given(target=ANYTHING)
def test_a_place_opens_or_is_refused(target: object) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        # Absolute, so that a drawn path cannot lead out of the folder.
        asked = f"{folder}/{target}" if isinstance(target, str) and "://" not in target else target
        refusal = refused(lambda: opened_and_closed(asked))
        assert refusal is None or str(refusal)
