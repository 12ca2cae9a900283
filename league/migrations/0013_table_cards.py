"""The permanent cards of a club's tables."""

import django.db.models.deletion
import league.seating.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0012_guided'),
    ]

    operations = [
        migrations.CreateModel(
            name='TableCard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('code', models.CharField(default=league.seating.models.new_card_code, max_length=8, unique=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='table_cards', to='league.club')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('club', 'number'), name='one_card_a_number')],
            },
        ),
    ]
