"""What lists of people are sorted by, computed for everybody who is there."""

from typing import Any

from django.db import migrations, models

from league.members.names import sort_key


def fill(apps: Any, schema_editor: Any) -> None:
    members = apps.get_model("league", "Member").objects.using(schema_editor.connection.alias)
    people = list(members.only("pk", "name"))
    for one in people:
        one.sort_key = sort_key(one.name)
    members.bulk_update(people, ["sort_key"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("league", "0002_session_places")]

    operations = [
        migrations.AddField(
            model_name="member",
            name="sort_key",
            field=models.CharField(default="", editable=False, max_length=120),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        migrations.AlterModelOptions(name="member", options={"ordering": ["sort_key", "id"]}),
        migrations.AlterModelOptions(
            name="placement",
            options={"ordering": ["division__number", "member__sort_key", "pk"]},
        ),
    ]
