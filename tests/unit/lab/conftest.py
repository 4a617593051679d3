"""What the tests of the lab share: a bank over the reference store and one over SQLite."""

from tests.unit.engine.conftest import lapse, store

__all__ = ["lapse", "store"]
