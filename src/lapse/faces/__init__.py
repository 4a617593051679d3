"""Command line, REST, MCP and the composition root. No rule of memory lives here."""
