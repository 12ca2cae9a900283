"""Actions on a league: creating, changing and closing it; its rules, divisions, next season."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions import adopt_preset
from league.members.audit import Actor, log_action, name_in_log
from league.members.models import Club, ClubRuleset
from league.ranking.team_league.rules import plain, rules_to_json
from league.teams.actions.divisions import save_divisions
from league.teams.models import (
    CardPhotograph,
    Team,
    TeamDivision,
    TeamLeague,
    TeamMatch,
    TeamPlayer,
)
from league.teams.presets import PRESETS, Preset, newer_rules, rules_for
from league.teams.queries import rules_of
from league.tournaments.actions.setup import variant
from scoring import ruleset


def lock_league(league: TeamLeague, *, must_be_open: bool = True) -> TeamLeague:
    """Reload the league and lock it until the transaction ends. Refuses a closed league, unless
    `must_be_open` is False."""
    fresh = TeamLeague.objects.select_for_update().get(pk=league.pk)
    fresh.club = league.club
    if must_be_open and fresh.state not in (TeamLeague.State.SETUP, TeamLeague.State.RUNNING):
        message = _("This league is closed. Reopen it to change anything.")
        raise Refused("league-closed", message, status=409)
    return fresh


def actor_name(by: Actor, club: Club) -> str:
    """The name that a league's pages show for who acted: the player's, if the account has one."""
    player = club.members.filter(user=by.user).first() if by.user else None
    return (player.name if player else by.label)[:80]


def as_player(by: Actor, club: Club) -> Actor:
    """The actor under that name, which goes when the player's personal data is erased."""
    return replace(by, label=actor_name(by, club))


State = TeamLeague.State
FIXED_FIELDS = ("pairs", "turns", "twice")
"""Fields that fixtures and cards depend on: they cannot change once there are any."""


@transaction.atomic
def make_league(
    club: Club, *, target: int | None, seed: int, by: Actor, **chosen: Any
) -> TeamLeague:
    """Create a league without teams. `target` replaces the target of the ruleset. Without a
    ruleset, the game of the chosen printed rulebook is added to the club's house rules. Refuses
    (`league-known`) the name of a league that is not closed."""
    _refuse_open_namesake(club, chosen["name"])
    preset = PRESETS.get(chosen.get("preset") or "")
    chosen["ruleset"] = ruleset_with_target(
        chosen["ruleset"] or _ruleset_of_preset(club, preset, by=by), target
    )
    if preset is not None:
        preset_rules = {"squad_rules": dict(preset.squads), "fixture_rules": dict(preset.fixtures)}
        chosen = preset_rules | chosen
    _check_borrowing(chosen["borrowed"], chosen.get("squad_rules", {}), "borrowed")
    league = TeamLeague.objects.create(club=club, seed=seed, made_by=by.user, **chosen)
    log_action(club, by, "make team league", league, new=_audit_data(club, chosen))
    return league


def _refuse_open_namesake(club: Club, name: str) -> None:
    is_open = Q(state__in=(State.SETUP, State.RUNNING))
    if club.team_leagues.filter(is_open, name__iexact=name).exists():
        message = _("There is an open league of this name. Add the year, or close the other.")
        raise Refused("league-known", message, fields={"name": [message]}, status=409)


def _ruleset_of_preset(club: Club, preset: Preset | None, *, by: Actor) -> ClubRuleset:
    """The club's house rules for a rulebook's game; adds them if the club has none."""
    if preset is None:
        message = _("Choose the house rules that the games are played by.")
        raise Refused("no-ruleset", message, fields={"ruleset": [message]})
    existing = rules_for(club, preset)
    if existing is not None:
        return existing
    is_name_taken = club.rulesets.filter(name__iexact=ruleset(preset.game).name, players=4).exists()
    return adopt_preset(club, preset=preset.game, name=preset.name if is_name_taken else "", by=by)


@transaction.atomic
def change_league(
    league: TeamLeague, *, target: int | None, by: Actor, **chosen: Any
) -> TeamLeague:
    """Change a league. The number of games in a match is fixed once there are fixtures."""
    fresh = lock_league(league, must_be_open=False)
    chosen.pop("preset", None)
    chosen["ruleset"] = ruleset_with_target(chosen["ruleset"], target)
    if fresh.matches.exists():
        current = {name: getattr(fresh, name) for name in FIXED_FIELDS} | _carry_rules(fresh.rules)
        new = {name: chosen[name] for name in FIXED_FIELDS} | _carry_rules(chosen["rules"])
        for name, value in new.items():
            if value != current[name]:
                message = _("The fixtures are already made, so this can't change.")
                raise Refused("fixtures-made", message, fields={name: [message]})
    _check_borrowing(chosen["borrowed"], fresh.squad_rules, "borrowed")
    old = _current_data(fresh, chosen)
    for name, value in chosen.items():
        setattr(fresh, name, value)
    fresh.save(update_fields=list(chosen))
    new = _current_data(fresh, chosen)
    log_action(fresh.club, by, "change team league", fresh, old=old, new=new)
    return fresh


@transaction.atomic
def play_by_newest_rules(league: TeamLeague, *, by: Actor) -> TeamLeague:
    """Play the next matches by the newest version of the league's house rules, to the league's own
    target if it has one. Games already played keep the version they were played by."""
    fresh = lock_league(league)
    newer = newer_rules(fresh)
    if newer is None:
        return fresh
    old, fresh.ruleset = fresh.ruleset, ruleset_with_target(newer.ruleset, newer.target)
    fresh.save(update_fields=["ruleset"])
    names = [name_in_log(fresh.club, one) for one in (old, fresh.ruleset)]
    old_data, new_data = ({"ruleset": name} for name in names)
    log_action(fresh.club, by, "change team league", fresh, old=old_data, new=new_data)
    return fresh


def _check_borrowing(in_match: int, squad_rules: Mapping[str, Any], field: str) -> None:
    """Refuse two limits that contradict each other: some players a match, none a season. The first
    is a setting of the league, the second one of its rules."""
    if not in_match or squad_rules.get("borrowed_season") != 0:
        return
    message = _(
        "By this league's rules a player may be borrowed 0 times per season. Enter 0 here, or "
        "change that under Rules first."
    )
    if field == "borrowed_season":
        message = _(
            "By this league's settings a team may borrow players for a match. Leave this empty, or "
            "set that to 0 first."
        )
    raise Refused("borrowing-contradicts", message, fields={field: [message]})


def _carry_rules(rules: Mapping[str, Any]) -> dict[str, bool]:
    """Whether laps and slams count: the scores of cards depend on it."""
    return {name: bool(rules.get(name)) for name in ("laps", "slam")}


@transaction.atomic
def set_league_state(league: TeamLeague, to: str, *, by: Actor, at: datetime) -> TeamLeague:
    """Close, cancel or reopen a league. Closing deletes the photographs of cards."""
    fresh = lock_league(league, must_be_open=False)
    if to == State.RUNNING and not fresh.matches.exists():
        to = State.SETUP
    old_state, fresh.state = fresh.state, to
    fresh.finished_at = at if to in (State.FINISHED, State.CANCELLED) else None
    fresh.save(update_fields=["state", "finished_at"])
    if fresh.finished_at is not None:
        CardPhotograph.objects.filter(match__league=fresh).delete()
    action = "reopen team league" if fresh.finished_at is None else "close team league"
    if to == State.CANCELLED:
        action = "call off team league"
    log_action(fresh.club, by, action, fresh, old=old_state, new=to)
    return fresh


def ruleset_with_target(club_ruleset: ClubRuleset, target: int | None) -> ClubRuleset:
    """The ruleset itself, or its variant with another target."""
    if target in (None, ruleset(club_ruleset.body).target):
        return club_ruleset
    return variant(club_ruleset, {"target": target}, _("to %(n)d points") % {"n": target})


RULES_ON_FORM = ("points", "laps", "slam", "tie_breaks")
"""The rules on the form of a league; the others come from its printed rulebook."""


def _audit_data(club: Club, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The chosen values, as the audit log stores them."""
    plain = (str, int, bool, dict, type(None))
    fields = {k: v for k, v in chosen.items() if k not in ("rules", "squad_rules")}
    data = {k: v if isinstance(v, plain) else name_in_log(club, v) for k, v in fields.items()}
    rules = chosen.get("rules") or {}
    return data | {"rules": {name: rules[name] for name in RULES_ON_FORM if name in rules}}


def _current_data(league: TeamLeague, names: Iterable[str]) -> dict[str, Any]:
    """The league's values for the audit log, with the rules that it plays by: stored or default."""
    values = {name: getattr(league, name) for name in names}
    return _audit_data(league.club, values | {"rules": rules_to_json(rules_of(league))})


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
    """Change the rules of the table and of squads, and the divisions by their names.

    Tables change at once. A renamed division keeps its teams. Refuses to delete a division that has
    teams (`division-in-use`).
    """
    fresh = lock_league(league, must_be_open=False)
    _check_borrowing(fresh.borrowed, squad_rules, "borrowed_season")
    old = _rules_data(fresh, [division.name for division in fresh.divisions.all()])
    fresh.rules, fresh.squad_rules = dict(rules), dict(squad_rules)
    fresh.sections, fresh.blank_days = sections, list(blank_days)
    if fixture_rules is not None:
        fresh.fixture_rules = dict(fixture_rules)
    fields = ["rules", "squad_rules", "fixture_rules", "sections", "blank_days"]
    fresh.save(update_fields=fields)
    save_divisions(fresh, divisions)
    new = _rules_data(fresh, divisions)
    if _without_empty(new) != _without_empty(old):
        log_action(fresh.club, by, "change league rules", fresh, old=old, new=new)
    return fresh


def _without_empty(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data without what says nothing: a form saves rules that are off, too."""
    parts = {k: _without_empty(v) if isinstance(v, dict) else v for k, v in data.items()}
    return {k: v for k, v in parts.items() if v is not False and v not in (None, [], {})}


def _rules_data(league: TeamLeague, divisions: Sequence[str]) -> dict[str, Any]:
    """What an organiser sets under Rules, for the audit log."""
    return {
        "rules": rules_to_json(rules_of(league)),
        "squads": league.squad_rules,
        "divisions": list(divisions),
        "sections": league.sections,
        "blank_days": league.blank_days,
        "fixture_rules": league.fixture_rules,
    }


@transaction.atomic
def change_blank_days(league: TeamLeague, blank_days: Sequence[str], *, by: Actor) -> TeamLeague:
    """Change the days whose weeks have no round; existing fixtures stay as they are."""
    fresh = lock_league(league)
    old, fresh.blank_days = fresh.blank_days, list(blank_days)
    fresh.save(update_fields=["blank_days"])
    new = {"blank_days": fresh.blank_days}
    log_action(fresh.club, by, "change league rules", fresh, old={"blank_days": old}, new=new)
    return fresh


COPIED_FIELDS = (
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
    """Create the next season of a league, with the same rules and the teams that have not left.

    `moves` are the new divisions of the teams that go up or down. No fixtures are made yet. Refuses
    (`still-playing`) a league that is not closed: its last matches may still change the moves.
    """
    fresh = lock_league(league, must_be_open=False)
    if fresh.state != TeamLeague.State.FINISHED:
        message = _("Close this league first: its tables decide who goes up and down.")
        raise Refused("still-playing", message, status=409)
    if league.club.team_leagues.filter(name=name, starts_on=starts_on).exists():
        message = _("There is already a league of this name.")
        raise Refused("league-known", message, fields={"name": [message]}, status=409)
    new_league, divisions = _copy_league(fresh, name=name, starts_on=starts_on, by=by, at=at)
    new_league.before, new_league.seed = fresh, seed
    new_league.save(update_fields=["before", "seed"])
    for team in fresh.teams.filter(withdrawn_at=None).select_related("division"):
        current = team.division.name if team.division else ""
        division = divisions.get(moves.get(team.pk, current))
        _copy_team(team, new_league, division)
    log_action(league.club, by, "start next league", new_league, new={"after": fresh.name})
    return new_league


@transaction.atomic
def start_second_competition(
    league: TeamLeague, *, name: str, walkover: Fraction, by: Actor, at: datetime
) -> TeamLeague:
    """Create a second competition on the same nights: the same teams, players and fixtures, with
    its own cards and table. A walk-over in it gives `walkover` points.

    Refuses (`no-fixtures`) a league without fixtures.
    """
    fresh = lock_league(league)
    fixtures = list(fresh.matches.filter(cup=None))
    if not fixtures:
        raise Refused("no-fixtures", _("Make the fixtures first."), status=409)
    if fresh.club.team_leagues.filter(name=name, starts_on=fresh.starts_on).exists():
        message = _("There is already a league of this name.")
        raise Refused("league-known", message, fields={"name": [message]}, status=409)
    second, divisions = _copy_league(fresh, name=name, starts_on=fresh.starts_on, by=by, at=at)
    walkover_rules = dict(second.rules.get("walkover", {}))
    second.rules = {**second.rules, "walkover": {**walkover_rules, "win": plain(walkover)}}
    second.state, second.seed = TeamLeague.State.RUNNING, fresh.seed
    second.save()
    teams = {
        team.pk: _copy_team(
            team, second, divisions.get(team.division.name if team.division else "")
        )
        for team in fresh.teams.select_related("division")
    }
    TeamMatch.objects.bulk_create(
        TeamMatch(
            league=second, round=fixture.round, number=fixture.number, half=fixture.half,
            home=teams[fixture.home_id], away=teams[fixture.away_id], held_on=fixture.held_on,
            first_date=fixture.first_date, venue=fixture.venue, made_at=at,
        )
        for fixture in fixtures
    )  # fmt: skip
    log_action(fresh.club, by, "start second competition", second, new={"beside": fresh.name})
    return second


def _copy_league(
    fresh: TeamLeague, *, name: str, starts_on: date, by: Actor, at: datetime
) -> tuple[TeamLeague, dict[str, TeamDivision]]:
    """Copy a league's rules and divisions. Return the new league and its divisions by name."""
    copy = TeamLeague(club=fresh.club, name=name, starts_on=starts_on)
    for field in COPIED_FIELDS:
        setattr(copy, field, getattr(fresh, field))
    copy.fixture_rules = {**fresh.fixture_rules, "cup_days": []}
    copy.made_by, copy.made_at = by.user, at
    copy.save()
    return copy, {
        division.name: TeamDivision.objects.create(
            league=copy, name=division.name, number=division.number
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
        captain=None if team.lost_captain else team.captain,
        withdrawn_at=team.withdrawn_at,
    )
    TeamPlayer.objects.bulk_create(
        TeamPlayer(league=league, team=copy, member_id=player.member_id) for player in players
    )
    return copy
