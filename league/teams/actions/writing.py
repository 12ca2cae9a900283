"""Keeping a card's games: a session of their own, a round for each turn, a table for each game."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor
from league.members.models import Member
from league.play.actions import abandon_game, recount_table, write_totals
from league.play.models import Game
from league.seating.models import Round, Seat, Table
from league.sessions.actions import bump, lock
from league.sessions.models import Attendance, Session
from league.sessions.queries import local_date
from league.teams.models import TeamLeague, TeamMatch
from league.teams.queries import PLANNER

Chairs = Mapping[tuple[int, int], tuple[Member, ...]]
Scores = Mapping[tuple[int, int], tuple[int, int]]
State = Game.State


def keep_games(
    match: TeamMatch,
    league: TeamLeague,
    held_on: date,
    chairs: Chairs,
    scores: Scores,
    *,
    by: Actor,
    at: datetime,
) -> None:
    """Make the games of a match those of its card, by (turn, home pair): new ones are written,
    others corrected, and one that is no longer on the card was not played."""
    if held_on > local_date(league.club, at):
        message = _("A match is written down when it has been played.")
        raise Refused("in-future", message, fields={"held_on": [message]})
    session = _session(match, league, held_on, by=by, at=at)
    there = {(one.round.number, one.number): one for one in _tables(session)}
    for key, people in chairs.items():
        table = there.get(key)
        if table is None:
            table = _new_table(session, league, key, people, at=at)
        else:
            _change_seats(table, people, at=at)
        _play_after_all(table)
        write_totals(table, scores[key], by=by, at=at, as_organiser=True)
    for key, table in there.items():
        if key not in chairs:
            abandon_game(table, reason=_("not on the card"), by=by, at=at)
    _keep_attendance(session, {one for people in chairs.values() for one in people}, at)
    bump(session)


def _session(
    match: TeamMatch, league: TeamLeague, held_on: date, *, by: Actor, at: datetime
) -> Session:
    """The session of the match, closed: nobody is seated in it, and nothing is played live.

    One that is there is locked first, as in every order about its games.
    """
    name = f"{match.home.name} – {match.away.name}"[:80]
    if match.session is None:
        match.session = Session.objects.create(
            club=league.club,
            season=league.season,
            name=name,
            held_on=held_on,
            state=Session.State.CLOSED,
            closed_at=at,
            made_by=by.user,
            made_at=at,
        )
    else:
        match.session = lock(match.session, to_change=False)
        if match.session.held_on != held_on:
            match.session.held_on = held_on
            match.session.save(update_fields=["held_on"])
    match.session.club = league.club
    return match.session


def _tables(session: Session) -> list[Table]:
    tables = Table.objects.filter(session=session, round__planner=PLANNER)
    found = list(tables.select_related("round", "ruleset").order_by("pk"))
    for table in found:
        table.session = session
    return found


def _new_table(
    session: Session,
    league: TeamLeague,
    key: tuple[int, int],
    people: Iterable[Member],
    *,
    at: datetime,
) -> Table:
    turn, pair = key
    round_, _made = Round.objects.get_or_create(
        session=session,
        number=turn,
        defaults={
            "state": Round.State.PUBLISHED,
            "seed": 0,
            "planner": PLANNER,
            "by_tournament": True,
            "published_at": at,
        },
    )
    table = Table.objects.create(
        session=session,
        round=round_,
        number=pair,
        players=4,
        ruleset=league.ruleset,
        totals_only=True,
    )
    Seat.objects.bulk_create(
        Seat(session=session, table=table, position=place, member=one)
        for place, one in enumerate(people)
    )
    return table


def _change_seats(table: Table, people: Iterable[Member], *, at: datetime) -> None:
    """Put others on the chairs where the card names others; results go with them."""
    seats = {seat.position: seat for seat in table.seats.filter(until_hand=None)}
    changed = []
    for place, member in enumerate(people):
        if seats[place].member_id != member.pk:
            seats[place].member = member
            changed.append(seats[place])
    if changed:
        Seat.objects.bulk_update(changed, ["member"])
        recount_table(table, at=at)


def _play_after_all(table: Table) -> None:
    """A game said not to be played stands on the card again."""
    Game.objects.filter(table=table, state=State.ABANDONED).update(
        state=State.PLAYING, totals=None, finished_at=None
    )


def _keep_attendance(session: Session, people: set[Member], at: datetime) -> None:
    """Who sat at a table of the match was there."""
    here = Attendance.objects.filter(session=session)
    here.exclude(member__in=people).delete()
    known = set(here.values_list("member", flat=True))
    Attendance.objects.bulk_create(
        Attendance(session=session, member=one, arrived_at=at)
        for one in sorted(people, key=lambda one: one.pk)
        if one.pk not in known
    )
