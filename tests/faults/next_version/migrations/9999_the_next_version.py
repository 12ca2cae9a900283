"""What a next version may bring: a table, a column that only its own code fills, a pass over
all hands.

LINGER names a file: once half is done, the migration makes it and waits to be killed.
BY_PIECES makes it what no migration of ours may be: one that leaves its halves behind.
"""

import os
import time
from pathlib import Path

from django.db import migrations, models

import league.migrations

(*_, LATEST) = sorted(found.stem for found in Path(league.migrations.__path__[0]).glob("0*.py"))


def linger(apps, schema_editor):
    mark = os.environ.get("LINGER")
    if mark:
        Path(mark).touch()
        time.sleep(600)


def fill(apps, schema_editor):
    apps.get_model("league", "Hand").objects.update(written_by_next="yes")


class Migration(migrations.Migration):
    atomic = "BY_PIECES" not in os.environ
    dependencies = [("league", LATEST)]
    operations = [
        migrations.CreateModel("Next", [("id", models.BigAutoField(primary_key=True))]),
        migrations.AddField("hand", "written_by_next", models.TextField(db_default="no")),
        migrations.RunPython(linger, migrations.RunPython.noop),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
