"""One life of a bank, told step by step, for stores to be compared by what they answer.

Decides what happens and what is written down of each step: whole answers, byte for byte, but for
how long they took and for what only the kind of store can know. Refuses to judge.
"""

import io
from collections.abc import Callable, Mapping
from dataclasses import replace

from lapse import Lapse
from lapse.bank import Bank
from lapse.errors import TombstonedError
from lapse.model.codec import dumps
from lapse.model.query import Recall
from lapse.model.receipt import Receipt
from lapse.testing.fakes import FakeClock

SETTINGS: Mapping[str, object] = {
    "forgetting.mode": "lifecycle",
    "forgetting.auto_apply": True,
    "retention.grace_days": 0,
    "retention.max_active": "none",
    "reinforcement.access_log": True,
}

TEXTS = (
    "Ann drinks oat milk tea in the morning",
    "Ann drank coffee until the doctor told her not to",
    "The ferry to Bornholm leaves at 17:40 from pier 3",
    "The ferry to Bornholm left late because of the fog",
    "Ærøskøbing has a harbour for sixty boats",
    "Order 4711 was shipped to Jon Smith, jon@example.org",
    "Order 4712 was shipped to Jon Smith, jon@example.org",
    "東京の会議は午後三時に始まる",
    "The wifi password of the boat house is harbour-1927",
    "Naïve Zoë met Ångström at the café",
    "Invoice 88 is due, invoice 89 is not due",
    "Mia plays the cello on Tuesdays",
)
SECRET = "The vault of Nils opens with 9-31-7"
QUESTIONS = (
    "When does the ferry to Bornholm leave?",
    "what does Ann drink",
    "Which order went to Jon Smith?",
    "会議は何時に始まる",
    "harbour",
    "Who plays on Tuesdays?",
    "What opens the vault of Nils?",
    "nothing of this kind was ever said",
)
OF_THE_KIND_OF_STORE = ("places", "log_emptied", "rebuilt", "public_key", "signature")
"""Fields of a receipt that say what this kind of store did to its own files, or who signed."""

Told = dict[str, str]


def tell_story(mind: Lapse, clock: FakeClock) -> Told:
    """Live through it. Gives what was answered, by the name of the step."""
    bank = mind.bank("alice")
    steps: Mapping[str, Callable[[Bank, FakeClock], object]] = {
        "told": _tell,
        "asked at once": _ask,
        "used": _use,
        "asked after use": _ask,
        "corrected": _correct,
        "asked of the past": _ask_of_the_past,
        "planned": _plan,
        "asked later": _ask,
        "swept": _sweep,
        "asked after the sweep": _ask,
        "erased": _erase,
        "told again": _tell_again,
        "asked at the end": _ask,
        "chosen": _choose,
        "history": _history,
        "handed on": _hand_on,
    }
    return {name: dumps(step(bank, clock)) for name, step in steps.items()}


def _tell(bank: Bank, clock: FakeClock) -> object:
    outcomes = []
    for at, text in enumerate(TEXTS * 3):
        clock.advance(hours=7)
        telling = text if at < len(TEXTS) else f"{text}, told {at // len(TEXTS)} more"
        outcomes.append(
            bank.remember(
                telling,
                session=f"s{at % 4}",
                importance=(at % 5) / 4,
                tags=["even"] if at % 2 == 0 else [],
                subject="Ann" if "Ann" in text else None,
            )
        )
    outcomes.append(bank.remember("I drink tea", id="tea", key="user/drink", value="tea"))
    outcomes.append(bank.remember(SECRET, id="vault"))
    outcomes.append(bank.remember("Nils keeps a vault", id="sum", derived_from=["vault"]))
    return outcomes


def _ask(bank: Bank, clock: FakeClock) -> object:
    clock.advance(hours=1)
    return [_answer(bank.recall(each, k=4, budget_words=40)) for each in QUESTIONS]


def _answer(told: Recall) -> object:
    return [told.at, told.hits, told.revived, list(told.exclusions), told.words, told.warnings]


def _use(bank: Bank, clock: FakeClock) -> object:
    for at in range(6):
        clock.advance(days=1)
        bank.used(["m00000003", "m00000009"], event_id=f"use {at}")
    bank.used(["m00000001"], event_id="once", source="reconfirmed")
    folded = bank.drain()
    return [folded, bank.get("m00000003"), bank.why(QUESTIONS[0], "m00000003").explanation]


def _correct(bank: Bank, clock: FakeClock) -> object:
    clock.advance(days=2)
    told = [
        bank.remember("I drink milk now", id="milk", key="user/drink", value="milk"),
        bank.supersede(new="The ferry to Bornholm leaves at 18:10", old="m00000003"),
        bank.retract("m00000011", reason="it was never so"),
        bank.update("m00000012", text="Mia plays the violin on Tuesdays"),
    ]
    return [told, [_answer(bank.recall(each, k=4)) for each in QUESTIONS]]


def _ask_of_the_past(bank: Bank, clock: FakeClock) -> object:
    view = bank.as_of(recorded=clock.now() - 3 * 86_400_000_000)
    return [_answer(view.recall(each, k=4)) for each in QUESTIONS]


def _plan(bank: Bank, clock: FakeClock) -> object:
    clock.advance(days=20)
    bank.hold("case 7", by="counsel", reason="a matter", ids=["m00000002"])
    plan = bank.plan("suppress", percentile=30, score="need", by="operator")
    bank.approve(plan.id, by="chief", reason="tidy")
    applied = bank.apply(plan.id)
    back = bank.restore([applied.items[0].memory_id], by="operator", reason="still wanted")
    return [plan, applied, back, bank.holds()]


def _sweep(bank: Bank, clock: FakeClock) -> object:
    clock.advance(days=200)
    swept = bank.sweep(by="night")
    return [swept.outcome, swept.report, bank.sweep(by="night").outcome]


def _erase(bank: Bank, clock: FakeClock) -> object:
    clock.advance(days=1)
    erased = bank.erase(["vault"], by="ann", reason="asked for")
    return [erased.erased, erased.derived, _plain(erased.receipt)]


def _tell_again(bank: Bank, clock: FakeClock) -> object:
    clock.advance(hours=1)
    try:
        return bank.remember(SECRET, id="again")
    except TombstonedError as error:
        return str(error)


def _plain(receipt: Receipt | None) -> object:
    assert receipt is not None
    told = {name: getattr(receipt, name) for name in Receipt.__dataclass_fields__}
    return {name: value for name, value in told.items() if name not in OF_THE_KIND_OF_STORE}


def _choose(bank: Bank, clock: FakeClock) -> object:
    clock.advance(hours=1)
    return [bank.select("everything about the ferry to Bornholm"), bank.select(tag="even")]


def _history(bank: Bank, clock: FakeClock) -> object:
    clock.advance(hours=1)
    told = [bank.history(each) for each in ("m00000003", "m00000012", "tea")]
    return [told, bank.verify_journal(), replace(bank.stats(history=True), store_bytes=0)]


def _hand_on(bank: Bank, clock: FakeClock) -> object:
    clock.advance(hours=1)
    lines = io.BytesIO()
    bank.export(lines, by="ann")
    return lines.getvalue().decode()
