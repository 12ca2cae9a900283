"""Making a league, its teams and their people; leaving it; points taken off; closing it."""

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions import adopt_preset
from league.members.audit import Actor, log_action
from league.members.models import Club, ClubRuleset
from league.members.names import look
from league.sessions.queries import local_date
from league.teams.actions.locking import locked
from league.teams.actions.players import captain_among, keep_players, players_named
from league.teams.cups import bracket_of
from league.teams.models import (
    Deduction,
    Team,
    TeamCup,
    TeamDivision,
    TeamLeague,
    TeamMatch,
)
from league.teams.presets import PRESETS, Preset
from league.teams.queries import cup_matches_of, rules_for
from league.tournaments.actions.setup import variant
from scoring import ruleset


def keep_cup(match: TeamMatch) -> None:
    """Take back the matches drawn from this one that now have other sides."""
    if match.cup is not None:
        match.cup.league = match.league
        take_back_misfits(match.cup)


def take_back_misfits(cup: TeamCup) -> None:
    """Take back the matches whose sides are no longer those of the bracket.

    Refuses (`played-on`) when one of them has been played: then its sides stand.
    """
    drawn = cup_matches_of(cup)
    now = bracket_of(cup, drawn).matches
    for one in drawn:
        if set(one.met.teams) == set(now[one.match.place].sides):
            continue
        if not one.match.is_untouched:
            message = _("A later match of this cup has been played, so this winner can't change.")
            raise Refused("played-on", message, status=409)
        one.match.delete()


State = TeamLeague.State
FIXED = ("pairs", "turns", "twice")
"""What the fixtures and the cards are made by: it stands once they are."""


@transaction.atomic
def make_league(
    club: Club, *, target: int | None, seed: int, by: Actor, **chosen: Any
) -> TeamLeague:
    """A league with no teams yet. `target`: its games go to so many points instead of the
    ruleset's own. Without a ruleset, a printed rulebook's game is added to the club's."""
    preset = PRESETS.get(chosen.get("preset") or "")
    chosen["ruleset"] = played_by(chosen["ruleset"] or _game_of(club, preset, by=by), target)
    if preset is not None:
        own = {"squad_rules": dict(preset.squads), "fixture_rules": dict(preset.fixtures)}
        chosen = own | chosen
    made = TeamLeague.objects.create(club=club, seed=seed, made_by=by.user, **chosen)
    log_action(club, by, "make team league", made, new=_audit_data(chosen))
    return made


def _game_of(club: Club, preset: Preset | None, *, by: Actor) -> ClubRuleset:
    """The rulebook's game as house rules of the club, which has none of it yet."""
    if preset is None:
        message = _("Choose the house rules that the games are played by.")
        raise Refused("no-ruleset", message, fields={"ruleset": [message]})
    known = rules_for(club, preset)
    if known is not None:
        return known
    taken = club.rulesets.filter(name__iexact=ruleset(preset.game).name, players=4).exists()
    return adopt_preset(club, preset=preset.game, name=preset.name if taken else "", by=by)


@transaction.atomic
def change_league(
    league: TeamLeague, *, target: int | None, by: Actor, **chosen: Any
) -> TeamLeague:
    """Change what was chosen. How many games a match has stands once there are fixtures."""
    fresh = locked(league, on=False)
    chosen.pop("preset", None)
    chosen["ruleset"] = played_by(chosen["ruleset"], target)
    if fresh.matches.exists():
        for name in FIXED:
            if chosen[name] != getattr(fresh, name):
                message = _("The fixtures are already made, so this can't change.")
                raise Refused("fixtures-made", message, fields={name: [message]})
    old = {name: getattr(fresh, name) for name in chosen}
    for name, value in chosen.items():
        setattr(fresh, name, value)
    fresh.save(update_fields=list(chosen))
    log_action(
        fresh.club, by, "change team league", fresh, old=_audit_data(old), new=_audit_data(chosen)
    )
    return fresh


@transaction.atomic
def save_team(
    league: TeamLeague,
    team: Team | None,
    *,
    by: Actor,
    name: str,
    venue: str,
    roomy: bool,
    names: Sequence[str],
    captain: str = "",
    same_name: bool = False,
    division: TeamDivision | None = None,
    house: str = "",
    at: datetime | None = None,
) -> Team:
    """A new team, or one changed: its name, its venue, the whole list of its people by name.

    One that is new when the fixtures stand has no matches yet (`join_fixtures` makes them).
    A name the club does not know becomes a member's. Refuses (`names`) two members of one name,
    and somebody who plays for another team; `captain` has to be one of the names. A new name that
    looks like another team's or player's needs `same_name`, said on purpose. With `at` new players
    are registered on that day, and refused after the last one (`registration-closed`).
    """
    fresh = locked(league)
    others = fresh.teams.exclude(pk=team.pk) if team else fresh.teams.all()
    if others.filter(name__iexact=name).exists():
        message = _("Another team already has this name.")
        raise Refused("team-known", message, fields={"name": [message]})
    if not same_name and (team is None or team.name != name):
        _ask_about_look(name, others)
    if team is None:
        team = Team(league=fresh)
    old = _team_audit_data(team) if team.pk else None
    if division != team.division and team.pk and _is_drawn(team):
        message = _("The team is in the fixtures, so its division can't change.")
        raise Refused("fixtures-made", message, fields={"division": [message]})
    if house and fresh.squad_rules.get("house_letters"):
        _refuse_without_letters(house, name, others)
    team.name, team.venue, team.roomy = name, venue, roomy
    team.division, team.house = division, house
    team.save()
    people = players_named(fresh, names, by=by, same_name=same_name)
    keep_players(team, people, on=local_date(fresh.club, at) if at else None)
    team.captain = captain_among(people, captain)
    team.save(update_fields=["captain"])
    log_action(fresh.club, by, "save team", team, old=old, new=_team_audit_data(team))
    return team


@transaction.atomic
def drop_team(team: Team, *, by: Actor) -> None:
    """Take a team off before it has any match, as if it had not been entered."""
    fresh = locked(team.league)
    if _is_drawn(team):
        message = _("The team is in the fixtures or in a cup. Withdraw it instead.")
        raise Refused("fixtures-made", message, status=409)
    log_action(fresh.club, by, "drop team", team, old=_team_audit_data(team))
    team.delete()


@transaction.atomic
def withdraw_team(team: Team, *, by: Actor, at: datetime) -> None:
    """A team leaves. What it played stays if that is half of its matches, and the others are given
    to its opponents; else all of them are struck out. In a cup its next opponent goes on."""
    fresh = locked(team.league)
    team.refresh_from_db()
    if team.withdrawn_at is None:
        team.withdrawn_at = at
        team.save(update_fields=["withdrawn_at"])
        _tell_calendars(team)
        log_action(fresh.club, by, "withdraw team", team)


@transaction.atomic
def return_team(team: Team, *, by: Actor) -> None:
    """Take a team's leaving back; in a cup, what its opponents were drawn for meanwhile goes.

    Refuses (`joined-since`) when another has joined in the meantime: its matches may be in the
    weeks of this one, and the two have none against each other.
    """
    fresh = locked(team.league)
    team.refresh_from_db()
    if team.withdrawn_at is None:
        return
    since = fresh.teams.filter(joined_at__gte=team.withdrawn_at, withdrawn_at=None).first()
    if since is not None:
        message = _("%(team)s has joined since, and plays in some of the same weeks.")
        raise Refused("joined-since", message % {"team": since.name}, status=409)
    team.withdrawn_at = None
    team.save(update_fields=["withdrawn_at"])
    for cup in fresh.cups.all():
        cup.league = fresh
        take_back_misfits(cup)
    _tell_calendars(team)
    log_action(fresh.club, by, "return team", team)


def _tell_calendars(team: Team) -> None:
    """Its matches to come are off, or on again: calendars take that over by the number."""
    matches = TeamMatch.objects.filter(Q(home=team) | Q(away=team))
    matches.filter(**TeamMatch.UNTOUCHED).update(revision=F("revision") + 1)


@transaction.atomic
def deduct(team: Team, points: Decimal | int, *, reason: str, by: Actor, at: datetime) -> Deduction:
    """Take points off a team in the table; below nought they are given to it."""
    fresh = locked(team.league)
    made = Deduction.objects.create(
        team=team, points=points, reason=reason, said_as=by.label[:80], at=at
    )
    new = {"points": str(points), "reason": reason}
    log_action(fresh.club, by, "deduct points", team, new=new)
    return made


@transaction.atomic
def give_back(deduction: Deduction, *, by: Actor, at: datetime) -> None:
    """Take a deduction back; it stays for the record and counts for nothing."""
    team = deduction.team
    fresh = locked(team.league)
    deduction.withdrawn_at, deduction.withdrawn_as = at, by.label[:80]
    deduction.save(update_fields=["withdrawn_at", "withdrawn_as"])
    old = {"points": f"{deduction.points:.2f}", "reason": deduction.reason}
    log_action(fresh.club, by, "give back points", team, old=old)


@transaction.atomic
def turn_league(league: TeamLeague, to: str, *, by: Actor, at: datetime) -> TeamLeague:
    """Close a league, call it off, or open it again."""
    fresh = locked(league, on=False)
    if to == State.RUNNING and not fresh.matches.exists():
        to = State.SETUP
    old, fresh.state = fresh.state, to
    fresh.finished_at = at if to in (State.FINISHED, State.CANCELLED) else None
    fresh.save(update_fields=["state", "finished_at"])
    log_action(fresh.club, by, "turn team league", fresh, old=old, new=to)
    return fresh


def played_by(usual: ClubRuleset, target: int | None) -> ClubRuleset:
    if target in (None, ruleset(usual.body).target):
        return usual
    return variant(usual, {"target": target}, _("to %(n)d points") % {"n": target})


def _is_drawn(team: Team) -> bool:
    return team.at_home.exists() or team.away.exists() or team.cup_places.exists()


def _ask_about_look(name: str, others: QuerySet[Team]) -> None:
    seen = look(name)
    like = next((one.name for one in others if look(one.name) == seen), None)
    if like is not None:
        message = _("Looks like %(name)s. Same team?") % {"name": like}
        fields = {"name": [message]}
        raise Refused("team-name-like", message, fields=fields, status=409, asks="same_name")


def _refuse_without_letters(house: str, name: str, others: QuerySet[Team]) -> None:
    """Teams of one house are told apart by a letter at the end of their names."""
    same = list(others.filter(house__iexact=house).values_list("name", flat=True))
    bare = next((one for one in (*same, name) if not LETTERED.search(one)), None)
    if same and bare is not None:
        message = _("Teams of one house are named A, B, C. Add a letter to %(team)s.")
        message %= {"team": bare}
        raise Refused("house-letters", message, fields={"name": [message]})


LETTERED = re.compile(r"\s[A-Z]$")


def _audit_data(chosen: dict[str, Any]) -> dict[str, Any]:
    """What was chosen, as the record keeps it."""
    plain = (str, int, bool, type(None))
    return {k: v if isinstance(v, plain) else str(v) for k, v in chosen.items()}


def _team_audit_data(team: Team) -> dict[str, Any]:
    names = team.players.order_by("member__sort_key").values_list("member__name", flat=True)
    return {
        "name": team.name,
        "venue": team.venue,
        "roomy": team.roomy,
        "players": list(names),
        "captain": team.captain.name if team.captain else "",
    }
