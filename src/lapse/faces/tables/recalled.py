"""Answers for people: what came to mind and why, what nearly did and why not.

Decides which numbers are shown and how a reason reads. Refuses to judge: every number is the
explanation's own.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from rich.console import RenderableType
from rich.table import Column
from rich.text import Text

from lapse.engine.recalling import Why
from lapse.faces.tables.shapes import (
    EMPTY,
    Layout,
    Named,
    decimals,
    described,
    described_row,
    duration,
    label,
    line,
    moment,
    number,
    pairs,
    share,
    table,
)
from lapse.model.query import AXES, Exclusion, Explanation, Flag, Hit, Reason, Recall

TextOf = Callable[[str], str | None]
"""Text of a memory by its id, or None."""

NEAREST = 8
"""Most near misses shown."""

WORDS: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.OTHER_TENANT: "belongs to somebody else",
        Reason.OUT_OF_SCOPE: "outside what was asked for",
        Reason.OTHER_SESSION: "from another session",
        Reason.TOO_OLD: "older than was asked for",
        Reason.EXPIRED: "past its date of expiry",
        Reason.NOT_YET_VALID: "does not hold yet",
        Reason.SUPERSEDED: "a newer statement took its place",
        Reason.RETRACTED: "was taken back",
        Reason.SUPPRESSED: "was put out of mind",
        Reason.ARCHIVED: "was archived",
        Reason.ERASED: "was erased",
        Reason.NO_MATCH: "does not match the question",
        Reason.FADED: "has faded, and the cue is not strong",
        Reason.DUPLICATE: "says the same as a better one",
        Reason.NOT_DIVERSE: "too like what is in already",
        Reason.OVER_COUNT: "more were relevant than asked for",
        Reason.OVER_BUDGET: "does not fit the budget",
    }
)
"""What each reason means, in words."""

_FLAGS: Mapping[Flag, str] = MappingProxyType(
    {
        Flag.CLOCK_SKEW: "dated in the future",
        Flag.PINNED: "pinned",
        Flag.VERIFIED: "verified",
        Flag.EXEMPT: "exempt",
        Flag.STRONG_CUE: "strong cue",
        Flag.NO_VECTOR: "no vector yet",
        Flag.PENDING_USE: "a use still waits",
    }
)


def recall_parts(result: Recall, text_of: TextOf, layout: Layout) -> Iterator[RenderableType]:
    """The hits, the near misses, and what to know of the recall itself."""
    if result.hits:
        yield _hits("comes to mind", result.hits, layout)
    else:
        yield Text("Nothing comes to mind.")
    if result.revived:
        yield EMPTY
        yield _hits("put out of mind, but the cue is strong", result.revived, layout)
    if result.exclusions:
        yield EMPTY
        yield _misses(result.exclusions[:NEAREST], text_of, layout)
        rest = result.exclusions[NEAREST:]
        if rest:
            yield line(f"and {len(rest)} more: {_tally(rest)}")
    yield EMPTY
    yield _footer(result)


def why_parts(result: Why, text_of: TextOf) -> Iterator[RenderableType]:
    """One sentence, then the numbers."""
    text = text_of(result.memory_id)
    if text is not None:
        yield line(f"“{text}”")
    yield line(_verdict(result))
    if result.explanation is not None:
        yield EMPTY
        yield pairs(_numbers(result.explanation))


def _hits(title: str, hits: Sequence[Hit], layout: Layout) -> RenderableType:
    names = [Named(id=each.id, text=each.text) for each in hits]
    columns = described(layout, names, _numbers_of_a_row(), [label("why it is in")])
    rows = [
        [
            Text(str(hit.rank)),
            *described_row(layout, name, _row(hit.score, hit.explanation), [_why_in(hit)]),
        ]
        for hit, name in zip(hits, names, strict=True)
    ]
    return table(title, [number("#"), *columns], rows, layout=layout)


def _misses(exclusions: Sequence[Exclusion], text_of: TextOf, layout: Layout) -> RenderableType:
    names = [Named(id=each.id, text=text_of(each.id)) for each in exclusions]
    remarks = [label("axis"), label("why it is out")]
    rows = [
        described_row(
            layout, name, _row(each.explanation.score, each.explanation), _why_out(each, layout)
        )
        for each, name in zip(exclusions, names, strict=True)
    ]
    columns = described(layout, names, _numbers_of_a_row(), remarks)
    return table("nearest misses", columns, rows, layout=layout)


def _numbers_of_a_row() -> list[Column]:
    return [number(each) for each in ("score", "relevance", "R", "need")]


def _row(score: float, explanation: Explanation) -> list[Text]:
    return [decimals(score), *_strength(explanation)]


def _strength(explanation: Explanation) -> list[Text]:
    return [
        share(explanation.relevance),
        share(explanation.retrievability),
        share(explanation.need),
    ]


def _why_in(hit: Hit) -> str:
    found = hit.explanation
    parts = []
    if found.lexical_rank is not None:
        parts.append(f"words #{found.lexical_rank}")
    if found.vector_rank is not None:
        parts.append(f"meaning #{found.vector_rank}")
    if found.boost != 1:
        parts.append(f"strength ×{found.boost:.2f}")
    if found.use_count:
        parts.append(f"used {found.use_count}×")
    parts += [_FLAGS[each] for each in found.flags]
    if hit.qualifier != "current":
        parts.append(hit.qualifier)
    return ", ".join(parts)


def _why_out(exclusion: Exclusion, layout: Layout) -> list[str]:
    detail = f" ({exclusion.detail})" if exclusion.detail else ""
    reason = f"{exclusion.reason.value}: {WORDS[exclusion.reason]}{detail}"
    axis = exclusion.axis.value
    return [axis, reason] if layout is Layout.LINES else [f"{axis}, {reason}"]


def _tally(exclusions: Sequence[Exclusion]) -> str:
    counts = Counter(each.reason for each in exclusions)
    return ", ".join(f"{count} {reason.value}" for reason, count in counts.most_common())


def _footer(result: Recall) -> Text:
    parts = [
        f"recall {result.id}",
        f"mode {result.mode.value}",
        f"{result.words} words",
        f"{result.timings.total_ms:.1f} ms",
    ]
    if result.approximate:
        parts.append("approximate")
    return Text(" · ".join(parts), style="dim")


def _verdict(result: Why) -> str:
    if result.reason is None:
        place = "" if result.rank is None else f" It is number {result.rank}."
        return f"{result.memory_id} comes to mind.{place}"
    axis = AXES[result.reason].value
    detail = f" ({result.detail})" if result.detail else ""
    return (
        f"{result.memory_id} is left out: {WORDS[result.reason]}{detail}. "
        f"Reason {result.reason.value}, axis {axis}."
    )


def _numbers(found: Explanation) -> Iterator[tuple[str, object]]:
    yield "score", decimals(found.score)
    yield "base", f"{found.base:.4f}, × {found.boost:.4f} for its strength"
    yield "relevance", share(found.relevance)
    yield "words", _arm(found.lexical, found.lexical_rank)
    yield "meaning", _arm(found.cosine, found.vector_rank)
    yield "coverage", f"{found.coverage:.3f} of the question's weight"
    yield "retrievability", share(found.retrievability)
    yield "need", f"{found.need:.3f} within 30 days"
    yield "importance", share(found.importance)
    yield "counted uses", found.use_count
    yield "last use", moment(found.last_used_at)
    yield "age counts from", moment(found.anchor)
    yield "half-life", duration(found.half_life_days)
    if found.stability_days is not None:
        yield "stability", duration(found.stability_days)
    if found.base_level_activation is not None:
        yield "activation", f"{found.base_level_activation:.3f} nats"
    for name, value in found.terms.items():
        yield f"term {name}", f"{value:.4f}"
    yield "lifecycle", found.lifecycle.value
    yield "flags", ", ".join(_FLAGS[each] for each in found.flags)


def _arm(value: float | None, rank: int | None) -> str | None:
    if value is None:
        return None
    return f"{value:.4f}" + ("" if rank is None else f", rank {rank}")
