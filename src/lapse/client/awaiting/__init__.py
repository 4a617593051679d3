"""The asynchronous twins of a bank, its views and a store, part by part.

Decides nothing: every method awaits the one of the same name. All but `twin` and `apart` is
generated from `lapse.bank` by `make docs`.
"""
