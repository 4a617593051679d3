"""A served store from Python, and any store for whoever awaits: the verbs of an open one.

`LapseClient` blocks, `AsyncLapse` is awaited. Decides only which names a user imports.
"""

from lapse.client.asynchronous import AsyncLapse
from lapse.client.awaiting.bank import AsyncBank
from lapse.client.bank import RemoteBank
from lapse.client.lapse import LapseClient

__all__ = ["AsyncBank", "AsyncLapse", "LapseClient", "RemoteBank"]
