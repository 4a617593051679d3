"""The composition root: here a store is picked, and clock, chance, environment and files are read.

Decides which parts a `Lapse` is made of. Refuses every rule: it wires, and hands out banks.
"""

import os
import time
import weakref
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, Unpack

from lapse.bank import HOST, Bank
from lapse.engine.attending import Actor
from lapse.engine.backing_up import back_up
from lapse.engine.choosing import Where
from lapse.engine.core import Core
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.erasing_widely import (
    WideErasure,
    erase_widely,
    preview_widely,
    reach_of,
)
from lapse.engine.governing import check_names
from lapse.engine.parts import OPEN_BANKS, Parts
from lapse.engine.products import SharedProduct
from lapse.engine.sweep_schedule import sweep_scheduled
from lapse.engine.sweep_turns import read_turns, sweep_banks
from lapse.engine.untyped import as_count, as_names
from lapse.engine.upkeep import Upkeep, keep_up_all, keep_up_closing, keep_up_whole
from lapse.errors import StoreError, ValidationError
from lapse.faces import configuration
from lapse.faces.background import counted, model_of
from lapse.faces.embedders import embedder_named
from lapse.faces.ending import Ending
from lapse.faces.keys import FileKeys
from lapse.faces.opening import keys_of, may_be_there, store_of
from lapse.faces.outside import BeginsAnew, Outside, SystemClock, TimeOrderedIds, named_target
from lapse.faces.scheduler import Worker
from lapse.faces.via import Via
from lapse.model.finding import Finder
from lapse.model.memory import BankRef
from lapse.model.policy import Policy
from lapse.model.policy_layers import Resolved, merge
from lapse.model.sweep import Swept
from lapse.ports import (
    Clock,
    Embedder,
    Entropy,
    Generate,
    KeepsNotes,
    NewId,
    Notes,
    Reranker,
    TokenCounter,
)

EVERY_S = 900.0
"""Seconds between two looks at the schedule of sweeps."""


class Lapse:
    """A store opened for use: the banks in it, and the worker that does upkeep.

    Use it as a context manager, or call `close`. Thread-safe. A forked process may go on using it:
    there every bank is opened anew, traces of the parent's recalls are not known, and upkeep has a
    thread of its own.
    """

    def __init__(self, core: Core, worker: Worker | None, via: Via | None = None) -> None:
        """Use `Lapse.open`."""
        self._core = core
        self._via = via or Via()
        self._worker = worker
        if hasattr(os, "register_at_fork"):
            # Weakly: nothing can be unregistered, and a store must not be kept open by that.
            os.register_at_fork(after_in_child=partial(_begin_anew, weakref.ref(self)))

    @classmethod
    def open(
        cls,
        target: str | Path = "lapse.db",
        *,
        policy: Policy | None = None,
        config: str | Path | None = None,
        embedder: Embedder | Literal["policy"] | None = "policy",
        clock: Clock | None = None,
        new_id: NewId | None = None,
        entropy: Entropy | None = None,
        count_tokens: TokenCounter | None = None,
        rerank: Reranker | None = None,
        finder: Finder | None = None,
        generate: Generate | None = None,
        background: bool = True,
        open_banks: int = OPEN_BANKS,
    ) -> Self:
        """Open a store, creating it if it does not exist.

        Args:
            target: A path, `sqlite:///path`, `postgresql+psycopg://user@host/database` (with the
                extra `postgres`), or `memory://`.
            policy: The deployment's policy, such as `presets.companion()`. The environment
                (`LAPSE_SECTION__SETTING`) and `config` win over it, a bank's own over all.
            config: A TOML file of settings.
            embedder: An embedder of your own; "policy" for the one the policy names; None for text
                search only.
            clock, new_id, entropy: For tests and simulations.
            count_tokens: Needed for `budget_tokens`.
            rerank: Scores candidates anew, each in [0, 1].
            finder: Says what a new statement replaces, in place of the rules that come with Lapse:
                the place for a language model.
            generate: The host's background model, asked off the path for ratings and summaries;
                without it, the one that `importance.model` and `importance.endpoint` name.
            open_banks: Most banks that stay in RAM; the one used longest ago gives way.
            background: Whether a thread of this process does upkeep. Without it `drain` and `close`
                do.

        Raises:
            StoreError: The store cannot be opened; the message says why.
            PolicyError: The policy, the environment or `config` holds a bad setting, such as a
                language nobody knows or a model whose key is nowhere; all of them at once.
            ValidationError: `target` is none, or `config` cannot be read.
        """
        layers = configuration.layers(config, os.environ, policy)
        settings = merge(layers).policy
        check_names(settings)
        named = settings.memory.embedder
        chosen = embedder_named(named) if embedder == "policy" else embedder
        place, via, ending = named_target(target), Via(), Ending()
        worker = Worker(lambda: _round(core), EVERY_S, ending) if background else None
        parts = Parts(
            store=store_of(place),
            keys=keys_of(place, entropy or os.urandom, os.environ),
            clock=clock or SystemClock(),
            new_id=new_id or TimeOrderedIds(os.urandom),
            entropy=entropy or os.urandom,
            embedder=chosen,
            count_tokens=count_tokens,
            rerank=rerank,
            finder=finder,
            generate=counted(generate or model_of(settings, os.environ, time.perf_counter), ending),
            deployment=layers,
            wake=_nothing if worker is None else worker.wake,
            stopwatch=time.perf_counter,
            product=SharedProduct(os.cpu_count() or 1),
            open_banks=as_count("open_banks", open_banks),
            via=via,
            ending=ending,
        )
        core = Core(parts)
        return cls(core, worker, via)

    def bank(self, name: str, *, tenant: str = "default") -> Bank:
        """A bank by name. It comes into being with the first verb that writes.

        Raises:
            ValidationError: A blank or over-long name.
        """
        return Bank(self._core, BankRef(tenant=tenant, name=name))

    def banks(self, *, tenant: str = "default") -> Sequence[str]:
        """Names of a tenant's banks, sorted."""
        return [each.ref.name for each in self._core.parts.store.banks(tenant)]

    def preview_erasure(
        self, *, tenant: str = "default", banks: Sequence[str] = (), **where: Unpack[Where]
    ) -> WideErasure:
        """What `erase` would take, and what a hold would keep. Changes nothing."""
        refs, selector = reach_of(self.banks(tenant=tenant), tenant, banks, where)
        return preview_widely(self._core, refs, selector)

    def erase(
        self,
        *,
        tenant: str = "default",
        banks: Sequence[str] = (),
        by: str,
        reason: str,
        approved_by: str | None = None,
        **where: Unpack[Where],
    ) -> WideErasure:
        """Destroy memories of several banks for good, in one act with one receipt.

        A person (`subject=`), whatever names an identifier, whole banks, or the whole tenant: with
        nothing in common named, all that is in the banks goes.

        Args:
            tenant: Whose banks.
            banks: Only these; all of the tenant's if left out.
            by: Who asks for it.
            reason: Why; never the text of a memory.
            approved_by: Who else stands for it, where a policy asks for two people.
            where: What they have in common. See `Where`.

        Raises:
            GuardedError: A hold in any of the banks keeps something; nothing was erased.
            KeyMissingError: There is no key to make tombstones with.
            NotFoundError: A bank that is named does not exist.
            ValidationError: Name, reason or a second person are missing.
        """
        refs, selector = reach_of(self.banks(tenant=tenant), tenant, banks, where)
        actor = Actor(by=by, reason=reason, approved_by=approved_by)
        return erase_widely(self._core, refs, selector, actor)

    def drain(self) -> dict[BankRef, Upkeep]:
        """Do all that waits off the path, in every bank this process has opened.

        Raises:
            LapseError: The first failure of a bank, once all the others have had their turn.
        """
        return keep_up_all(self._core, keep_up_whole)

    def tend(self) -> Sequence[Swept]:
        """Do a round of upkeep in every bank of the store, then the sweeps whose hour it is.

        Any number of processes may: sweeps are kept apart by leases, and upkeep is safe to repeat.
        It gives what became of the banks that were swept.

        Raises:
            LapseError: The first failure of a bank, once all the others have had their turn.
        """
        for ref in self._core.parts.store.refs():
            self._core.runtime(ref)
        return _round(self._core)

    def sweep(
        self,
        *,
        tenant: str = "default",
        banks: Sequence[str] = (),
        limit: int | None = None,
        time_budget_s: float | None = None,
        by: str = HOST,
        progress: Progress = no_progress,
    ) -> Sequence[Swept]:
        """Sweep banks in turn, the one swept longest ago first. See `Bank.sweep`.

        Args:
            tenant: Whose banks.
            banks: Only these; all if left out.
            limit: Most memories that go or are planned, in all banks together.
            time_budget_s: Seconds after which no new portion is begun.
            by: Who sweeps, for the journals.
            progress: Called with (visited, at least so many in all).

        Returns:
            What became of each bank, by name.

        Raises:
            ValidationError: A limit below 1, a negative time, a bad name.
            PolicyError: A bank's policy contradicts the deployment's; the others were swept.
        """
        turns = read_turns(limit, time_budget_s, by)
        names = as_names("banks", banks) or self.banks(tenant=tenant)
        refs = [BankRef(tenant=tenant, name=each) for each in sorted(names)]
        return sweep_banks(self._core, refs, turns, progress)

    def through(self, face: str) -> AbstractContextManager[None]:
        """Say in the journal that what this thread does meanwhile came through a face.

        Args:
            face: Its short name, such as `rest`.
        """
        return self._via.through(face)

    @property
    def parts(self) -> Parts:
        """What it is composed of, for faces that need a clock, chance or keys as well."""
        return self._core.parts

    @property
    def notes(self) -> Notes:
        """The notes of the faces, such as keys to a served bank.

        Raises:
            StoreError: This kind of store keeps none.
        """
        store = self._core.parts.store
        if not isinstance(store, KeepsNotes):
            raise StoreError("this store keeps no keys and jobs, so that it cannot be served")
        return store.notes

    def backup(self, path: str | Path, *, by: str = HOST, reason: str = "asked for") -> int:
        """Write a consistent copy of the whole store while it stays open.

        Every bank's journal says so, so that the receipt of a later erasure names the copy.
        `lapse.restore_backup` brings it back without what was erased since.

        Args:
            path: Where; nothing may be there yet.
            by: Who copies it.
            reason: Why; never the text of a memory.

        Returns:
            How many banks are in it.

        Raises:
            StoreError: The path exists already or cannot be written.
        """
        if Path(path).exists():
            raise StoreError(f"{path} exists, and nothing is overwritten: name another place")
        return back_up(self._core, str(path), Actor(by=by, reason=reason))

    def close(self) -> None:
        """Finish what waits off the path and needs no model, then release everything.

        Closing twice is allowed.

        Raises:
            LapseError: Something of it failed and waits on; all the same, this Lapse is closed.
        """
        if self._core.closed:
            return
        if self._worker is not None:
            self._worker.stop()
        try:
            keep_up_all(self._core, keep_up_closing)
        finally:
            self._core.shut()

    def _begin_anew(self) -> None:
        self._core.begin_anew()
        parts = self._core.parts
        own = (parts.new_id, parts.store, parts.embedder, parts.product, parts.generate)
        for each in (self._worker, *own):
            if isinstance(each, BeginsAnew):
                each.begin_anew()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _begin_anew(kept: "weakref.ref[Lapse]") -> None:
    mind = kept()
    if mind is not None:
        mind._begin_anew()  # noqa: SLF001 - the same module


def _round(core: Core) -> Sequence[Swept]:
    """One round of the worker: upkeep, then the sweeps whose hour it is."""
    try:
        keep_up_all(core)
    finally:
        swept = sweep_scheduled(core)
    return swept


def _nothing() -> None:
    """Wake nobody: upkeep is done by `drain` and `close`."""


def settings_file(named: str | None) -> Path | None:
    """The file of settings that counts for this process. See `configuration.found`."""
    return configuration.found(named, os.environ, Path.cwd())


def settings_without_store(config: Path | None) -> Resolved:
    """What a new bank would have in this process.

    Raises:
        ValidationError: The file cannot be read.
        PolicyError: It or the environment holds a bad setting.
    """
    return merge(configuration.read(config, os.environ))


def new_word() -> str:
    """A word that nobody else has, such as an Idempotency-Key."""
    return os.urandom(16).hex()


def rotate_keys(target: str) -> str:
    """Use a new tombstone key for a store from now on. Returns its name.

    Raises:
        ValidationError: There is no such store, it keeps no keys, or the environment gives them.
        KeyMissingError: The key file cannot be read or written.
    """
    keys = keys_of(target, os.urandom, os.environ)
    if not isinstance(keys, FileKeys) or not may_be_there(target):
        raise ValidationError.of("db", "…", "needs a store that is there")
    return keys.rotate()


def outside() -> Outside:
    """Chance and environment, for whatever works on stores as wholes."""
    return Outside(entropy=os.urandom, environment=os.environ)
