"""Actions on fixtures: making and awarding them; adding a late team to them."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action
from league.sessions.queries import local_date
from league.teams.actions.cups import update_cup
from league.teams.actions.leagues import actor_name, lock_league
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

State = TeamLeague.State
AWARD_FIELDS = ["given_to", "given_nobody", "given_reason", "given_as", "received_at"]


@transaction.atomic
def redraw_fixtures(league: TeamLeague, *, seed: int) -> None:
    """Give the draft another seed. It is not logged: nobody else sees a draft."""
    fresh = lock_league(league)
    _refuse_made(fresh)
    fresh.seed = seed
    fresh.save(update_fields=["seed"])


def _refuse_made(league: TeamLeague) -> None:
    if league.matches.filter(cup=None).exists():
        raise Refused("fixtures-made", _("The fixtures are already made."), status=409)


@transaction.atomic
def make_fixtures(
    league: TeamLeague, *, seed: int, by: Actor, seen: str | None = None, anyway: bool = False
) -> list[TeamMatch]:
    """Create every round of the league, drawn with the seed.

    `seen` is the digest of the fixtures that the organiser has looked at. Refuses (`plan-changed`)
    if teams or dates have changed since, and (`squads`) if squads break the league's rules, unless
    `anyway` is set.
    """
    fresh = lock_league(league)
    _refuse_made(fresh)
    notes = [] if anyway else squad_notes(fresh)
    if notes:
        message = _("%(why)s Tick the box below the draw to make the fixtures anyway.")
        raise Refused("squads", message % {"why": notes[0]}, status=409)
    matches = drawn_fixtures(fresh, seed)
    if seen is not None and seen != fixtures_digest(matches):
        message = _("Teams or dates have changed, so the fixtures were redrawn. Check them again.")
        raise Refused("plan-changed", message, status=409)
    created = TeamMatch.objects.bulk_create(matches)
    fresh.state, fresh.seed = State.RUNNING, seed
    fresh.save(update_fields=["state", "seed"])
    new = {"matches": len(created), "seed": seed}
    log_action(fresh.club, by, "make fixtures", fresh, new=new)
    return created


@transaction.atomic
def discard_fixtures(league: TeamLeague, *, by: Actor) -> None:
    """Delete the fixtures; refuses once a match has been played."""
    fresh = lock_league(league)
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
def give_match(
    match: TeamMatch, to: Team | None, *, reason: str, by: Actor, at: datetime
) -> TeamMatch:
    """Award a match to one side, because the other did not come or lost the play-off of a drawn cup
    match; or to nobody (None), because neither came: then both lose.

    Games already entered still count for the players; the league's table counts the walk-over.
    """
    fresh = lock_league(match.league)
    match.refresh_from_db()
    if to is not None and match.side_of(to) is None:
        message = _("Choose a team of this match.")
        raise Refused("not-in-match", message, fields={"given_to": [message]})
    if to is None and match.cup_id is not None:
        message = _("In a cup one team has to go through.")
        raise Refused("cup-match", message, fields={"given_to": [message]})
    match.given_to, match.given_reason, match.given_as = to, reason, actor_name(by, fresh.club)
    match.given_nobody = to is None
    match.received_at = match.received_at or at
    match.save(update_fields=AWARD_FIELDS)
    match.league = fresh
    update_cup(match)
    new = {"to": to.name if to else "", "reason": reason}
    log_action(fresh.club, by, "give team match", match, new=new)
    return match


@transaction.atomic
def take_match_back(match: TeamMatch, *, by: Actor) -> TeamMatch:
    """Undo an award: the match is open again, or its games count."""
    fresh = lock_league(match.league)
    match.refresh_from_db()
    old = {"to": match.given_to.name if match.given_to else "", "reason": match.given_reason}
    match.given_to, match.given_reason, match.given_as = None, "", ""
    match.given_nobody = False
    if match.is_untouched:
        match.received_at = None
    match.save(update_fields=AWARD_FIELDS)
    match.league = fresh
    update_cup(match)
    log_action(fresh.club, by, "take team match back", match, old=old)
    return match


NUMBER_OFFSET = 10_000
"""Added for a moment to the numbers of matches that move, to keep (round, number) unique."""


@transaction.atomic
def join_fixtures(team: Team, *, seed: int, seen: str, by: Actor, at: datetime) -> list[TeamMatch]:
    """Add the matches of a late team, planned with this seed.

    `seen` is the digest of the plan that the organiser has looked at. Refuses (`plan-changed`) if
    the plan has changed since.
    """
    fresh = lock_league(team.league)
    _refuse_not_late(fresh, team)
    plan = plan_of(fresh, team, seed=seed, today=local_date(fresh.club, at))
    if plan.seen != seen:
        message = _("Something has changed. Check the matches again.")
        raise Refused("plan-changed", message, status=409)
    created = TeamMatch.objects.bulk_create(_planned_matches(fresh, plan, at))
    team.joined_at = at
    team.save(update_fields=["joined_at"])
    added = len({match.number for match in plan.added})
    new = {"matches": len(created), "rounds_added": added, "seed": seed}
    log_action(fresh.club, by, "join fixtures", team, new=new)
    return created


@transaction.atomic
def join_by_reschedule(
    team: Team, *, seed: int, seen: str, by: Actor, at: datetime
) -> list[TeamMatch]:
    """Redraw the remaining rounds with a late team and this seed. Return the new matches.

    The revision of matches that get another day or other sides is raised, so that calendars update
    them. `seen` is the digest of the plan that the organiser has looked at. Refuses
    (`plan-changed`) if the plan has changed since.
    """
    fresh = lock_league(team.league)
    _refuse_not_late(fresh, team)
    plan = plan_reschedule(fresh, team, seed=seed, today=local_date(fresh.club, at))
    if plan.seen != seen:
        message = _("Something has changed. Check the matches again.")
        raise Refused("plan-changed", message, status=409)
    last_round = fresh.matches.filter(cup=None).aggregate(last=Max("round"))["last"]
    n_moved = len(plan.moved)
    fresh.matches.filter(pk__in=plan.moving).update(number=F("number") + NUMBER_OFFSET)
    created = _reschedule(fresh, plan, at)
    team.joined_at, team.drawn_anew = at, True
    team.save(update_fields=["joined_at", "drawn_anew"])
    added = max(0, max(match.number for match in plan.matches) - last_round)
    new = {"matches": len(created), "moved": n_moved, "rounds_added": added, "seed": seed}
    log_action(fresh.club, by, "join fixtures drawn anew", team, new=new)
    return created


def _reschedule(fresh: TeamLeague, plan: ReschedulePlan, at: datetime) -> list[TeamMatch]:
    """Save every match of the plan, numbered after the unmoved matches of its round. Return the new
    ones."""
    last_number = _last_numbers(fresh, plan.moving)
    new: list[TeamMatch] = []
    moved: list[TeamMatch] = []
    for planned in plan.matches:
        last_number[planned.number] += 1
        match = plan.moving.get(planned.key or 0) or TeamMatch(league=fresh, made_at=at)
        if planned.key and not plan.is_unmoved(planned):
            match.revision, match.begins_at = match.revision + 1, None
        match.round, match.number = planned.number, last_number[planned.number]
        match.held_on = planned.day
        match.home_id, match.away_id = int(planned.home), int(planned.away)
        (moved if planned.key else new).append(match)
    fields = ["round", "number", "held_on", "begins_at", "home", "away", "revision"]
    TeamMatch.objects.bulk_update(moved, fields)
    return TeamMatch.objects.bulk_create(new)


def _refuse_not_late(fresh: TeamLeague, team: Team) -> None:
    fixtures = fresh.matches.filter(cup=None)
    if not fixtures.exists():
        raise Refused("no-fixtures", _("There are no fixtures to join yet."), status=409)
    if team.withdrawn_at is not None or team.pk in _teams_with_fixtures(fresh):
        raise Refused("joined-already", _("This team already has its matches."), status=409)


def _teams_with_fixtures(fresh: TeamLeague) -> set[int]:
    sides = fresh.matches.filter(cup=None).values_list("home", "away")
    return {team for pair in sides for team in pair}


def _planned_matches(fresh: TeamLeague, plan: Plan, at: datetime) -> list[TeamMatch]:
    last_number = _last_numbers(fresh)
    return [
        TeamMatch(
            league=fresh,
            round=match.number,
            number=last_number[match.number] + 1,
            home_id=int(match.home),
            away_id=int(match.away),
            held_on=match.day,
            made_at=at,
        )
        for match in plan.matches
    ]


def _last_numbers(fresh: TeamLeague, without: Collection[int] = ()) -> Counter[int]:
    """The highest match number in each round."""
    highest = Counter[int]()
    rows = fresh.matches.filter(cup=None).exclude(pk__in=without)
    for round_number, number in rows.values_list("round", "number"):
        highest[round_number] = max(highest[round_number], number)
    return highest
