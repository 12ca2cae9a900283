"""Divisions of a season: which there are, who plays in which, who goes up and down at its end."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.members.models import Member
from league.seasons.actions.seasons import lock_season, refuse_closed
from league.seasons.models import Division, Placement, Season

Outcome = Placement.Outcome


@transaction.atomic
def set_divisions(season: Season, names: Sequence[str], *, moving: int, by: Actor) -> Season:
    """Let the season have divisions of these names, the highest first; none: one table for all.

    A division keeps its people when it is renamed. Refuses (`division-used`) to drop one that has
    people, and (`season-closed`) a closed season.
    """
    fresh = lock_season(season)
    refuse_closed(fresh)
    there = {one.number: one for one in fresh.divisions.all()}
    old = {"names": [one.name for one in there.values()], "moving": fresh.moving}
    for number, name in enumerate(names, 1):
        Division.objects.update_or_create(season=fresh, number=number, defaults={"name": name})
    for number, one in there.items():
        if number > len(names):
            _drop(one)
    fresh.moving = moving
    fresh.save(update_fields=["moving"])
    new = {"names": list(names), "moving": moving}
    note(fresh.club, by, "set divisions", fresh, old=old, new=new)
    return fresh


def _drop(division: Division) -> None:
    if division.placements.exists():
        message = _("Take the people out of %(division)s first.") % {"division": division.name}
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
    there = {one.member_id: one for one in fresh.placements.select_related("division")}
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
        note(fresh.club, by, "place members", fresh, old=old, new=new)
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
    placed = {one.member_id: one for one in fresh.placements.select_related("division", "member")}
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
        note(fresh.club, by, "choose outcomes", fresh, old=old, new=new)
    return fresh


def refuse_undecided(fresh: Season) -> None:
    """Refuse a season that is not closed, or that another one follows already."""
    if fresh.closed_at is None:
        raise Refused("season-open", _("This season is not closed."), status=409)
    if fresh.followed_by.exists():
        raise Refused("season-followed", _("The next season has begun already."), status=409)


def _refuse_nowhere(one: Placement, outcome: str, last: int) -> None:
    if outcome not in (Outcome.UP, Outcome.STAY, Outcome.DOWN, Outcome.OUT):
        raise Refused("unknown-outcome", _("Somebody goes up, stays, goes down or leaves."))
    up_there = outcome == Outcome.UP and one.division.number == 1
    if up_there or (outcome == Outcome.DOWN and one.division.number == last):
        message = _("%(name)s is in %(division)s: there is no division beyond it.")
        words = {"name": one.member.name, "division": one.division.name}
        raise Refused("no-division-there", message % words)
