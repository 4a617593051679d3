"""Own case of K29: one store sorts names by a language, another by their bytes."""

from tests.reports.helping import Place, hit_ids

NAMES = ("Zoe", "anna", "Ärger", "zebra", "Anna", "_x", "ä", "10", "9", "é", "e\u0301a")


def test_names_come_in_the_order_of_their_bytes_on_every_store(place: Place) -> None:
    mind = place.open()
    for name in NAMES:
        mind.bank(name).remember("The harbour is quiet", id="m")
    assert list(mind.banks()) == sorted(NAMES, key=str.encode)


def test_ids_that_differ_in_case_or_accent_are_two_memories(place: Place) -> None:
    bank = place.bank()
    for at, name in enumerate(NAMES):
        bank.remember(f"harbour number{at}", id=name)
    for at, name in enumerate(NAMES):
        assert bank.get(name).memory.text == f"harbour number{at}"
    assert len(hit_ids(bank.recall("harbour", k=20))) == len(NAMES)
