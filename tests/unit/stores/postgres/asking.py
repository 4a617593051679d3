"""The reads of the store that are asked often, with values to ask them with."""

from lapse.model.memory import BankRef
from lapse.stores.sql import feeding, statements

READS = {
    "REVISION": statements.REVISION,
    "COUNT": statements.COUNT,
    "BANK": statements.BANK,
    "ROW": statements.ROW,
    "STANDING": statements.standing_by_id(1),
    "one record": statements.records_by_id(1),
    "record by row": statements.records_by_row(1),
    "contents": statements.contents_by_id(1),
    "TERMS_OF": statements.TERMS_OF,
    "VERSIONS": statements.VERSIONS,
    "EVENTS": statements.EVENTS,
    "RECENT_EVENTS": statements.RECENT_EVENTS,
    "HOLDS": statements.HOLDS,
    "JOURNAL": statements.JOURNAL,
    "ALL_CONTENT": feeding.ALL_CONTENT,
    "NEW_CONTENT": feeding.NEW_CONTENT,
    "NEW_STATES": feeding.NEW_STATES,
    "NEW_TERMS": feeding.NEW_TERMS,
    "MISSING_VECTORS": statements.MISSING_VECTORS,
}


def values_for(name: str, ref: BankRef, numbers: tuple[int, int]) -> tuple[object, ...]:
    """Give values that find something in a bank that holds the memory m1."""
    number, row = numbers
    match name:
        case "REVISION" | "COUNT" | "BANK":
            return (ref.tenant, ref.name)
        case "ROW" | "STANDING" | "one record" | "contents":
            return (number, "m1")
        case "HOLDS":
            return (number,)
        case "JOURNAL":
            return (number, 0, 10)
        case "RECENT_EVENTS":
            return (number, row, 0)
        case "ALL_CONTENT":
            return (1, number)
        case "NEW_CONTENT":
            return (1, number, 0)
        case "NEW_STATES" | "NEW_TERMS":
            return (number, 0)
        case "MISSING_VECTORS":
            return (number, 1, 10)
        case _:
            return (number, row)
