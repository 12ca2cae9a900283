"""The divisions of a league, saved by their names."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.errors import Refused
from league.teams.models import TeamDivision, TeamLeague


def save_divisions(league: TeamLeague, names: Sequence[str]) -> None:
    """Save the divisions in this order; a division that keeps its name keeps its teams."""
    kept_divisions = _match_divisions(league, names)
    last = max((division.number for division in kept_divisions.values()), default=0)
    # Numbers and names are unique, so first give every division temporary ones.
    for number, division in enumerate(kept_divisions.values(), last + 1):
        name = f"{division.pk}-{number}"
        TeamDivision.objects.filter(pk=division.pk).update(number=number, name=name)
    for number, name in enumerate(names, 1):
        division = kept_divisions.get(name) or TeamDivision(league=league)
        division.name, division.number = name, number
        division.save()


def _match_divisions(league: TeamLeague, names: Sequence[str]) -> dict[str, TeamDivision]:
    """The existing divisions that are kept, by their new names; deletes the others."""
    divisions = {division.name: division for division in league.divisions.all()}
    new_names = [name for name in names if name not in divisions]
    kept = {name: division for name, division in divisions.items() if name in names}
    dropped = [division for name, division in divisions.items() if name not in names]
    for division in dropped:
        if new_names:  # one name for another: the division is renamed
            kept[new_names.pop(0)] = division
        elif division.teams.exists():
            sentence = _("%(name)s has teams: move them first.") % {"name": division.name}
            raise Refused("division-in-use", sentence, fields={"divisions": [sentence]})
        else:
            division.delete()
    return kept
