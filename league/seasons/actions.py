"""Actions on seasons: saving, closing and reopening them, their divisions, the next season."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
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
    """Create or change a season; `rules` are the fields about what counts.

    Refuses a closed season (`season-closed`): it has to be reopened first.
    """
    action = "change season" if season else "add season"
    season = lock_season(season) if season else Season(club=club)
    refuse_closed(season)
    old = _audit_data(season, rules) if season.pk else None
    season.name, season.starts_on, season.ends_on = name, starts_on, ends_on
    for field, value in rules.items():
        setattr(season, field, value)
    season.save()
    season.refresh_from_db()
    log_action(club, by, action, season, old=old, new=_audit_data(season, rules))
    return season


def _audit_data(season: Season, rules: Iterable[str]) -> dict[str, Any]:
    ends_on = season.ends_on.isoformat() if season.ends_on else ""
    data = {"name": season.name, "starts_on": season.starts_on.isoformat(), "ends_on": ends_on}
    values = {field: getattr(season, field) for field in rules}
    numbers = {field: str(value) for field, value in values.items() if isinstance(value, Decimal)}
    return data | values | numbers


@transaction.atomic
def close_season(
    season: Season,
    *,
    champions: Iterable[tuple[Member, Division | None]],
    outcomes: Mapping[int, tuple[str, bool]],
    by: Actor,
    at: datetime,
) -> Season:
    """Close the season with its champions, each with the division that they won.

    `outcomes` are the proposed moves by member, each with whether it was drawn at random. Moves
    are kept if the next season has begun. Refuses a closed season (`season-closed`).
    """
    fresh = lock_season(season)
    refuse_closed(fresh)
    fresh.closed_at = at
    fresh.save(update_fields=["closed_at"])
    Champion.objects.bulk_create(
        Champion(season=fresh, member=member, division=division) for member, division in champions
    )
    if not fresh.followed_by.exists():
        _save_proposed_outcomes(fresh, outcomes)
    log_action(fresh.club, by, "close season", fresh, new={"winners": _champion_names(fresh)})
    return fresh


@transaction.atomic
def reopen_season(season: Season, *, by: Actor) -> Season:
    """Reopen a closed season: it has no champions until it is closed again."""
    fresh = lock_season(season)
    if fresh.closed_at is None:
        raise Refused("season-open", _("This season is not closed."), status=409)
    names = _champion_names(fresh)
    fresh.champions.all().delete()
    if not fresh.followed_by.exists():
        fresh.placements.update(outcome=Placement.Outcome.NONE, by_lot=False)
    fresh.closed_at = None
    fresh.save(update_fields=["closed_at"])
    log_action(fresh.club, by, "reopen season", fresh, old={"winners": names})
    return fresh


def _champion_names(season: Season) -> list[str]:
    return list(season.champions.values_list("member__name", flat=True))


def _save_proposed_outcomes(fresh: Season, outcomes: Mapping[int, tuple[str, bool]]) -> None:
    placements = list(fresh.placements.all())
    default_outcome = (Placement.Outcome.STAY, False)
    for placement in placements:
        placement.outcome, placement.by_lot = outcomes.get(placement.member_id, default_outcome)
    Placement.objects.bulk_update(placements, ["outcome", "by_lot"])


def lock_season(season: Season) -> Season:
    """Return the season's current row, locked until the transaction ends."""
    return Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)


def refuse_closed(season: Season) -> None:
    if season.closed_at is not None:
        raise Refused("season-closed", _("This season is closed. Reopen it first."), status=409)


Outcome = Placement.Outcome


@transaction.atomic
def set_divisions(season: Season, names: Sequence[str], *, moving: int, by: Actor) -> Season:
    """Set the season's divisions by name, the highest first; without any there is one table.

    A renamed division keeps its players. Refuses to delete a division that has players
    (`division-used`), and a closed season (`season-closed`).
    """
    fresh = lock_season(season)
    refuse_closed(fresh)
    divisions = {division.number: division for division in fresh.divisions.all()}
    old = {"names": [division.name for division in divisions.values()], "moving": fresh.moving}
    for number, name in enumerate(names, 1):
        Division.objects.update_or_create(season=fresh, number=number, defaults={"name": name})
    for number, division in divisions.items():
        if number > len(names):
            _delete_division(division)
    fresh.moving = moving
    fresh.save(update_fields=["moving"])
    new = {"names": list(names), "moving": moving}
    log_action(fresh.club, by, "set divisions", fresh, old=old, new=new)
    return fresh


def _delete_division(division: Division) -> None:
    if division.placements.exists():
        message = _("Take the players out of %(division)s first.") % {"division": division.name}
        raise Refused("division-used", message, fields={"names": [message]}, status=409)
    division.delete()


@transaction.atomic
def place_members(
    season: Season, division_by_member: Mapping[Member, Division | None], *, by: Actor
) -> list[Placement]:
    """Place members in divisions of the season, or (None) in none. Others stay where they are.

    Refuses a division of another season and a member of another club (`unknown-division`).
    """
    fresh = lock_season(season)
    refuse_closed(fresh)
    placements = {
        placement.member_id: placement for placement in fresh.placements.select_related("division")
    }
    old, new = {}, {}
    for member, division in division_by_member.items():
        if member.club_id != fresh.club_id or (division and division.season_id != fresh.pk):
            raise Refused("unknown-division", _("There is no such division."), status=404)
        placement = placements.get(member.pk)
        if (placement.division if placement else None) != division:
            old[member.name] = placement.division.name if placement else ""
            new[member.name] = division.name if division else ""
            _place_member(fresh, member, division)
    if new:
        log_action(fresh.club, by, "place members", fresh, old=old, new=new)
    return list(fresh.placements.select_related("division", "member"))


def _place_member(season: Season, member: Member, division: Division | None) -> None:
    if division is None:
        season.placements.filter(member=member).delete()
    else:
        Placement.objects.update_or_create(
            season=season, member=member, defaults={"division": division}
        )


@transaction.atomic
def choose_outcomes(season: Season, outcomes: Mapping[Member, str], *, by: Actor) -> Season:
    """Change who goes up, stays, goes down or leaves after a season.

    Refuses an open season (`season-open`), one whose next season has begun (`season-followed`),
    and a move above the top or below the bottom (`no-division-there`).
    """
    fresh = lock_season(season)
    refuse_undecided(fresh)
    last_number = fresh.divisions.count()
    placements = {
        placement.member_id: placement
        for placement in fresh.placements.select_related("division", "member")
    }
    old, new = {}, {}
    for member, outcome in outcomes.items():
        placement = placements.get(member.pk)
        if placement is None or outcome == placement.outcome:
            continue
        _refuse_impossible_move(placement, outcome, last_number)
        old[member.name], new[member.name] = placement.outcome, outcome
        placement.outcome, placement.by_lot = outcome, False
        placement.save(update_fields=["outcome", "by_lot"])
    if new:
        log_action(fresh.club, by, "choose outcomes", fresh, old=old, new=new)
    return fresh


def refuse_undecided(fresh: Season) -> None:
    """Refuse a season that is open, or whose next season has begun."""
    if fresh.closed_at is None:
        raise Refused("season-open", _("This season is not closed."), status=409)
    if fresh.followed_by.exists():
        raise Refused("season-followed", _("The next season has begun already."), status=409)


def _refuse_impossible_move(placement: Placement, outcome: str, last_number: int) -> None:
    if outcome not in (Outcome.UP, Outcome.STAY, Outcome.DOWN, Outcome.OUT):
        raise Refused(
            "unknown-outcome", _("Choose whether the player goes up, stays, goes down or leaves.")
        )
    is_above_top = outcome == Outcome.UP and placement.division.number == 1
    if is_above_top or (outcome == Outcome.DOWN and placement.division.number == last_number):
        message = _("%(name)s is in %(division)s: there is no division beyond it.")
        words = {"name": placement.member.name, "division": placement.division.name}
        raise Refused("no-division-there", message % words)


CARRIED_OVER = (
    "counts",
    "counted_number",
    "minimum_evenings",
    "guests_count",
    "attendance_points",
    "place_points",
    "moving",
)
STEPS = {Placement.Outcome.UP: -1, Placement.Outcome.STAY: 0, Placement.Outcome.DOWN: 1}


@transaction.atomic
def start_next_season(season: Season, *, name: str, starts_on: date, by: Actor) -> Season:
    """Start the season after a closed one: same rules, same divisions, members moved as decided.

    Members who leave or were deactivated are not placed. Refuses what `refuse_undecided` refuses.
    """
    closed_season = lock_season(season)
    refuse_undecided(closed_season)
    rules = {field: getattr(closed_season, field) for field in CARRIED_OVER}
    next_season = Season.objects.create(
        club=closed_season.club, name=name, starts_on=starts_on, follows=closed_season, **rules
    )
    divisions = {
        division.number: Division.objects.create(
            season=next_season, number=division.number, name=division.name
        )
        for division in closed_season.divisions.all()
    }
    placements = closed_season.placements.filter(outcome__in=STEPS, member__retired_at=None)
    Placement.objects.bulk_create(
        Placement(
            season=next_season,
            member_id=placement.member_id,
            division=divisions[
                placement.division.number + STEPS[Placement.Outcome(placement.outcome)]
            ],
        )
        for placement in placements.select_related("division")
    )
    log_action(
        closed_season.club, by, "start next season", next_season, old={"name": closed_season.name}
    )
    return next_season
