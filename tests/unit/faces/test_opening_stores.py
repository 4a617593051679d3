"""What the address of a store may say: unknown options are refused, a missing extra is told."""

import subprocess
import sys
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import ValidationError
from lapse.faces.migrating import migrate

ADDRESSES = {
    "memory": ("memory://?pool=3", "memory://"),
    "sqlite": ("sqlite:///{folder}/store.db?timeout=3", "a file has no options"),
    "files": ("file://{folder}/store?shards=3", "a folder of files has no options"),
}
"""By store, an address with an option, and what is said to it."""

UNKNOWN = (
    "mongodb://host/database",
    "oracle://host/database",
    "mysql://user:hunter2@host/database",
    "file://folder",
    "https://host/v1",
)

WITHOUT_DRIVER = """
import sys
sys.modules["psycopg"] = None
from lapse import Lapse, errors
try:
    Lapse.open("postgresql+psycopg://user:hunter2@nowhere/database")
except errors.StoreError as error:
    print(error, error.fields["extra"])
"""


MOVING_WITHOUT_DRIVER = """
import sys
sys.modules["psycopg"] = None
from lapse import errors
from lapse.faces.migrating import migrate
nowhere = "postgresql+psycopg://user:hunter2@nowhere/database"
for source, target in ((nowhere, "file:///there"), ("lapse.db", nowhere)):
    try:
        migrate(source, target)
    except errors.StoreError as error:
        print(error, error.fields["extra"])
"""

SAME = (
    ("postgresql://ann@db/memories", "postgresql+psycopg://ann:hunter2@db:5432/memories?pool=3"),
    ("postgresql://ann@db/memories?schema=lapse", "postgresql://bert@db/memories?direct=1"),
)


def refused(address: str) -> str:
    with pytest.raises(ValidationError) as caught:
        Lapse.open(address, embedder=None, background=False)
    return str(caught.value)


@pytest.mark.parametrize("store", ADDRESSES)
def test_an_option_that_a_store_does_not_have_is_refused(store: str, tmp_path: Path) -> None:
    address, told = ADDRESSES[store]
    assert told in refused(address.format(folder=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_an_option_that_postgresql_does_not_have_is_refused_by_name() -> None:
    pytest.importorskip("psycopg", reason="needs the extra postgres")
    told = refused("postgresql+psycopg://user:hunter2@nowhere/database?polo=3&schema=Large")
    assert "target.polo" in told
    assert "target.schema" in told
    assert "partitions" in told
    assert "hunter2" not in told


@pytest.mark.parametrize("address", UNKNOWN)
def test_an_address_of_no_store_says_which_there_are(address: str) -> None:
    told = refused(address)
    assert "sqlite:///path" in told
    assert "file:///folder" in told
    assert "postgresql" in told
    assert "hunter2" not in told


def test_where_the_driver_is_missing_the_extra_is_named() -> None:
    found = subprocess.run(
        [sys.executable, "-c", WITHOUT_DRIVER], capture_output=True, text=True, check=True
    )
    assert "pip install 'lapse[postgres]'" in found.stdout
    assert found.stdout.strip().endswith("postgres")
    assert "hunter2" not in found.stdout + found.stderr


def test_whoever_moves_a_store_without_the_driver_is_told_the_extra(tmp_path: Path) -> None:
    (tmp_path / "lapse.db").touch()
    found = subprocess.run(
        [sys.executable, "-c", MOVING_WITHOUT_DRIVER],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert found.stdout.count("pip install 'lapse[postgres]'") == 2
    assert "hunter2" not in found.stdout + found.stderr


@pytest.mark.parametrize(("source", "target"), SAME)
def test_a_store_on_a_server_is_not_moved_into_itself(source: str, target: str) -> None:
    pytest.importorskip("psycopg", reason="needs the extra postgres")
    with pytest.raises(ValidationError, match="is the store to read from") as caught:
        migrate(source, target)
    assert "hunter2" not in str(caught.value)
