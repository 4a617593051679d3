"""The Model Context Protocol face: tools for agents, made from the table of operations."""
