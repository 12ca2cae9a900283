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
                _create_tables(connection)
        super().handle(*args, **options)


def _create_tables(connection: Any) -> None:
    """Create the tables as of our last migration, and record all migrations, in one transaction."""
    executor = MigrationExecutor(connection)
    loader = executor.loader
    (first,), (last,) = loader.graph.root_nodes(APP), loader.graph.leaf_nodes(APP)
    executor.migrate(loader.get_migration(*first).dependencies)
    models = loader.project_state(last).apps.get_app_config(APP).get_models()
    with connection.schema_editor(atomic=True) as editor:
        for model in models:
            editor.create_model(model)
        call_command("createcachetable", database=connection.alias, verbosity=0)
        for key in loader.graph.forwards_plan(last):
            if key[0] == APP:
                for app, name in (*loader.get_migration(*key).replaces, key):
                    executor.recorder.record_applied(app, name)
