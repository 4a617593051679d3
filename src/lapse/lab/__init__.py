"""Measuring forgetting on a bank's own history. Reads only; proposes, never applies."""
