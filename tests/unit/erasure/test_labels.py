"""What was erased does not come back as a label of something else."""

from collections.abc import Callable, Mapping
from contextlib import closing
from io import BytesIO

import pytest

from lapse.bank import Bank
from lapse.errors import TombstonedError
from lapse.faces.app import Lapse
from lapse.testing.fakes import FakeClock
from tests.reports.helping import everything

ERASED = "The crane in the harbour is painted red"

LABELS: Mapping[str, Mapping[str, object]] = {
    "id": {"id": ERASED},
    "source": {"source": ERASED},
    "session": {"session": ERASED},
    "subject": {"subject": ERASED},
    "tags": {"tags": ["boats", ERASED]},
    "entities": {"entities": [ERASED]},
    "metadata": {"metadata": {"note": [ERASED]}},
    "name within metadata": {"metadata": {"note": [{ERASED: 1}]}},
    "joined otherwise": {"tags": [ERASED.replace(" ", "_")]},
    "id joined otherwise": {"id": ERASED.replace(" ", "-")},
}


def bank_after_erasing() -> Lapse:
    lapse = Lapse.open("memory://", embedder=None, clock=FakeClock(), background=False)
    bank = lapse.bank("alice")
    bank.remember(ERASED, id="gone")
    bank.remember("Tea is better than coffee", id="tea")
    bank.erase(["gone"], by="ann", reason="asked for")
    return lapse


@pytest.mark.parametrize("label", LABELS)
def test_a_new_memory_may_not_carry_erased_words_as_its(label: str) -> None:
    with closing(bank_after_erasing()) as lapse:
        bank = lapse.bank("alice")
        before = everything(bank)
        with pytest.raises(TombstonedError):
            bank.remember("Something else altogether", **LABELS[label])  # type: ignore[arg-type]  # by name
        assert everything(bank) == before
        bank.remember("Something else altogether", subject="Ann Lee", tags=["of the harbour"])


ACTS: Mapping[str, Callable[[Bank], object]] = {
    "source": lambda bank: bank.update("tea", source=ERASED),
    "session": lambda bank: bank.update("tea", session=ERASED),
    "subject": lambda bank: bank.update("tea", subject=ERASED),
    "tags": lambda bank: bank.update("tea", tags=[ERASED]),
    "entities": lambda bank: bank.update("tea", entities=[ERASED]),
}


@pytest.mark.parametrize("label", ACTS)
def test_a_memory_that_stays_may_not_be_relabelled_with_them(label: str) -> None:
    with closing(bank_after_erasing()) as lapse:
        bank = lapse.bank("alice")
        before = everything(bank)
        with pytest.raises(TombstonedError):
            ACTS[label](bank)
        assert everything(bank) == before
        assert bank.update("tea", tags=["a drink of choice"]).memory.tags == ("a drink of choice",)


def test_a_label_of_two_words_is_a_label() -> None:
    with closing(Lapse.open("memory://", embedder=None, background=False)) as lapse:
        bank = lapse.bank("alice")
        bank.remember("Door code", id="gone")
        bank.erase(["gone"], by="ann", reason="asked for")
        told = bank.remember("The door has one since May", key="door/code", tags=["door-code"])
        assert told.memory.tags == ("door-code",)


def test_nobody_is_kept_from_acting_for_being_called_what_a_memory_said() -> None:
    with closing(Lapse.open("memory://", embedder=None, background=False)) as lapse:
        bank = lapse.bank("alice")
        bank.remember("Maria de la Cruz", id="gone")
        bank.remember("Tea is better than coffee", id="tea")
        bank.erase(["gone"], by="Maria de la Cruz", reason="asked for")
        bank.suppress(["tea"], by="Maria de la Cruz", reason="asked for")
        assert [each.memory.id for each in bank.suppressed().records] == ["tea"]


def test_who_is_named_in_a_whole_erased_sentence_is_named_in_no_entry() -> None:
    with closing(bank_after_erasing()) as lapse:
        bank = lapse.bank("alice")
        with pytest.raises(TombstonedError):
            bank.suppress(["tea"], by=ERASED, reason="asked for")
        exported = BytesIO()
        bank.export(exported)
        told = exported.getvalue().decode()
        assert ERASED not in told
        assert '"by":"redacted by erasure ' in told, "that it was refused is journalled"
        assert bank.verify_journal().sound
