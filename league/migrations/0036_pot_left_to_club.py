"""That nobody has won a pot and it was left to the club, apart from who was to win it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0035_club_welcome'),
    ]

    operations = [
        migrations.AddField(
            model_name='pot',
            name='left_to_club',
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
