"""Asking models over HTTP. Knows how to ask, never what for."""
