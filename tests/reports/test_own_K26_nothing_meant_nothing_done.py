"""Own case of K26: a wish that names nothing to forget is refused; a preview changes no byte."""

import hashlib
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.testing.fakes import FakeClock
from tests.faces.rest.serving import Served
from tests.reports.helping import T0

NOUNS = ("erasures", "suppressions", "archivals", "forgettings")


@pytest.mark.parametrize("noun", NOUNS)
def test_a_wish_that_names_nothing_is_refused(noun: str) -> None:
    with Lapse.open("memory://", clock=FakeClock(T0), embedder=None, background=False) as lapse:
        client = Served(lapse, keys=False).client()
        client.post("memories", {"text": "The boat is red", "id": "boat"})
        bodies: list[dict[str, object]] = [{}, {"ids": []}, {"by": "ada", "reason": "tidy"}]
        for body in bodies:
            answer = client.post(noun, body)
            assert (answer.status_code, answer.json()["error"]) == (422, "ValidationError")
        assert client.get("memories/boat").json()["state"]["lifecycle"] == "active"


@pytest.mark.parametrize("noun", NOUNS)
def test_a_preview_changes_no_byte_of_the_store(noun: str, tmp_path: Path) -> None:
    path = tmp_path / "lapse.db"

    def prints() -> dict[str, str]:
        return {
            each.name: hashlib.sha256(each.read_bytes()).hexdigest()
            for each in tmp_path.iterdir()
            if each.suffix != ".db-shm" and not each.name.endswith("-shm")
        }

    with Lapse.open(path, clock=FakeClock(T0), embedder=None, background=False) as lapse:
        client = Served(lapse, keys=False).client()
        client.post("memories", {"text": "The boat is red", "id": "boat"})
        before = prints()
        shown = client.post(noun, {"ids": ["boat"]})
        assert shown.json()["applied"] is False
        assert prints() == before
        confirm = {"confirm": shown.json()["preview"]["id"], "by": "ada", "reason": "over"}
        assert client.post(noun, {"ids": ["boat"], **confirm}).json()["applied"] is True
        assert prints() != before
