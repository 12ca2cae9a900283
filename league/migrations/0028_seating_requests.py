"""A wish is a seating request, a session knows that it is a team match's, and so says the log."""

import django.db.models.deletion
from django.db import migrations, models

RENAMED = {
    "add wish": "add seating request",
    "drop wish": "drop seating request",
    "draw anew for a late entry": "reschedule for a late entry",
}


def take_over(apps, schema_editor):
    alias = schema_editor.connection.alias
    sessions = apps.get_model("league", "Session").objects.using(alias)
    sessions.filter(team_match__isnull=False).update(of_team_match=True)
    entries = apps.get_model("league", "AuditEntry").objects.using(alias)
    for old, new in RENAMED.items():
        entries.filter(action=old).update(action=new)


class Migration(migrations.Migration):
    dependencies = [("league", "0027_card_photographs")]

    operations = [
        migrations.RenameModel("Wish", "SeatingRequest"),
        migrations.AlterField(
            model_name='seatingrequest',
            name='club',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seating_requests', to='league.club'),
        ),
        migrations.AlterField(
            model_name='seatingrequest',
            name='kind',
            field=models.CharField(choices=[('never', 'Never at the same table'), ('avoid', 'Preferably not at the same table'), ('fixed', 'Always partners'), ('apart', 'Same table, but not partners'), ('together', 'Always at the same table'), ('stays', "Doesn't change tables")], max_length=10, verbose_name='Request'),
        ),
        migrations.AddField(
            model_name='session',
            name='of_team_match',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.RunPython(take_over, elidable=True),
    ]
