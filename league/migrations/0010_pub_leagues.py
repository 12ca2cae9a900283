"""Divisions, rules as one document, transfers, play-offs, decisions: what pub leagues print."""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import league.members.validators
import league.teams.validators
from django.db import migrations, models


ORDERS = {
    "games": ["games_won", "head_to_head", "points_difference", "points_for"],
    "meetings": ["head_to_head", "games_won", "points_difference", "points_for"],
    "difference": ["points_difference", "games_won", "head_to_head", "points_for"],
}


def gather_rules(apps, schema_editor):
    """Points and tie-breaks of each league become its rules; its matches know their half."""
    using = schema_editor.connection.alias
    TeamLeague = apps.get_model("league", "TeamLeague")
    for league in TeamLeague.objects.using(using):
        points = {name: getattr(league, f"points_{name}") for name in ("win", "draw", "loss", "game")}
        league.rules = {"points": points, "tie_breaks": ORDERS[league.ranking]}
        league.save(update_fields=["rules"])
        fixtures = league.matches.filter(cup=None)
        rounds = fixtures.aggregate(last=models.Max("round"))["last"] or 0
        fixtures.filter(round__gt=(rounds + 1) // 2).update(half=2)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0009_held_standings'),
    ]

    operations = [
        migrations.AddField(
            model_name='team',
            name='code',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name='team',
            name='house',
            field=models.CharField(blank=True, max_length=60, verbose_name='house'),
        ),
        migrations.AddField(
            model_name='teamleague',
            name='blank_days',
            field=models.JSONField(blank=True, default=list, validators=[league.teams.validators.validate_days]),
        ),
        migrations.AddField(
            model_name='teamleague',
            name='preset',
            field=models.CharField(blank=True, max_length=30),
        ),
        migrations.AddField(
            model_name='teamleague',
            name='rules',
            field=models.JSONField(blank=True, default=dict, validators=[league.teams.validators.validate_league_rules]),
        ),
        migrations.AddField(
            model_name='teamleague',
            name='sections',
            field=models.BooleanField(default=False, verbose_name='divisions are sections side by side'),
        ),
        migrations.AddField(
            model_name='teamleague',
            name='squad_rules',
            field=models.JSONField(blank=True, default=dict, validators=[league.teams.validators.validate_squad_rules]),
        ),
        migrations.AddField(
            model_name='teammatch',
            name='card',
            field=models.JSONField(blank=True, default=list, validators=[league.teams.validators.validate_card]),
        ),
        migrations.AddField(
            model_name='teammatch',
            name='card_note',
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name='teammatch',
            name='given_nobody',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='teammatch',
            name='half',
            field=models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(2)]),
        ),
        migrations.AddField(
            model_name='teammatch',
            name='late_lifted',
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name='teammatch',
            name='received_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='teamplayer',
            name='registered_on',
            field=models.DateField(blank=True, null=True, validators=[league.members.validators.validate_day]),
        ),
        migrations.AlterField(
            model_name='deduction',
            name='points',
            field=models.DecimalField(decimal_places=2, max_digits=4, validators=[django.core.validators.MinValueValidator(-99), django.core.validators.MaxValueValidator(99)]),
        ),
        migrations.CreateModel(
            name='CardCopy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('games', models.JSONField(validators=[league.teams.validators.validate_card])),
                ('said_as', models.CharField(max_length=80)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='copies', to='league.teammatch')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.team')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='LeagueDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=300)),
                ('said_as', models.CharField(max_length=80)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='league.teamleague')),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='league.teammatch')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='PlayOff',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('level', 'teams level in the table'), ('move', 'for a place in the upper division')], max_length=8)),
                ('said_as', models.CharField(max_length=80)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='play_offs', to='league.teamleague')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='TeamDivision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40, verbose_name='name')),
                ('number', models.PositiveSmallIntegerField()),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='divisions', to='league.teamleague')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.AddField(
            model_name='team',
            name='division',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='teams', to='league.teamdivision'),
        ),
        migrations.CreateModel(
            name='Transfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(validators=[league.members.validators.validate_day])),
                ('said_as', models.CharField(max_length=80)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='transfers', to='league.teamleague')),
                ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='team_transfers', to='league.member')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='transfers_out', to='league.team')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='transfers_in', to='league.team')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='PlayOffPlace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('play_off', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='places', to='league.playoff')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='play_off_places', to='league.team')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('play_off', 'team'), name='once_in_a_play_off'), models.UniqueConstraint(fields=('play_off', 'number'), name='one_play_off_place')],
            },
        ),
        migrations.AddConstraint(
            model_name='teamdivision',
            constraint=models.UniqueConstraint(fields=('league', 'number'), name='one_team_division_a_number'),
        ),
        migrations.AddConstraint(
            model_name='teamdivision',
            constraint=models.UniqueConstraint(fields=('league', 'name'), name='one_team_division_a_name'),
        ),
        migrations.RunPython(gather_rules, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name='teamleague',
            name='points_draw',
        ),
        migrations.RemoveField(
            model_name='teamleague',
            name='points_game',
        ),
        migrations.RemoveField(
            model_name='teamleague',
            name='points_loss',
        ),
        migrations.RemoveField(
            model_name='teamleague',
            name='points_win',
        ),
        migrations.RemoveField(
            model_name='teamleague',
            name='ranking',
        ),
    ]
