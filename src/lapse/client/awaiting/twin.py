"""What every asynchronous twin is: something else's methods, awaited.

Decides how a call is handed over. Refuses to know what it is.
"""

from collections.abc import Callable
from typing import Generic, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
Given = TypeVar("Given")


class Driver(Protocol):
    """Carries calls out without blocking the event loop."""

    async def run(self, method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a method, and give what it gives."""
        ...


class Twin(Generic[T]):
    """Stands for something whose methods block."""

    def __init__(self, opening: Callable[[], T], driver: Driver) -> None:
        """Stand for what `opening` gives, which is called where blocking does no harm."""
        self._opening = opening
        self._driver = driver

    async def _inner(self) -> T:
        return await self._driver.run(self._opening)

    async def _do(self, method: Callable[P, Given], /, *args: P.args, **kwargs: P.kwargs) -> Given:
        return await self._driver.run(method, *args, **kwargs)
