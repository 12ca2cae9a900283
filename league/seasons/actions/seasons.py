"""Making and changing a season, closing it and opening it again."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.members.models import Club, Member
from league.seasons.models import Champion, Division, Placement, Season


@transaction.atomic
def save_season(
    club: Club,
    *,
    by: Actor,
    name: str,
    starts_on: date,
    ends_on: date | None,
    season: Season | None = None,
    **rules: Any,
) -> Season:
    """Make a season, or change one the club has; `rules` are its fields about what counts.

    Refuses (`season-closed`) one that is closed: it is opened again first.
    """
    action = "change season" if season else "add season"
    season = lock_season(season) if season else Season(club=club)
    refuse_closed(season)
    old = {field: str(getattr(season, field)) for field in rules}
    season.name, season.starts_on, season.ends_on = name, starts_on, ends_on
    for field, value in rules.items():
        setattr(season, field, value)
    season.save()
    days = {"starts_on": starts_on.isoformat(), "ends_on": ends_on.isoformat() if ends_on else ""}
    new = days | {field: str(getattr(season, field)) for field in rules}
    note(club, by, action, season, old=old, new=new)
    return season


@transaction.atomic
def close_season(
    season: Season,
    *,
    champions: Iterable[tuple[Member, Division | None]],
    outcomes: Mapping[int, tuple[str, bool]],
    by: Actor,
    at: datetime,
) -> Season:
    """Close the season with its champions, each with the division they are first of.

    `outcomes` are the proposed moves by member (what, and whether by lot); where the next season
    has begun, what was decided then stays. Refuses (`season-closed`) one that is closed.
    """
    fresh = lock_season(season)
    refuse_closed(fresh)
    fresh.closed_at = at
    fresh.save(update_fields=["closed_at"])
    Champion.objects.bulk_create(
        Champion(season=fresh, member=member, division=division) for member, division in champions
    )
    if not fresh.followed_by.exists():
        _propose(fresh, outcomes)
    won = list(fresh.champions.values_list("member__public_id", flat=True))
    note(fresh.club, by, "close season", fresh, new={"champions": won})
    return fresh


@transaction.atomic
def reopen_season(season: Season, *, by: Actor) -> Season:
    """Open a closed season again: it has no champions until it is closed once more."""
    fresh = lock_season(season)
    if fresh.closed_at is None:
        raise Refused("season-open", _("This season is not closed."), status=409)
    won = list(fresh.champions.values_list("member__public_id", flat=True))
    fresh.champions.all().delete()
    if not fresh.followed_by.exists():
        fresh.placements.update(outcome=Placement.Outcome.NONE, by_lot=False)
    fresh.closed_at = None
    fresh.save(update_fields=["closed_at"])
    note(fresh.club, by, "reopen season", fresh, old={"champions": won})
    return fresh


def _propose(fresh: Season, outcomes: Mapping[int, tuple[str, bool]]) -> None:
    placed = list(fresh.placements.all())
    for one in placed:
        one.outcome, one.by_lot = outcomes.get(one.member_id, (Placement.Outcome.STAY, False))
    Placement.objects.bulk_update(placed, ["outcome", "by_lot"])


def lock_season(season: Season) -> Season:
    """The season as it is now, held until the transaction ends."""
    return Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)


def refuse_closed(season: Season) -> None:
    if season.closed_at is not None:
        raise Refused("season-closed", _("This season is closed. Open it again first."), status=409)
