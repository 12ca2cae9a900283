"""Where a club plays and how long its sessions last, for calendars."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0004_places_in_brackets'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='session_minutes',
            field=models.PositiveSmallIntegerField(default=180, validators=[django.core.validators.MinValueValidator(15), django.core.validators.MaxValueValidator(1440)], verbose_name='length of a session (minutes)'),
        ),
        migrations.AddField(
            model_name='club',
            name='venue',
            field=models.CharField(blank=True, max_length=120, verbose_name='where you play'),
        ),
    ]
