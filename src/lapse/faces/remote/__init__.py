"""The other side of REST: asking a served store for operations of the table.

Decides nothing itself: `asks` writes requests, `exchange` says what follows on what, `raising`
turns problems back into errors, `wire` sends. Only `wire` knows a library, so that blocking and
asynchronous callers share all the rest.
"""
