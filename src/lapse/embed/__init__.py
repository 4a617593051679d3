"""Texts to vectors. Never ranks and never stores."""
