"""What the story claims, judged by what happened.

Decides which statements a reader is told at the end, and whether each is true of this run. Refuses
to assume any of them: a statement that does not hold is told as such, and the demo fails.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lapse.faces.demo.conversation import Followed, Part
from lapse.faces.demo.play import Curve, Experience, Pair, Seen, Standing
from lapse.model.query import Recall


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement about the run.

    Attributes:
        topic: Names it for tests: `trays`, or the followed memory and what is said of it.
        sentence: The statement with its numbers; where it does not hold, what is the case instead.
        holds: Whether it is true.
    """

    topic: str
    sentence: str
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A tray that came out differently because of forgetting: same store, same instant."""

    seen: Seen
    pair: Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Evidence that trays hold, with forgetting (`bent`) and without (`plain`)."""

    bent: int
    plain: int


def claims(experience: Experience) -> tuple[Claim, ...]:
    """Every statement of the story, in the order of telling."""
    found = [_trays(experience)]
    for followed in experience.conversation.followed:
        if followed.name in {each.name for each in experience.seen[-1].standings}:
            found.extend(_about(experience, followed))
    return tuple(found)


def changes(experience: Experience) -> tuple[Change, ...]:
    """Every tray that differs in what is in it, the most different of the last visit first."""
    found = [
        Change(seen=seen, pair=pair)
        for seen in reversed(experience.seen)
        for pair in seen.pairs
        if pair.came or pair.went
    ]
    return tuple(sorted(found, key=lambda each: (-each.seen.visit.at, -_contrast(each.pair))))


def evidence_found(experience: Experience) -> Found | None:
    """How much of the questions' evidence the trays hold; None where the source names none."""
    pairs = [pair for seen in experience.seen for pair in seen.pairs if pair.question.evidence]
    if not pairs:
        return None
    bent = plain = 0
    for pair in pairs:
        evidence = {experience.memory_of[each] for each in pair.question.evidence}
        bent += sum(hit.id in evidence for hit in pair.bent.hits)
        plain += sum(hit.id in evidence for hit in pair.plain.hits)
    return Found(bent=bent, plain=plain)


def outweighed(experience: Experience, pair: Pair) -> str | None:
    """Name of the followed memory that only its need keeps from being first for its question."""
    for followed in experience.conversation.followed:
        if followed.name == pair.question.cue_of:
            memory_id = experience.memory_of[followed.remark_id]
            if place_of(pair.plain, memory_id) == 1 and place_of(pair.bent, memory_id) != 1:
                return followed.name
    return None


def place_of(recall: Recall, memory_id: str) -> int | None:
    """Place by score among hits and exclusions alike, from 1; None when it is no candidate."""
    ids = [each.id for each in recall.hits] + [each.id for each in recall.exclusions]
    return ids.index(memory_id) + 1 if memory_id in ids else None


def standings_of(experience: Experience, name: str) -> list[Standing]:
    """Strength of a followed memory at each visit after the first."""
    return [
        standing
        for seen in experience.seen[1:]
        for standing in seen.standings
        if standing.name == name
    ]


def _contrast(pair: Pair) -> float:
    """Distance in need between what came and what went."""
    need = {each.id: each.explanation.need for each in pair.bent.hits}
    need |= {each.id: each.explanation.need for each in pair.bent.exclusions}
    return sum(need.get(each, 0.0) for each in pair.came) - sum(
        need.get(each, 0.0) for each in pair.went
    )


def _trays(experience: Experience) -> Claim:
    total = sum(len(seen.pairs) for seen in experience.seen)
    by_visit = [
        (seen.visit.title, sum(bool(pair.came or pair.went) for pair in seen.pairs))
        for seen in experience.seen
    ]
    told = ", ".join(f"{title} {count}" for title, count in by_visit)
    different = sum(count for _, count in by_visit)
    holds = any(count for _, count in by_visit[1:])
    if holds:
        sentence = f"Forgetting decided what was in {different} of {total} trays ({told})."
    else:
        sentence = f"No later tray differs from the one with forgetting off ({told})."
    return Claim(topic="trays", sentence=sentence, holds=holds)


def _about(experience: Experience, followed: Followed) -> Iterator[Claim]:
    match followed.part:
        case Part.GROWS:
            yield from _grew(experience, followed)
            yield _lasts_longer(experience, followed)
            yield from _came_first(experience, followed, last_only=True)
        case Part.FADES:
            yield _faded(experience, followed)
            yield _stayed_away(experience, followed)
            yield from _came_first(experience, followed, last_only=False)
        case Part.KEPT:
            yield _kept(experience, followed)
            yield from _came_first(experience, followed, last_only=False)
        case Part.DRAWN:
            pass


def _grew(experience: Experience, followed: Followed) -> Iterator[Claim]:
    """Need rises from visit to visit, where uses were counted between them."""
    standings = standings_of(experience, followed.name)
    steps = [(a, b) for a, b in pairwise(standings) if b.uses > a.uses]
    if not steps and standings[-1].uses > 0:
        return  # every use came before the first visit: `_lasts_longer` tells the growth
    rose = bool(steps) and all(b.need > a.need for a, b in steps)
    told = ", ".join(f"{each.need:.2f} after {counted(each.uses)}" for each in standings)
    verdict = "grew stronger with use" if rose else "did not grow stronger with use"
    yield Claim(
        topic=f"{followed.name} grew",
        sentence=f"“{followed.name}” {verdict}: need {told}.",
        holds=rose,
    )


def _lasts_longer(experience: Experience, followed: Followed) -> Claim:
    lasts = _curve(experience, followed).lasts_days
    longer = len(lasts) > 1 and lasts[-1] > lasts[0]
    return Claim(
        topic=f"{followed.name} lasts",
        sentence=(
            f"Told once, “{followed.name}” would have stayed above the fading level for "
            f"{span(lasts[0])}; after its last use it stays for {span(lasts[-1])}."
        ),
        holds=longer,
    )


def _faded(experience: Experience, followed: Followed) -> Claim:
    standings = standings_of(experience, followed.name)
    level = experience.level or 0.0
    fell = all(b.need < a.need for a, b in pairwise(standings)) and standings[-1].need < level
    lasts = _curve(experience, followed).lasts_days[-1]
    since = "after its last use" if standings[-1].uses else "after it was told"
    told = ", ".join(f"{each.need:.4f}" for each in standings)
    verdict = f"faded {span(lasts)} {since}" if fell else "did not fade, as it should"
    return Claim(
        topic=f"{followed.name} faded",
        sentence=f"“{followed.name}” {verdict}: need {told} (the fading level is {level:g}).",
        holds=fell,
    )


def _stayed_away(experience: Experience, followed: Followed) -> Claim:
    """In no tray of another question, from the second visit on."""
    memory_id = experience.memory_of[followed.remark_id]
    pairs = [
        pair
        for seen in experience.seen[1:]
        for pair in seen.pairs
        if pair.question.cue_of != followed.name
    ]
    inside = sum(memory_id in {hit.id for hit in pair.bent.hits} for pair in pairs)
    told = f"in {inside or 'none'} of the {len(pairs)} later trays of other questions"
    bent = [place for each in pairs if (place := place_of(each.bent, memory_id))]
    plain = [place for each in pairs if (place := place_of(each.plain, memory_id))]
    if bent and plain and not inside:
        told += f"; it came no nearer than place {min(bent)} ({min(plain)} with forgetting off)"
    return Claim(
        topic=f"{followed.name} stayed away",
        sentence=f"“{followed.name}” is {told}.",
        holds=inside == 0,
    )


def _kept(experience: Experience, followed: Followed) -> Claim:
    standings = standings_of(experience, followed.name)
    level = experience.level or 0.0
    kept = all(each.need >= level for each in standings)
    lowest = min(each.need for each in standings)
    return Claim(
        topic=f"{followed.name} kept",
        sentence=(
            f"“{followed.name}” {'never faded' if kept else 'faded'}, with "
            f"{counted(standings[-1].uses)}: its need was at least {lowest:.2f} at every visit."
        ),
        holds=kept,
    )


def _came_first(experience: Experience, followed: Followed, *, last_only: bool) -> Iterator[Claim]:
    """First for its own question: at each later visit, or at least at the last."""
    memory_id = experience.memory_of[followed.remark_id]
    pairs = [
        pair
        for seen in experience.seen
        for pair in seen.pairs
        if pair.question.cue_of == followed.name
    ]
    if not pairs:
        return
    bent = [place_of(each.bent, memory_id) or 0 for each in pairs]
    plain = [place_of(each.plain, memory_id) or 0 for each in pairs]
    judged = bent[-1:] if last_only else bent[1:]
    yield Claim(
        topic=f"{followed.name} first",
        sentence=(
            f"Place of “{followed.name}” for its own question, visit by visit: {_listed(bent)}; "
            f"with forgetting off: {_listed(plain)}."
        ),
        holds=all(place == 1 for place in judged),
    )


def _listed(places: Sequence[int]) -> str:
    return ", ".join(str(each or "none") for each in places)


def _curve(experience: Experience, followed: Followed) -> Curve:
    return next(each for each in experience.curves if each.followed == followed)


def counted(uses: int) -> str:
    """Uses in words, such as `no use` or `3 uses`."""
    return "no use" if uses == 0 else f"{uses} use{'s' if uses > 1 else ''}"


def span(days: float) -> str:
    """A length of time in the unit that a person would choose."""
    units: Sequence[tuple[float, str]] = ((365.25, "year"), (30.4, "month"), (1.0, "day"))
    if days > 36_525:
        return "more than a century"
    for length, name in units:
        if days >= 2 * length:
            return f"{days / length:.0f} {name}s"
    return f"{24 * days:.0f} hours"
