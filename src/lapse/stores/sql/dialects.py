"""What no two dialects write alike, and no function of SQLAlchemy covers.

Decides the words of each dialect. Refuses everything that SQLAlchemy can say by itself.
"""

from sqlalchemy import Boolean
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class listed(FunctionElement[bool]):  # noqa: N801 - it is called like a function of SQL
    """Whether a list, as JSON text in a column, has a value: `listed(column, value)`."""

    type = Boolean()
    inherit_cache = True


@compiles(listed, "sqlite")
def _listed_in_sqlite(element: listed, compiler: SQLCompiler, **options: object) -> str:
    column, value = (compiler.process(each, **options) for each in element.clauses)
    return f"EXISTS (SELECT 1 FROM json_each({column}) AS item WHERE item.value = {value})"  # noqa: S608 - compiled already


@compiles(listed, "postgresql")
def _listed_in_postgres(element: listed, compiler: SQLCompiler, **options: object) -> str:
    column, value = (compiler.process(each, **options) for each in element.clauses)
    return (
        f"EXISTS (SELECT 1 FROM json_array_elements_text({column}::json) AS item(value)"  # noqa: S608 - compiled already
        f" WHERE item.value = {value})"
    )
