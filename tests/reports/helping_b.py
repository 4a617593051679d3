"""What the reports on isolation, texts, settings, vectors, growth and consistency share.

Decides how a test breaks one part of the outside at a chosen moment, and how it runs a command.
Imitates nothing of Lapse: a store that fails is a real store whose one call raises.
"""

import io
import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lapse import Lapse
from lapse.bank import Bank
from lapse.errors import EmbedderError, StoreError
from lapse.faces.cli import main
from lapse.model.changeset import ChangeSet, Committed
from lapse.model.query import Recall
from lapse.model.verbs import Verb
from lapse.ports import Store
from lapse.stores.sql.connections import Connections
from tests.unit.engine.opening import WordEmbedder

Rows = NDArray[np.float32]


class NamedModel(WordEmbedder):
    """A model whose id is its name alone, as a remote one's is; it needs no IDF."""

    def __init__(self, name: str, *, dimension: int) -> None:
        super().__init__(name, dimension=dimension, vocabulary=0)

    @property
    def id(self) -> str:
        return self.name


class FailingOnCall(WordEmbedder):
    """Makes no vector on the calls it was told to fail on, counted from 1; needs no IDF."""

    def __init__(self, *calls: int, dimension: int = 64) -> None:
        super().__init__("flaky", dimension=dimension, vocabulary=0)
        self._failing = set(calls)
        self._asked = 0

    def embed(self, texts: Sequence[str], idf: Rows | None) -> Rows:
        self._asked += 1
        if self._asked in self._failing:
            raise EmbedderError("the embedder is out of order")
        return super().embed(texts, idf)


@dataclass(kw_only=True)
class Faults:
    """What goes wrong with the writes of one store.

    Attributes:
        lost_replies: How many more writes are committed without their caller hearing of it.
        refused: How many more writes are refused, as by a full disk.
        commits: Writes that were asked for, by verb.
    """

    lost_replies: int = 0
    refused: int = 0
    commits: Counter[Verb] = field(default_factory=Counter)


def store_of(mind: Lapse) -> Store:
    """The store that an open Lapse keeps its memories in."""
    return mind._core.parts.store


def with_faults(store: Store, monkeypatch: pytest.MonkeyPatch) -> Faults:
    """Let a test decide which writes of a store go wrong."""
    faults, commit = Faults(), store.commit

    def commit_or_fail(change: ChangeSet) -> Committed:
        faults.commits[change.verb] += 1
        if faults.refused:
            faults.refused -= 1
            raise StoreError("the disk is full; nothing was written")
        committed = commit(change)
        if faults.lost_replies:
            faults.lost_replies -= 1
            raise StoreError("the connection was lost")
        return committed

    monkeypatch.setattr(store, "commit", commit_or_fail)
    return faults


@contextmanager
def counted_statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every statement that SQLite runs for stores opened inside, in order."""
    seen: list[str] = []
    connect = Connections.connect

    def watched(self: Connections) -> sqlite3.Connection:
        connection = connect(self)
        connection.set_trace_callback(seen.append)
        return connection

    with monkeypatch.context() as patched:
        patched.setattr(Connections, "connect", watched)
        yield seen


def by_sql(path: Path, statement: str, *values: object) -> int:
    """Change a store's file behind its back. Returns how many rows changed."""
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).rowcount


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """How a command ended: its exit code, what it printed, and what it said beside that."""

    code: int
    out: str
    err: str

    @property
    def hit_ids(self) -> list[str]:
        """Ids of the hits of a recall asked for as JSON."""
        assert self.code == 0, self.err
        return [each["memory"]["id"] for each in json.loads(self.out)["hits"]]


def spoken(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *arguments: str,
    stdin: str = "",
) -> Spoken:
    """Run a command of `lapse`, searching by text only."""
    capsys.readouterr()
    with monkeypatch.context() as patched:
        patched.setenv("LAPSE_MEMORY__EMBEDDER", "none")
        patched.setattr(sys, "stdin", io.StringIO(stdin))
        code = main(arguments)
    said = capsys.readouterr()
    return Spoken(code=code, out=said.out, err=said.err)


Ask = Callable[[Bank, str], Recall]
"""One way to ask a bank for the memories of one user."""
