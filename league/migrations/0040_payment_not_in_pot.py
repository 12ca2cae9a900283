"""A payment that is no money, of amount 0: that a player is not in the pot."""

import django.core.validators
from decimal import Decimal
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0039_payment_let_off'),
    ]

    operations = [
        migrations.AlterField(
            model_name='payment',
            name='amount',
            field=models.DecimalField(decimal_places=2, max_digits=8, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(Decimal('999999'))], verbose_name='amount'),
        ),
        migrations.AlterField(
            model_name='payment',
            name='kind',
            field=models.CharField(choices=[('stake', 'paid the stake'), ('refund', 'got the stake back'), ('prize', 'was paid a prize'), ('return', 'gave a prize back'), ('waived', 'was let off'), ('out', 'is not in this pot'), ('club', 'to the club')], max_length=6, verbose_name='kind'),
        ),
    ]
