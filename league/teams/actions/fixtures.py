"""The fixtures: drawn, dated, put off, given to one side; and a team that joins when they stand."""

from collections import Counter
from collections.abc import Collection
from datetime import date, datetime

from django.db import transaction
from django.db.models import F, Max
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.members.languages import dated
from league.sessions.queries import local_date
from league.teams.actions.cups import update_cup
from league.teams.actions.leagues import locked, name_of
from league.teams.eligibility import squad_notes
from league.teams.fixtures import (
    Plan,
    ReschedulePlan,
    drawn_fixtures,
    fixtures_digest,
    plan_of,
    plan_reschedule,
)
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.validators import fixture_rules_from

State = TeamLeague.State
GIVEN = ["given_to", "given_nobody", "given_reason", "given_as"]


@transaction.atomic
def make_fixtures(
    league: TeamLeague, *, seed: int, by: Actor, seen: str | None = None, anyway: bool = False
) -> list[TeamMatch]:
    """Every round of the league as it is drawn with the seed.

    Refuses (`squads`) squads that the league's rules do not allow, unless they are let pass
    `anyway`.
    `seen`: the mark of the fixtures the organiser has looked at; refuses (`plan-changed`) where
    teams or dates have changed since.
    """
    fresh = locked(league)
    if fresh.matches.filter(cup=None).exists():
        raise Refused("fixtures-made", _("The fixtures are already made."), status=409)
    notes = [] if anyway else squad_notes(fresh)
    if notes:
        message = _("%(why)s Tick the box below the draw to make the fixtures anyway.")
        raise Refused("squads", message % {"why": notes[0]}, status=409)
    matches = drawn_fixtures(fresh, seed)
    if seen is not None and seen != fixtures_digest(matches):
        message = _("Something has changed. Check the fixtures again.")
        raise Refused("plan-changed", message, status=409)
    made = TeamMatch.objects.bulk_create(matches)
    fresh.state, fresh.seed = State.RUNNING, seed
    fresh.save(update_fields=["state", "seed"])
    new = {"matches": len(made), "seed": seed}
    log_action(fresh.club, by, "make fixtures", fresh, new=new)
    return made


@transaction.atomic
def discard_fixtures(league: TeamLeague, *, by: Actor) -> None:
    """Delete the fixtures while no card of them is written."""
    fresh = locked(league)
    matches = fresh.matches.filter(cup=None)
    if matches.exclude(**TeamMatch.UNTOUCHED).exists():
        message = _("A match has already been played, so the fixtures can't be deleted.")
        raise Refused("played-already", message, status=409)
    matches.delete()
    fresh.teams.update(joined_at=None, drawn_anew=False)
    if not fresh.matches.exists():
        fresh.state = State.SETUP
        fresh.save(update_fields=["state"])
    log_action(fresh.club, by, "discard fixtures", fresh)


@transaction.atomic
def move_match(
    match: TeamMatch,
    *,
    held_on: date | None,
    venue: str,
    reason: str,
    by: Actor,
    anyway: bool = False,
) -> TeamMatch:
    """Put a match off, or elsewhere: to another day, or to one not agreed yet (None).

    Refuses (`too-late`) a day after the league's limit for matches that are put off, unless that
    is let pass `anyway`.
    """
    fresh = locked(match.league)
    match.refresh_from_db()
    if match.session_id is not None or match.card:
        message = _("This match has been played, so its day can't change.")
        raise Refused("played-already", message, status=409)
    old = {"held_on": str(match.held_on or ""), "venue": match.venue}
    if held_on != match.held_on:
        if not reason:
            message = _("Add the reason for the new day.")
            raise Refused("no-reason", message, fields={"reason": [message]})
        if held_on is not None and not anyway:
            _refuse_too_late(fresh, match, held_on)
        match.first_date = match.first_date or match.held_on
        match.held_on, match.postponed_reason = held_on, reason
        if match.held_on == match.first_date:
            match.first_date, match.postponed_reason = None, ""
    match.venue = venue
    match.revision += 1
    match.save(update_fields=["held_on", "first_date", "postponed_reason", "venue", "revision"])
    new = {"held_on": str(held_on or ""), "venue": venue, "reason": reason}
    log_action(fresh.club, by, "move team match", match, old=old, new=new)
    return match


def _refuse_too_late(fresh: TeamLeague, match: TeamMatch, held_on: date) -> None:
    first = match.first_date or match.held_on
    if first is None or match.cup_id is not None:
        return
    days = fresh.matches.filter(cup=None)
    last = days.aggregate(last=Max(Coalesce("first_date", "held_on")))["last"]
    until = fixture_rules_from(fresh.fixture_rules).latest(first, last)
    if until is not None and held_on > until:
        message = _("Play this match by %(day)s, or tick below to allow a later day.")
        message %= {"day": dated(until, _("j F"))}
        raise Refused("too-late", message, fields={"held_on": [message]}, status=409)


@transaction.atomic
def give_match(
    match: TeamMatch, to: Team | None, *, reason: str, by: Actor, at: datetime
) -> TeamMatch:
    """Give a match to one side: the other did not come, or lost the play-off of a drawn cup match.
    Given to nobody (None) neither came, and both lose.

    Games written down stay in the players' figures; the league's table counts the walk-over.
    """
    fresh = locked(match.league)
    match.refresh_from_db()
    if to is not None and match.side_of(to) is None:
        message = _("Choose a team of this match.")
        raise Refused("not-in-match", message, fields={"given_to": [message]})
    if to is None and match.cup_id is not None:
        message = _("In a cup one team has to go through.")
        raise Refused("cup-match", message, fields={"given_to": [message]})
    match.given_to, match.given_reason, match.given_as = to, reason, name_of(by, fresh.club)
    match.given_nobody = to is None
    match.save(update_fields=GIVEN)
    match.league = fresh
    update_cup(match)
    new = {"to": to.name if to else "", "reason": reason}
    log_action(fresh.club, by, "give team match", match, new=new)
    return match


@transaction.atomic
def take_match_back(match: TeamMatch, *, by: Actor) -> TeamMatch:
    """A match given away is open again, or goes by its games."""
    fresh = locked(match.league)
    match.refresh_from_db()
    old = {"to": match.given_to.name if match.given_to else "", "reason": match.given_reason}
    match.given_to, match.given_reason, match.given_as = None, "", ""
    match.given_nobody = False
    match.save(update_fields=GIVEN)
    match.league = fresh
    update_cup(match)
    log_action(fresh.club, by, "take team match back", match, old=old)
    return match


OUT_OF_THE_WAY = 10_000
"""Added to the numbers of matches on their way to another round, so that none meets another's."""


@transaction.atomic
def join_fixtures(team: Team, *, seed: int, seen: str, by: Actor, at: datetime) -> list[TeamMatch]:
    """Add the matches of a late team, as the organiser has `seen` them planned with this seed.

    Refuses (`plan-changed`) when something has happened since that would place them otherwise.
    """
    fresh = locked(team.league)
    _refuse_no_newcomer(fresh, team)
    plan = plan_of(fresh, team, seed=seed, today=local_date(fresh.club, at))
    if plan.seen != seen:
        message = _("Something has changed. Check the matches again.")
        raise Refused("plan-changed", message, status=409)
    made = TeamMatch.objects.bulk_create(_matches(fresh, plan, at))
    team.joined_at = at
    team.save(update_fields=["joined_at"])
    added = len({one.number for one in plan.added})
    new = {"matches": len(made), "rounds_added": added, "seed": seed}
    log_action(fresh.club, by, "join fixtures", team, new=new)
    return made


@transaction.atomic
def join_by_reschedule(
    team: Team, *, seed: int, seen: str, by: Actor, at: datetime
) -> list[TeamMatch]:
    """The rounds to come with a late team, as the organiser has `seen` them drawn by this seed;
    the matches of the team.

    Matches that get another day or other sides are as ones that were moved: calendars follow.
    Refuses (`plan-changed`) when something has happened since that would draw them otherwise.
    """
    fresh = locked(team.league)
    _refuse_no_newcomer(fresh, team)
    plan = plan_reschedule(fresh, team, seed=seed, today=local_date(fresh.club, at))
    if plan.seen != seen:
        message = _("Something has changed. Check the matches again.")
        raise Refused("plan-changed", message, status=409)
    before = fresh.matches.filter(cup=None).aggregate(last=Max("round"))["last"]
    moved = len(plan.moved)
    fresh.matches.filter(pk__in=plan.moving).update(number=F("number") + OUT_OF_THE_WAY)
    made = _reschedule(fresh, plan, at)
    team.joined_at, team.drawn_anew = at, True
    team.save(update_fields=["joined_at", "drawn_anew"])
    added = max(0, max(match.number for match in plan.matches) - before)
    new = {"matches": len(made), "moved": moved, "rounds_added": added, "seed": seed}
    log_action(fresh.club, by, "join fixtures drawn anew", team, new=new)
    return made


def _reschedule(fresh: TeamLeague, plan: ReschedulePlan, at: datetime) -> list[TeamMatch]:
    """Every match in its round, numbered on from those that stand in it."""
    last = _last_numbers(fresh, plan.moving)
    new: list[TeamMatch] = []
    old: list[TeamMatch] = []
    for one in plan.matches:
        last[one.number] += 1
        match = plan.moving.get(one.key or 0) or TeamMatch(league=fresh, made_at=at)
        if one.key and not plan.is_unmoved(one):
            match.revision += 1
        match.round, match.number, match.held_on = one.number, last[one.number], one.day
        match.home_id, match.away_id = int(one.home), int(one.away)
        (old if one.key else new).append(match)
    fields = ["round", "number", "held_on", "home", "away", "revision"]
    TeamMatch.objects.bulk_update(old, fields)
    return TeamMatch.objects.bulk_create(new)


def _refuse_no_newcomer(fresh: TeamLeague, team: Team) -> None:
    fixtures = fresh.matches.filter(cup=None)
    if not fixtures.exists():
        raise Refused("no-fixtures", _("There are no fixtures to join yet."), status=409)
    if team.withdrawn_at is not None or team.pk in _drawn(fresh):
        raise Refused("joined-already", _("This team already has its matches."), status=409)


def _drawn(fresh: TeamLeague) -> set[int]:
    sides = fresh.matches.filter(cup=None).values_list("home", "away")
    return {one for both in sides for one in both}


def _matches(fresh: TeamLeague, plan: Plan, at: datetime) -> list[TeamMatch]:
    last = _last_numbers(fresh)
    return [
        TeamMatch(
            league=fresh,
            round=match.number,
            number=last[match.number] + 1,
            home_id=int(match.home),
            away_id=int(match.away),
            held_on=match.day,
            made_at=at,
        )
        for match in plan.matches
    ]


def _last_numbers(fresh: TeamLeague, without: Collection[int] = ()) -> Counter[int]:
    """The highest number of a match in each round."""
    last = Counter[int]()
    rows = fresh.matches.filter(cup=None).exclude(pk__in=without)
    for round_number, number in rows.values_list("round", "number"):
        last[round_number] = max(last[round_number], number)
    return last
