"""Handing a bank on and taking one in."""
