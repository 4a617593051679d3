"""TB5: the original transcript is ingested again after an erasure: no row carries what was erased.

Control: its other sentences arrive.
"""

from pathlib import Path

from lapse.model.outcome import Action
from tests.journeys.acceptance import on_every_store, place_on
from tests.reports.helping import everything

WHO = {"by": "anna", "reason": "she asked for it"}
SECRET = "My PIN for the bank is 4821."
TRANSCRIPT = [
    {"role": "user", "content": "I moved the piano on Tuesday."},
    {"role": "user", "content": SECRET},
    {"role": "assistant", "content": f"Noted. {SECRET} Anything else?"},
    {"role": "user", "content": "The cat of the neighbours is called Momo."},
]


@on_every_store
def test_a_transcript_fed_again_brings_everything_but_what_was_erased(
    kind: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        bank = place.bank()
        first = bank.ingest(TRANSCRIPT, session="s1")
        bank.erase([first[1].id, first[2].id], **WHO)
        again = bank.ingest(TRANSCRIPT, session="s2")
        actions = [each.action for each in again]
        assert actions == [
            Action.RECONFIRMED,
            Action.REFUSED,
            Action.REFUSED,
            Action.RECONFIRMED,
        ]
        kept = [each.memory.text for each in everything(bank)]
        assert not [each for each in kept if "4821" in each]
        assert sorted(kept) == sorted(TRANSCRIPT[at]["content"] for at in (0, 3))
