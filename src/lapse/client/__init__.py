"""A served store from Python: the same verbs, results and errors as an open one.

`LapseClient` blocks. Decides only which names a user imports.
"""

from lapse.client.bank import RemoteBank
from lapse.client.lapse import LapseClient

__all__ = ["LapseClient", "RemoteBank"]
