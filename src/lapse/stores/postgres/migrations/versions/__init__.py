"""Alembic's migrations. They decide how a file of one version becomes one of the next."""
