"""The first shape of the tables in PostgreSQL.

Until a first release it is the present shape, made from the same description.
"""

from alembic import op

from lapse.stores.postgres import shape

revision = "0001"
down_revision = None

_PARTITIONS = 16


def upgrade() -> None:
    """Make every table in the schema that is the transaction's."""
    for statement in shape.statements(_PARTITIONS):
        op.execute(statement)
