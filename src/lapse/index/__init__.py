"""One bank's columns in memory, advanced by revision. Never ranks and never writes to a store."""
