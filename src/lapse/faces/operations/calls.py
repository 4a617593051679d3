"""Calls: each operation as one function of its subject and its request.

Decides how a request becomes a call of the bank or the store, and how a bare answer becomes a
result. Refuses every rule. The types of a function's request and result are those of the operation;
a test compares them with the table.
"""

from collections.abc import Callable, Mapping
from math import isfinite
from types import MappingProxyType

from lapse.bank import Bank
from lapse.engine.reading import Stats
from lapse.engine.recalling import Why
from lapse.engine.results import Remembered
from lapse.engine.selecting import Selection
from lapse.engine.upkeep import Upkeep
from lapse.engine.using import UseReport
from lapse.errors import Fault, ValidationError, fault
from lapse.faces.app import Lapse
from lapse.faces.operations.attention_calls import ATTENTION_CALLS
from lapse.faces.operations.bank_calls import BANK_CALLS
from lapse.faces.operations.cache_calls import CACHE_CALLS
from lapse.faces.operations.chronicle_calls import CHRONICLE_CALLS
from lapse.faces.operations.consolidation_calls import CONSOLIDATION_CALLS
from lapse.faces.operations.copy_calls import COPY_CALLS
from lapse.faces.operations.erasure_calls import ERASURE_CALLS
from lapse.faces.operations.lab_calls import lab_calls
from lapse.faces.operations.operation import Progress
from lapse.faces.operations.plan_calls import PLAN_CALLS
from lapse.faces.operations.rating_calls import RATING_CALLS
from lapse.faces.operations.requests import (
    BackupRequest,
    DoctorRequest,
    ExemptRequest,
    GetRequest,
    IngestRequest,
    LawsRequest,
    ListRequest,
    MarkRequest,
    NothingRequest,
    RankRequest,
    RecallRequest,
    RememberManyRequest,
    RememberRequest,
    SetPolicyRequest,
    UpdateRequest,
    UsedRequest,
    VerifyOutcomeRequest,
    WhyRequest,
)
from lapse.faces.operations.results import (
    BackedUp,
    Diagnosis,
    Finding,
    LawOfPreset,
    LawRow,
    Laws,
    Marked,
    PolicyInForce,
    Reembedded,
    RememberedMany,
)
from lapse.faces.operations.selection_requests import SelectRequest
from lapse.faces.operations.sweep_calls import SWEEP_CALLS
from lapse.faces.operations.sweep_requests import StatsRequest
from lapse.faces.operations.truth_calls import TRUTH_CALLS
from lapse.laws.table import law_table
from lapse.model import presets
from lapse.model.instants import InstantLike, parse_instant
from lapse.model.memory import JsonValue, Kind, parse_kind
from lapse.model.paging import Listing, Page
from lapse.model.policy import SETTINGS, Mode, fingerprint, to_json, to_mapping
from lapse.model.policy_layers import Origin, Resolved
from lapse.model.query import AsOf, Recall
from lapse.model.record import Record
from lapse.model.retention import Lifecycle


def remember(bank: Bank, request: RememberRequest) -> Remembered:
    """Store one memory."""
    return bank.remember(request.text, by=request.by, **request.fields)


def remember_many(bank: Bank, request: RememberManyRequest, progress: Progress) -> RememberedMany:
    """Store many memories."""
    done = bank.remember_many(request.drafts, by=request.by, progress=progress)
    return RememberedMany(remembered=tuple(done))


def ingest(bank: Bank, request: IngestRequest, progress: Progress) -> RememberedMany:
    """Store a chat log."""
    done = bank.ingest(request.messages, session=request.session, by=request.by, progress=progress)
    return RememberedMany(remembered=tuple(done))


def recall(bank: Bank, request: RecallRequest) -> Recall:
    """Answer a question."""
    return bank.recall(
        request.query,
        kinds=request.kinds,
        session=request.session,
        subject=request.subject,
        tags=request.tags,
        metadata=request.metadata,
        as_of=_as_of(request.as_of_valid, request.as_of_recorded),
        **request.overrides,
    )


def rank(bank: Bank, request: RankRequest) -> Recall:
    """Order what another store found."""
    return bank.rank(
        request.candidates,
        query=request.query,
        query_vector=request.query_vector,
        session=request.session,
        **request.overrides,
    )


def why(bank: Bank, request: WhyRequest) -> Why:
    """Explain one memory."""
    return bank.why(
        request.query,
        request.id,
        session=request.session,
        as_of=_as_of(request.as_of_valid, request.as_of_recorded),
        **request.overrides,
    )


def get(bank: Bank, request: GetRequest) -> Record:
    """Fetch one memory."""
    return bank.get(request.id)


def list_(bank: Bank, request: ListRequest) -> Page:
    """Fetch a page.

    Raises:
        ValidationError: Kinds or lifecycles that do not exist, or a cursor that is none.
    """
    faults: list[Fault] = []
    listing = Listing(
        after=request.after,
        limit=request.limit,
        kinds=tuple(_kinds(request.kinds, faults)),
        sessions=request.sessions,
        lifecycles=tuple(_lifecycles(request.lifecycles, faults)),
        key=request.key,
        subject=request.subject,
        tag=request.tag,
        latest_only=request.latest_only,
    )
    if faults:
        raise ValidationError(faults)
    return bank.list(listing)


def select(bank: Bank, request: SelectRequest) -> Selection:
    """Show what a selector means."""
    return bank.select(
        request.query,
        ids=request.ids,
        reach=request.reach,
        everything=request.everything,
        limit=request.limit,
        near=request.near,
        **request.marks,
    )


def update(bank: Bank, request: UpdateRequest) -> Remembered:
    """Write a new content version."""
    return bank.update(request.id, if_version=request.if_version, by=request.by, **request.fields)


def used(bank: Bank, request: UsedRequest) -> UseReport:
    """Report uses."""
    return bank.used(
        request.ids,
        source=request.source,
        recall=request.recall,
        event_id=request.event_id,
        at=request.at,
    )


def pin(bank: Bank, request: MarkRequest) -> Marked:
    """Pin."""
    return Marked(changed=bank.pin(request.ids, by=request.by))


def unpin(bank: Bank, request: MarkRequest) -> Marked:
    """Unpin."""
    return Marked(changed=bank.unpin(request.ids, by=request.by))


def exempt(bank: Bank, request: ExemptRequest) -> Marked:
    """Exempt, or end an exemption."""
    return Marked(changed=bank.exempt(request.ids, reason=request.reason, by=request.by))


def verify_outcome(bank: Bank, request: VerifyOutcomeRequest) -> Marked:
    """Record that memories came true."""
    changed = bank.verify_outcome(request.ids, reason=request.reason, by=request.by)
    return Marked(changed=changed)


def policy(bank: Bank, request: NothingRequest) -> PolicyInForce:  # noqa: ARG001 - it asks nothing
    """Show the policy in force."""
    return in_force(bank.policy())


def set_policy(bank: Bank, request: SetPolicyRequest) -> PolicyInForce:
    """Change the bank's policy."""
    diff = request.diff
    if request.preset is not None:
        diff = {**_replaced(bank.policy(), request.preset), **_flat(request.diff)}
    return in_force(bank.set_policy(diff, by=request.by))


def stats(bank: Bank, request: StatsRequest) -> Stats:
    """Count."""
    return bank.stats(history=request.history)


def drain(bank: Bank, request: NothingRequest, progress: Progress) -> Upkeep:  # noqa: ARG001 - it asks nothing
    """Do upkeep."""
    return bank.drain(progress=progress)


def reembed(bank: Bank, request: NothingRequest, progress: Progress) -> Reembedded:  # noqa: ARG001 - it asks nothing
    """Make every vector anew."""
    return Reembedded(vectors=bank.reembed(progress=progress))


def backup(lapse: Lapse, request: BackupRequest) -> BackedUp:
    """Copy the store."""
    banks = lapse.backup(request.path, by=request.by, reason=request.reason)
    return BackedUp(path=request.path, banks=banks)


def doctor(lapse: Lapse, request: DoctorRequest) -> Diagnosis:
    """Examine banks."""
    present = tuple(lapse.banks(tenant=request.tenant))
    banks = request.banks or present
    missing = [
        Finding(where=name, problem=f"no such bank: the tenant has {', '.join(present) or 'none'}")
        for name in banks
        if name not in present
    ]
    found = [
        Finding(where=name, problem=problem)
        for name in banks
        for problem in lapse.bank(name, tenant=request.tenant).doctor()
    ]
    return Diagnosis(banks=banks, findings=(*missing, *found))


def laws(request: LawsRequest) -> Laws:
    """Tabulate the laws of presets.

    Raises:
        ValidationError: Presets or kinds that do not exist; all of them.
    """
    faults: list[Fault] = []
    kinds = tuple(dict.fromkeys(_kinds(request.kinds or tuple(Kind), faults)))
    names = tuple(dict.fromkeys(request.presets or presets.NAMES))
    known = ", ".join(presets.NAMES)
    faults += [
        fault("presets", each, f"needs one of {known}")
        for each in names
        if each not in presets.NAMES
    ]
    if faults:
        raise ValidationError(faults)
    return Laws(laws=tuple(_law_of(each, kinds) for each in names))


def in_force(resolved: Resolved) -> PolicyInForce:
    """A policy as faces show it, with the origin of every setting."""
    forgetting = resolved.policy.forgetting
    return PolicyInForce(
        mode=forgetting.mode if forgetting.enabled else Mode.OFF,
        fingerprint=fingerprint(resolved.policy),
        policy=to_mapping(resolved.policy),
        origins={path: resolved.origin_of(path) for path in SETTINGS},
    )


CALLS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "remember": remember,
        "remember_many": remember_many,
        "ingest": ingest,
        "recall": recall,
        "rank": rank,
        "why": why,
        "get": get,
        "list": list_,
        "select": select,
        "update": update,
        "used": used,
        "pin": pin,
        "unpin": unpin,
        "exempt": exempt,
        "verify_outcome": verify_outcome,
        "policy": policy,
        "set_policy": set_policy,
        "stats": stats,
        "laws": laws,
        "drain": drain,
        "reembed": reembed,
        "backup": backup,
        "doctor": doctor,
        **ATTENTION_CALLS,
        **ERASURE_CALLS,
        **COPY_CALLS,
        **TRUTH_CALLS,
        **PLAN_CALLS,
        **CHRONICLE_CALLS,
        **CONSOLIDATION_CALLS,
        **RATING_CALLS,
        **SWEEP_CALLS,
        **lab_calls(in_force),
        **BANK_CALLS,
        **CACHE_CALLS,
    }
)
"""The function of each operation, by its name in the table."""


def _as_of(valid: InstantLike | None, recorded: InstantLike | None) -> AsOf:
    return AsOf(
        valid=None if valid is None else parse_instant(valid, "as_of_valid"),
        recorded=None if recorded is None else parse_instant(recorded, "as_of_recorded"),
    )


def _kinds(given: tuple[Kind | str, ...], faults: list[Fault]) -> list[Kind]:
    kinds = []
    for each in given:
        try:
            kinds.append(parse_kind(each, "kinds"))
        except ValidationError as error:
            faults.extend(error.faults)
    return kinds


def _lifecycles(given: tuple[Lifecycle | str, ...], faults: list[Fault]) -> list[Lifecycle]:
    known = set(Lifecycle)
    faults += [
        fault("lifecycles", each, f"needs one of {', '.join(Lifecycle)}")
        for each in given
        if each not in known
    ]
    return [Lifecycle(each) for each in given if each in known]


def _law_of(preset: str, kinds: tuple[Kind, ...]) -> LawOfPreset:
    table = law_table(presets.named(preset), kinds)
    rows = tuple(
        LawRow(
            kind=each.example.kind,
            importance=each.example.importance,
            uses=each.example.uses,
            readings=each.readings,
            half_life_days=each.half_life_days if isfinite(each.half_life_days) else None,
            falls=each.falls,
        )
        for each in table.rows
    )
    return LawOfPreset(preset=preset, law=table.law, levels=table.levels, rows=rows)


def _replaced(resolved: Resolved, preset: str) -> dict[str, JsonValue]:
    """A diff that takes back the bank's own settings and lays a preset in their place."""
    own = [path for path, origin in resolved.origins.items() if origin is Origin.BANK]
    chosen = presets.diff(preset).values
    return {
        **dict.fromkeys(own, ""),
        **{path: to_json(SETTINGS[path], value) for path, value in chosen.items()},
    }


def _flat(diff: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A diff by dotted paths alone, so that it can be laid over another one."""
    flat: dict[str, JsonValue] = {}
    for name, value in diff.items():
        if "." not in name and isinstance(value, Mapping):
            flat.update({f"{name}.{part}": inner for part, inner in value.items()})
        else:
            flat[name] = value
    return flat
