"""Starting a tournament, its rules, changing it before play, moving it, closing it."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.actions.rulesets import build_ruleset
from league.members.audit import Actor, club_language, log_action
from league.members.models import Club, ClubRuleset
from league.members.presets import name_with_changes
from league.play.actions import confirm_game
from league.play.models import Game
from league.seating.actions.draft import ruleset_for
from league.seating.models import Table
from league.sessions.actions import bump, lock, open_session
from league.sessions.models import Session
from league.standings.actions import save_places
from league.tournaments.models import Stage, StageRound, Tournament
from league.tournaments.parameters import (
    BELL,
    HANDS,
    PARAMETERS,
    StageOptions,
    options_json,
    read_options,
)
from league.tournaments.session_places import session_places, wrong_places
from league.tournaments.stage_state import OF_PAIRS, load_stage

UNTIL_THE_BELL = 200
"""More hands than any table plays before the head table rings."""


def rules_at(stage: Stage, players: int, *, head: bool) -> ClubRuleset:
    """The ruleset of a table of this stage: the session's for this size, else the club's, adapted.

    Refuses (`plays-alone`) fixed pairs if the rules have no partners.
    """
    choice = read_options(stage.parameters)
    base_rules = ruleset_for(stage.tournament.club, players, stage.tournament.session)
    if stage.format in OF_PAIRS:
        refuse_singles(base_rules)
    if stage.format != Stage.Format.PROGRESSIVE:
        return base_rules
    if choice.unit == HANDS:
        words = ngettext("%(n)d hand", "%(n)d hands", choice.hands) % {"n": choice.hands}
        return variant(base_rules, {"hands": choice.hands}, words)
    if choice.unit == BELL and head:
        words = ngettext("to %(n)d point", "to %(n)d points", choice.bell_points)
        words = words % {"n": choice.bell_points}
        return variant(base_rules, {"target": choice.bell_points}, words)
    if choice.unit == BELL:
        return variant(base_rules, {"hands": UNTIL_THE_BELL}, _("to the bell"))
    return base_rules


def refuse_singles(rules: ClubRuleset) -> None:
    """Refuse rules without partners at a table of four for a tournament of fixed pairs."""
    if rules.sides == 2:
        return
    message = _(
        "%(rules)s has no partners: everyone plays for themselves. Choose other rules for tables "
        "of four under Rules for this session, or a format where everyone plays for themselves."
    )
    raise Refused("plays-alone", message % {"rules": name_with_changes(rules)}, status=409)


def variant(base: ClubRuleset, options: dict[str, Any], words: str) -> ClubRuleset:
    """The club's ruleset with these options, created when it is first needed.

    It is hidden from the club's lists (retired): only tournaments and leagues use it.
    """
    body = build_ruleset(base.body, options).to_dict()
    name = f"{base.name[:50]}, {words}"
    club: Club = base.club
    latest = club.rulesets.filter(name=name, players=base.players).order_by("-version").first()
    if latest is not None and latest.body == body:
        return latest
    return ClubRuleset.objects.create(
        club=club,
        name=name,
        players=base.players,
        version=latest.version + 1 if latest else 1,
        preset=base.preset,
        body=body,
        retired=True,
    )


State = Tournament.State


@transaction.atomic
def start_tournament(
    club_session: Session, *, name: str, format: str, choice: StageOptions, seed: int, by: Actor
) -> Tournament:
    """Start a tournament of one stage in this session, open for entries.

    Refuses (`tournament-on`) while another one in the session is not over.
    """
    fresh = lock(club_session)
    _refuse_second(fresh)
    if format in OF_PAIRS:
        refuse_singles(ruleset_for(fresh.club, 4, fresh))
    tournament = Tournament.objects.create(
        club=fresh.club, session=fresh, name=name, made_by=by.user
    )
    Stage.objects.create(
        tournament=tournament, format=format, parameters=options_json(choice), seed=seed
    )
    names = {"partners", *PARAMETERS[format]} if choice.partners else PARAMETERS[format]
    new = {"format": format, **{k: v for k, v in options_json(choice).items() if k in names}}
    log_action(fresh.club, by, "make tournament", tournament, session=fresh, new=new)
    bump(fresh)
    return tournament


def _refuse_second(club_session: Session) -> None:
    if club_session.tournaments.filter(state__in=(State.SETUP, State.RUNNING)).exists():
        message = _("This session already has a tournament. Close it first.")
        raise Refused("tournament-on", message, status=409)


@transaction.atomic
def change_tournament(
    tournament: Tournament, *, name: str, format: str, choice: StageOptions, by: Actor
) -> Tournament:
    """Change the name, format or options.

    Once a round is drawn only the name, the number of rounds and `short_apart` may change.
    """
    fresh = locked(tournament)
    stage = fresh.stages.get(number=1)
    old = {"name": fresh.name, "format": stage.format, **stage.parameters}
    if stage.rounds.exists():
        _refuse_fixed_changes(stage, format, choice)
    stage.format, stage.parameters = format, options_json(choice)
    stage.save(update_fields=["format", "parameters"])
    fresh.name = name
    fresh.save(update_fields=["name"])
    new = {"name": name, "format": format, **options_json(choice)}
    log_action(fresh.club, by, "change tournament", fresh, session=fresh.session, old=old, new=new)
    touch(fresh)
    return fresh


@transaction.atomic
def choose_ranking(tournament: Tournament, codes: Sequence[str], *, by: Actor) -> Tournament:
    """Rank by these measures, the most important first; without any, by the format's default."""
    fresh = locked(tournament)
    stage = fresh.stages.get(number=1)
    old = read_options(stage.parameters)
    stage.parameters = options_json(replace(old, ranking=",".join(codes)))
    stage.save(update_fields=["parameters"])
    change = {"old": old.measures, "new": list(codes)}
    log_action(fresh.club, by, "choose tournament ranking", fresh, session=fresh.session, **change)
    touch(fresh)
    return fresh


@transaction.atomic
def move_to_session(tournament: Tournament, club_session: Session, *, by: Actor) -> Tournament:
    """Continue a tournament in another session of the club; rounds played stay in theirs.

    The session that it leaves may be closed or cancelled.
    """
    fresh = locked(tournament, of_closed=True)
    if club_session.club_id != fresh.club_id:
        raise Refused("unknown-session", _("There is no such session."), status=404)
    stage = fresh.stages.order_by("number").last()
    rounds = load_stage(stage).rounds if stage else ()
    if rounds and (rounds[-1].is_draft or rounds[-1].open_matches):
        raise Refused("round-open", _("A round is still in play. Finish it first."), status=409)
    old, fresh.session = fresh.session, lock(club_session)
    fresh.save(update_fields=["session"])
    new = str(fresh.session)
    log_action(fresh.club, by, "move tournament", fresh, session=old, old=str(old), new=new)
    save_session_places(old)
    bump(old)
    touch(fresh)
    return fresh


def label_in_log(row: StageRound, club: Club) -> str:
    """The name of a round of a bracket in the activity log, in the club's language; empty if the
    round goes by its number."""
    with club_language(club):
        return row.label


def touch(fresh: Tournament) -> None:
    """Raise the revision of a tournament's session and update its stored places."""
    save_session_places(fresh.session)
    bump(fresh.session)


def save_session_places(club_session: Session) -> None:
    """Store the places of a session by its tournament. The session has to be locked."""
    save_places(club_session, session_places(club_session))


@transaction.atomic
def rank_again(club_session: Session) -> None:
    """Correct the stored places of a session, open or closed."""
    fresh = lock(club_session, to_change=False)
    save_session_places(fresh)
    bump(fresh)


def follow_settings(club: Club, changed: Collection[str]) -> None:
    """Update stored places of sessions that depend on the club settings that have `changed`."""
    if "co_winners_credit" in changed:
        for club_session, _stored, _computed in wrong_places(club):
            rank_again(club_session)


def finish_tournament(tournament: Tournament, *, by: Actor, at: datetime) -> Tournament:
    """Close a tournament. Its standings are final, except for later corrections."""
    return _end(tournament, State.FINISHED, "finish tournament", by=by, at=at)


def cancel_tournament(tournament: Tournament, *, by: Actor, at: datetime) -> Tournament:
    """Cancel a tournament. Games already played are kept."""
    return _end(tournament, State.CANCELLED, "cancel tournament", by=by, at=at)


@transaction.atomic
def reopen_tournament(tournament: Tournament, *, by: Actor) -> Tournament:
    """Reopen a tournament that was closed or called off. Games it confirmed stay confirmed.

    Refuses (`tournament-on`) while another one in the session is not over.
    """
    fresh = locked(tournament, on=False)
    if fresh.state in (State.SETUP, State.RUNNING):
        return fresh
    _refuse_second(fresh.session)
    old, fresh.state = fresh.state, State.RUNNING if fresh.last_drawn() else State.SETUP
    fresh.finished_at = None
    fresh.save(update_fields=["state", "finished_at"])
    new = fresh.state
    log_action(fresh.club, by, "reopen tournament", fresh, session=fresh.session, old=old, new=new)
    touch(fresh)
    return fresh


@transaction.atomic
def reopen_with_session(tournament: Tournament, *, by: Actor, at: datetime) -> Tournament:
    """Reopen a tournament and its session, whichever of them is closed."""
    open_session(tournament.session, by=by, at=at)
    return reopen_tournament(tournament, by=by)


def locked(tournament: Tournament, *, on: bool = True, of_closed: bool = False) -> Tournament:
    """Lock the tournament's session and reload the tournament.

    Refuses (`tournament-over`) one that is closed, unless `on` is false, and (`session-not-open`)
    one whose session is closed, unless `of_closed`.
    """
    session = lock(tournament.session, to_change=not of_closed)
    fresh = Tournament.objects.select_related("club").get(pk=tournament.pk)
    fresh.session = session
    if on and fresh.state not in (State.SETUP, State.RUNNING):
        raise Refused("tournament-over", _("This tournament is closed."), status=409)
    return fresh


@transaction.atomic
def _end(tournament: Tournament, to: str, action: str, *, by: Actor, at: datetime) -> Tournament:
    fresh = locked(tournament, on=False)
    if fresh.state == to:
        return fresh
    for stage in fresh.stages.all():
        draft = load_stage(stage).draft
        if draft is not None:
            draft.row.seating.delete()
    old, fresh.state, fresh.finished_at = fresh.state, to, at
    fresh.save(update_fields=["state", "finished_at"])
    fresh.requests.all().delete()
    if to == State.FINISHED:
        _confirm_games(fresh, by=by, at=at)
    log_action(fresh.club, by, action, fresh, session=fresh.session, old=old, new=to)
    touch(fresh)
    return fresh


def _confirm_games(fresh: Tournament, *, by: Actor, at: datetime) -> None:
    """Confirm every game that is over and undisputed, since closing makes the results count."""
    unconfirmed_tables = Table.objects.filter(
        match_game__match__stage_round__stage__tournament=fresh,
        games__state=Game.State.FINISHED,
        games__reopened=False,
    )
    for table in unconfirmed_tables.select_related("session__club", "ruleset"):
        confirm_game(table, by=by, at=at)


def _refuse_fixed_changes(stage: Stage, format: str, choice: StageOptions) -> None:
    fixed = {**options_json(choice), "rounds": None, "short_apart": None}
    fixed_before = {**stage.parameters, "rounds": None, "short_apart": None}
    if format != stage.format or fixed != fixed_before:
        raise Refused(
            "already-drawn",
            _("A round has been drawn, so only the name and the number of rounds can change."),
            status=409,
        )
    if choice.rounds < stage.rounds.count():
        message = _("More rounds have already been drawn.")
        raise Refused("too-few-rounds", message, fields={"rounds": [message]})
