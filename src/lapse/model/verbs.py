"""Every verb that writes, in one table.

Decides which verbs exist and whether each is journalled. Refuses to decide what a verb does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Verb(StrEnum):
    """A kind of write; every transaction is one of these."""

    CREATE_BANK = "create_bank"
    REMEMBER = "remember"
    REMEMBER_MANY = "remember_many"
    INGEST = "ingest"
    UPDATE = "update"
    SUPERSEDE = "supersede"
    UNSUPERSEDE = "unsupersede"
    RETRACT = "retract"
    UNRETRACT = "unretract"
    PROPOSE = "propose"
    ACCEPT = "accept"
    DISMISS = "dismiss"
    OVERLAY = "overlay"
    USED = "used"
    RETURNED = "returned"
    DRAIN = "drain"
    PIN = "pin"
    UNPIN = "unpin"
    EXEMPT = "exempt"
    VERIFY_OUTCOME = "verify_outcome"
    SET_POLICY = "set_policy"
    REDATE = "redate"
    REREAD = "reread"
    EMBED = "embed"
    REPAIR = "repair"
    SUPPRESS = "suppress"
    ARCHIVE = "archive"
    RESTORE = "restore"
    HOLD = "hold"
    RELEASE = "release"
    PRUNE = "prune"
    ERASE = "erase"
    LIFT_TOMBSTONE = "lift_tombstone"
    EXPORT = "export"
    ADOPT = "adopt"
    IMPORT = "import"
    SHARE = "share"
    BACKUP = "backup"
    RESTORE_BACKUP = "restore_backup"
    SWEEP = "sweep"
    ADD_CANARY = "add_canary"
    DROP_CANARY = "drop_canary"
    CONSOLIDATE = "consolidate"
    RATE = "rate"
    PLAN = "plan"
    APPROVE = "approve"
    APPLY = "apply"
    CACHE = "cache"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbSpec:
    """How the store and the journal treat a verb.

    Attributes:
        summary: What it does, in one line.
        journalled: Whether a committed write of it leaves a journal entry. Events of use are their
            own log, and derived values (dates of fading, vectors) can be computed anew: neither is.
        departs: Whether memories may go out of sight, or for good, by it. By no other verb may one.
        copies: Whether what is in the bank leaves it by this, so that an erasure must name it.
    """

    summary: str
    journalled: bool
    departs: bool = False
    copies: bool = False


VERBS: Mapping[Verb, VerbSpec] = MappingProxyType(
    {
        Verb.CREATE_BANK: VerbSpec(summary="open a bank for the first time", journalled=True),
        Verb.REMEMBER: VerbSpec(summary="store one memory", journalled=True),
        Verb.REMEMBER_MANY: VerbSpec(summary="store a batch of memories", journalled=True),
        Verb.INGEST: VerbSpec(summary="store the messages of a chat", journalled=True),
        Verb.UPDATE: VerbSpec(summary="write a new content version", journalled=True),
        Verb.SUPERSEDE: VerbSpec(summary="let a memory take the place of others", journalled=True),
        Verb.UNSUPERSEDE: VerbSpec(summary="take a supersession back", journalled=True),
        Verb.RETRACT: VerbSpec(summary="hold that memories were never so", journalled=True),
        Verb.UNRETRACT: VerbSpec(summary="hold them so after all", journalled=True),
        Verb.PROPOSE: VerbSpec(summary="list what was found for a decision", journalled=True),
        Verb.ACCEPT: VerbSpec(summary="do what a proposal says", journalled=True),
        Verb.DISMISS: VerbSpec(summary="decide against a proposal", journalled=True),
        Verb.OVERLAY: VerbSpec(summary="keep states for another store's memories", journalled=True),
        Verb.USED: VerbSpec(summary="enqueue events of use", journalled=False),
        Verb.RETURNED: VerbSpec(summary="enqueue what recalls returned", journalled=False),
        Verb.DRAIN: VerbSpec(summary="fold enqueued events into states", journalled=True),
        Verb.PIN: VerbSpec(summary="keep from fading, as a user's wish", journalled=True),
        Verb.UNPIN: VerbSpec(summary="let fade again", journalled=True),
        Verb.EXEMPT: VerbSpec(summary="keep from fading, for a reason", journalled=True),
        Verb.VERIFY_OUTCOME: VerbSpec(summary="record a verified outcome", journalled=True),
        Verb.SET_POLICY: VerbSpec(summary="change the bank's policy", journalled=True),
        Verb.REDATE: VerbSpec(
            summary="date the fading anew after a change of policy", journalled=False
        ),
        Verb.REREAD: VerbSpec(
            summary="read the texts again after a change of language", journalled=False
        ),
        Verb.EMBED: VerbSpec(summary="store vectors or a new vector space", journalled=False),
        Verb.REPAIR: VerbSpec(summary="give a memory without a state one", journalled=True),
        Verb.SUPPRESS: VerbSpec(
            summary="take out of recall, kept whole", journalled=True, departs=True
        ),
        Verb.ARCHIVE: VerbSpec(
            summary="take out of recall and of its index", journalled=True, departs=True
        ),
        Verb.RESTORE: VerbSpec(summary="bring back as it was", journalled=True),
        Verb.HOLD: VerbSpec(summary="keep for a named matter", journalled=True),
        Verb.RELEASE: VerbSpec(summary="end a hold", journalled=True),
        Verb.PRUNE: VerbSpec(
            summary="destroy what has long been archived", journalled=True, departs=True
        ),
        Verb.ERASE: VerbSpec(summary="destroy for good", journalled=True, departs=True),
        Verb.LIFT_TOMBSTONE: VerbSpec(summary="allow erased content again", journalled=True),
        Verb.EXPORT: VerbSpec(summary="write the bank to a file", journalled=True, copies=True),
        Verb.ADOPT: VerbSpec(
            summary="take over the records of a bank from a file, its journal among them",
            journalled=False,
        ),
        Verb.IMPORT: VerbSpec(summary="take in the memories of a file", journalled=True),
        Verb.SHARE: VerbSpec(
            summary="copy memories into another bank", journalled=True, copies=True
        ),
        Verb.BACKUP: VerbSpec(
            summary="write a copy of the whole store", journalled=True, copies=True
        ),
        Verb.RESTORE_BACKUP: VerbSpec(
            summary="keep newer decisions over an older copy", journalled=True, departs=True
        ),
        Verb.SWEEP: VerbSpec(
            summary="archive what is due, and report", journalled=True, departs=True
        ),
        Verb.ADD_CANARY: VerbSpec(summary="keep a question with its answers", journalled=True),
        Verb.DROP_CANARY: VerbSpec(summary="drop a question with its answers", journalled=True),
        Verb.CONSOLIDATE: VerbSpec(
            summary="derive one memory from what a session gathered", journalled=True
        ),
        Verb.RATE: VerbSpec(
            summary="rate what nobody rated, or what waited for a model", journalled=True
        ),
        Verb.PLAN: VerbSpec(summary="write down what would be done", journalled=True),
        Verb.APPROVE: VerbSpec(summary="approve a plan or a part of it", journalled=True),
        Verb.APPLY: VerbSpec(
            summary="do what was planned and approved", journalled=True, departs=True
        ),
        Verb.CACHE: VerbSpec(summary="keep or drop answers of the cache", journalled=False),
    }
)
"""The one table; a verb outside it cannot be committed."""
