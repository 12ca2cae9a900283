"""A table calls the organiser; an organiser decides a game by its score."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0006_draw_jobs'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='called_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='confirmation',
            name='decision',
            field=models.CharField(blank=True, choices=[('stands', 'It counts at its score'), ('score', 'It counts at another score'), ('play_on', 'They play on'), ('new_end', 'It ended earlier'), ('decided', 'Winner decided'), ('abandoned', 'Not played')], max_length=10),
        ),
    ]
