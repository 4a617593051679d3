"""Who may come in by a served face, and what they may do there.

Decides nothing itself: `roles` says what a role may do, `keys` what a key is, `keyring` keeps them,
`door` lets a caller in, `caller` says how far one reaches. REST and MCP share it.
"""

from lapse.faces.access.caller import EVERYTHING, Caller, acting, open_caller
from lapse.faces.access.door import Door, OpenDoor
from lapse.faces.access.keyring import KeyRing
from lapse.faces.access.keys import ApiKey, Grant, Issued
from lapse.faces.access.roles import ALLOWED, Role, Voice

__all__ = [
    "ALLOWED",
    "EVERYTHING",
    "ApiKey",
    "Caller",
    "Door",
    "Grant",
    "Issued",
    "KeyRing",
    "OpenDoor",
    "Role",
    "Voice",
    "acting",
    "open_caller",
]
