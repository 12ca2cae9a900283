"""A table's call stays until it is settled; until then the table knows that somebody is coming."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0024_sheet_totals'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='coming_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
