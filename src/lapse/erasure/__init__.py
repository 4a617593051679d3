"""Removing for good, and proving it. Never decides by age or strength."""
