"""Texts to vectors. Never ranks and never stores.

Importing this package loads no model and no driver: each embedder does so when first used.
"""
