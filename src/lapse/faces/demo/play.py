"""Living through a conversation: the clock moves, memories are told and used, questions are asked.

Decides in which order a program that uses Lapse would do these things, and what of it is kept for
the story. Refuses to judge what came out (`claims`) and to print (`pages`). Nothing here is part of
Lapse's own working: it is the public façade, called as an agent would call it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lapse.bank import Bank
from lapse.faces.demo.conversation import Conversation, Followed, Question, Session, Visit
from lapse.intake.drafts import DraftFields
from lapse.laws import FloatArray, Held, Law, archive_level, columns_of, law_for
from lapse.lifecycle.dating import held_of
from lapse.model.instants import DAY, HOUR, Instant
from lapse.model.outcome import Action
from lapse.model.policy import Mode, Policy
from lapse.model.query import Recall
from lapse.model.retention import UseSource
from lapse.testing.fakes import FakeClock

TRAY = 3
"""Memories that fit a tray: few, so that two can be compared by eye and room is short."""

STEP = 6 * HOUR
"""Distance of the points of a curve, in microseconds."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One question asked twice at one instant, of one store.

    Attributes:
        question: What was asked.
        bent: What came to mind with forgetting.
        plain: What came to mind with forgetting off.
    """

    question: Question
    bent: Recall
    plain: Recall

    @property
    def came(self) -> tuple[str, ...]:
        """Ids that only forgetting let in, best first."""
        plain = {each.id for each in self.plain.hits}
        return tuple(each.id for each in self.bent.hits if each.id not in plain)

    @property
    def went(self) -> tuple[str, ...]:
        """Ids that forgetting kept out, best first."""
        bent = {each.id for each in self.bent.hits}
        return tuple(each.id for each in self.plain.hits if each.id not in bent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How strong a followed memory is at one instant.

    Attributes:
        name: Its name in the story.
        need: Probability in [0, 1] of use within the next 30 days.
        uses: Counted uses so far.
        fades_at: When it would fall below the fading level without another use; None for never.
    """

    name: str
    need: float
    uses: int
    fades_at: Instant | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One visit: what came to mind, and how strong the followed memories were.

    Attributes:
        visit: When, and its title.
        sessions: Sessions so far.
        memories: Memories stored so far.
        uses: Uses reported since the visit before.
        pairs: One for each question, in order.
        standings: One for each followed memory told so far, in order.
    """

    visit: Visit
    sessions: int
    memories: int
    uses: int
    pairs: tuple[Pair, ...]
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """Need of one followed memory over the whole time.

    Attributes:
        followed: Which memory.
        days: Shape (n,), rising. Days since the conversation began.
        need: Shape (n,), in [0, 1].
        used_on: Days of its counted uses.
        lasts_days: For the telling and each counted use: how many days from then it would stay
            above the fading level without another; inf for longer than 100 years.
    """

    followed: Followed
    days: FloatArray
    need: FloatArray
    used_on: tuple[float, ...]
    lasts_days: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Experience:
    """All that the story tells of.

    Attributes:
        conversation: What was lived through.
        policy: The policy in force.
        level: Retrievability below which a memory has faded, or None where the law has no such.
        memory_of: Id of the memory that each remark became, or told again.
        texts: Text of each memory by id.
        told_again: Remarks that only told again what was held.
        superseded: Memories that a newer claim replaced.
        seen: The visits in order.
        curves: One for each followed memory.
        doubts: What `doctor` has to say at the end; empty when all is well.
    """

    conversation: Conversation
    policy: Policy
    level: float | None
    memory_of: Mapping[str, str]
    texts: Mapping[str, str]
    told_again: int
    superseded: int
    seen: tuple[Seen, ...]
    curves: tuple[Curve, ...]
    doubts: tuple[str, ...]


def play(
    conversation: Conversation, bank: Bank, clock: FakeClock, progress: Progress
) -> Experience:
    """Live through a conversation with an empty bank whose only clock is `clock`."""
    player = _Player(conversation, bank, clock)
    visits = list(conversation.visits)
    total = len(conversation.sessions)
    for number, session in enumerate(conversation.sessions, start=1):
        while visits and visits[0].at < session.at:
            player.visit(visits.pop(0))
        player.live(session)
        progress(number, total)
    for visit in visits:
        player.visit(visit)
    return player.experience()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moment:
    """The strength of one followed memory from an instant on."""

    since: Instant
    held: Held
    fades_at: Instant | None


class _Player:
    """Holds what has happened so far."""

    def __init__(self, conversation: Conversation, bank: Bank, clock: FakeClock) -> None:
        self._conversation = conversation
        self._bank = bank
        self._clock = clock
        self._policy = bank.policy().policy
        self._law = law_for(self._policy.law)
        self._memory_of: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self._moments: dict[str, list[_Moment]] = {}
        self._seen: list[Seen] = []
        self._sessions = self._told_again = self._superseded = self._uses = 0

    def live(self, session: Session) -> None:
        """Report what the session draws on, then remember what is said, then let Lapse work."""
        self._clock.set(session.at)
        used = list(dict.fromkeys(self._memory_of[each] for each in session.used))
        self._uses += self._bank.used(used, source=UseSource.CITED, event_id=session.id).enqueued
        for remark in session.remarks:
            self._clock.set(remark.at)
            fields: DraftFields = {**remark.details, "id": remark.id}
            stored = self._bank.remember(remark.text, **fields)
            self._memory_of[remark.id] = stored.id
            self._texts.setdefault(stored.id, stored.memory.text)
            self._told_again += stored.action is Action.RECONFIRMED
            self._superseded += len(stored.superseded)
        self._bank.drain()
        self._sessions += 1
        self._follow()

    def visit(self, visit: Visit) -> None:
        """Ask every question, with forgetting and without."""
        now = self._clock.set(visit.at)
        pairs = tuple(self._ask(each) for each in self._conversation.questions)
        standings = tuple(
            self._standing(each.name, now)
            for each in self._conversation.followed
            if each.name in self._moments
        )
        self._seen.append(
            Seen(
                visit=visit,
                sessions=self._sessions,
                memories=len(self._texts),
                uses=self._uses,
                pairs=pairs,
                standings=standings,
            )
        )
        self._uses = 0

    def experience(self) -> Experience:
        """Everything for the story."""
        sessions, visits = self._conversation.sessions, self._conversation.visits
        start, end = sessions[0].at, visits[-1].at
        return Experience(
            conversation=self._conversation,
            policy=self._policy,
            level=archive_level(self._policy.law),
            memory_of=self._memory_of,
            texts=self._texts,
            told_again=self._told_again,
            superseded=self._superseded,
            seen=tuple(self._seen),
            curves=tuple(
                _curve(each, self._moments[each.name], self._law, start, end)
                for each in self._conversation.followed
                if each.name in self._moments
            ),
            doubts=tuple(self._bank.doctor()),
        )

    def _ask(self, question: Question) -> Pair:
        return Pair(
            question=question,
            bent=self._bank.recall(question.text, k=TRAY),
            plain=self._bank.recall(question.text, k=TRAY, mode=Mode.OFF),
        )

    def _follow(self) -> None:
        """Note the strength of every followed memory that has changed."""
        for each in self._conversation.followed:
            if each.remark_id not in self._memory_of:
                continue
            record = self._bank.get(self._memory_of[each.remark_id])
            held = held_of(self._policy, record.memory, record.state)
            moments = self._moments.setdefault(each.name, [])
            if not moments or moments[-1].held != held:
                since = held.strength.last_counted_at or held.created_at
                moments.append(_Moment(since=since, held=held, fades_at=record.state.fades_at))

    def _standing(self, name: str, now: Instant) -> Standing:
        latest = self._moments[name][-1]
        return Standing(
            name=name,
            need=float(self._law.need(columns_of([latest.held]), now)[0]),
            uses=latest.held.strength.reinforcement_count,
            fades_at=latest.fades_at,
        )


def _curve(
    followed: Followed, moments: Sequence[_Moment], law: Law, start: Instant, end: Instant
) -> Curve:
    points = list(_points(moments, law, end))
    return Curve(
        followed=followed,
        days=np.array([(at - start) / DAY for at, _ in points]),
        need=np.array([need for _, need in points]),
        used_on=tuple((each.since - start) / DAY for each in moments[1:]),
        lasts_days=tuple(
            np.inf if each.fades_at is None else (each.fades_at - each.since) / DAY
            for each in moments
        ),
    )


def _points(moments: Sequence[_Moment], law: Law, end: Instant) -> Iterator[tuple[Instant, float]]:
    """Need from the telling on, every `STEP` after each use, and where each use found it.

    The instant of a use itself is left out: need is near 1 then, for a minute, whatever the memory.
    """
    for moment, until in zip(moments, [*(each.since for each in moments[1:]), end], strict=True):
        columns = columns_of([moment.held])
        first = moment.since if moment is moments[0] else moment.since + STEP
        for at in (*range(first, until, STEP), until):
            yield Instant(at), float(law.need(columns, Instant(at))[0])
