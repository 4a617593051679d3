"""How Alembic runs the migrations of PostgreSQL: on the connection that it is handed.

Decides nothing about transactions: whoever hands the connection over has begun one and ends it.
"""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=False,  # the transaction is the caller's
)
context.run_migrations()
