"""The store past one machine: PostgreSQL. It keeps and fetches, and never decides."""
