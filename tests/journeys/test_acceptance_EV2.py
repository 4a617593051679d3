"""EV2: a source is erased: each kind of what was made of it is gone, or cut to what supports it.

Control: what was made of a sibling source is untouched.
Waits: the answer cache and reflection, which make what they make as any caller does.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from lapse.bank import Bank
from lapse.errors import NotFoundError
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import everything, hit_ids

WHO = {"by": "anna", "reason": "she asked for it"}
SOURCES = {
    "secret": "The vault of the Marlowe house opens with Zyxquartz.",
    "sibling": "The cellar of the Marlowe house opens with Bluebell.",
}
DERIVED: Mapping[str, Mapping[str, object]] = {
    "summary": {"text": "There is a word for the {}", "kind": "semantic"},
    "fact": {"text": "{} has a lock", "key": "{}/lock", "value": "word"},
    "procedure": {"text": "Say the word to open the {}", "kind": "procedural"},
    "summary of a summary": {"text": "Some words about the {}", "kind": "semantic"},
}


def _tell(bank: Bank, source: str) -> None:
    bank.remember(SOURCES[source], id=source)
    for kind, draft in DERIVED.items():
        told = {name: str(value).format(source) for name, value in draft.items()}
        of = f"{source}/summary" if kind == "summary of a summary" else source
        bank.remember(id=f"{source}/{kind}", derived_from=[of], **told)  # type: ignore[arg-type]  # texts all


@on_every_store
def test_each_kind_of_what_was_made_goes_with_its_source(kind: str, tmp_path: Path) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        for source in SOURCES:
            _tell(bank, source)
        bank.remember("Both rooms have locks", id="both", derived_from=["secret", "sibling"])
        bank.archive(["secret/procedure"], **WHO)
        bank.canaries.add("What opens the vault?", ["secret", "secret/summary"], by="anna")
        bank.canaries.add("What opens the cellar?", ["sibling"], by="anna")
        bank.used(["secret", "secret/fact"])
        shown = bank.preview_erasure(["secret"])
        done = bank.erase(["secret"], **WHO)
        assert set(done.derived) == {f"secret/{each}" for each in DERIVED}
        assert (shown.derived, shown.cut) == (done.derived, done.cut)
        assert done.cut == ("both",)
        assert bank.get("both").memory.derived_from == ("sibling",)
        for each in ("secret", *done.derived):
            with pytest.raises(NotFoundError):
                bank.get(each)
        kept = {each.memory.id for each in everything(bank)}
        assert kept == {"both", "sibling", *(f"sibling/{each}" for each in DERIVED)}
        for query in ("the vault of the Marlowe house", "word secret lock", "Zyxquartz"):
            found = {*hit_ids(bank.recall(query, k=50))}
            found |= {each.id for each in bank.recall(query, k=50).exclusions}
            assert not [each for each in found if each.startswith("secret")]
        assert not list(bank.search_archive("word vault secret").hits)
        assert [each.query for each in bank.canaries] == ["What opens the cellar?"]
        assert bank.drain() is not None
        assert list(bank.doctor()) == []
