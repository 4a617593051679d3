"""Which candidates of another store are out before they are ranked, and for what first reason.

Decides how a candidate's own dates and labels, what the bank knows under its id or of its text, and
what was erased here combine. Refuses to look at relevance or strength.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lapse.index.claims import Claims, outdated_from
from lapse.index.facets import metadata_facet
from lapse.index.snapshot import Snapshot
from lapse.index.states import GONE
from lapse.model.index_delta import MISSING, BoolArray, IntArray
from lapse.model.instants import EARLIEST, hours
from lapse.model.policy import RecallPolicy
from lapse.model.query import Candidate, Reason, Scope
from lapse.recall.overlay_known import Known
from lapse.recall.question import Question
from lapse.recall.scope import CODE_OF, LONGEST_HOURS, Gate

_NONE = 255


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Told:
    """c candidates, as far as filters look at them.

    Attributes:
        fingerprints: Digest of each normalised text.
        erased: Places of those whose content was erased here.
    """

    candidates: Sequence[Candidate]
    fingerprints: Sequence[bytes]
    erased: frozenset[int]


def reasons_of(
    told: Told, known: Known, snapshot: Snapshot, question: Question, policy: RecallPolicy
) -> NDArray[np.uint8]:
    """Code of the first reason that takes each candidate out; 0 for none.

    Scope and age are judged by what the candidate says of itself; expiry and validity by that and
    by what the bank says of the same id or the same text; lifecycle by the bank. An id offered
    twice is a duplicate of its first candidate.
    """
    candidates = told.candidates
    codes = np.full(len(candidates), _NONE, np.uint8)
    for reason, taken in _own_checks(candidates, question, policy):
        _note(codes, taken, reason)
    _note(codes, _outdated(candidates, snapshot, question, policy), Reason.SUPERSEDED)
    np.minimum(codes, _bank_codes(told, known, snapshot, question, policy), out=codes)
    for place in told.erased:
        codes[place] = min(int(codes[place]), CODE_OF[Reason.ERASED])
    if len({each.id for each in candidates}) < len(candidates):
        _note(codes, _repeated([each.id for each in candidates]), Reason.DUPLICATE)
    codes[codes == _NONE] = 0
    return codes


def _repeated(ids: Sequence[str]) -> BoolArray:
    """For each id, whether it was given before."""
    first: dict[str, int] = {}
    return np.array([first.setdefault(each, place) != place for place, each in enumerate(ids)])


def _note(codes: NDArray[np.uint8], taken: BoolArray, reason: Reason) -> None:
    np.minimum(codes, CODE_OF[reason], out=codes, where=taken)


def _own_checks(
    candidates: Sequence[Candidate], question: Question, policy: RecallPolicy
) -> Iterator[tuple[Reason, BoolArray]]:
    """What each candidate says of itself, against the question."""
    scope, now = question.scope, question.now
    valid = now if question.as_of.valid is None else question.as_of.valid
    if scope.kinds or scope.subject is not None or scope.tags or scope.metadata:
        yield Reason.OUT_OF_SCOPE, np.array([not _in_scope(each, scope) for each in candidates])
    if scope.session is not None and not policy.include_other_sessions:
        yield Reason.OTHER_SESSION, np.array([c.session != scope.session for c in candidates])
    max_age_hours = policy.max_age_hours if scope.max_age_hours is None else scope.max_age_hours
    if max_age_hours is not None:
        oldest = now - hours(min(max_age_hours, LONGEST_HOURS))
        created = _instants([c.created_at for c in candidates])
        yield Reason.TOO_OLD, (created != MISSING) & (created < oldest)
    expires = _instants([c.expires_at for c in candidates])
    yield Reason.EXPIRED, (expires != MISSING) & (expires <= now)
    yield Reason.NOT_YET_VALID, _instants([c.valid_from for c in candidates]) > valid
    ends = _instants([c.valid_to for c in candidates])
    yield Reason.SUPERSEDED, (ends != MISSING) & (ends <= valid)


def _instants(given: Sequence[int | None]) -> IntArray:
    return np.array([MISSING if each is None else each for each in given], dtype=np.int64)


def _in_scope(candidate: Candidate, scope: Scope) -> bool:
    return (
        (not scope.kinds or candidate.kind in scope.kinds)
        and scope.subject in (None, candidate.subject)
        and set(scope.tags) <= set(candidate.tags)
        and all(
            name in candidate.metadata
            and metadata_facet(name, candidate.metadata[name]) == metadata_facet(name, value)
            for name, value in scope.metadata.items()
        )
    )


def _outdated(
    candidates: Sequence[Candidate], snapshot: Snapshot, question: Question, policy: RecallPolicy
) -> BoolArray:
    """Which candidates an other candidate or a claim of the bank with the same key has replaced."""
    keyed = [place for place, each in enumerate(candidates) if each.key is not None]
    outdated: BoolArray = np.zeros(len(candidates), np.bool_)
    if not policy.latest_per_key or not keyed:
        return outdated
    valid = question.now if question.as_of.valid is None else question.as_of.valid
    keys: dict[str, int] = {}
    for place in keyed:
        keys.setdefault(str(candidates[place].key), len(keys))
    bank = _bank_claims(snapshot, keys, {each.id for each in candidates})
    born = [_instant(candidates[place].created_at, question.now) for place in keyed]
    starts = [_start(candidates[p], at) for p, at in zip(keyed, born, strict=True)]
    own = Claims(
        key=np.array([keys[str(candidates[place].key)] for place in keyed], dtype=np.int64),
        row=np.array(keyed, dtype=np.int64),
        starts_at=np.array(starts, dtype=np.int64),
        recorded_from=np.array(born, dtype=np.int64),
        recorded_to=np.full(len(keyed), MISSING, np.int64),
        valid_from=np.array(
            [_instant(candidates[place].valid_from, MISSING) for place in keyed], dtype=np.int64
        ),
    )
    outdated[keyed] = (outdated_from(own.with_others(bank)) <= valid)[: len(keyed)]
    return outdated


def _start(candidate: Candidate, born: int) -> int:
    """From when a claim counts, as one of the bank's own: what was over by then is before all."""
    if candidate.valid_from is not None:
        return candidate.valid_from
    start = _instant(candidate.occurred_at, born)
    return start if candidate.valid_to is None or start < candidate.valid_to else EARLIEST


def _instant(given: int | None, otherwise: int) -> int:
    return otherwise if given is None else given


def _bank_claims(snapshot: Snapshot, keys: dict[str, int], ids: set[str]) -> Claims:
    """The bank's living claims under these keys, but for the candidates themselves."""
    claims = Claims.none()
    for columns in (snapshot.live, snapshot.archived):
        for key, number in keys.items():
            same = np.flatnonzero(
                (columns.key == snapshot.codes.key.find(key)) & (columns.status != GONE)
            )
            slots = np.array([s for s in same.tolist() if columns.ids[s] not in ids], np.int64)
            claims = claims.with_others(
                Claims(
                    key=np.full(len(slots), number, np.int64),
                    row=columns.rows[slots],
                    starts_at=columns.starts_at[slots],
                    recorded_from=columns.recorded_from[slots],
                    recorded_to=columns.recorded_to[slots],
                    valid_from=columns.valid_from[slots],
                )
            )
    return claims


def _bank_codes(
    told: Told, known: Known, snapshot: Snapshot, question: Question, policy: RecallPolicy
) -> NDArray[np.uint8]:
    """Reasons that the bank has against the same id or the same text, scope and age left aside."""
    codes = np.full(len(told.candidates), _NONE, np.uint8)
    if not len(snapshot.live) and not len(snapshot.archived):
        return codes
    codes[known.archived.places] = CODE_OF[Reason.ARCHIVED]
    by_id = {*known.live.places.tolist(), *known.archived.places.tolist()}
    places, slots = known.live.places.tolist(), known.live.slots.tolist()
    for place, fingerprint in enumerate(told.fingerprints):
        same = None if place in by_id else snapshot.id_with(fingerprint)
        if same is None:
            continue
        slot = snapshot.live.find(same)
        if slot is None:
            codes[place] = CODE_OF[Reason.ARCHIVED]
        else:
            places.append(place)
            slots.append(slot)
    gate = Gate(
        snapshot=snapshot,
        question=replace(question, scope=Scope()),
        policy=replace(policy, max_age_hours=None),
    )
    found = gate.reasons(np.array(slots, dtype=np.int64))
    codes[places] = np.where(found == 0, np.uint8(_NONE), found)
    return codes
