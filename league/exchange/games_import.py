"""Past games on a sheet, hands or results: what it would do, then all of it or nothing."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from functools import partial
from typing import Any, Protocol

from django.db.models import F

from league import worker
from league.exchange.past_games import ClubHere, PastGame, season_troubles
from league.exchange.sheet_import import Trouble, do_agreed
from league.members.audit import Actor, log_action
from league.members.models import Club, ClubRuleset, Member
from league.members.names import name_key
from league.play.actions.persistence import AT_A_TIME, ImportedGame, save_imported_games
from league.seating.models import Round, Seat, Table
from league.sessions.models import Attendance, Session

# What becomes of one game at its table: with its seats, and the hour of its evening.
Bring = Callable[[Any, Table, list[Seat], datetime], ImportedGame]


@dataclass
class Evening:
    """One closed evening with everything in it, not yet stored. Where the sheet names no rounds,
    a table's first game is in round 1, its second in round 2."""

    session: Session
    came: list[Attendance]
    rounds: dict[int, Round]
    games: list[ImportedGame]

    def parts(self) -> list[Attendance | Round | Table | Seat]:
        return [*self.came, *self.rounds.values(), *self.tables, *self.seats]

    @property
    def tables(self) -> list[Table]:
        return [game.log.table for game in self.games]

    @property
    def seats(self) -> list[Seat]:
        return [seat for game in self.games for seat in game.log.seats]


def made_ready(
    now: ClubHere, games: Sequence[PastGame], bring: Bring, *, by: Actor
) -> list[Evening]:
    """The evenings of games that are over by the club's rules. Every rule is asked here."""
    nights: dict[tuple[object, str], list[PastGame]] = {}
    for game in games:
        nights.setdefault(game.night, []).append(game)
    listed = worker.counted(list(nights.values()), "preparing")
    return [_evening(now, played, bring, by=by) for played in listed]


def store(club: Club, evenings: Sequence[Evening], *, by: Actor) -> None:
    """Store evenings that were made ready, inside the caller's transaction."""
    _store_rules(club, evenings, by=by)
    new = [night.session for night in evenings if night.session.pk is None]
    old = [night.session.pk for night in evenings if night.session.pk is not None]
    Session.objects.filter(pk__in=old).update(revision=F("revision") + 1)
    Session.objects.bulk_create(new, batch_size=AT_A_TIME)
    for night in evenings:
        for part in night.parts():
            part.session_id = night.session.pk
    came = [one for night in evenings for one in night.came]
    Attendance.objects.bulk_create(came, batch_size=AT_A_TIME)
    _store_tables(evenings)
    save_imported_games([game for night in evenings for game in night.games])
    for night in evenings:
        figures = {"games": len(night.games), "hands": _hands(night)}
        log_action(club, by, "import evening", night.session, session=night.session, new=figures)


def _store_tables(evenings: Sequence[Evening]) -> None:
    """Store rounds, their tables and their seats, each with the ids of those before."""
    rounds = [one for night in evenings for one in night.rounds.values() if one.pk is None]
    Round.objects.bulk_create(rounds, batch_size=AT_A_TIME)
    tables = [table for night in evenings for table in night.tables]
    for table in tables:
        table.round_id = table.round.pk
    Table.objects.bulk_create(tables, batch_size=AT_A_TIME)
    seats = [seat for night in evenings for seat in night.seats]
    for seat in seats:
        seat.table_id = seat.table.pk
    Seat.objects.bulk_create(seats, batch_size=AT_A_TIME)


def _store_rules(club: Club, evenings: Sequence[Evening], *, by: Actor) -> None:
    """Store rules that only the sheet has: nobody plays by them until they are taken up."""
    for ruleset in [table.ruleset for night in evenings for table in night.tables]:
        if ruleset.pk is None:
            ruleset.made_by = by.user
            ruleset.save()
            log_action(club, by, "take up ruleset", ruleset, new={"preset": ruleset.preset})


def _hands(night: Evening) -> int:
    return sum(len(game.log.versions) for game in night.games)


def _evening(now: ClubHere, games: Sequence[PastGame], bring: Bring, *, by: Actor) -> Evening:
    """One evening from its first game to its end, at eight in the club's zone; or one that is here
    with further games."""
    at = datetime.combine(games[0].day, time(20), tzinfo=now.club.zone)
    session = now.nights.get(games[0].night) or _session(now, games[0], at=at, by=by)
    night = Evening(session, _came(session, now, games), {}, [])
    taken: set[tuple[int, int]] = set()
    if session.pk is not None:
        night.rounds = {one.number: one for one in Round.objects.filter(session=session)}
        taken.update(Table.objects.filter(session=session).values_list("round__number", "number"))
    for game in games:
        number = game.round or 1
        while (number, game.table) in taken:
            number += 1
        taken.add((number, game.table))
        round_ = night.rounds.setdefault(number, _round(session, number, at))
        rules = now.rules_for(game)
        assert rules is not None  # a game without rules is refused before
        table, seats = _table(round_, game, now.people, rules)
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
    named = (now.people[name_key(span.name)] for game in games for span in game.spans)
    came = {member.pk: member for member in named if member.retired_at is None}
    if session.pk is not None:
        for known in Attendance.objects.filter(session=session).values_list("member", flat=True):
            came.pop(known, None)
    return [
        Attendance(session=session, member=member, arrived_at=session.made_at)
        for member in came.values()
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
        carried=list(game.carried),
    )
    return table, [
        Seat(
            session=table.session,
            table=table,
            position=span.position,
            member=people[name_key(span.name)],
            from_hand=span.from_hand,
            until_hand=span.until_hand,
        )
        for span in game.spans
    ]


class Here(Protocol):
    """A kind of sheet beside what its club has: its people, rules and evenings (`now`), and the
    games of the sheet that are here already."""

    now: ClubHere

    @property
    def facts(self) -> tuple[object, ...]:
        """All that a verdict on the sheet rests on: where it is the same, so is the verdict."""

    def has(self, game: Any) -> bool:
        """Whether the game was written down before."""

    def differs(self, game: Any) -> Iterator[Trouble]:
        """Where a game that is here says something else."""

    def cannot(self, game: Any) -> Iterator[Trouble]:
        """Why a new game cannot be written down."""

    def bring(self, game: Any, table: Any, seats: Any, *, by: Actor, at: datetime) -> ImportedGame:
        """A new game with all that is stored of it."""


@dataclass(frozen=True, slots=True)
class GamesPreview:
    """What a sheet of games would do: the games that are new, how many are here already, and
    every trouble with its line."""

    new: Sequence[PastGame]
    known: int
    troubles: list[Trouble]

    @property
    def agreed(self) -> str:
        """Stands for what was shown."""
        text = "\n".join(game.fingerprint for game in self.new)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def look(here: Here, games: Sequence[PastGame], troubles: list[Trouble]) -> GamesPreview:
    """What the sheet would do; a game that is here already stays as it is."""
    known = [game for game in games if here.has(game)]
    new = [game for game in games if game.is_over and not here.has(game)]
    faults = [*troubles, *season_troubles(new)]
    for game in worker.counted([*known, *new]):
        faults += here.differs(game) if here.has(game) else here.cannot(game)
    faults.sort(key=lambda trouble: trouble.line)
    return GamesPreview(new, len(known), faults)


def order(
    club: Club,
    see: Callable[[], Here],
    games: Sequence[PastGame],
    troubles: list[Trouble],
    *,
    agreed: str,
    by: Actor,
) -> list[Session]:
    """Write every new game down, as its table would have, in closed sessions of its own.

    `see` says what the club has. Refuses with every bad line; refuses when the sheet would now do
    something else than what was looked at (`agreed`).
    """
    evenings = do_agreed(
        club,
        see,
        lambda here: look(here, games, troubles),
        lambda here, preview: made_ready(here.now, preview.new, partial(_brought, here, by), by=by),
        lambda evenings: store(club, evenings, by=by),
        agreed=agreed,
    )
    return [night.session for night in evenings]


def _brought(
    here: Here, by: Actor, game: Any, table: Any, seats: Any, at: datetime
) -> ImportedGame:
    return here.bring(game, table, seats, by=by, at=at)
