"""Evenings out of a sheet's games: made ready in memory, then stored in a few statements."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time

from league.exchange.hands_sheet import SheetGame
from league.members.audit import Actor, note
from league.members.models import Club, ClubRuleset, Member
from league.members.names import name_key
from league.play.actions.bring_in import AT_A_TIME, Brought, judged, keep_games
from league.seating.models import Round, Seat, Table
from league.sessions.models import Attendance, Session
from league.statements import insert_many


@dataclass
class Evening:
    """One closed evening with everything in it, not yet stored. A table's first game is in
    round 1, its second in round 2."""

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
    club: Club,
    games: Sequence[SheetGame],
    people: Mapping[str, Member],
    rules: Mapping[int, ClubRuleset],
    *,
    by: Actor,
) -> list[Evening]:
    """The evenings of games that are over by these rules. Every rule is asked here."""
    nights: dict[tuple[object, str], list[SheetGame]] = {}
    for game in games:
        nights.setdefault(game.night, []).append(game)
    return [_evening(club, played, people, rules, by=by) for played in nights.values()]


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


def hand_id(club: Club, game: SheetGame, place: int) -> str:
    """The client id of an imported hand: the same sheet again finds what it wrote before."""
    told = f"{club.pk}:{game.day}:{game.session}:{game.game}"
    return f"import-{hashlib.sha256(told.encode()).hexdigest()[:24]}-{place}"


def _hands(night: Evening) -> int:
    return sum(len(game.book.versions) for game in night.games)


def _evening(
    club: Club,
    games: Sequence[SheetGame],
    people: Mapping[str, Member],
    rules: Mapping[int, ClubRuleset],
    *,
    by: Actor,
) -> Evening:
    """One evening from its first game to its end, at eight in the club's zone."""
    day, name = games[0].night
    at = datetime.combine(day, time(20), tzinfo=club.zone)
    session = Session(club=club, name=name, held_on=day, state=Session.State.CLOSED, revision=1)
    session.made_by, session.made_at, session.closed_at = by.user, at, at
    came = {people[name_key(one)].pk: people[name_key(one)] for g in games for one in g.players}
    here = [
        Attendance(session=session, member=member, arrived_at=at)
        for member in came.values()
        if member.retired_at is None
    ]
    night = Evening(session, here, {}, [])
    played: dict[int, int] = {}
    for game in games:
        number = played[game.table] = played.get(game.table, 0) + 1
        round_ = night.rounds.setdefault(number, _round(session, number, at))
        table, seats = _table(round_, game, people, rules[len(game.players)])
        ids = [hand_id(club, game, place) for place in range(1, len(game.records) + 1)]
        night.games.append(judged(table, seats, game.records, ids, by=by, at=at))
    return night


def _round(session: Session, number: int, at: datetime) -> Round:
    state = Round.State.PUBLISHED
    return Round(session=session, number=number, state=state, seed=0, published_at=at)


def _table(
    round_: Round, game: SheetGame, people: Mapping[str, Member], ruleset: ClubRuleset
) -> tuple[Table, list[Seat]]:
    """A table whose people have risen again."""
    table = Table(
        session=round_.session,
        round=round_,
        number=game.table,
        players=len(game.players),
        ruleset=ruleset,
        first_dealer=game.records[0]["dealer"],
    )
    return table, [
        Seat(session=table.session, table=table, position=chair, member=people[name_key(name)])
        for chair, name in enumerate(game.players)
    ]
