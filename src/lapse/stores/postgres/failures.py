"""The driver's errors in Lapse's words.

Decides what a failure is called, which ones are worth another try, and that no error shows a value:
PostgreSQL names the row that it refuses, and that row may be a memory. Refuses to try again.
"""

from typing import Final

import psycopg
from psycopg import errors

from lapse.errors import LapseError, StoreBusyError, StoreError, StoreFullError

_LIMITS: Final = "idle_in_transaction_session_timeout and transaction_timeout"


class AgainError(StoreBusyError):
    """The write gave way to another one, or its connection broke: it may be made once more."""


class LostError(AgainError):
    """The connection broke: whether a commit that was under way was made is not known here."""


def translated(error: BaseException, shown: str) -> LapseError:
    """Say in Lapse's words what went wrong at the place that is shown as `shown`."""
    state = (error.sqlstate or "") if isinstance(error, psycopg.Error) else ""
    fields = {"place": shown, "sqlstate": state}
    match error:
        case errors.SerializationFailure() | errors.DeadlockDetected():
            return AgainError("another write came between: try again", fields=fields)
        case errors.LockNotAvailable():
            text = f"another process is writing to this bank at {shown} for too long: try again"
            return StoreBusyError(text, fields=fields)
        case errors.QueryCanceled():
            text = f"{shown} took longer than statement_timeout_s: try again, or raise it"
            return StoreBusyError(text, fields=fields)
        case errors.IdleInTransactionSessionTimeout() | errors.TransactionTimeout():
            text = f"{shown} allows transactions less time than this took: raise its {_LIMITS}"
            return StoreBusyError(text, fields=fields)
        case errors.InsufficientPrivilege():
            text = f"{shown} does not let this user do that: see what the role needs"
        case errors.DiskFull():
            text = f"no room left to write at {shown}: free some, then try again"
            return StoreFullError(text, fields=fields)
        case errors.ReadOnlySqlTransaction():
            text = f"{shown} cannot be written: connect to the primary server"
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return LostError(f"the connection to {shown} broke: try again", fields=fields)
        case _:
            kind = type(error).__name__
            text = f"PostgreSQL refused a value or statement ({kind} {state})".rstrip()
    return StoreError(text, fields=fields)
