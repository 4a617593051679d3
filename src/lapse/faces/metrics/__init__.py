"""Metrics: numbers about what faces do and how banks stand, without content and with few labels."""
