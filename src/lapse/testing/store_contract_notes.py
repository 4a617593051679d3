"""Clauses about notes, for stores that keep them.

Decides what `lapse.ports.Notes` means, one case for each clause.
"""
# ruff: noqa: D102, S101 - a clause is a sentence by name and assertions in its body

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from lapse.model.instants import Instant
from lapse.model.note import Note, Shelf
from lapse.ports import KeepsNotes, Notes, Store
from lapse.testing.fakes import START


def note(name: str, *, shelf: Shelf = Shelf.ANSWER, place: str = "t/a") -> Note:
    """Give a new note of that name."""
    return Note(shelf=shelf, name=name, place=place, body=name.encode())


def notes_of(store: Store) -> Notes:
    """Give a store's notes.

    Raises:
        TypeError: It keeps none.
    """
    if not isinstance(store, KeepsNotes):
        raise TypeError("this store keeps no notes")
    return store.notes


class NoteClauses:
    """Notes are kept whole, apart from the banks, and change one version at a time."""

    def test_a_note_comes_back_as_it_was_put(self, store: Store) -> None:
        notes = notes_of(store)
        assert notes.get(Shelf.KEY, "a") is None
        told = replace(note("ünï", shelf=Shelf.KEY), body=b"\x00\xff", until=START)
        assert notes.put(told)
        assert notes.get(Shelf.KEY, "ünï") == told
        assert notes.get(Shelf.ANSWER, "ünï") is None
        assert notes.get(Shelf.KEY, "lone \ud800") is None

    def test_a_note_changes_only_to_its_next_version(self, store: Store) -> None:
        notes = notes_of(store)
        assert not notes.put(replace(note("a"), version=2))
        assert notes.put(note("a"))
        assert not notes.put(replace(note("a"), body=b"other"))
        second = replace(note("a"), version=2, body=b"second")
        assert notes.put(second)
        assert not notes.put(second)
        assert notes.get(Shelf.ANSWER, "a") == second

    def test_of_many_who_put_the_same_note_one_succeeds(self, store: Store) -> None:
        notes = notes_of(store)
        with ThreadPoolExecutor(max_workers=8) as pool:
            done = list(
                pool.map(lambda at: notes.put(replace(note("a"), body=bytes([at]))), range(32))
            )
        assert done.count(True) == 1
        kept = notes.get(Shelf.ANSWER, "a")
        assert kept is not None
        assert kept.body == bytes([done.index(True)])

    def test_a_shelf_is_listed_by_name(self, store: Store) -> None:
        notes = notes_of(store)
        for each in ("b", "a", "c"):
            notes.put(note(each))
        notes.put(note("k", shelf=Shelf.KEY))
        assert [each.name for each in notes.on(Shelf.ANSWER)] == ["a", "b", "c"]
        assert notes.on(Shelf.JOB) == []

    def test_what_belongs_to_a_place_is_cleared_together(self, store: Store) -> None:
        notes = notes_of(store)
        for name, place in (("a", "t/x"), ("b", "t/x"), ("c", "t/xy"), ("d", "t/%")):
            notes.put(note(name, place=place))
        notes.put(note("a", shelf=Shelf.JOB, place="t/x"))
        assert notes.clear(Shelf.ANSWER, "t/x") == 2
        assert notes.clear(Shelf.ANSWER, "t/%") == 1
        assert [each.name for each in notes.on(Shelf.ANSWER)] == ["c"]
        assert [each.name for each in notes.on(Shelf.JOB)] == ["a"]
        assert notes.put(note("a"))

    def test_what_has_had_its_time_is_dropped(self, store: Store) -> None:
        notes = notes_of(store)
        for name, until in (("a", START), ("b", None), ("c", Instant(START + 1))):
            notes.put(replace(note(name), until=until))
        assert notes.expire(START) == 1
        assert [each.name for each in notes.on(Shelf.ANSWER)] == ["b", "c"]
