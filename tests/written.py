"""Which tables of the database are written while something is done."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

WRITES = re.compile(
    r"\s*(?:INSERT|UPDATE|DELETE|REPLACE|MERGE|TRUNCATE)\s+(?:INTO\s+|FROM\s+)?[\"`]?(\w+)",
    re.IGNORECASE,
)


@contextmanager
def written() -> Iterator[set[str]]:
    """The tables that are written meanwhile."""
    tables: set[str] = set()

    def look(execute, sql, params, many, context):
        if found := WRITES.match(sql):
            tables.add(found[1])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield tables
