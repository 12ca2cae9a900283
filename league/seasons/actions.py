"""Seasons: making, changing, closing them; their divisions; and the season that follows one."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
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
    log_action(club, by, action, season, old=old, new=new)
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
    log_action(fresh.club, by, "close season", fresh, new={"champions": won})
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
    log_action(fresh.club, by, "reopen season", fresh, old={"champions": won})
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
        raise Refused("season-closed", _("This season is closed. Reopen it first."), status=409)


Outcome = Placement.Outcome


@transaction.atomic
def set_divisions(season: Season, names: Sequence[str], *, moving: int, by: Actor) -> Season:
    """Let the season have divisions of these names, the highest first; none: one table for all.

    A division keeps its people when it is renamed. Refuses (`division-used`) to drop one that has
    people, and (`season-closed`) a closed season.
    """
    fresh = lock_season(season)
    refuse_closed(fresh)
    there = {division.number: division for division in fresh.divisions.all()}
    old = {"names": [one.name for one in there.values()], "moving": fresh.moving}
    for number, name in enumerate(names, 1):
        Division.objects.update_or_create(season=fresh, number=number, defaults={"name": name})
    for number, one in there.items():
        if number > len(names):
            _drop(one)
    fresh.moving = moving
    fresh.save(update_fields=["moving"])
    new = {"names": list(names), "moving": moving}
    log_action(fresh.club, by, "set divisions", fresh, old=old, new=new)
    return fresh


def _drop(division: Division) -> None:
    if division.placements.exists():
        message = _("Take the players out of %(division)s first.") % {"division": division.name}
        raise Refused("division-used", message, fields={"names": [message]}, status=409)
    division.delete()


@transaction.atomic
def place_members(
    season: Season, placed: Mapping[Member, Division | None], *, by: Actor
) -> list[Placement]:
    """Put people into divisions of the season, or (None) into none. Who is not named stays.

    Refuses (`unknown-division`) another season's division and another club's person.
    """
    fresh = lock_season(season)
    refuse_closed(fresh)
    there = {
        placement.member_id: placement for placement in fresh.placements.select_related("division")
    }
    old, new = {}, {}
    for member, division in placed.items():
        if member.club_id != fresh.club_id or (division and division.season_id != fresh.pk):
            raise Refused("unknown-division", _("There is no such division."), status=404)
        was = there.get(member.pk)
        if (was.division if was else None) != division:
            old[member.name] = was.division.name if was else ""
            new[member.name] = division.name if division else ""
            _put(fresh, member, division)
    if new:
        log_action(fresh.club, by, "place members", fresh, old=old, new=new)
    return list(fresh.placements.select_related("division", "member"))


def _put(season: Season, member: Member, division: Division | None) -> None:
    if division is None:
        season.placements.filter(member=member).delete()
    else:
        Placement.objects.update_or_create(
            season=season, member=member, defaults={"division": division}
        )


@transaction.atomic
def choose_outcomes(season: Season, outcomes: Mapping[Member, str], *, by: Actor) -> Season:
    """Decide otherwise than proposed who goes up, stays, goes down or leaves.

    Refuses a season that is still open (`season-open`), one whose next has begun
    (`season-followed`), and a move out of the top or the bottom (`no-division-there`).
    """
    fresh = lock_season(season)
    refuse_undecided(fresh)
    last = fresh.divisions.count()
    placed = {
        placement.member_id: placement
        for placement in fresh.placements.select_related("division", "member")
    }
    old, new = {}, {}
    for member, outcome in outcomes.items():
        one = placed.get(member.pk)
        if one is None or outcome == one.outcome:
            continue
        _refuse_nowhere(one, outcome, last)
        old[member.name], new[member.name] = one.outcome, outcome
        one.outcome, one.by_lot = outcome, False
        one.save(update_fields=["outcome", "by_lot"])
    if new:
        log_action(fresh.club, by, "choose outcomes", fresh, old=old, new=new)
    return fresh


def refuse_undecided(fresh: Season) -> None:
    """Refuse a season that is not closed, or that another one follows already."""
    if fresh.closed_at is None:
        raise Refused("season-open", _("This season is not closed."), status=409)
    if fresh.followed_by.exists():
        raise Refused("season-followed", _("The next season has begun already."), status=409)


def _refuse_nowhere(one: Placement, outcome: str, last: int) -> None:
    if outcome not in (Outcome.UP, Outcome.STAY, Outcome.DOWN, Outcome.OUT):
        raise Refused(
            "unknown-outcome", _("Choose whether the player goes up, stays, goes down or leaves.")
        )
    up_there = outcome == Outcome.UP and one.division.number == 1
    if up_there or (outcome == Outcome.DOWN and one.division.number == last):
        message = _("%(name)s is in %(division)s: there is no division beyond it.")
        words = {"name": one.member.name, "division": one.division.name}
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
    """Begin the season after a closed one: same rules, same divisions, people moved as decided.

    Who has retired or leaves is not placed. Refuses what `refuse_undecided` refuses.
    """
    before = lock_season(season)
    refuse_undecided(before)
    rules = {field: getattr(before, field) for field in CARRIED_OVER}
    after = Season.objects.create(
        club=before.club, name=name, starts_on=starts_on, follows=before, **rules
    )
    divisions = {
        division.number: Division.objects.create(
            season=after, number=division.number, name=division.name
        )
        for division in before.divisions.all()
    }
    placed = before.placements.filter(outcome__in=STEPS, member__retired_at=None)
    Placement.objects.bulk_create(
        Placement(
            season=after,
            member_id=one.member_id,
            division=divisions[one.division.number + STEPS[Placement.Outcome(one.outcome)]],
        )
        for one in placed.select_related("division")
    )
    log_action(before.club, by, "start next season", after, old={"name": before.name})
    return after
