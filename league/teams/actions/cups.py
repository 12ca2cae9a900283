"""A cup beside the league: drawn by lot, its next matches as the results allow."""

from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.seating.chance import Chance
from league.teams.actions.setup import locked
from league.teams.brackets import bracket_of
from league.teams.models import CupPlace, TeamCup, TeamLeague, TeamMatch
from league.teams.queries import all_matches_of
from league.teams.venues import Venues, homes
from league.tournaments.formats.knockout import Bracket, Part


@transaction.atomic
def make_cup(league: TeamLeague, *, name: str, third_place: bool, seed: int, by: Actor) -> TeamCup:
    """A knock-out of the league's teams, drawn by lot with the seed."""
    fresh = locked(league)
    teams = list(fresh.teams.filter(withdrawn_at=None).order_by("pk"))
    if len(teams) < 2:
        raise Refused("too_few", _("It takes at least two teams."), status=409)
    made = TeamCup.objects.create(league=fresh, name=name, third_place=third_place, seed=seed)
    Chance(seed).shuffle(teams)
    CupPlace.objects.bulk_create(
        CupPlace(cup=made, team=team, number=number) for number, team in enumerate(teams, 1)
    )
    new = {"teams": len(teams), "third_place": third_place, "seed": seed}
    note(fresh.club, by, "draw cup", made, new=new)
    return made


@transaction.atomic
def draw_cup_matches(cup: TeamCup, *, held_on: date | None, by: Actor) -> list[TeamMatch]:
    """Fix the next round's matches, for a day; the side drawn first is at home, unless its venue
    has a match on that day and the other's has none.

    Refuses (`nothing_ready`) where every match is fixed that can be.
    """
    fresh = locked(cup.league)
    cup.league = fresh
    there = set(cup.matches.values_list("place", flat=True))
    now = bracket_of(cup)
    ready = [one for one in now.ready() if one.label not in there and _is_next(now, one.label)]
    if not ready:
        message = (
            _("The cup is played out.") if now.over else _("Every match is fixed that can be.")
        )
        raise Refused("nothing_ready", message, status=409)
    sides = [(int(one.first), int(one.second or 0)) for one in ready]
    if held_on is not None:
        venues = Venues(fresh.teams.all())
        sides = homes(sides, held_on, all_matches_of(fresh), venues)
    made = TeamMatch.objects.bulk_create(
        TeamMatch(
            league=fresh,
            cup=cup,
            round=now.matches[one.label].round,
            number=len(there) + number,
            place=one.label,
            home_id=home,
            away_id=away,
            held_on=held_on,
        )
        for number, (one, (home, away)) in enumerate(zip(ready, sides, strict=True), 1)
    )
    new = {"matches": len(made), "held_on": str(held_on or "")}
    note(fresh.club, by, "fix cup matches", cup, new=new)
    return made


def _is_next(now: Bracket, place: str) -> bool:
    """Whether a match is of the earliest round that is not over; third places go with finals."""
    main = [one for one in now.matches.values() if one.part is Part.MAIN and not one.over]
    match = now.matches[place]
    return match.part is not Part.MAIN or match.round == min(one.round for one in main)


@transaction.atomic
def drop_cup(cup: TeamCup, *, by: Actor) -> None:
    """Throw a cup away while no match of it has been played."""
    fresh = locked(cup.league)
    if cup.matches.exclude(session=None, given_to=None).exists():
        message = _("A match has been played already, so the cup stands.")
        raise Refused("played_already", message, status=409)
    note(fresh.club, by, "drop cup", cup)
    cup.matches.all().delete()
    cup.delete()
