"""Strengthening, plans and sweeps. Never ranks and never looks at a query."""
