"""The fixtures: made by the Berger tables, dated, put off to another day, given to one side."""

from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.teams.actions.cup_keeping import keep_cup
from league.teams.actions.setup import locked
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.venues import Venues
from league.tournaments.formats.fixtures import Team as Drawn
from league.tournaments.formats.fixtures import fixtures
from league.tournaments.formats.pairings import FormatRefused

State = TeamLeague.State


@transaction.atomic
def make_fixtures(league: TeamLeague, *, seed: int, by: Actor) -> list[TeamMatch]:
    """Every round of the league, the teams drawn by lot into the Berger tables, two teams of one
    venue never at home together. Each round has its date; a bye is no match."""
    fresh = locked(league)
    if fresh.matches.filter(cup=None).exists():
        raise Refused("fixtures_made", _("The fixtures are made already."), status=409)
    teams = list(fresh.teams.filter(withdrawn_at=None))
    if len(teams) < 2:
        raise Refused("too_few", _("It takes at least two teams."), status=409)
    made = TeamMatch.objects.bulk_create(_matches(fresh, teams, seed))
    fresh.state, fresh.seed = State.RUNNING, seed
    fresh.save(update_fields=["state", "seed"])
    new = {"matches": len(made), "seed": seed}
    note(fresh.club, by, "make fixtures", fresh, new=new)
    return made


def _matches(fresh: TeamLeague, teams: list[Team], seed: int) -> list[TeamMatch]:
    venues = Venues(teams)
    entered = [Drawn(one.pk, venues.of(one)) for one in teams]
    try:
        rounds = fixtures(entered, double=fresh.twice, roomy=venues.roomy, seed=seed)
    except FormatRefused as refused:
        message = _(refused.sentence) % refused.values
        raise Refused(refused.code, message, status=409) from refused
    return [
        TeamMatch(
            league=fresh,
            round=number,
            number=place,
            home_id=int(pairing.first),
            away_id=int(pairing.second),
            held_on=date_of(fresh, number),
        )
        for number, pairings in enumerate(rounds, 1)
        for place, pairing in enumerate([p for p in pairings if p.second is not None], 1)
        if pairing.second is not None
    ]


def date_of(league: TeamLeague, round_number: int) -> date:
    """The day of a round."""
    return league.starts_on + timedelta(days=(round_number - 1) * league.days_between)


@transaction.atomic
def discard_fixtures(league: TeamLeague, *, by: Actor) -> None:
    """Throw the fixtures away while no card of them is written."""
    fresh = locked(league)
    matches = fresh.matches.filter(cup=None)
    if matches.exclude(session=None, given_to=None).exists():
        message = _("A match has been played already, so the fixtures stand.")
        raise Refused("played_already", message, status=409)
    matches.delete()
    fresh.teams.update(joined_at=None)
    if not fresh.matches.exists():
        fresh.state = State.SETUP
        fresh.save(update_fields=["state"])
    note(fresh.club, by, "discard fixtures", fresh)


@transaction.atomic
def move_match(
    match: TeamMatch, *, held_on: date | None, venue: str, reason: str, by: Actor
) -> TeamMatch:
    """Put a match off, or elsewhere: to another day, or to one not agreed yet (None)."""
    fresh = locked(match.league)
    match.refresh_from_db()
    if match.session_id is not None:
        message = _("This match has been played; its day is that of its games.")
        raise Refused("played_already", message, status=409)
    old = {"held_on": str(match.held_on or ""), "venue": match.venue}
    if held_on != match.held_on:
        if not reason:
            message = _("Say why the day changes.")
            raise Refused("no_reason", message, fields={"reason": [message]})
        match.first_date = match.first_date or match.held_on
        match.held_on, match.postponed_reason = held_on, reason
        if match.held_on == match.first_date:
            match.first_date, match.postponed_reason = None, ""
    match.venue = venue
    match.revision += 1
    match.save(update_fields=["held_on", "first_date", "postponed_reason", "venue", "revision"])
    new = {"held_on": str(held_on or ""), "venue": venue, "reason": reason}
    note(fresh.club, by, "move team match", match, old=old, new=new)
    return match


@transaction.atomic
def give_match(match: TeamMatch, to: Team, *, reason: str, by: Actor, at: datetime) -> TeamMatch:
    """Give a match to one side: the other did not come, or lost the play-off of a drawn cup match.

    The games written down stay.
    """
    fresh = locked(match.league)
    match.refresh_from_db()
    if match.side_of(to) is None:
        message = _("Only a team of this match can be given it.")
        raise Refused("not_in_match", message, fields={"given_to": [message]})
    match.given_to, match.given_reason, match.given_as = to, reason, by.label[:80]
    match.save(update_fields=["given_to", "given_reason", "given_as"])
    match.league = fresh
    keep_cup(match)
    note(fresh.club, by, "give team match", match, new={"to": to.name, "reason": reason})
    return match


@transaction.atomic
def take_match_back(match: TeamMatch, *, by: Actor) -> TeamMatch:
    """A match given away is open again, or goes by its games."""
    fresh = locked(match.league)
    match.refresh_from_db()
    old = {"to": match.given_to.name if match.given_to else "", "reason": match.given_reason}
    match.given_to, match.given_reason, match.given_as = None, "", ""
    match.save(update_fields=["given_to", "given_reason", "given_as"])
    match.league = fresh
    keep_cup(match)
    note(fresh.club, by, "take team match back", match, old=old)
    return match
