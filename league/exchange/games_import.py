"""Imports past games from a sheet of hands or results: a preview first, then all or nothing."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from functools import partial
from typing import Any, Protocol

from django.db.models import F

from league import worker
from league.exchange.past_games import ClubData, PastGame, season_troubles
from league.exchange.sheet_import import Trouble, import_agreed
from league.members.audit import Actor, log_action
from league.members.models import Club, ClubRuleset, Member
from league.members.names import name_key
from league.play.actions.persistence import AT_A_TIME, ImportedGame, save_imported_games
from league.seating.models import Round, Seat, Table
from league.sessions.models import Attendance, Session

# Makes the game to store from a game of the sheet, its table, its seats and the session's time.
MakeGame = Callable[[Any, Table, list[Seat], datetime], ImportedGame]


@dataclass
class Evening:
    """One closed session with everything in it, not yet stored. Where the sheet names no rounds,
    a table's first game is in round 1, its second in round 2."""

    session: Session
    attendances: list[Attendance]
    rounds: dict[int, Round]
    games: list[ImportedGame]

    def parts(self) -> list[Attendance | Round | Table | Seat]:
        return [*self.attendances, *self.rounds.values(), *self.tables, *self.seats]

    @property
    def tables(self) -> list[Table]:
        return [game.log.table for game in self.games]

    @property
    def seats(self) -> list[Seat]:
        return [seat for game in self.games for seat in game.log.seats]


def prepare_evenings(
    club_data: ClubData, games: Sequence[PastGame], make_game: MakeGame, *, by: Actor
) -> list[Evening]:
    """The unsaved evenings of games that are over, scored by the club's rules."""
    nights: dict[tuple[object, str], list[PastGame]] = {}
    for game in games:
        nights.setdefault(game.night, []).append(game)
    games_by_night = worker.counted(list(nights.values()), "preparing")
    return [_evening(club_data, played, make_game, by=by) for played in games_by_night]


def store(club: Club, evenings: Sequence[Evening], *, by: Actor) -> None:
    """Store prepared evenings, inside the caller's transaction."""
    _store_rules(club, evenings, by=by)
    new = [night.session for night in evenings if night.session.pk is None]
    old = [night.session.pk for night in evenings if night.session.pk is not None]
    Session.objects.filter(pk__in=old).update(revision=F("revision") + 1)
    Session.objects.bulk_create(new, batch_size=AT_A_TIME)
    for night in evenings:
        for part in night.parts():
            part.session_id = night.session.pk
    attendances = [attendance for night in evenings for attendance in night.attendances]
    Attendance.objects.bulk_create(attendances, batch_size=AT_A_TIME)
    _store_tables(evenings)
    save_imported_games([game for night in evenings for game in night.games])
    for night in evenings:
        hands = sum(len(game.log.versions) for game in night.games)
        figures = {"games": len(night.games), "hands": hands}
        log_action(club, by, "import evening", night.session, session=night.session, new=figures)


def _store_tables(evenings: Sequence[Evening]) -> None:
    """Store rounds, then their tables, then their seats, linking each to its parent's new id."""
    rounds = [round_ for night in evenings for round_ in night.rounds.values() if round_.pk is None]
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
    """Store rules that only the sheet has; they stay retired until the club starts using them."""
    for ruleset in [table.ruleset for night in evenings for table in night.tables]:
        if ruleset.pk is None:
            ruleset.made_by = by.user
            ruleset.save()
            log_action(club, by, "take up ruleset", ruleset, new={"preset": ruleset.preset})


def _evening(
    club_data: ClubData, games: Sequence[PastGame], make_game: MakeGame, *, by: Actor
) -> Evening:
    """The games of one session: a new one at eight in the club's time zone, or more games for one
    that exists."""
    at = datetime.combine(games[0].day, time(20), tzinfo=club_data.club.zone)
    session = club_data.nights.get(games[0].night) or _session(club_data, games[0], at=at, by=by)
    night = Evening(session, _attendances(session, club_data, games), {}, [])
    taken: set[tuple[int, int]] = set()
    if session.pk is not None:
        night.rounds = {round_.number: round_ for round_ in Round.objects.filter(session=session)}
        taken.update(Table.objects.filter(session=session).values_list("round__number", "number"))
    for game in games:
        number = game.round or 1
        while (number, game.table) in taken:
            number += 1
        taken.add((number, game.table))
        round_ = night.rounds.setdefault(number, _round(session, number, at))
        rules = club_data.rules_for(game)
        assert rules is not None  # the preview refuses a game without rules
        table, seats = _table(round_, game, club_data.people, rules)
        night.games.append(make_game(game, table, seats, at))
    return night


def _session(club_data: ClubData, game: PastGame, *, at: datetime, by: Actor) -> Session:
    return Session(
        club=club_data.club,
        season=club_data.seasons.get(name_key(game.season)),
        name=game.session,
        held_on=game.day,
        state=Session.State.CLOSED,
        revision=1,
        made_by=by.user,
        made_at=at,
        closed_at=at,
    )


def _attendances(
    session: Session, club_data: ClubData, games: Sequence[PastGame]
) -> list[Attendance]:
    """New attendances of everyone who played and is still a member."""
    players = (club_data.people[name_key(span.name)] for game in games for span in game.spans)
    newcomers = {member.pk: member for member in players if member.retired_at is None}
    if session.pk is not None:
        for member in Attendance.objects.filter(session=session).values_list("member", flat=True):
            newcomers.pop(member, None)
    return [
        Attendance(session=session, member=member, arrived_at=session.made_at)
        for member in newcomers.values()
    ]


def _round(session: Session, number: int, at: datetime) -> Round:
    state = Round.State.PUBLISHED
    return Round(session=session, number=number, state=state, seed=0, published_at=at)


def _table(
    round_: Round, game: PastGame, people: Mapping[str, Member], ruleset: ClubRuleset
) -> tuple[Table, list[Seat]]:
    """The table of a game that is over, and its seats."""
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


class ExistingGames(Protocol):
    """The club's players, rules and sessions (`club_data`), and those games of the sheet that the
    club already has."""

    club_data: ClubData

    @property
    def facts(self) -> tuple[object, ...]:
        """Everything the preview depends on: equal facts give an equal preview."""

    def has(self, game: Any) -> bool:
        """Whether the club already has the game."""

    def difference_troubles(self, game: Any) -> Iterator[Trouble]:
        """Where a game that the club already has differs from the sheet."""

    def new_game_troubles(self, game: Any) -> Iterator[Trouble]:
        """Why a new game cannot be imported."""

    def make_game(
        self, game: Any, table: Any, seats: Any, *, by: Actor, at: datetime
    ) -> ImportedGame:
        """A new game, unsaved, with everything that is stored for it."""


@dataclass(frozen=True, slots=True)
class GamesPreview:
    """What importing a sheet of games would do: the new games, how many the club already has, and
    every trouble with its line."""

    new: Sequence[PastGame]
    known: int
    troubles: list[Trouble]

    @property
    def agreed(self) -> str:
        """A digest of what was shown."""
        text = "\n".join(game.fingerprint for game in self.new)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def preview_games(
    existing: ExistingGames, games: Sequence[PastGame], troubles: list[Trouble]
) -> GamesPreview:
    """What importing the games would do; games that the club already has stay as they are."""
    known_games = [game for game in games if existing.has(game)]
    new_games = [game for game in games if game.is_over and not existing.has(game)]
    all_troubles = [*troubles, *season_troubles(new_games)]
    for game in worker.counted([*known_games, *new_games]):
        if existing.has(game):
            all_troubles += existing.difference_troubles(game)
        else:
            all_troubles += existing.new_game_troubles(game)
    all_troubles.sort(key=lambda trouble: trouble.line)
    return GamesPreview(new_games, len(known_games), all_troubles)


def import_games(
    club: Club,
    load: Callable[[], ExistingGames],
    games: Sequence[PastGame],
    troubles: list[Trouble],
    *,
    agreed: str,
    by: Actor,
) -> list[Session]:
    """Save every new game in closed sessions, and return the sessions.

    `load` reads what the club already has. Refuses with every bad line, or when the sheet would
    now do something other than what was `agreed`.
    """
    evenings = import_agreed(
        club,
        load,
        lambda existing: preview_games(existing, games, troubles),
        lambda existing, preview: prepare_evenings(
            existing.club_data, preview.new, partial(_make_game, existing, by), by=by
        ),
        lambda evenings: store(club, evenings, by=by),
        agreed=agreed,
    )
    return [night.session for night in evenings]


def _make_game(
    existing: ExistingGames, by: Actor, game: Any, table: Any, seats: Any, at: datetime
) -> ImportedGame:
    return existing.make_game(game, table, seats, by=by, at=at)
