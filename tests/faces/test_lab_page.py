"""A report is one page that stands alone; it is looked at in a real browser where there is one."""

import base64
import json
import shutil
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.lab.fitting import Window
from lapse.lab.policies import own_settings, read_policies
from lapse.lab.reporting import ReportFigures, figures_of
from lapse.model.codec import dumps
from lapse.stores.memory import MemoryStore
from tests.unit.engine.opening import opened

pytest.importorskip("matplotlib", reason="needs the extra `lab`")

from lapse.faces.lab.page import page_of
from lapse.faces.lab.pictures import pictures_of

ALL = ["forgetting-curves", "reliability", "kept", "active-set", "levels"]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def _bank(days: int) -> Bank:
    """A bank of forty memories, of which eight are used again and again."""
    lapse = opened(MemoryStore())
    bank = lapse.alice
    bank.remember_many(
        {"text": f"Ship number{at} docked", "id": f"<m{at:02}>", "importance": at / 50}
        for at in range(40)
    )
    bank.canaries.add("number3", ["<m03>"])
    for day in range(days):
        lapse.clock.advance(days=1)
        bank.used([f"<m{day % 8:02}>", f"<m{day % 40:02}>"])
        if day % 10 == 9:
            bank.drain()
    bank.drain()
    return bank


def _figures(bank: Bank) -> ReportFigures:
    policies = read_policies(["current", "support"], own_settings(bank))
    window = Window(horizon_days=10, warm_up_days=20)
    return figures_of(bank, bank.access_log(), policies, window=window, days=90)


@pytest.fixture(scope="module")
def figures() -> ReportFigures:
    return _figures(_bank(200))


@pytest.fixture(scope="module")
def page(figures: ReportFigures) -> str:
    return page_of(figures, pictures_of(figures))


def test_every_picture_that_there_is_something_to_draw_for_is_drawn(
    figures: ReportFigures,
) -> None:
    pictures = pictures_of(figures)
    assert list(pictures) == ALL
    assert all(each.startswith(b"\x89PNG") for each in pictures.values())


def test_the_page_loads_nothing_runs_nothing_and_escapes_what_it_names(page: str) -> None:
    assert "<script" not in page
    assert "http" not in page
    assert "<m03>" not in page
    assert "&lt;m" in page


def test_the_same_figures_give_the_same_page(figures: ReportFigures, page: str) -> None:
    assert page_of(figures, pictures_of(figures)) == page


def test_a_report_tells_how_far_it_is_until_all_of_it_is_done() -> None:
    bank, told = _bank(5), list[tuple[int, int]]()
    figures_of(
        bank,
        bank.access_log(),
        read_policies(["current", "support"], own_settings(bank)),
        window=Window(horizon_days=10, warm_up_days=20),
        days=30,
        progress=lambda done, parts: told.append((done, parts)),
    )
    assert told == [(done, 5) for done in range(1, 6)]


def test_a_short_log_leaves_its_parts_out_and_says_what_is_missing() -> None:
    figures = _figures(_bank(5))
    pictures = pictures_of(figures)
    assert list(pictures) == ["forgetting-curves", "active-set", "levels"]
    page = page_of(figures, pictures)
    assert all(each in page for each in figures.missing)
    assert any("instants to fit on" in each for each in figures.missing)


def test_the_figures_are_written_as_json(figures: ReportFigures) -> None:
    document = json.loads(dumps(figures))
    assert document["rollouts"]["support"]["leaving_count"] > 0
    assert len(document["curves"]) == 6


@pytest.fixture
def browser() -> str:
    """A browser of this machine."""
    found = next((path for each in BROWSERS if (path := shutil.which(each))), None)
    if found is None:
        pytest.skip(f"no browser here: none of {', '.join(BROWSERS)}")
    return found


def test_a_browser_shows_every_picture_and_asks_for_nothing_else(
    page: str, browser: str, tmp_path: Path
) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    path = tmp_path / "index.html"
    path.write_text(page, encoding="utf-8")
    asked: list[str] = []
    said: list[str] = []
    with playwright.sync_playwright() as driver:
        # No sandbox: in a container there is none to be had, and the page is our own.
        opened_browser = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        view = opened_browser.new_page(viewport={"width": 480, "height": 900})
        view.on("request", lambda each: asked.append(each.url))
        view.on("console", lambda each: said.append(each.text))
        view.goto(path.as_uri())
        shown = view.evaluate("[...document.images].map(i => [i.id, i.complete && i.naturalWidth])")
        wide = view.evaluate("document.documentElement.scrollWidth")
        title = view.title()
        screen = view.screenshot(full_page=True)
        opened_browser.close()
    assert title == "Forgetting in alice"
    assert [name for name, width in shown if width > 500] == ALL
    assert wide <= 480
    assert [each for each in asked if not each.startswith("data:")] == [path.as_uri()]
    assert said == []
    assert len(base64.b64encode(screen)) > 50_000
