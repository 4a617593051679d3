"""Answers that may be given again: to which questions, for how long, and what makes them stale."""
