"""A bank whose language changes is read again, and says so until it has been."""

from pathlib import Path

import pytest

from lapse import Lapse, presets
from lapse.model.policy import Policy
from lapse.model.policy_sources import from_mapping
from lapse.testing.fakes import FakeClock


@pytest.fixture(params=["memory://", "file"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "bank.db") if request.param == "file" else str(request.param)


def test_a_change_of_language_reads_every_text_again(target: str) -> None:
    with Lapse.open(target, clock=FakeClock(), embedder=None, background=False) as mind:
        bank = mind.bank("b")
        told = bank.remember("die Häuser sind alt")
        assert [each.id for each in bank.recall("Häuser").hits] == [told.id]
        assert bank.recall("Haus").hits == ()
        bank.set_policy({"memory.language": "german"})
        recall = bank.recall("Haus")
        assert [each.id for each in recall.hits] == [told.id]
        assert recall.warnings == ()
        assert bank.doctor() == []
        assert bank.drain().reread == 0


def test_another_language_of_the_deployment_is_noticed_and_repaired(tmp_path: Path) -> None:
    path = tmp_path / "bank.db"
    with _opened(path, presets.assistant()) as mind:
        told = mind.bank("b").remember("die Häuser sind alt")
    with _opened(path, from_mapping({"memory": {"language": "german"}})) as mind:
        bank = mind.bank("b")
        before = bank.recall("Haus")
        assert before.hits == ()
        assert "drain" in before.warnings[0]
        assert bank.drain().reread == 1
        after = bank.recall("Haus")
        assert ([each.id for each in after.hits], after.warnings) == ([told.id], ())
        assert bank.get(told.id).memory.content_version == 1


def _opened(path: Path, policy: Policy) -> Lapse:
    return Lapse.open(path, policy=policy, clock=FakeClock(), embedder=None, background=False)
