"""Evenings out of a sheet's games: made ready in memory, then stored in a few statements."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from league import progress
from league.exchange.club_here import ClubHere
from league.exchange.past_games import PastGame
from league.members.audit import Actor, note
from league.members.models import Club, ClubRuleset, Member
from league.members.names import name_key
from league.play.actions.bring_in import AT_A_TIME, Brought, keep_games
from league.seating.models import Round, Seat, Table
from league.sessions.models import Attendance, Session
from league.statements import insert_many

# What becomes of one game at its table: with its seats, and the hour of its evening.
Bring = Callable[[Any, Table, list[Seat], datetime], Brought]


@dataclass
class Evening:
    """One closed evening with everything in it, not yet stored. Where the sheet names no rounds,
    a table's first game is in round 1, its second in round 2."""

    session: Session
    came: list[Attendance]
    rounds: dict[int, Round]
    games: list[Brought]

    def parts(self) -> list[Attendance | Round | Table | Seat]:
        return [*self.came, *self.rounds.values(), *self.tables, *self.seats]

    @property
    def tables(self) -> list[Table]:
        return [game.book.table for game in self.games]

    @property
    def seats(self) -> list[Seat]:
        return [seat for game in self.games for seat in game.book.seats]


def made_ready(
    now: ClubHere, games: Sequence[PastGame], bring: Bring, *, by: Actor
) -> list[Evening]:
    """The evenings of games that are over by the club's rules. Every rule is asked here."""
    nights: dict[tuple[object, str], list[PastGame]] = {}
    for game in games:
        nights.setdefault(game.night, []).append(game)
    listed = progress.counted(list(nights.values()), "preparing")
    return [_evening(now, played, bring, by=by) for played in listed]


def store(club: Club, evenings: Sequence[Evening], *, by: Actor) -> None:
    """Store evenings that were made ready, inside the caller's transaction."""
    Session.objects.bulk_create((night.session for night in evenings), batch_size=AT_A_TIME)
    for night in evenings:
        for part in night.parts():
            part.session_id = night.session.pk
    insert_many([one for night in evenings for one in night.came])
    rounds = [one for night in evenings for one in night.rounds.values()]
    Round.objects.bulk_create(rounds, batch_size=AT_A_TIME)
    tables = [table for night in evenings for table in night.tables]
    for table in tables:
        table.round_id = table.round.pk
    Table.objects.bulk_create(tables, batch_size=AT_A_TIME)
    seats = [seat for night in evenings for seat in night.seats]
    for seat in seats:
        seat.table_id = seat.table.pk
    insert_many(seats)
    keep_games([game for night in evenings for game in night.games])
    for night in evenings:
        told = {"games": len(night.games), "hands": _hands(night)}
        note(club, by, "import evening", night.session, session=night.session, new=told)


def _hands(night: Evening) -> int:
    return sum(len(game.book.versions) for game in night.games)


def _evening(now: ClubHere, games: Sequence[PastGame], bring: Bring, *, by: Actor) -> Evening:
    """One evening from its first game to its end, at eight in the club's zone."""
    at = datetime.combine(games[0].day, time(20), tzinfo=now.club.zone)
    session = _session(now, games[0], at=at, by=by)
    night = Evening(session, _came(session, now, games), {}, [])
    played: dict[int, int] = {}
    for game in games:
        number = game.round or played.get(game.table, 0) + 1
        played[game.table] = number
        round_ = night.rounds.setdefault(number, _round(session, number, at))
        table, seats = _table(round_, game, now.people, now.rules[len(game.players)])
        night.games.append(bring(game, table, seats, at))
    return night


def _session(now: ClubHere, game: PastGame, *, at: datetime, by: Actor) -> Session:
    return Session(
        club=now.club,
        season=now.seasons.get(name_key(game.season)),
        name=game.session,
        held_on=game.day,
        state=Session.State.CLOSED,
        revision=1,
        made_by=by.user,
        made_at=at,
        closed_at=at,
    )


def _came(session: Session, now: ClubHere, games: Sequence[PastGame]) -> list[Attendance]:
    """Everybody who played and is still a member was there."""
    named = (now.people[name_key(name)] for game in games for name in game.players)
    came = {member.pk: member for member in named}
    return [
        Attendance(session=session, member=member, arrived_at=session.made_at)
        for member in came.values()
        if member.retired_at is None
    ]


def _round(session: Session, number: int, at: datetime) -> Round:
    state = Round.State.PUBLISHED
    return Round(session=session, number=number, state=state, seed=0, published_at=at)


def _table(
    round_: Round, game: PastGame, people: Mapping[str, Member], ruleset: ClubRuleset
) -> tuple[Table, list[Seat]]:
    """A table whose people have risen again."""
    table = Table(
        session=round_.session,
        round=round_,
        number=game.table,
        players=len(game.players),
        ruleset=ruleset,
        first_dealer=game.first_dealer,
        totals_only=game.totals_only,
    )
    return table, [
        Seat(session=table.session, table=table, position=chair, member=people[name_key(name)])
        for chair, name in enumerate(game.players)
    ]
