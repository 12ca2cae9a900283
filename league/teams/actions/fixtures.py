"""The fixtures: made by the Berger tables, dated, put off to another day, given to one side."""

from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.teams.actions.cup_keeping import keep_cup
from league.teams.actions.setup import locked
from league.teams.drawing import drawn_fixtures, mark_of
from league.teams.models import Team, TeamLeague, TeamMatch

State = TeamLeague.State


@transaction.atomic
def make_fixtures(
    league: TeamLeague, *, seed: int, by: Actor, seen: str | None = None
) -> list[TeamMatch]:
    """Every round of the league as it is drawn with the seed.

    `seen`: the mark of the fixtures the organiser has looked at; refuses (`plan-changed`) where
    teams or dates have changed since.
    """
    fresh = locked(league)
    if fresh.matches.filter(cup=None).exists():
        raise Refused("fixtures-made", _("The fixtures are made already."), status=409)
    matches = drawn_fixtures(fresh, seed)
    if seen is not None and seen != mark_of(matches):
        message = _("Something has changed in the meantime. Look at the fixtures again.")
        raise Refused("plan-changed", message, status=409)
    made = TeamMatch.objects.bulk_create(matches)
    fresh.state, fresh.seed = State.RUNNING, seed
    fresh.save(update_fields=["state", "seed"])
    new = {"matches": len(made), "seed": seed}
    note(fresh.club, by, "make fixtures", fresh, new=new)
    return made


@transaction.atomic
def discard_fixtures(league: TeamLeague, *, by: Actor) -> None:
    """Throw the fixtures away while no card of them is written."""
    fresh = locked(league)
    matches = fresh.matches.filter(cup=None)
    if matches.exclude(session=None, given_to=None).exists():
        message = _("A match has been played already, so the fixtures stand.")
        raise Refused("played-already", message, status=409)
    matches.delete()
    fresh.teams.update(joined_at=None, drawn_anew=False)
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
        raise Refused("played-already", message, status=409)
    old = {"held_on": str(match.held_on or ""), "venue": match.venue}
    if held_on != match.held_on:
        if not reason:
            message = _("Say why the day changes.")
            raise Refused("no-reason", message, fields={"reason": [message]})
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
        raise Refused("not-in-match", message, fields={"given_to": [message]})
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
