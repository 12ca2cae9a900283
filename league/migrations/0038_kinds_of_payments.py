"""What a payment was: a stake, a prize, either given back, or what is left, booked to the club."""

import django.db.models.deletion
from django.db import migrations, models

from league.standings.old_payments import name_old_payments


def name_kinds(apps, schema_editor):
    alias = schema_editor.connection.alias
    payments = apps.get_model("league", "Payment").objects.using(alias)
    name_old_payments(payments, apps.get_model("league", "Result").objects.using(alias))


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0037_cancel_reasons_and_match_times'),
    ]

    operations = [
        migrations.AddField(
            model_name='payment',
            name='kind',
            field=models.CharField(choices=[('stake', 'paid in'), ('refund', 'paid back'), ('prize', 'paid out'), ('return', 'given back'), ('club', 'to the club')], default='stake', max_length=6, verbose_name='kind'),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name='payment',
            name='member',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='league.member'),
        ),
        migrations.RunPython(name_kinds, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField(
            model_name='payment',
            name='out',
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'club'), ('member__isnull', False), _connector='XOR'), name='payment_of_a_member_or_to_the_club'),
        ),
    ]
