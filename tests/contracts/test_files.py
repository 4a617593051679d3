"""The contract of stores on a folder of files, and its state machine."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.stateful import rule

from lapse.model.memory import BankRef
from lapse.ports import Store
from lapse.stores.files import names
from lapse.stores.files.store import FileStore
from lapse.testing.store_contract import (
    LastingStoreContract,
    LostStateContract,
    StoreContract,
)
from lapse.testing.store_contract_notes import NoteClauses
from tests.contracts.test_store_machine import StoreMachine


class TestFileStore(StoreContract, NoteClauses, LastingStoreContract, LostStateContract):
    """file:///: a temporary folder."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        with closing(FileStore.open(tmp_path / "store")) as store:
            yield store

    def another(self) -> Store:
        return self.opened(str(self.folder / "store"))

    def opened(self, path: str) -> Store:
        return FileStore.open(path)

    def free_path(self) -> str:
        return str(self.folder / "copy")

    def lose_state(self, store: Store, ref: BankRef, memory_id: str) -> None:
        assert isinstance(store, FileStore)
        place = names.sharded(names.bank_folder(ref), names.STATES, memory_id)
        (self.folder / "store" / place).unlink()
        store.read_again()


class FilesMachine(StoreMachine):
    """The same with a folder, which may be closed and opened at any time, and read by another."""

    def open(self) -> Store:
        self.folder = Path(tempfile.mkdtemp(prefix="lapse-files-"))
        return FileStore.open(self.folder / "store")

    @rule()
    def reopen(self) -> None:
        self.subject.close()
        self.subject = FileStore.open(self.folder / "store")

    @rule()
    def let_another_go_on(self) -> None:
        """Go on with a store that learns from the log of writes what the one before wrote."""
        if not hasattr(self, "other"):
            self.other: Store = FileStore.open(self.folder / "store")
        self.subject, self.other = self.other, self.subject

    def teardown(self) -> None:
        super().teardown()
        if hasattr(self, "other"):
            self.other.close()
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)


LENGTHS = settings(max_examples=15, stateful_step_count=25, deadline=None)

TestFilesAgainstReference = FilesMachine.TestCase
TestFilesAgainstReference.settings = LENGTHS
