"""SQL stores: SQLite embedded, others by the same tables. Keep and fetch only."""
