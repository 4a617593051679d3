"""A bank with something of everything, to be handed on."""

import io
from pathlib import Path

from lapse import Lapse
from lapse.bank import Bank
from lapse.testing.fakes import FakeClock, SeededEntropy, SequentialIds

WHO = {"by": "anna", "reason": "asked for"}
SECRET = "The code word of the harbour gate is Zyxquartz Vombatiform."


def opened(target: str | Path, clock: FakeClock | None = None) -> Lapse:
    """A store whose chance is that of every other one: they share the key of tombstones."""
    return Lapse.open(
        target,
        clock=clock or FakeClock("2026-06-01T09:00Z"),
        entropy=SeededEntropy(7),
        new_id=SequentialIds(),
        background=False,
    )


def filled(mind: Lapse, clock: FakeClock, name: str = "main") -> Bank:
    """A bank with history on every axis."""
    mind.bank("other").remember("The other bank holds a ferry timetable")
    bank = mind.bank(name)
    texts = [f"Ship {at} lies at pier {at * 3} of the harbour" for at in range(12)]
    bank.remember_many(
        [
            {"text": text, "id": f"m{at}", "key": f"ship/{at}" if at % 3 == 0 else None}
            for at, text in enumerate(texts)
        ]
    )
    bank.remember(SECRET, id="gone")
    bank.remember(
        "Ship 0 left for Bergen", id="later", key="ship/0", metadata={"a": [1, 2.5, None]}
    )
    bank.remember("Piers are for ships", id="both", derived_from=["m1", "m2"])
    bank.exempt(["m6"], reason=f"It was said here: {SECRET}", by="anna")
    bank.erase(["gone"], **WHO)
    clock.advance(days=2)
    bank.update("m1", text="Ship 1 was moved to pier 44 of the harbour")
    bank.used(["m2", "m4"])
    bank.drain()
    bank.used(["m5"])
    bank.archive(["m7"], **WHO)
    bank.suppress(["m8"], **WHO)
    bank.hold("matter", ids=["m4"], by="anna", reason="asked for")
    bank.supersede(old="m10", new="Ship 10 was sold to Malta")
    bank.retract("m11", reason="never so")
    bank.plan("archive", ids=["m5"])
    bank.canaries.add("Where is ship 4?", expected_ids=["m4"], by="anna")
    bank.set_policy({"recall.k": 5}, by="anna")
    return bank


def exported(bank: Bank) -> bytes:
    """What an export gives."""
    sink = io.BytesIO()
    bank.export(sink, by="anna")
    return sink.getvalue()
