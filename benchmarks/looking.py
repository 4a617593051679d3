"""What looking costs: after a telling for what it replaces, and through a bank for what is meant.

remember_ms, looked_ms  telling one statement with `truth.detect` off and on act
select_ms               one wish in plain words ("everything about …")
identifier_ms           one exact identifier, found by its rows

    python -m benchmarks.looking [--sizes 1000,10000] [--json]

Texts are recombined sentences about made-up people; medians of `--rounds` calls.
"""

from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter

from benchmarks.common import (
    Json,
    arguments,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from lapse import Lapse
from lapse.bank import Bank

NAMES = ("Berit", "Tomasz", "Amaka", "Ines", "Oskar", "Yuki", "Petra", "Samir", "Lotte", "Hugo")
DOES = ("lives in", "works at", "likes", "drives to", "paints", "manages", "studies", "visited")
WHAT = ("Gdynia", "the mill", "old maps", "Porto", "the harbour office", "tall ships", "Latin")
MEASURES = ("remember_ms", "looked_ms", "select_ms", "identifier_ms")


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    parser.add_argument(
        "--sizes",
        type=lambda text: [int(each) for each in text.split(",")],
        default=[1000, 10000],
        metavar="N,N",
        help="memories in the bank",
    )
    parser.add_argument("--rounds", type=int, default=20, help="calls of each kind")
    options = parser.parse_args()
    results: dict[str, Json] = {
        str(size): measure(size, rounds=options.rounds) for size in options.sizes
    }
    outcome = envelope("looking", results)
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    rows = [
        (size, *(f"{each[name]:.2f}" for name in MEASURES))
        for size, each in results.items()
        if isinstance(each, dict)
    ]
    print_table("what looking costs", ["memories", *MEASURES], rows)


def measure(size: int, *, rounds: int) -> dict[str, Json]:
    """Every measure in milliseconds, in a bank of so many memories."""
    random = Random(size)  # noqa: S311 - texts, no secrets
    with Lapse.open("memory://", background=False) as app:
        bank = app.bank("looking")
        bank.remember_many([{"text": _text(random, at)} for at in range(size)])
        bank.recall("Who lives in Porto?")
        told = iter(range(size, size + 2 * rounds))
        plain = _median(rounds, lambda: bank.remember(_text(random, next(told))))
        bank.set_policy({"truth.detect": "act"})
        looked = _median(rounds, lambda: bank.remember(_text(random, next(told))))
        return {
            "remember_ms": plain,
            "looked_ms": looked,
            "select_ms": _median(rounds, lambda: bank.select("everything about Berit")),
            "identifier_ms": _median(rounds, lambda: _named(bank, size // 2)),
        }


def _named(bank: Bank, number: int) -> None:
    bank.select(identifier=f"CASE-{number:06}")


def _text(random: Random, number: int) -> str:
    who, does, what = random.choice(NAMES), random.choice(DOES), random.choice(WHAT)
    return f"{who} {does} {what}, case CASE-{number:06}."


def _median(rounds: int, call: Callable[[], object]) -> float:
    times = []
    for _ in range(rounds):
        started = perf_counter()
        call()
        times.append(1e3 * (perf_counter() - started))
    return median(times)


if __name__ == "__main__":
    main()
