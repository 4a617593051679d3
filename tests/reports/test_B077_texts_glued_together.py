"""B077: automatic merging glues texts together and cuts parts away, with no trace and no switch.

Design differs: there is no merging to switch on; nothing that runs by itself changes a text.
"""

from tests.reports.helping import Place, ago, everything, hit_ids

WORDS = (
    *("anchor", "bollard", "capstan", "davit", "escutcheon"),
    *("fairlead", "gunwale", "halyard", "inhaul", "jackstay"),
)


def note(word: str) -> str:
    filler = "the harbour master wrote a long report about the weather of the day"
    text = f"{word} " + " ".join([filler] * 40)
    return text[:2000]


def test_nothing_is_merged_and_every_word_is_found(place: Place) -> None:
    settings = {"forgetting.mode": "lifecycle"}
    bank = place.bank(settings)
    bank.remember_many(
        {"text": note(word), "id": word, "created_at": ago(days=at)}
        for at, word in enumerate(WORDS)
    )
    before = {each.memory.id: each.memory for each in everything(bank)}
    for _ in range(3):
        place.clock.advance(days=2)
        bank.drain()
    after = {each.memory.id: each.memory for each in everything(bank)}
    assert after == before
    for word in WORDS:
        assert hit_ids(bank.recall(word, k=1)) == [word]
