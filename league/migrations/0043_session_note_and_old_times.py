"""A note to players about a session, the season that took it out on being closed, and of a sign-up the
day and time before its session moved."""

from django.db import migrations, models
import django.db.models.deletion

import league.members.fields


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0042_pot_amounts_and_first_day'),
    ]

    operations = [
        migrations.AddField(
            model_name='session',
            name='note',
            field=league.members.fields.LineField(blank=True, max_length=200, verbose_name='note'),
        ),
        migrations.AddField(
            model_name='session',
            name='taken_out_of',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='league.season'),
        ),
        migrations.AddField(
            model_name='signup',
            name='old_day',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='signup',
            name='old_time',
            field=models.TimeField(blank=True, null=True),
        ),
    ]
