"""A league's rules and its divisions."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.teams.actions.locking import locked
from league.teams.models import TeamDivision, TeamLeague


@transaction.atomic
def change_rules(
    league: TeamLeague,
    *,
    rules: Mapping[str, Any],
    squad_rules: Mapping[str, Any],
    divisions: Sequence[str],
    sections: bool,
    blank_days: Sequence[str],
    by: Actor,
    fixture_rules: Mapping[str, Any] | None = None,
) -> TeamLeague:
    """Change what the table is worked out by, who may play, and the divisions by their names.

    Tables follow at once. A division keeps its teams under a new name in the same place; one with
    teams is not taken off (`division-in-use`).
    """
    fresh = locked(league, on=False)
    old = {"rules": fresh.rules, "squads": fresh.squad_rules}
    fresh.rules, fresh.squad_rules = dict(rules), dict(squad_rules)
    fresh.sections, fresh.blank_days = sections, list(blank_days)
    if fixture_rules is not None:
        fresh.fixture_rules = dict(fixture_rules)
    fields = ["rules", "squad_rules", "fixture_rules", "sections", "blank_days"]
    fresh.save(update_fields=fields)
    _name_divisions(fresh, divisions)
    new = {"rules": fresh.rules, "squads": fresh.squad_rules, "divisions": list(divisions)}
    log_action(fresh.club, by, "change league rules", fresh, old=old, new=new)
    return fresh


def _name_divisions(league: TeamLeague, names: Sequence[str]) -> None:
    """Divisions by place: the names that were there stay with their teams, wherever they go."""
    there = {one.name: one for one in league.divisions.all()}
    gone = [one for name, one in there.items() if name not in names]
    new = [name for name in names if name not in there]
    for one in gone:
        if new:  # one name for another: the division is renamed
            there[new[0]] = one
            one.name = new.pop(0)
        elif one.teams.exists():
            sentence = _("%(name)s has teams: move them first.") % {"name": one.name}
            raise Refused("division-in-use", sentence, fields={"divisions": [sentence]})
        else:
            one.delete()
    kept = {one.name: one for one in there.values() if one.pk is not None}
    last = max((one.number for one in kept.values()), default=0)
    for away, one in enumerate(kept.values(), last + 1):  # out of each other's way
        TeamDivision.objects.filter(pk=one.pk).update(number=away, name=f"{one.pk}-{away}")
    for number, name in enumerate(names, 1):
        division = kept.get(name) or TeamDivision(league=league)
        division.name, division.number = name, number
        division.save()
