"""The shipped suites can be imported and run where no test framework is installed."""

import subprocess
import sys

PROGRAM = """
import sys
sys.modules["pytest"] = None
sys.modules["hypothesis"] = None
from lapse.stores.memory import MemoryStore
from lapse.testing.store_contract import StoreContract, broken_clauses, clauses
assert broken_clauses(StoreContract, MemoryStore) == {}
print(len(list(clauses(StoreContract))))
"""


def test_the_contract_of_stores_runs_without_pytest() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 40
