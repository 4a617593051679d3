"""The guide to the client runs word for word."""

from pathlib import Path

import pytest

pytest.importorskip("httpx", reason="needs the extra remote: pip install 'lapse[remote]'")

from lapse import Lapse
from tests.faces.remote_helping import listening
from tests.project_files import ROOT
from tests.test_docs import BLOCK

GUIDE = ROOT / "docs" / "how-to" / "ask-a-server.md"


def test_the_guide_to_the_client_runs_word_for_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = [each["code"] for each in BLOCK.finditer(GUIDE.read_text(encoding="utf-8"))]
    assert len(blocks) == 2
    names: dict[str, object] = {"__name__": "guide"}
    with (
        Lapse.open(tmp_path / "served.db", background=False) as lapse,
        listening(lapse, keys=True) as (url, served),
    ):
        monkeypatch.setenv("LAPSE_URL", url)
        monkeypatch.setenv("LAPSE_KEY", served.key(owner="helper", tenant="default"))
        for each in blocks:
            exec(compile(each, str(GUIDE), "exec"), names)
        told = [each.what for each in lapse.bank("alice").history("tea").happenings]
        assert len(told) >= 4
    assert capsys.readouterr().out.splitlines() == ["I prefer tea, not coffee"] * 2
