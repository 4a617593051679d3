"""The door lets in whoever shows a key that holds, and tells nobody why it does not."""

import hashlib
from dataclasses import replace

import pytest

from lapse.errors import LimitError, NotFoundError, UnknownCallerError, ValidationError
from lapse.faces.access import ApiKey, Door, Grant, Issued, KeyRing, Role
from lapse.faces.access.door import FORGOTTEN_S, FREE_FAILURES, LONGEST_WAIT_S
from lapse.faces.access.keys import halves
from lapse.model.instants import SECOND, Instant
from lapse.model.note import Shelf
from lapse.stores.memory_notes import HeldNotes
from lapse.testing.fakes import START

GRANT = Grant(owner="ada", role=Role.WRITER, tenant="acme", banks=("notes",))
WRONG = "lapse_" + "0" * 12 + "_" + "1" * 64


class Chance:
    """Bytes that differ each time and are the same in every run."""

    def __init__(self, begin: int = 0) -> None:
        self.count = begin

    def __call__(self, count: int, /) -> bytes:
        self.count += 1
        return hashlib.shake_256(str(self.count).encode()).digest(count)


@pytest.fixture
def ring() -> KeyRing:
    return KeyRing(HeldNotes())


@pytest.fixture
def issued(ring: KeyRing) -> Issued:
    return ring.create(GRANT, now=START, entropy=Chance())


@pytest.fixture
def door(ring: KeyRing) -> Door:
    return Door(ring, Chance())


def later(seconds: float) -> Instant:
    return Instant(START + round(seconds * SECOND))


def refused(door: Door, written: str | None, *, now: Instant = START, address: str = "a") -> str:
    with pytest.raises(UnknownCallerError) as caught:
        door.admit(written, address=address, now=now)
    return str(caught.value)


def test_a_key_opens_the_door_for_its_owner(door: Door, issued: Issued) -> None:
    caller = door.admit(issued.written, address="a", now=START)
    assert (caller.grant, caller.key_id) == (GRANT, issued.key.id)


def test_a_secret_is_kept_nowhere() -> None:
    notes = HeldNotes()
    issued = KeyRing(notes).create(GRANT, now=START, entropy=Chance())
    found = halves(issued.written)
    assert found is not None
    (note,) = notes.on(Shelf.KEY)
    assert found[1].encode() not in note.body
    assert bytes.fromhex(found[1]) not in note.body
    assert found[0].encode() in note.body


def test_wrong_unknown_expired_and_revoked_keys_get_the_same_answer(
    ring: KeyRing, door: Door, issued: Issued
) -> None:
    short = ring.create(replace(GRANT, expires_at=later(60)), now=START, entropy=Chance(100))
    gone = ring.create(GRANT, now=START, entropy=Chance(200))
    ring.revoke(gone.key.id, now=START)
    answers = {
        refused(door, issued.written[:-64] + "f" * 64),
        refused(door, WRONG),
        refused(door, "nonsense"),
        refused(door, ""),
        refused(door, short.written, now=later(60)),
        refused(door, gone.written),
    }
    assert len(answers) == 1
    assert door.admit(short.written, address="b", now=later(59)).grant.owner == "ada"


def test_no_key_is_told_how_to_show_one(door: Door) -> None:
    assert "Bearer" in refused(door, None)


def test_a_key_that_is_revoked_twice_stays_as_it_was(ring: KeyRing, issued: Issued) -> None:
    first = ring.revoke(issued.key.id, now=later(1))
    assert ring.revoke(issued.key.id, now=later(2)) == first
    assert [each.revoked_at for each in ring.all()] == [later(1)]
    with pytest.raises(NotFoundError):
        ring.revoke("nobody", now=START)


def test_whoever_keeps_showing_wrong_keys_waits_longer_each_time(door: Door) -> None:
    now = START
    for _ in range(FREE_FAILURES):
        refused(door, WRONG, now=now)
    waits = []
    for _ in range(8):
        with pytest.raises(LimitError) as caught:
            # The first of them is the last free one.
            refused_or_limited(door, now)
        assert caught.value.retry_after_s is not None
        waits.append(caught.value.retry_after_s)
        now = Instant(now + round(caught.value.retry_after_s * SECOND))
        refused(door, WRONG, now=now)
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert max(waits) == LONGEST_WAIT_S


def refused_or_limited(door: Door, now: Instant) -> None:
    door.admit(WRONG, address="a", now=now)


def test_waiting_is_asked_of_the_one_who_failed_alone(door: Door, issued: Issued) -> None:
    for _ in range(FREE_FAILURES):
        refused(door, WRONG)
        refused(door, issued.written[:-64] + "f" * 64, address="b")
    for written, address in ((WRONG, "a"), (issued.written, "b")):
        with pytest.raises(LimitError):
            door.admit(written, address=address, now=START)
    assert door.admit(issued.written, address="a", now=START).key_id == issued.key.id
    assert door.admit(issued.written, address="c", now=START).key_id == issued.key.id


def test_failures_are_forgotten_in_time_and_by_a_right_key(door: Door, issued: Issued) -> None:
    wrong = issued.written[:-64] + "f" * 64
    for _ in range(FREE_FAILURES - 1):
        refused(door, wrong)
    door.admit(issued.written, address="a", now=START)
    for _ in range(FREE_FAILURES):
        refused(door, wrong)
    for _ in range(FREE_FAILURES - 1):
        refused(door, wrong, now=later(FORGOTTEN_S + 10))
    admitted = door.admit(issued.written, address="a", now=later(FORGOTTEN_S + 10))
    assert admitted.key_id == issued.key.id


def test_what_a_key_cannot_be_given_for_is_said_at_once() -> None:
    with pytest.raises(ValidationError) as caught:
        Grant(owner=" ", role=Role.READER, tenant="", banks=())
    assert {each.field for each in caught.value.faults} == {"owner", "tenant", "banks"}


@pytest.mark.parametrize(
    ("tenant", "banks", "reached", "foreign"),
    [
        ("acme", ("notes",), [("acme", "notes")], [("acme", "other"), ("acme", None)]),
        ("acme", ("*",), [("acme", "x"), ("acme", None)], [("other", "x"), ("acm", "x")]),
        ("*", ("*",), [("a", "b"), ("c", None)], [("*", "b"), ("a", "*"), ("*", None)]),
        ("*", ("notes",), [("a", "notes")], [("a", "note"), ("a", "notes2"), ("a", None)]),
        ("ana_lee", ("*",), [("ana_lee", "x")], [("ana-lee", "x"), ("anaXlee", "x"), ("%", "x")]),
    ],
)
def test_a_key_reaches_exactly_what_it_names(
    tenant: str,
    banks: tuple[str, ...],
    reached: list[tuple[str, str | None]],
    foreign: list[tuple[str, str | None]],
) -> None:
    grant = Grant(owner="ada", role=Role.READER, tenant=tenant, banks=banks)
    assert all(grant.reaches(*each) for each in reached)
    assert not any(grant.reaches(*each) for each in foreign)


def test_a_record_is_read_back_as_it_was_kept(ring: KeyRing, issued: Issued) -> None:
    found = ring.find(issued.key.id)
    assert isinstance(found, ApiKey)
    assert found == issued.key
    assert ring.find("f" * 12) is None
