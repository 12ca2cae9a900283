"""Making and changing a season."""

from datetime import date

from django.db import transaction

from league.members.audit import Actor, note
from league.members.models import Club
from league.seasons.models import Season


@transaction.atomic
def save_season(
    club: Club,
    *,
    by: Actor,
    name: str,
    starts_on: date,
    ends_on: date | None,
    season: Season | None = None,
) -> Season:
    """Make a season, or change one the club has."""
    season, action = (season, "change season") if season else (Season(club=club), "add season")
    season.name, season.starts_on, season.ends_on = name, starts_on, ends_on
    season.save()
    note(club, by, action, season, new=[starts_on.isoformat(), ends_on and ends_on.isoformat()])
    return season
