"""Movement cards name their players by their numbers in the draw, which an archive keeps, and no
longer by the keys of their rows, which it does not."""

from django.db import migrations


def to_numbers(apps, schema_editor):
    rewrite(apps, lambda entries: {entry.pk: entry.number for entry in entries})


def to_keys(apps, schema_editor):
    rewrite(apps, lambda entries: {entry.number: entry.pk for entry in entries})


def rewrite(apps, naming):
    for stage in apps.get_model("league", "Stage").objects.exclude(cards=[]):
        entries = apps.get_model("league", "Entry").objects.filter(tournament=stage.tournament_id)
        names = naming(entries.exclude(number=None))
        stage.cards = [
            {**card, "players": [names[one] for one in card["players"]]} for card in stage.cards
        ]
        stage.save(update_fields=["cards"])


class Migration(migrations.Migration):
    dependencies = [("league", "0010_team_match_revision")]

    operations = [migrations.RunPython(to_numbers, to_keys)]
