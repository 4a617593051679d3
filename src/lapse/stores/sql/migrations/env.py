"""How Alembic runs the migrations: on the connection that it is handed.

Decides nothing about transactions: whoever hands the connection over has begun one and ends it.
"""

from alembic import context

from lapse.stores.sql.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=False,  # the transaction is the caller's
    render_as_batch=True,  # SQLite cannot alter a column in place
)
context.run_migrations()
