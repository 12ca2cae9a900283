"""Whether the site is alive and ready."""

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse


def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; touches no database."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> HttpResponse:
    """The database answers and its tables are those of this version."""
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        return HttpResponse("migrations waiting\n", status=503, content_type="text/plain")
    return HttpResponse("ready\n", content_type="text/plain")
