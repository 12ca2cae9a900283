"""Fixed amounts for the places that win a pot, and the day from which a season's pot counts."""

import league.members.validators
import league.standings.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0041_rounded_prizes'),
    ]

    operations = [
        migrations.AddField(
            model_name='pot',
            name='counts_from',
            field=models.DateField(blank=True, null=True, validators=[league.members.validators.validate_day], verbose_name='counts sessions from'),
        ),
        migrations.AlterField(
            model_name='pot',
            name='payout',
            field=models.CharField(choices=[('places', 'Top places, by percent'), ('amounts', 'Top places, fixed amounts'), ('most_loners', 'Most lone marches'), ('each_loner', 'Shared out by lone marches'), ('most_euchres', 'Most euchres made'), ('kept', 'Nobody: it stays with the club')], max_length=12, verbose_name='who wins it'),
        ),
        migrations.AlterField(
            model_name='pot',
            name='shares',
            field=models.JSONField(blank=True, default=list, validators=[league.standings.models.validate_shares], verbose_name='for the places'),
        ),
    ]
