"""The verbs that put memories out of mind and bring them back, and the holds that forbid it.

Decides their signatures. Refuses arithmetic, SQL and rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Unpack

from lapse.bank.base import BankBase
from lapse.engine import archive, attending, undoing
from lapse.engine.attending import Actor, Moved
from lapse.engine.choosing import (
    Covered,
    Where,
    read_choosing,
    read_covered,
    read_mode,
    read_nothing_else,
)
from lapse.engine.judging import Asked
from lapse.engine.requests import RECALL_FILTERS, Overrides, read_scope, request_of
from lapse.engine.untyped import as_name
from lapse.model.guards import ForgetMode
from lapse.model.hold import Hold
from lapse.model.memory import JsonValue, Kind
from lapse.model.paging import Listing, Page
from lapse.model.query import Recall
from lapse.model.retention import Lifecycle
from lapse.model.verbs import Verb

_VERBS: Mapping[ForgetMode, Verb] = MappingProxyType(
    {
        ForgetMode.SUPPRESS: Verb.SUPPRESS,
        ForgetMode.ARCHIVE: Verb.ARCHIVE,
        ForgetMode.ERASE: Verb.ERASE,
    }
)


class Attention(BankBase):
    """Suppress, archive, restore, hold, release, and what stands away."""

    def suppress(
        self,
        ids: Iterable[str] = (),
        *,
        by: str,
        reason: str,
        approved_by: str | None = None,
        **where: Unpack[Where],
    ) -> Moved:
        """Take memories out of recall, kept whole; `restore` brings them back exactly.

        Planned, approved and applied in one journalled act. A hold, a pin, a verified outcome, an
        exemption or an audit spares a memory; importance, citations and grace do not, since they
        guard against choices made by score.

        Args:
            ids: The memories; or else
            by: Who asks for it.
            reason: Why; never the text of a memory.
            approved_by: Who else stands for it; needed, and another person than `by`, where
                `retention.two_person` is on.
            where: What they have in common. See `Where`.

        Raises:
            GuardedError: Guards spared all of them; that it was refused is journalled.
            NotFoundError: Some ids are not in this bank; nothing was done.
            ValidationError: Nothing is chosen, or name, reason or a second person are missing.
        """
        actor = Actor(by=by, reason=reason, approved_by=approved_by)
        return self._away(Verb.SUPPRESS, ids, where, actor)

    def archive(
        self,
        ids: Iterable[str] = (),
        *,
        by: str,
        reason: str,
        approved_by: str | None = None,
        **where: Unpack[Where],
    ) -> Moved:
        """Take memories out of recall and of its index; `search_archive` still finds them.

        As `suppress` in everything else.

        Raises:
            GuardedError: Guards spared all of them; that it was refused is journalled.
            NotFoundError: Some ids are not in this bank; nothing was done.
            ValidationError: Nothing is chosen, or name, reason or a second person are missing.
        """
        actor = Actor(by=by, reason=reason, approved_by=approved_by)
        return self._away(Verb.ARCHIVE, ids, where, actor)

    def forget(
        self,
        ids: str | Iterable[str] = (),
        *,
        mode: ForgetMode | str = ForgetMode.SUPPRESS,
        **where: Unpack[Where],
    ) -> Moved:
        """What forgetting these would take, and what it would spare. Changes nothing.

        Args:
            ids: The memories by id; or what is meant in plain words, as one text such as
                "everything about Alice"; or else
            mode: What is meant: out of recall, out of its index, or gone for good.
            where: What they have in common. See `Where`.

        Raises:
            NotFoundError: Some ids are not in this bank.
            ValidationError: Nothing is chosen, or an unknown mode.
        """
        verb = _VERBS[read_mode(mode)]
        if isinstance(ids, str):
            where, ids = {**where, "query": ids}, ()
        return attending.look_ahead(self._core, self._runtime, verb, read_choosing(ids, where))

    def restore(
        self,
        ids: Iterable[str] = (),
        *,
        by: str,
        reason: str,
        plan: str | None = None,
        **where: Unpack[Where],
    ) -> Moved:
        """Undo the last suppression or archiving of memories, exactly.

        Everything is as before: strength, counts, marks, links. Scores spare what is active again
        for the grace period. What was archived after being suppressed is suppressed again; what is
        active stays as it is.

        Args:
            ids: The memories; or else
            by: Who asks for it.
            reason: Why; never the text of a memory.
            plan: Instead of naming them, all that this plan moved and that is still where it put
                it.
            where: What they have in common. See `Where`.

        Raises:
            NotFoundError: Some ids, or the plan, are not in this bank; nothing was done. It says
                which of them were destroyed.
            PlanError: The plan pruned: what it took is gone.
            ValidationError: Nothing is chosen, or name or reason are missing.
        """
        actor = Actor(by=by, reason=reason)
        if plan is not None:
            read_nothing_else("plan", ids, where)
            return undoing.restore_plan(self._core, self._runtime, as_name("plan", plan), actor)
        choosing = read_choosing(ids, where)
        return attending.bring_back(self._core, self._runtime, choosing, actor)

    def suppressed(self, *, after: int = 0, limit: int = 100) -> Page:
        """Suppressed memories page by page, each with who put it out of mind, when and why."""
        return self._standing(Lifecycle.SUPPRESSED, after, limit)

    def archived(self, *, after: int = 0, limit: int = 100) -> Page:
        """Archived memories page by page, each with who put it away, when and why."""
        return self._standing(Lifecycle.ARCHIVED, after, limit)

    def search_archive(
        self,
        query: str,
        *,
        kinds: Iterable[Kind | str] = (),
        session: str | None = None,
        subject: str | None = None,
        tags: Iterable[str] = (),
        metadata: Mapping[str, JsonValue] | None = None,
        **overrides: Unpack[Overrides],
    ) -> Recall:
        """What the archive holds on a question, most relevant first. Looking changes nothing.

        Validity and expiry hide nothing here. Reads the whole bank: for a person's search, not for
        every turn of an agent.

        Args:
            query: The question; its punctuation is plain text.
            kinds: Only these kinds; none for all.
            session: Only this session, where the policy keeps sessions apart.
            subject: Only memories about exactly this.
            tags: Only memories that carry all of these.
            metadata: Only memories whose metadata holds these values.
            overrides: What this request lays over the policy. See `Overrides`.

        Raises:
            ValidationError: A blank or over-long query, an unknown kind.
            PolicyError: An override out of range.
        """
        asked = Asked(
            query=query,
            scope=read_scope(kinds, session, subject, tags, metadata),
            overrides=request_of(overrides, beside=RECALL_FILTERS),
        )
        return archive.search(self._core, self._runtime, asked)

    def hold(self, name: str, *, by: str, reason: str, **covered: Unpack[Covered]) -> Hold:
        """Place a legal hold: nothing it covers can be suppressed, archived, pruned or erased.

        It covers what matches now and what arrives later, and what it has covered stays covered
        when it is relabelled. Any number of holds may cover a memory; each ends by its own name.

        Args:
            name: Name of the matter, unique in the bank.
            by: Who holds.
            reason: Why.
            covered: What it is placed on, exactly one thing. See `Covered`.

        Raises:
            ConflictError: A hold of that name stands, on something else or for another reason.
            ValidationError: Nothing or several things are named; name or reason are missing.
        """
        target, actor = read_covered(covered), Actor(by=by, reason=reason)
        return attending.place_hold(self._core, self._runtime, as_name("name", name), target, actor)

    def release(self, name: str, *, by: str, reason: str) -> Hold:
        """End a hold by its name, and give it as it stood. Others go on covering what they cover.

        Raises:
            NotFoundError: There is no hold of that name.
            ValidationError: Name or reason are missing.
        """
        actor = Actor(by=by, reason=reason)
        return attending.end_hold(self._core, self._runtime, as_name("name", name), actor)

    def holds(self) -> Sequence[Hold]:
        """The holds in force, by name."""
        return tuple(self._core.parts.store.holds(self.ref))

    def _away(self, verb: Verb, ids: Iterable[str], where: Where, actor: Actor) -> Moved:
        choosing = read_choosing(ids, where)
        return attending.move_away(self._core, self._runtime, verb, choosing, actor)

    def _standing(self, lifecycle: Lifecycle, after: int, limit: int) -> Page:
        listing = Listing(after=after, limit=limit, lifecycles=(lifecycle,))
        return self._core.page(self.ref, listing)
