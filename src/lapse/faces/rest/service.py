"""What the REST face does with a request, from who asks to what is sent back.

Decides the order: who it is, how far they reach, how fast they come, what they ask, whether they
may, whether it was asked before, and then the operation of the table and nothing else. Refuses to
know HTTP beyond methods, headers and statuses (`app` has the server).
"""

import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import IO, Final

from lapse.engine.embedding import no_progress
from lapse.errors import LapseError
from lapse.faces.access import Door, KeyRing, OpenDoor, acting
from lapse.faces.app import Lapse
from lapse.faces.limits import Pace, limits_of
from lapse.faces.operations import TABLE, Operation, Subject
from lapse.faces.operations.operation import Progress, Target
from lapse.faces.previewed import carried_out, versions_shown
from lapse.faces.rest.answers import Answer, Begun, Given, check_word
from lapse.faces.rest.asking import (
    Asked,
    CopyWish,
    Guest,
    Wish,
    bearer,
    check_elsewhere,
    check_offered,
    ended_by,
    joined,
    listed,
    placed,
    preferences,
    read_copy_wish,
    within_reach,
)
from lapse.faces.rest.brief import brief
from lapse.faces.rest.consenting import Consent, Consents, check_may_approve, take_consent
from lapse.faces.rest.copying import Pieces, imported, streamed
from lapse.faces.rest.holding import Holding
from lapse.faces.rest.jobs import Jobs, Outcome
from lapse.faces.rest.neighbours import check_at_home
from lapse.faces.rest.problems import problem_of
from lapse.faces.rest.reading import (
    CURSOR,
    POSITIONS,
    from_body,
    from_json,
    from_query,
    pages,
    ways_in,
)
from lapse.faces.rest.routes import BANK, TENANT, Method, Route, may_be_a_job, takes_two_calls
from lapse.faces.rest.sealing import Seal
from lapse.faces.rest.telling import bank_path, document, located, plain, problem_answer
from lapse.faces.rest.tokens import Tokens
from lapse.model.codec import dumps
from lapse.model.instants import HOUR
from lapse.model.policy_server import ServerPolicy
from lapse.model.query import Recall

FACE: Final = "rest"
MINIMAL: Final = "return=minimal"
NOT_OF_THE_ASKING: Final = frozenset({"by", "reason", "approved_by", "yes"})
"""Fields that say who does it and why, and not what: with a confirmation they may differ."""
_POSITION: Final = re.compile(r"[0-9]{1,18}")
_ENDS: Final = frozenset({"erase", "erase_everywhere", "forget", "apply"})
"""Operations after which no earlier answer may tell of what is gone."""


Counted = Callable[[str, Operation, Callable[[], object]], object]
"""Calls an operation of a face, and may measure it."""


def uncounted(_face: str, _operation: Operation, act: Callable[[], object]) -> object:
    """Call an operation, and do nothing else."""
    return act()


class Service:
    """The REST face of one open store. Its methods block; threads may share it."""

    def __init__(
        self,
        lapse: Lapse,
        door: Door | OpenDoor,
        counted: "Counted | None" = None,
        pace: Pace | None = None,
    ) -> None:
        """Serve a store.

        Args:
            lapse: The store, open.
            door: Who comes in.
            counted: Calls operations in place of `uncounted`.
            pace: Counts requests of other faces of this process too; its own if left out.
        """
        self._counted = counted or uncounted
        self._lapse = lapse
        self._door = door
        self._clock = lapse.parts.clock
        self.stopwatch = lapse.parts.stopwatch
        self._tokens = Tokens.of(lapse.parts.keys, lapse.parts.entropy)
        self._given = Given(lapse.notes)
        ring = KeyRing(lapse.notes)
        self._consents = Consents(self._tokens, ring)
        self._holding = Holding(ring=ring, clock=self._clock)
        self._pace = pace or Pace()
        self.jobs = Jobs(lapse.notes, self._tokens, lapse.parts.clock, lapse.parts.entropy)

    def welcome(self, asked: Asked, path: str) -> Guest:
        """Let a caller in, before more of a body is read than comes with its head.

        Raises:
            UnknownCallerError: No key that holds.
            AccessError: No key is asked for, and a page of elsewhere sent it.
            NotFoundError: The bank is out of reach.
            LimitError: Too many wrong keys, or too many requests.
        """
        now = self._clock.now()
        written = bearer(asked.headers.get("authorization"))
        caller = self._door.admit(written, address=asked.address, now=now)
        if not caller.key_id:
            check_at_home(asked.headers)
        guest = Guest(caller=caller, limits=ServerPolicy())
        if path.startswith(BANK):
            tenant, bank = asked.path["tenant"], asked.path["bank"]
            caller.check_reach(tenant, bank)
            limits = limits_of(self._lapse.bank(bank, tenant=tenant))
            guest = Guest(caller=caller, limits=limits, tenant=tenant, bank=bank)
        elif path.startswith(TENANT):
            caller.check_tenant(asked.path["tenant"])
            guest = replace(guest, tenant=asked.path["tenant"])
        self._pace.check(guest.who or asked.address, guest.limits.requests_per_minute, now)
        return guest

    def answer(self, route: Route, asked: Asked, guest: Guest) -> Answer:
        """Do what is asked, once for each Idempotency-Key.

        Raises:
            LapseError: What the operation raised, or why it was not called.
        """
        word = asked.headers.get("idempotency-key")
        if word is None or route.method is Method.GET:
            return self._act(self._read(route, asked, guest), guest)
        begun = self._begin(check_word(word), route, asked, guest)
        if isinstance(begun, Answer):
            return begun
        try:
            answer = self._act(self._read(route, asked, guest), guest)
        except Exception as error:  # whatever it is, a repeated request is told the same
            problem = problem_of(error, asked.request_id)
            # Kept as it was told: a client that repeats itself learns the same. A failure of ours,
            # and what another moment may answer otherwise, is not kept.
            kept = 500 if problem.status in (409, 413, 429) else problem.status
            self._given.finish(begun, problem_answer(kept, problem.body))
            raise
        self._given.finish(begun, answer)
        return answer

    def lines(self, route: Route, asked: Asked, guest: Guest) -> Iterator[bytes]:
        """Everything that a paging operation lists, one JSON object a line, while the key holds."""
        wish = self._read(route, asked, guest)
        given = dict(wish.given)
        if "limit" in {each.name for each in route.operation.fields}:
            given.setdefault("limit", guest.limits.max_page)
        while True:
            page = self._call(route.operation, route.operation.read(given), guest, None)
            records, following = listed(page)
            for record in records:
                yield dumps(record).encode("ascii") + b"\n"
            if following is None:
                return
            given["after"] = following
            self._holding.check(guest.caller)

    def export(self, asked: Asked, guest: Guest) -> Generator[bytes, None, None]:
        """The whole bank, as lines in pieces, for as long as the key holds.

        Raises:
            NotFoundError: There is no such bank.
            LapseError: The caller may not.
        """
        given = from_json(asked.body, asked.headers.get("content-type", ""))
        wish = self._copy_wish("export", given, asked, guest)
        bank = self._lapse.bank(guest.bank, tenant=guest.tenant)

        def act(pieces: Pieces) -> object:
            with self._lapse.through(FACE):
                write = partial(bank.export, pieces, by=wish.by, reason=wish.reason)
                return self._counted(FACE, TABLE["export"], write)

        return self._holding.while_held(streamed(act), guest.caller)

    def may_import(self, asked: Asked, guest: Guest) -> CopyWish:
        """Let an import begin, before its file is read.

        Raises:
            LapseError: The caller may not, or names what there is not.
        """
        return self._copy_wish("import", dict(asked.query), asked, guest)

    def import_(self, wish: CopyWish, guest: Guest, file: IO[bytes]) -> Answer:
        """Take a file in, and close it.

        Raises:
            LapseError: What `Bank.import_` raised; then nothing was taken in.
        """
        bank = self._lapse.bank(guest.bank, tenant=guest.tenant)

        def act(progress: Progress) -> object:
            with self._lapse.through(FACE):
                read = partial(imported, bank, file, wish.by, wish.reason, progress)
                return self._counted(FACE, TABLE["import"], read)

        if "respond-async" in wish.prefer:
            return self._begin_job("import", act, guest)
        return document(200, plain(act(no_progress)))

    def _copy_wish(
        self, name: str, given: Mapping[str, object], asked: Asked, guest: Guest
    ) -> CopyWish:
        operation = TABLE[name]
        guest.caller.check(operation, given)
        named = acting(guest.caller, operation, {**given, "path": "-"})
        return read_copy_wish(operation, named, preferences(asked.headers.get("prefer", "")))

    def job(self, asked: Asked, guest: Guest) -> Answer:
        """How a job stands.

        Raises:
            NotFoundError: There is none of that id for this caller here.
        """
        return document(200, self.jobs.find(guest.place, guest.who, asked.path["job"]))

    def ready(self) -> dict[str, bool]:
        """What is needed to serve, and whether it is there."""
        try:
            self._lapse.parts.store.refs()
        except LapseError:
            return {"store": False}
        return {"store": True}

    def close(self) -> None:
        """Finish what runs."""
        self.jobs.close()

    def _read(self, route: Route, asked: Asked, guest: Guest) -> Wish:
        operation = route.operation
        given = (
            from_body(route, asked.body, asked.headers.get("content-type", ""))
            if ways_in(route)
            else {}
        )
        given = joined(given, from_query(route, asked.query))
        consent = take_consent(operation, given) if takes_two_calls(operation) else Consent()
        check_offered(route, given, guest)
        prefer = preferences(asked.headers.get("prefer", ""))
        if pages(route) and (cursor := given.pop(CURSOR, None)) is not None:
            given["after"] = self._position(guest, str(cursor), prefer)
        given |= {each: asked.path[each] for each in route.fields_in_path}
        given |= placed(route, guest)
        if consent.approve is None:
            guest.caller.check(operation, given)
        else:
            check_may_approve(guest.caller, operation)
        check_elsewhere(route, given, guest)
        given = acting(guest.caller, operation, given)
        return Wish(
            route=route,
            request=operation.read(given),
            given=given,
            consent=consent,
            prefer=prefer,
        )

    def _act(self, wish: Wish, guest: Guest) -> Answer:
        operation = wish.route.operation
        if "respond-async" in wish.prefer and may_be_a_job(operation):
            return self._as_job(wish, guest)
        if takes_two_calls(operation):
            return self._in_two_calls(wish, guest)
        return self._told(wish, guest, self._call(operation, wish.request, guest, None))

    def _in_two_calls(self, wish: Wish, guest: Guest) -> Answer:
        operation = wish.route.operation
        asked = {k: v for k, v in wish.given.items() if k not in NOT_OF_THE_ASKING}
        shown = self._call(operation, operation.read(asked), guest, None)
        now = self._clock.now()
        what = {
            "place": guest.place,
            "who": guest.who,
            "operation": operation.name,
            "asked": json.dumps(asked, sort_keys=True, default=str),
            "shown": dumps(shown),
            "versions": json.dumps(versions_shown(self._lapse, guest.ref, shown)),
        }
        consent = wish.consent
        if consent.approve is not None:
            given = self._consents.given(what, consent.approve, guest.caller, now)
            return document(200, {**plain(shown), "approval": given})
        if consent.confirm is None:
            return document(200, {**plain(shown), "preview": self._tokens.preview(what, now)})
        self._consents.check(what, consent.confirm, now)
        done = {**wish.given, "yes": True}
        if consent.approval is not None:
            done["approved_by"] = self._consents.second(consent.confirm, consent.approval, now)
        with carried_out(self._lapse, consent.confirm):
            answer = self._call(operation, operation.read(done), guest, None)
        return self._told(wish, guest, answer)

    def _as_job(self, wish: Wish, guest: Guest) -> Answer:
        operation = wish.route.operation

        def act(progress: Progress) -> object:
            return self._call(operation, wish.request, guest, progress)

        return self._begin_job(operation.name, act, guest)

    def _begin_job(self, name: str, act: Callable[[Progress], object], guest: Guest) -> Answer:
        def work(progress: Progress) -> Outcome:
            try:
                return Outcome(result=plain(act(progress)))
            except Exception as error:  # noqa: BLE001 - whatever it is becomes the job's outcome
                return Outcome(problem=problem_of(error, "").body)

        told = self.jobs.start(guest.place, guest.who, name, work, guest.limits.answer_hours)
        where = f"{bank_path(guest)}/jobs/{told['id']}"
        return document(202, told, {"Location": where, "Preference-Applied": "respond-async"})

    def _call(
        self, operation: Operation, request: object, guest: Guest, progress: Progress | None
    ) -> object:
        targets: dict[Subject, Target] = {Subject.STORE: self._lapse, Subject.NOTHING: None}
        if operation.subject is Subject.BANK:
            targets[Subject.BANK] = self._lapse.bank(guest.bank, tenant=guest.tenant)
        with self._lapse.through(FACE):
            target = targets[operation.subject]
            act = partial(operation.call, target, request, progress=progress)
            result = self._counted(FACE, operation, act)
        if operation.name in _ENDS and getattr(request, "yes", True):
            for place in ended_by(result, guest):
                self._given.forget(place)
                self.jobs.forget(place)
        return within_reach(result, guest)

    def _told(self, wish: Wish, guest: Guest, result: object) -> Answer:
        if isinstance(result, Recall):
            # Half as much to compute as the recall was; see `Turns` for what turns save.
            with self._lapse.parts.turns.taken():
                return self._told_recall(wish, result)
        told = plain(result)
        if "next_after" in told:
            after = told.pop("next_after")
            told["next_cursor"] = (
                self._cursor(guest, after, wish.prefer) if isinstance(after, int) else None
            )
        headers = located(wish.route, guest, told)
        if MINIMAL in wish.prefer and wish.route.method is not Method.GET:
            status = 201 if wish.route.status == 201 else 204
            return Answer(
                status=status, body=b"", headers={**headers, "Preference-Applied": MINIMAL}
            )
        return document(wish.route.status, told, headers)

    def _told_recall(self, wish: Wish, result: Recall) -> Answer:
        if MINIMAL in wish.prefer:
            return document(wish.route.status, brief(result), {"Preference-Applied": MINIMAL})
        return document(wish.route.status, plain(result))

    def _cursor(self, guest: Guest, after: int, prefer: frozenset[str]) -> str:
        return str(after) if POSITIONS in prefer else self._tokens.cursor(guest.place, after)

    def _position(self, guest: Guest, cursor: str, prefer: frozenset[str]) -> int:
        if POSITIONS in prefer and _POSITION.fullmatch(cursor):
            return int(cursor)
        return self._tokens.position(guest.place, cursor)

    def _begin(self, word: str, route: Route, asked: Asked, guest: Guest) -> Begun | Answer:
        entropy = self._lapse.parts.entropy
        seal = Seal.of(self._tokens, entropy, "answer", guest.place, guest.who, word)
        request = json.dumps(
            [route.method, route.path, dict(asked.path), list(asked.query), asked.body.hex()],
            sort_keys=True,
        )
        keep = round(guest.limits.answer_hours * HOUR)
        return self._given.begin(
            seal, guest.place, request.encode(), now=self._clock.now(), keep=keep
        )
