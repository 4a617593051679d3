"""What a newcomer sees first: the demo, lived through once and judged by what it says."""

import importlib.util
import re
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console

from lapse.faces.demo import story
from lapse.faces.demo.claims import changes, claims, standings_of
from lapse.faces.demo.conversation import Part, companion
from lapse.faces.demo.locomo import read_locomo
from lapse.faces.demo.pages import show, visit
from lapse.faces.demo.play import Experience, Pair
from lapse.model.query import Reason

LUNCH, TEA, LOSS, NAME = "s01-02", "s01-03", "s01-04", "s01-01"


@pytest.fixture(scope="module")
def lived() -> Experience:
    """The bundled conversation, lived through."""
    return story.live_through(companion())


def _later_pairs(lived: Experience) -> list[Pair]:
    return [pair for seen in lived.seen[1:] for pair in seen.pairs]


def _ids(pair: Pair) -> list[str]:
    return [each.id for each in pair.bent.hits]


def _tell(data: Path | None, png: Path) -> tuple[int, str]:
    told = StringIO()
    status = story.run(data, png, Console(file=told, width=100))
    return status, told.getvalue()


def test_five_questions_are_asked_at_the_start_and_after_30_90_and_240_days(
    lived: Experience,
) -> None:
    start = lived.conversation.sessions[0].at
    assert [(seen.visit.at - start) // (24 * 3600 * 10**6) for seen in lived.seen] == [
        10,
        30,
        90,
        240,
    ]
    assert [len(seen.pairs) for seen in lived.seen] == [5, 5, 5, 5]


def test_every_remark_is_stored_or_tells_again_what_is_held(lived: Experience) -> None:
    assert len(lived.texts) + lived.told_again == len(lived.conversation.remarks)
    assert set(lived.memory_of.values()) == set(lived.texts)
    assert lived.told_again > 0
    assert lived.superseded > 0


def test_nothing_in_the_store_contradicts_itself_afterwards(lived: Experience) -> None:
    assert lived.doubts == ()


def test_the_lunch_is_in_no_later_tray_of_an_unrelated_question(lived: Experience) -> None:
    unrelated = [each for each in _later_pairs(lived) if each.question.cue_of != "lunch"]
    assert len(unrelated) == 12
    assert [each.question.text for each in unrelated if LUNCH in _ids(each)] == []


def test_the_lunch_is_first_for_its_own_cue_after_30_90_and_240_days(lived: Experience) -> None:
    own = [each for each in _later_pairs(lived) if each.question.cue_of == "lunch"]
    assert [_ids(each)[0] for each in own] == [LUNCH] * 3


def test_the_lunch_fades_and_stays_faded(lived: Experience) -> None:
    needs = [each.need for each in standings_of(lived, "lunch")]
    assert lived.level == 0.02
    assert needs[0] < 0.02
    assert needs == sorted(needs, reverse=True)


def test_the_tea_grows_stronger_with_spaced_use(lived: Experience) -> None:
    standings = standings_of(lived, "tea")
    assert all(later.need > earlier.need for earlier, later in pairwise(standings))
    assert all(later.uses > earlier.uses for earlier, later in pairwise(standings))
    curve = next(each for each in lived.curves if each.followed.name == "tea")
    assert curve.lasts_days[-1] > 4 * curve.lasts_days[0]


def test_the_tea_is_told_again_and_stays_one_memory(lived: Experience) -> None:
    told = [each for each, memory in lived.memory_of.items() if memory == TEA]
    assert len(told) > 3
    curve = next(each for each in lived.curves if each.followed.name == "tea")
    assert len(curve.used_on) == standings_of(lived, "tea")[-1].uses


def test_the_tea_rises_to_the_first_place_for_its_question(lived: Experience) -> None:
    own = [each for each in _later_pairs(lived) if each.question.cue_of == "tea"]
    places = [_ids(each).index(TEA) + 1 for each in own]
    assert places == sorted(places, reverse=True)
    assert places[-1] == 1
    assert own[-1].plain.hits[0].id != TEA


def test_the_loss_and_the_name_are_kept(lived: Experience) -> None:
    own = [each for each in _later_pairs(lived) if each.question.cue_of == "loss"]
    assert [_ids(each)[0] for each in own] == [LOSS] * 3
    assert min(each.need for each in standings_of(lived, "loss")) > 0.1
    assert min(each.need for each in standings_of(lived, "name")) > 0.1
    assert [each.uses for each in standings_of(lived, "name")] == [0, 0, 0]


def test_some_trays_differ_because_of_forgetting_alone(lived: Experience) -> None:
    different = changes(lived)
    assert different
    for change in different:
        assert change.pair.bent.at == change.pair.plain.at
        bends = [each.explanation.boost for each in change.pair.bent.hits]
        left = {each.id: each for each in change.pair.bent.exclusions}
        assert change.pair.came
        for gone in change.pair.went:
            assert left[gone].reason is Reason.OVER_COUNT
            assert left[gone].explanation.boost < max(bends)


def test_being_shown_counts_for_nothing(lived: Experience) -> None:
    again = companion()
    silent = story.live_through(replace(again, visits=again.visits[-1:]))
    assert silent.seen[-1].standings == lived.seen[-1].standings
    shown = [_ids(pair) for pair in lived.seen[-1].pairs]
    assert [_ids(pair) for pair in silent.seen[-1].pairs] == shown


def test_without_use_the_tea_does_not_grow_and_the_story_says_so(lived: Experience) -> None:
    talk = companion()
    silent = tuple(replace(each, used=()) for each in talk.sessions[:1])
    experience = story.live_through(replace(talk, sessions=silent))
    failed = {each.topic: each.sentence for each in claims(experience) if not each.holds}
    assert "did not grow stronger" in failed["tea grew"]


def test_every_claim_of_the_story_holds(lived: Experience) -> None:
    assert [each.sentence for each in claims(lived) if not each.holds] == []
    assert {each.topic for each in claims(lived)} >= {
        "trays",
        "tea grew",
        "tea lasts",
        "tea first",
        "lunch faded",
        "lunch stayed away",
        "lunch first",
        "loss kept",
        "loss first",
        "name kept",
    }


def test_the_story_fits_100_columns_and_is_plain_where_it_is_piped(tmp_path: Path) -> None:
    status, told = _tell(None, tmp_path / "curves.png")
    assert status == 0
    assert "\x1b" not in told
    assert max(len(line) for line in told.splitlines() if str(tmp_path) not in line) <= 100


def test_the_story_shows_each_tray_beside_the_one_with_forgetting_off(tmp_path: Path) -> None:
    _, told = _tell(None, tmp_path / "curves.png")
    assert told.count("with forgetting off") >= 4
    for question in companion().questions:
        assert told.count(question.text[:40]) >= 4
    assert re.search(r"\+\d ", told)
    assert re.search(r"−\d ", told)
    assert "over count (capacity)" in told


def test_the_curves_are_saved_as_a_picture(tmp_path: Path) -> None:
    png = tmp_path / "curves.png"
    _, told = _tell(None, png)
    assert png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert str(png) in told.replace("\n", "")


def test_a_picture_that_cannot_be_saved_does_not_end_the_story(tmp_path: Path) -> None:
    status, told = _tell(None, tmp_path / "absent" / "curves.png")
    assert status == 0
    assert "could not be saved" in told


def test_without_matplotlib_the_story_says_how_to_get_the_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "matplotlib" else find(name)
    )
    status, told = _tell(None, tmp_path / "curves.png")
    assert status == 0
    assert "pip install 'lapse[plots]'" in told
    assert not (tmp_path / "curves.png").exists()


def test_a_conversation_of_another_format_tells_the_same_story(
    shared_data: Callable[[str], Path], tmp_path: Path
) -> None:
    status, told = _tell(shared_data("data/locomo_dev.json"), tmp_path / "curves.png")
    assert status == 0
    assert "The file does not say what was used" in told
    assert "✓" in told
    assert (tmp_path / "curves.png").exists()


def test_in_the_other_conversation_the_most_used_memory_outlasts_the_unused_one(
    shared_data: Callable[[str], Path],
) -> None:
    lived = story.live_through(read_locomo(shared_data("data/locomo_dev.json")))
    last = {each.name: each for each in lived.seen[-1].standings}
    assert last["used most"].need > 5 * last["never used"].need
    assert {each.followed.part for each in lived.curves} >= {Part.GROWS, Part.FADES}
    assert changes(lived)


def test_the_tray_that_the_tutorial_explains_is_the_one_that_is_shown(
    lived: Experience, project_root: Path
) -> None:
    tutorial = (project_root / "docs" / "tutorial" / "first-look.md").read_text(encoding="utf-8")
    explained = tutorial.split("```text\n")[1].split("\n```")[0]
    printed = StringIO()
    show(Console(file=printed, width=100), visit(lived, lived.seen[-1]))
    shown = "\n".join(line.rstrip() for line in printed.getvalue().splitlines())
    assert explained in shown
