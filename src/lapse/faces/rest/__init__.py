"""The REST face: routes made from the table of operations, one small table beside it.

Decides nothing itself: `routes` names, `reading` reads, `service` acts, `app` wires. FastAPI is
imported in `app` alone.
"""
