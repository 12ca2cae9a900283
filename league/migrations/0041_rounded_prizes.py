"""What the prizes of a pot are rounded down to, in cents."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0040_payment_not_in_pot'),
    ]

    operations = [
        migrations.AddField(
            model_name='pot',
            name='rounded_to',
            field=models.PositiveSmallIntegerField(choices=[(1, '1'), (5, '5'), (50, '50'), (100, '100')], default=1, verbose_name='round prizes down to'),
        ),
    ]
