"""How many banks stay in RAM, and what happens to one that gives way."""

from dataclasses import replace

import pytest

from lapse import Lapse
from lapse.engine.core import Core
from lapse.errors import ValidationError
from lapse.model.memory import BankRef
from lapse.stores.memory import MemoryStore
from tests.unit.engine.opening import opened

COUNTING: dict[str, object] = {"reinforcement.weight_returned": 1.0}


def _names(core: Core) -> list[str]:
    return [each.ref.name for each in core.open_banks()]


def _core(most: int, policy: dict[str, object] | None = None) -> Core:
    return Core(replace(opened(MemoryStore(), policy=policy).core.parts, open_banks=most))


def test_the_bank_used_longest_ago_gives_way() -> None:
    core = _core(2)
    for name in ("a", "b", "a", "c"):
        core.runtime(BankRef(name=name))
    assert _names(core) == ["a", "c"]


def test_a_bank_that_gave_way_is_opened_again_with_all_it_had() -> None:
    core = _core(1)
    mind = Lapse(core, None)
    for name in ("a", "b", "c"):
        mind.bank(name).remember(f"The ship {name} docked", id=name)
    for name in ("a", "b", "c"):
        assert [each.id for each in mind.bank(name).recall("ship").hits] == [name]
    assert _names(core) == ["c"]


def test_what_waits_to_be_written_is_not_let_go() -> None:
    core = _core(1, COUNTING)
    mind = Lapse(core, None)
    mind.bank("a").remember("The ship docked", id="m")
    assert mind.bank("a").recall("ship").hits
    mind.bank("b").recall("ship")
    assert "a" in _names(core)
    mind.drain()
    assert core.parts.store.events(BankRef(name="a"), ["m"])
    mind.bank("c").recall("ship")
    assert _names(core) == ["c"]


def test_at_least_one_bank_stays() -> None:
    with pytest.raises(ValidationError, match="open_banks"):
        Lapse.open("memory://", embedder=None, background=False, open_banks=0)
