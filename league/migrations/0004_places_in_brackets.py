"""What a match, a late entry and a round are in their bracket is said by fields of its own.

Until now the spelling of a match's label told a group from a place in a bracket, the size of a late
entry's number whose bye it took, and the name of a round was stored in one language.
"""

import re

import django.db.models.deletion
from django.db import migrations, models

BRACKETS = ("knockout", "double")
FIELD_SIZES = {"Final": 2, "Semi-finals": 4, "Quarter-finals": 8}


def name_places(apps, schema_editor):
    using = schema_editor.connection.alias
    Match, StageRound, Tournament = (
        apps.get_model("league", name) for name in ("Match", "StageRound", "Tournament")
    )
    matches = Match.objects.using(using).exclude(label="")
    for match in matches.select_related("stage_round__stage").iterator():
        if match.stage_round.stage.format == "groups" and match.label.isdecimal():
            match.group = int(match.label)
        else:
            match.place = match.label
        match.save(update_fields=["group", "place"])
    for row in StageRound.objects.using(using).exclude(label=""):
        last = re.search(r"\d+", row.label)
        row.field_size = FIELD_SIZES.get(row.label) or (int(last[0]) if last else None)
        row.save(update_fields=["field_size"])
    brackets = Tournament.objects.using(using).filter(
        stages__format__in=BRACKETS, entries__late=True
    )
    for tournament in brackets.distinct():
        entries = list(tournament.entries.exclude(number=None))
        drawn = {one.number: one for one in entries if not one.late}
        places = 1 << max(1, (len(drawn) - 1).bit_length())
        for one in entries:
            if one.late and (holder := drawn.get(places + 1 - one.number)) is not None:
                one.bye_of = holder
                one.save(update_fields=["bye_of"])


class Migration(migrations.Migration):
    dependencies = [("league", "0003_member_sort_key")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="group",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="match",
            name="place",
            field=models.CharField(blank=True, max_length=20, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="stageround",
            name="field_size",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="entry",
            name="bye_of",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="late_opponents",
                to="league.entry",
            ),
        ),
        migrations.RunPython(name_places, elidable=False),
        migrations.RemoveField(model_name="match", name="label"),
        migrations.RemoveField(model_name="stageround", name="label"),
    ]
