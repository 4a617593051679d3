"""A fixed story of writes: the n-th write depends on n and on what is stored, and on nothing else.

So a process may die after any of them, and whoever reads the file can tell what must be in it.
"""

import random
from collections.abc import Callable
from dataclasses import replace

from lapse.lifecycle.moving import Move, archived, restored, suppressed
from lapse.model.changeset import Changes, ChangeSet
from lapse.model.hold import Hold, HoldScope, HoldTarget
from lapse.model.instants import MINUTE, Instant
from lapse.model.memory import BankRef
from lapse.model.record import ContentChange, Record, VectorChange
from lapse.model.verbs import VERBS, Verb
from lapse.model.view import Reads, View
from lapse.testing.fakes import START, facets, memory, record, space, state, use, vector
from lapse.testing.store_contract_events import count_pending
from lapse.testing.store_contract_writes import entry

REF = BankRef(name="crash")
WORDS = tuple(f"word{at}" for at in range(60))

Part = Callable[[random.Random, int, View], Changes]


def numbered(number: int) -> ChangeSet:
    """Give the n-th write, from 1; each takes exactly one revision."""
    verb, part = STORY[number % len(STORY)]
    chance = random.Random(number)
    now = Instant(START + number * MINUTE)
    known = tuple(f"m{chance.randrange(1, number + 1)}" for _ in range(8))

    def judge(view: View) -> Changes:
        changes = part(chance, number, view)
        if changes.empty:
            changes = Changes(bank=replace(view.bank, late_events=number))
        if not VERBS[verb].journalled or changes.journal is not None:
            return changes
        named = tuple(name for name, _ in changes.states)
        draft = replace(entry(verb, *named), at=now, reason="why", reason_salt=b"salt")
        return replace(changes, journal=draft)

    reads = Reads(ids=known, pending=5 if verb is Verb.DRAIN else 0)
    return ChangeSet(verb=verb, ref=REF, now=now, reads=reads, judge=judge)


def _create(chance: random.Random, number: int, view: View) -> Changes:
    current = view.bank.space
    count = 1 if number % 2 else 12
    return Changes(
        created=tuple(
            record(
                memory(f"m{number}" if at == 0 else f"m{number}.{at}", _text(chance), ref=REF),
                vector=None if current is None else vector(current.number, [1.0, at, 0.0, 0.0]),
            )
            for at in range(count)
        )
    )


def _update(chance: random.Random, number: int, view: View) -> Changes:
    changed = []
    for each in list(view.records.values())[:3]:
        text = _text(chance)
        new = replace(memory(each.memory.id, text, ref=REF), proof_count=number)
        new = replace(new, content_version=each.memory.content_version + 1)
        changed.append(ContentChange(memory=new, facets=facets(text)))
    return Changes(revised=tuple(changed))


def _read_again(chance: random.Random, number: int, view: View) -> Changes:
    assert number > 0
    return Changes(
        reread=tuple(
            ContentChange(
                memory=each.memory,
                facets=replace(facets(each.memory.text), terms=tuple(_text(chance).split())),
            )
            for each in view.records.values()
        )
    )


def _mark(chance: random.Random, number: int, view: View) -> Changes:
    pinned = chance.random() < 0.5
    return Changes(
        states=tuple(
            (name, replace(each.state, pinned=pinned, policy_version=number))
            for name, each in view.records.items()
        ),
        amended=tuple(replace(each.memory, proof_count=number) for each in view.records.values()),
    )


def _use(chance: random.Random, number: int, view: View) -> Changes:
    return Changes(
        enqueued=tuple(use(each, f"e{chance.randrange(number)}") for each in view.records)
    )


def _drain(chance: random.Random, number: int, view: View) -> Changes:
    assert chance.random() < number
    return count_pending(view) if view.pending else Changes()


def _embed(chance: random.Random, number: int, view: View) -> Changes:
    used = [each.number for each in (view.bank.space, view.bank.building) if each is not None]
    if chance.random() < 0.3 or not used:
        new, old = space(max(used, default=0) + 1), tuple(used)
        return Changes(bank=replace(view.bank, space=new, building=None), drop_spaces=old)
    return Changes(
        vectors=tuple(
            VectorChange(
                memory_id=name,
                content_version=each.memory.content_version,
                vector=vector(used[0], [number, 1.0, 0.0, 0.0]),
            )
            for name, each in view.records.items()
        )
    )


def _remove(chance: random.Random, number: int, view: View) -> Changes:
    assert chance.random() < number
    return Changes(removed=tuple(view.records)[:2])


def _repair(chance: random.Random, number: int, view: View) -> Changes:
    counted = chance.randrange(number)
    return Changes(states=tuple((name, state(counted=counted)) for name in view.records))


def _derive(chance: random.Random, number: int, view: View) -> Changes:
    told = replace(
        memory(f"m{number}", _text(chance), ref=REF), derived_from=tuple(view.records)[:3]
    )
    return Changes(created=(record(told),))


def _move(chance: random.Random, number: int, view: View) -> Changes:
    move = Move(at=Instant(START + number * MINUTE), by="anna", reason="why")
    moved = suppressed if chance.random() < 0.5 else archived
    return Changes(states=tuple((name, moved(each.state, move)) for name, each in _some(view)))


def _restore(chance: random.Random, number: int, view: View) -> Changes:
    at = Instant(START + number * MINUTE)
    grace_days = chance.randrange(30)
    return Changes(
        states=tuple(
            (name, restored(each.state, at, dates=each.state.dates, grace_days=grace_days))
            for name, each in _some(view)
        )
    )


def _hold(chance: random.Random, number: int, view: View) -> Changes:
    target = HoldTarget(scope=HoldScope.IDS, values=(f"m{chance.randrange(number)}",))
    placed = Hold(
        name=f"h{number}",
        target=target,
        holder="clerk",
        reason="why",
        placed_at=START,
        attached=tuple(view.records)[:2],
    )
    return Changes(holds_placed=(placed,))


def _release(chance: random.Random, number: int, view: View) -> Changes:
    ended = tuple(each.name for each in view.holds if chance.random() < 0.5)
    return Changes(holds_released=ended or (f"none {number}",))


def _some(view: View) -> list[tuple[str, Record]]:
    return list(view.records.items())[:4]


def _text(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=8))


STORY: tuple[tuple[Verb, Part], ...] = (
    (Verb.REMEMBER, _create),
    (Verb.USED, _use),
    (Verb.REMEMBER_MANY, _create),
    (Verb.UPDATE, _update),
    (Verb.EMBED, _embed),
    (Verb.USED, _use),
    (Verb.DRAIN, _drain),
    (Verb.INGEST, _create),
    (Verb.PIN, _mark),
    (Verb.REDATE, _repair),
    (Verb.REREAD, _read_again),
    (Verb.UPDATE, _remove),
    (Verb.HOLD, _hold),
    (Verb.SUPPRESS, _move),
    (Verb.REMEMBER, _derive),
    (Verb.ARCHIVE, _move),
    (Verb.RELEASE, _release),
    (Verb.RESTORE, _restore),
)
"""The writes in turn: every part of a change is in one of them."""
