"""A payment that is no money: what a player was let off."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0038_kinds_of_payments'),
    ]

    operations = [
        migrations.AlterField(
            model_name='payment',
            name='kind',
            field=models.CharField(choices=[('stake', 'paid the stake'), ('refund', 'got the stake back'), ('prize', 'was paid a prize'), ('return', 'gave a prize back'), ('waived', 'was let off'), ('club', 'to the club')], max_length=6, verbose_name='kind'),
        ),
    ]
