"""Making, changing and closing a league; its rules and divisions; its next season."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions import adopt_preset
from league.members.audit import Actor, log_action, name_in_log
from league.members.models import Club, ClubRuleset
from league.ranking.team_league.rules import plain
from league.teams.models import (
    CardPhotograph,
    Team,
    TeamDivision,
    TeamLeague,
    TeamMatch,
    TeamPlayer,
)
from league.teams.presets import PRESETS, Preset
from league.teams.queries import rules_for
from league.tournaments.actions.setup import variant
from scoring import ruleset


def locked(league: TeamLeague, *, on: bool = True) -> TeamLeague:
    """The league as it is now, locked until the transaction ends; refuses one that is closed."""
    fresh = TeamLeague.objects.select_for_update().get(pk=league.pk)
    fresh.club = league.club
    if on and fresh.state not in (TeamLeague.State.SETUP, TeamLeague.State.RUNNING):
        message = _("This league is closed. Reopen it to change anything.")
        raise Refused("league-closed", message, status=409)
    return fresh


def name_of(by: Actor, club: Club) -> str:
    """How the pages of a league say who acted: by the name as a player, where the account is one's
    of the club."""
    player = club.members.filter(user=by.user).first() if by.user else None
    return (player.name if player else by.label)[:80]


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
    log_action(club, by, "make team league", made, new=_audit_data(club, chosen))
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
        now = {name: getattr(fresh, name) for name in FIXED} | _carried(fresh.rules)
        new = {name: chosen[name] for name in FIXED} | _carried(chosen["rules"])
        for name, value in new.items():
            if value != now[name]:
                message = _("The fixtures are already made, so this can't change.")
                raise Refused("fixtures-made", message, fields={name: [message]})
    old = {name: getattr(fresh, name) for name in chosen}
    for name, value in chosen.items():
        setattr(fresh, name, value)
    fresh.save(update_fields=list(chosen))
    log_action(
        fresh.club,
        by,
        "change team league",
        fresh,
        old=_audit_data(fresh.club, old),
        new=_audit_data(fresh.club, chosen),
    )
    return fresh


def _carried(rules: Mapping[str, Any]) -> dict[str, bool]:
    """Whether laps and slams count, by which the cards' scores are read."""
    return {name: bool(rules.get(name)) for name in ("laps", "slam")}


@transaction.atomic
def turn_league(league: TeamLeague, to: str, *, by: Actor, at: datetime) -> TeamLeague:
    """Close a league, call it off, or open it again. Closing deletes the photographs of cards."""
    fresh = locked(league, on=False)
    if to == State.RUNNING and not fresh.matches.exists():
        to = State.SETUP
    old, fresh.state = fresh.state, to
    fresh.finished_at = at if to in (State.FINISHED, State.CANCELLED) else None
    fresh.save(update_fields=["state", "finished_at"])
    if fresh.finished_at is not None:
        CardPhotograph.objects.filter(match__league=fresh).delete()
    log_action(fresh.club, by, "turn team league", fresh, old=old, new=to)
    return fresh


def played_by(usual: ClubRuleset, target: int | None) -> ClubRuleset:
    if target in (None, ruleset(usual.body).target):
        return usual
    return variant(usual, {"target": target}, _("to %(n)d points") % {"n": target})


RULES_ON_FORM = ("points", "laps", "slam", "tie_breaks")
"""The rules that the form of a league asks for; the rest is its printed rulebook's."""


def _audit_data(club: Club, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What was chosen, as the record keeps it."""
    plain = (str, int, bool, dict, type(None))
    kept = {k: v for k, v in chosen.items() if k not in ("rules", "squad_rules")}
    data = {k: v if isinstance(v, plain) else name_in_log(club, v) for k, v in kept.items()}
    rules = chosen.get("rules") or {}
    return data | {"rules": {name: rules[name] for name in RULES_ON_FORM if name in rules}}


@transaction.atomic
def change_rules(
    league: TeamLeague,
    *,
    rules: Mapping[str, Any],
    squad_rules: Mapping[str, Any],
    divisions: Sequence[str],
    sections: bool,
    blank_days: Sequence[str],
    by: Actor,
    fixture_rules: Mapping[str, Any] | None = None,
) -> TeamLeague:
    """Change what the table is worked out by, who may play, and the divisions by their names.

    Tables follow at once. A division keeps its teams under a new name in the same place; one with
    teams is not taken off (`division-in-use`).
    """
    fresh = locked(league, on=False)
    old = {"rules": fresh.rules, "squads": fresh.squad_rules}
    fresh.rules, fresh.squad_rules = dict(rules), dict(squad_rules)
    fresh.sections, fresh.blank_days = sections, list(blank_days)
    if fixture_rules is not None:
        fresh.fixture_rules = dict(fixture_rules)
    fields = ["rules", "squad_rules", "fixture_rules", "sections", "blank_days"]
    fresh.save(update_fields=fields)
    _name_divisions(fresh, divisions)
    new = {"rules": fresh.rules, "squads": fresh.squad_rules, "divisions": list(divisions)}
    log_action(fresh.club, by, "change league rules", fresh, old=old, new=new)
    return fresh


@transaction.atomic
def change_blank_days(league: TeamLeague, blank_days: Sequence[str], *, by: Actor) -> TeamLeague:
    """Change the days in whose weeks no round is drawn; fixtures that are made stay."""
    fresh = locked(league)
    old, fresh.blank_days = fresh.blank_days, list(blank_days)
    fresh.save(update_fields=["blank_days"])
    new = {"blank_days": fresh.blank_days}
    log_action(fresh.club, by, "change league rules", fresh, old={"blank_days": old}, new=new)
    return fresh


def _name_divisions(league: TeamLeague, names: Sequence[str]) -> None:
    """Divisions by place: the names that were there stay with their teams, wherever they go."""
    stay = _stay(league, names)
    last = max((one.number for one in stay.values()), default=0)
    for away, one in enumerate(stay.values(), last + 1):  # out of each other's way
        TeamDivision.objects.filter(pk=one.pk).update(number=away, name=f"{one.pk}-{away}")
    for number, name in enumerate(names, 1):
        division = stay.get(name) or TeamDivision(league=league)
        division.name, division.number = name, number
        division.save()


def _stay(league: TeamLeague, names: Sequence[str]) -> dict[str, TeamDivision]:
    """The divisions that stay, by their names from now on; the others are deleted."""
    there = {division.name: division for division in league.divisions.all()}
    new = [name for name in names if name not in there]
    stay = {name: one for name, one in there.items() if name in names}
    for one in [one for name, one in there.items() if name not in names]:
        if new:  # one name for another: the division is renamed
            stay[new.pop(0)] = one
        elif one.teams.exists():
            sentence = _("%(name)s has teams: move them first.") % {"name": one.name}
            raise Refused("division-in-use", sentence, fields={"divisions": [sentence]})
        else:
            one.delete()
    return stay


COPIED = (
    "ruleset", "pairs", "turns", "rules", "squad_rules", "preset", "secretary", "sections",
    "borrowed", "twice", "days_between",
)  # fmt: skip


@transaction.atomic
def start_next_league(
    league: TeamLeague,
    *,
    name: str,
    starts_on: date,
    moves: Mapping[int, str],
    seed: int,
    by: Actor,
    at: datetime,
) -> TeamLeague:
    """A league like this one with its teams, those that left aside; `moves` name the division of
    every team that goes up or down. No fixtures are made yet.

    Refuses (`still-playing`) a league that is not closed: its last matches may still move teams.
    """
    fresh = locked(league, on=False)
    if fresh.state != TeamLeague.State.FINISHED:
        message = _("Close this league first: its tables decide who goes up and down.")
        raise Refused("still-playing", message, status=409)
    if league.club.team_leagues.filter(name=name, starts_on=starts_on).exists():
        message = _("There is already a league of this name.")
        raise Refused("league-known", message, fields={"name": [message]}, status=409)
    made, divisions = _copied(fresh, name=name, starts_on=starts_on, by=by, at=at)
    made.before, made.seed = fresh, seed
    made.save(update_fields=["before", "seed"])
    for team in fresh.teams.filter(withdrawn_at=None).select_related("division"):
        current = team.division.name if team.division else ""
        division = divisions.get(moves.get(team.pk, current))
        _copy_team(team, made, division)
    log_action(league.club, by, "start next league", made, new={"after": fresh.name})
    return made


@transaction.atomic
def start_second_competition(
    league: TeamLeague, *, name: str, walkover: Fraction, by: Actor, at: datetime
) -> TeamLeague:
    """A second competition on the same nights: the league's teams, people and fixtures, with cards
    and a table of its own. A walk-over in it gives `walkover` points.

    Refuses (`no-fixtures`) a league whose fixtures are not made.
    """
    fresh = locked(league)
    fixtures = list(fresh.matches.filter(cup=None))
    if not fixtures:
        raise Refused("no-fixtures", _("Make the fixtures first."), status=409)
    if fresh.club.team_leagues.filter(name=name, starts_on=fresh.starts_on).exists():
        message = _("There is already a league of this name.")
        raise Refused("league-known", message, fields={"name": [message]}, status=409)
    made, divisions = _copied(fresh, name=name, starts_on=fresh.starts_on, by=by, at=at)
    own = dict(made.rules.get("walkover", {}))
    made.rules = {**made.rules, "walkover": {**own, "win": plain(walkover)}}
    made.state, made.seed = TeamLeague.State.RUNNING, fresh.seed
    made.save()
    teams = {
        team.pk: _copy_team(team, made, divisions.get(team.division.name if team.division else ""))
        for team in fresh.teams.select_related("division")
    }
    TeamMatch.objects.bulk_create(
        TeamMatch(
            league=made, round=fixture.round, number=fixture.number, half=fixture.half, made_at=at,
            home=teams[fixture.home_id], away=teams[fixture.away_id], held_on=fixture.held_on,
            first_date=fixture.first_date, venue=fixture.venue,
        )
        for fixture in fixtures
    )  # fmt: skip
    log_action(fresh.club, by, "start second competition", made, new={"beside": fresh.name})
    return made


def _copied(
    fresh: TeamLeague, *, name: str, starts_on: date, by: Actor, at: datetime
) -> tuple[TeamLeague, dict[str, TeamDivision]]:
    """A league with the rules and the divisions of another, and those by their names."""
    made = TeamLeague(club=fresh.club, name=name, starts_on=starts_on)
    for field in COPIED:
        setattr(made, field, getattr(fresh, field))
    made.fixture_rules = {**fresh.fixture_rules, "cup_days": []}
    made.made_by, made.made_at = by.user, at
    made.save()
    return made, {
        division.name: TeamDivision.objects.create(
            league=made, name=division.name, number=division.number
        )
        for division in fresh.divisions.all()
    }


def _copy_team(team: Team, league: TeamLeague, division: TeamDivision | None) -> Team:
    players = list(team.players.all())
    copy = Team.objects.create(
        league=league,
        division=division,
        name=team.name,
        code=team.code,
        house=team.house,
        venue=team.venue,
        roomy=team.roomy,
        captain=team.captain,
        withdrawn_at=team.withdrawn_at,
    )
    TeamPlayer.objects.bulk_create(
        TeamPlayer(league=league, team=copy, member_id=player.member_id) for player in players
    )
    return copy
