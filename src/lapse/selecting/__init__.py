"""Choosing memories exactly: by what they name, never by what merely looks like it."""
