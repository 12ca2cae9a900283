"""Django's `migrate`, which creates the current tables of a new database in one step.

Step by step, every migration would rebuild most of the models, which takes three quarters of the
time. Our data migrations have nothing to do in an empty database.
"""

from typing import Any

from django.core.management import call_command
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor

APP = "league"
PARTIAL_OPTIONS = ("app_label", "check_unapplied", "fake", "plan", "prune")


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        is_complete = not any(options[name] for name in PARTIAL_OPTIONS)
        if is_complete and options["database"] == DEFAULT_DB_ALIAS:
            connection = connections[DEFAULT_DB_ALIAS]
            if not connection.introspection.table_names():
                create_tables(connection)
        super().handle(*args, **options)


def create_tables(connection: Any, last: str = "") -> Any:
    """Create the tables as of our last migration, or of a named one, and record all up to it, in
    one transaction. Returns the models of then."""
    executor = MigrationExecutor(connection)
    loader = executor.loader
    (first,), (newest,) = loader.graph.root_nodes(APP), loader.graph.leaf_nodes(APP)
    target = (APP, last) if last else newest
    executor.migrate(loader.get_migration(*first).dependencies)
    apps = loader.project_state(target).apps
    with connection.schema_editor(atomic=True) as editor:
        for model in apps.get_app_config(APP).get_models():
            editor.create_model(model)
        call_command("createcachetable", database=connection.alias, verbosity=0)
        for key in loader.graph.forwards_plan(target):
            if key[0] == APP:
                for app, name in (*loader.get_migration(*key).replaces, key):
                    executor.recorder.record_applied(app, name)
    return apps
