"""Why a session is cancelled, whose mail about a moved one is to be sent, and the own start time of
a match of a team league."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0036_pot_left_to_club'),
    ]

    operations = [
        migrations.AddField(
            model_name='session',
            name='cancel_reason',
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name='signup',
            name='move_unsent',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='teammatch',
            name='begins_at',
            field=models.TimeField(blank=True, null=True, verbose_name='start time'),
        ),
    ]
