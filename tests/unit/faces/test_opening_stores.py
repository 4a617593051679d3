"""What the address of a store may say: unknown options are refused, a missing extra is told."""

import subprocess
import sys
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.errors import ValidationError

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
