"""The decay guide: what each preset would keep, find and lose, as a page with a table and pictures.

Every preset lives the same conversations: told session by session, half of the questions asked as
soon as they can be answered (and what is found reported as cited), the other half a day after the
end. At the share 1 the preset lets go by its own level, grace and sweeps; at 0.5 half of what was
told has to go. Beside it stands what its law says of a memory that is told once, and what it would
have kept of access logs.

    python -m benchmarks.decay_guide --data locomo.json [--logs a.csv …] [--out docs/explanation]

Decides what the guide shows. Refuses to hold any of the data: figures and curves alone are written.
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from matplotlib.figure import Figure

from benchmarks.access_log import read_log
from benchmarks.common import (
    Json,
    add_data,
    arguments,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from benchmarks.conversations import Conversation, read_conversations
from benchmarks.fit import entries_of
from lapse import Lapse
from lapse.faces.plots import draw_laws
from lapse.lab.comparing import SHARES, Curve
from lapse.lab.corpus import Conversation as Corpus
from lapse.lab.corpus import Question, Told
from lapse.lab.fitting import Window
from lapse.lab.living import Lived, live_under
from lapse.lab.policies import policy_of, read_policies
from lapse.lab.reporting import compared_on_log
from lapse.laws.table import law_table
from lapse.model import presets
from lapse.model.instants import HOUR, Instant, parse_instant
from lapse.model.memory import JsonValue, Kind

KEPT: Final = (1.0, 0.5)
IMPORTANCES: Final = (0.0, 0.5, 1.0)
REST: Final = 25 * HOUR
GUIDE: Final = "decay-guide.md"
PICTURES: Final = "images"
MARK: Final = "<!-- From `python -m benchmarks.decay_guide`: {} -->"


def main() -> None:
    """Measure, print, and write the guide's table and pictures where asked."""
    parser = arguments(__doc__ or "")
    add_data(parser, help="a file in LoCoMo's format")
    parser.add_argument(
        "--logs", type=Path, nargs="*", default=[], help="file touches, as for need"
    )
    parser.add_argument("--out", type=Path, help="folder of the guide; nothing is written without")
    options = parser.parse_args()
    policies = read_policies(presets.NAMES, {})
    lived = live(read_conversations(options.data), policies)
    logs = {path.stem: on_log(path, policies) for path in options.logs}
    outcome = envelope("decay_guide", results(policies, lived, logs))
    if options.out is not None:
        write(options, policies, lived, logs, outcome.date)
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    print_table("presets", list(_heads(logs)), list(_rows(policies, lived, logs)))


def live(
    conversations: Sequence[Conversation], policies: Mapping[str, Mapping[str, JsonValue]]
) -> dict[str, tuple[Lived, ...]]:
    """Live every conversation under every preset, in RAM."""
    with Lapse.open("memory://", background=False) as mind:
        corpus = [corpus_of(each) for each in conversations]
        return live_under(mind.parts, corpus, policies, kept=KEPT)


def corpus_of(conversation: Conversation) -> Corpus:
    """A conversation as a corpus: every other question is asked when it can be answered."""
    ends: dict[str, Instant] = {}
    place: dict[str, str] = {}
    for turn in conversation.turns:
        ends[turn.session] = parse_instant(turn.at, "at")
        place[turn.id] = turn.session
    questions = []
    for number, each in enumerate(conversation.questions):
        known = [ends[place[name]] for name in each.evidence if name in place]
        if known:
            at = Instant(max(known) + REST) if number % 2 == 0 else None
            evidence = frozenset(each.evidence)
            questions.append(Question(at=at, text=each.text, evidence=evidence))
    told = tuple(
        Told(
            at=parse_instant(turn.at, "at"),
            id=turn.id,
            session=turn.session,
            draft={
                "id": turn.id,
                "text": turn.text,
                "session": turn.session,
                "created_at": turn.at,
            },
        )
        for turn in sorted(conversation.turns, key=lambda each: each.at)
    )
    return Corpus(name=conversation.name, told=told, questions=tuple(questions))


def on_log(path: Path, policies: Mapping[str, Mapping[str, JsonValue]]) -> dict[str, Curve]:
    """What each preset's law, and what needs no law, would have kept of a log."""
    return compared_on_log(entries_of(read_log(path)), policies, Window())


def results(
    policies: Mapping[str, Mapping[str, JsonValue]],
    lived: Mapping[str, Sequence[Lived]],
    logs: Mapping[str, Mapping[str, Curve]],
) -> dict[str, Json]:
    """Figures by preset."""
    return {
        name: {
            "due_after_days": dict(zip(map(str, IMPORTANCES), _due(policies[name]), strict=True)),
            "lived": [
                {
                    "kept": each.kept,
                    "recall": round(each.recall, 4),
                    "words": round(each.words, 1),
                    "needed_after_forgotten": round(each.needed_after_forgotten, 1),
                    "active_at_the_end": _left(each),
                }
                for each in lived[name]
            ],
            "hit20": {log: round(_hit20(curves[name]), 4) for log, curves in logs.items()},
        }
        for name in policies
    }


def write(
    options: Namespace,
    policies: Mapping[str, Mapping[str, JsonValue]],
    lived: Mapping[str, Sequence[Lived]],
    logs: Mapping[str, Mapping[str, Curve]],
    date: str,
) -> None:
    """Write the pictures, and the table between its marks in the guide."""
    pictures = options.out / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    draw_laws(pictures / "decay-laws.png", presets.NAMES, [Kind.EPISODIC.value])
    _draw_sizes(pictures / "decay-active-set.png", lived)
    for log, curves in logs.items():
        _draw_kept(pictures / f"decay-kept-{log}.png", curves)
    heads = list(_heads(logs))
    lines = [
        f"Measured {date[:10]}.",
        "",
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
        *(f"| {' | '.join(map(_shown, row))} |" for row in _rows(policies, lived, logs)),
    ]
    guide = options.out / GUIDE
    begin, end = MARK.format("begin"), MARK.format("end")
    before, _, rest = guide.read_text(encoding="utf-8").partition(begin)
    after = rest.partition(end)[2]
    body = "\n".join(lines)
    guide.write_text(f"{before}{begin}\n\n{body}\n\n{end}{after}", encoding="utf-8")


def _heads(logs: Mapping[str, object]) -> Iterator[str]:
    yield from ("preset", "law")
    yield from (f"due after, importance {each:g}" for each in IMPORTANCES)
    yield from ("recall as it is", "active left", "needed after, of 1,000", "recall at half")
    yield from (f"{log}: uses on a fifth" for log in logs)


def _rows(
    policies: Mapping[str, Mapping[str, JsonValue]],
    lived: Mapping[str, Sequence[Lived]],
    logs: Mapping[str, Mapping[str, Curve]],
) -> Iterator[tuple[object, ...]]:
    for name, settings in policies.items():
        whole, half = lived[name]
        yield (
            name,
            policy_of(settings).law.name.value,
            *map(_days, _due(settings)),
            whole.recall,
            _left(whole),
            whole.needed_after_forgotten,
            half.recall,
            *(_hit20(curves[name]) for curves in logs.values()),
        )


def _due(settings: Mapping[str, JsonValue]) -> list[float | None]:
    """Days from a single telling to the level, by importance, before any grace."""
    table = law_table(policy_of(settings), [Kind.EPISODIC], IMPORTANCES, (0,))
    falls = [row.falls[-1].after_days if row.falls else None for row in table.rows]
    return [None if each is None else round(each, 1) for each in falls]


def _left(lived: Lived) -> float:
    """Share of what was told that is active at the end of the conversations."""
    last = [
        each
        for each, after in zip(lived.sizes, [*lived.sizes[1:], None], strict=True)
        if after is None or after.told < each.told
    ]
    return round(sum(each.active for each in last) / sum(each.told for each in last), 4)


def _hit20(curve: Curve) -> float:
    return curve.hit_rates[SHARES.index(0.2)]


def _days(days: float | None) -> str:
    if days is None:
        return "never"
    return (
        f"{days:.1f} d" if days < 10 else f"{days:.0f} d" if days < 730 else f"{days / 365:.0f} y"
    )


def _shown(cell: object) -> str:
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)


def _draw_sizes(path: Path, lived: Mapping[str, Sequence[Lived]]) -> None:
    figure = Figure(figsize=(8, 4.4), dpi=130, layout="constrained")
    axes = figure.subplots()
    for name, (whole, _) in lived.items():
        shares = [each.active / each.told for each in whole.sizes]
        axes.plot(shares, linewidth=1.5, label=name)
    axes.set_ylim(0, 1.03)
    axes.set_xlabel("sessions, one conversation after another")
    axes.set_ylabel("share of what was told that is active")
    axes.legend(fontsize=8, frameon=False, ncols=3)
    figure.savefig(path, format="png", metadata={"Software": None})


def _draw_kept(path: Path, curves: Mapping[str, Curve]) -> None:
    figure = Figure(figsize=(8, 4.4), dpi=130, layout="constrained")
    axes = figure.subplots()
    for name, curve in curves.items():
        known = name in presets.NAMES
        style = "solid" if known else (0, (4, 2))
        axes.plot(
            SHARES, curve.hit_rates, linewidth=1.5 if known else 1, linestyle=style, label=name
        )
    axes.set_ylim(0, 1.03)
    axes.set_xlabel("share of the memories that is kept")
    axes.set_ylabel("share of the uses in the next 30 days that falls on them")
    axes.legend(fontsize=8, frameon=False, ncols=3)
    figure.savefig(path, format="png", metadata={"Software": None})


if __name__ == "__main__":
    main()
