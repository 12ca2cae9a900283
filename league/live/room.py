"""The room at a glance: every live table with its players, its game and its state."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Max, Prefetch, Q

from league.labels import seat_name
from league.members.models import Member
from league.play.models import Game
from league.play.queries import session_short_names
from league.play.results import as_of
from league.play.text import side_name
from league.seating.models import Seat, Table
from league.seating.queries import live_tables, members_at, waiting
from league.sessions.models import Session
from league.sessions.queries import attendances, clock_at, clock_started_at
from league.tournaments.games_of_matches import tables_without_winner
from league.tournaments.queries import TieDecision, who_goes_on

SLOW = timedelta(minutes=10)
"""A table that has entered nothing for this long can be nudged; without a clock, it is late."""
ENTRIES = ("last_hand", "last_undo", "last_ruling", "last_withdrawal")  # corrections are hands


@dataclass(frozen=True, slots=True)
class Tile:
    """One table on the board.

    `state` is ready, playing, finished, disputed (an organiser has to decide) or done. `match` is
    a line about the match of several games that its game belongs to. `off_clock`: the clock
    runs for tables of an earlier round. `goes_on`: a seat of the side that one more hand, or a cut,
    gave the match of a tied game, and which; `awaits_winner`: the next round waits for that.
    """

    table: Table
    current_seats: tuple["TileSeat", ...]
    game: Game | None
    state: str
    is_late: bool
    is_quiet: bool
    match: str = ""
    off_clock: bool = False
    goes_on: TieDecision | None = None
    awaits_winner: bool = False

    @property
    def is_draw(self) -> bool:
        """Whether its game has ended with all sides level."""
        game = self.game if self.is_over and self.game and not self.game.is_called_off else None
        return game is not None and len(set(game.winners)) == self.table.players

    @property
    def is_asked(self) -> bool:
        """Whether an organiser has asked the table for its hands, and it has entered none since."""
        asked, last = self.table.asked_at, getattr(self.game, "last_hand", None)
        return asked is not None and (last is None or last < asked)

    @property
    def is_calling(self) -> bool:
        """Whether the table has called an organiser and nobody is on the way yet."""
        return self.table.called_at is not None and self.table.coming_at is None

    @property
    def is_answered(self) -> bool:
        return self.table.coming_at is not None

    @property
    def hand(self) -> int:
        return (getattr(self.game, "last_number", None) or 0) + 1

    @property
    def score(self) -> list[int]:
        score = list(self.game.score) if self.game else []
        return [] if self.state == "ready" and not any(score) else score

    @property
    def is_over(self) -> bool:
        """Whether its game has ended and needs no decision."""
        return self.state in ("finished", "done")

    @property
    def is_done(self) -> bool:
        """Whether its game is over and its match does not wait for a winner."""
        return self.is_over and not self.awaits_winner

    @property
    def needs_substitute(self) -> bool:
        """Whether it is playing and one of its players has left."""
        return self.state == "playing" and any(seat.has_left for seat in self.current_seats)

    @property
    def not_played(self) -> list[str]:
        """The substitutes for whom a game that has ended does not count: they played no hand."""
        seats = self.current_seats
        return [s.member.label for s in seats if s.scored_member != s.member.pk]

    @property
    def sides(self) -> list[list["TileSeat"]]:
        """The seats by side, in the order of the score."""
        count, seats = self.table.ruleset.sides, self.current_seats
        return [[s for s in seats if s.seat.position % count == side] for side in range(count)]

    @property
    def result(self) -> list["SideScore"]:
        """Each side with its short names, its points and whether it has won."""
        game = self.game if self.is_over else None
        is_won = game and (game.is_walkover or not game.is_called_off)
        winners = set(game.winners) if game and is_won else set()
        if self.is_draw:
            winners = set() if self.goes_on is None else {self.goes_on.winner}
        return [
            SideScore(
                side_name([tile_seat.scored_name for tile_seat in seats]),
                points,
                any(tile_seat.seat.position in winners for tile_seat in seats),
                self._has_conceded(seats),
            )
            for seats, points in self.side_points
        ]

    def _has_conceded(self, seats: list["TileSeat"]) -> bool:
        game = self.game
        if game is None or game.is_called_off or game.ended_by != Game.EndedBy.CONCEDED:
            return False
        return any(tile_seat.seat.position == game.ended_seat for tile_seat in seats)

    @property
    def can_be_nudged(self) -> bool:
        """Whether an organiser may send the table a reminder: once, when it is late or quiet."""
        return (self.is_late or self.is_quiet) and not self.is_asked

    @property
    def side_points(self) -> list[tuple[list["TileSeat"], int | None]]:
        """Each side with its points, None before the first hand."""
        has_no_score = self.game and (self.game.is_conceded_unplayed or self.game.is_called_off)
        points: list[int | None] = [] if has_no_score else [*self.score]
        points += [None] * (len(self.sides) - len(points))
        return list(zip(self.sides, points, strict=False))


class SideScore(NamedTuple):
    """The result of one side of a table on the board."""

    names: str
    points: int | None
    won: bool
    has_conceded: bool


@dataclass(frozen=True, slots=True)
class TileSeat:
    """A player on a seat; `deals_first` applies before play. The score is for `scored_member`, the
    key of who played last once the game is over, and that one's short name suits the whole room."""

    seat: Seat
    member: Member
    deals_first: bool
    has_left: bool
    seat_name: str
    scored_member: int
    scored_name: str


@dataclass(frozen=True, slots=True)
class Room:
    """Every live table, and the checked-in members who wait or rest.

    `free_count` players are free for new seats: those waiting, and those at finished tables.
    """

    tiles: tuple[Tile, ...]
    waiting_members: tuple[Member, ...]
    resting_members: tuple[Member, ...]
    free_count: int = 0

    @property
    def people(self) -> list[Member]:
        """Everybody in the room: seated, waiting or resting."""
        seated = [tile_seat.member for tile in self.tiles for tile_seat in tile.current_seats]
        return [*seated, *self.waiting_members, *self.resting_members]

    @property
    def has_games(self) -> bool:
        """Whether tables of the same size play by different rules, so that each names its own."""
        games = {(tile.table.players, tile.table.ruleset_id) for tile in self.tiles}
        return len(games) > len({players for players, _rules in games})

    @property
    def mixes_rounds(self) -> bool:
        """Whether tables of different rounds, none a tournament's, are in play and name theirs."""
        return len({t.table.round_id for t in self.tiles if not t.table.round.by_tournament}) > 1

    @property
    def clock_round(self) -> int | None:
        """The round that the clock runs for, where later tables are in play without it."""
        others = [tile.table.round.number for tile in self.tiles if not tile.off_clock]
        return min(others) if len(others) < len(self.tiles) else None

    @property
    def finished_tiles(self) -> list[Tile]:
        return [tile for tile in self.tiles if tile.is_done]

    @property
    def tied_count(self) -> int:
        """The number of tables whose match is tied and needs a winner."""
        return sum(tile.awaits_winner for tile in self.tiles)

    @property
    def all_done(self) -> bool:
        """Whether every table is done, so that the next round can include everybody."""
        return bool(self.tiles) and len(self.finished_tiles) == len(self.tiles)

    @property
    def to_confirm(self) -> int:
        """The number of finished tables whose score is not confirmed yet."""
        return self._count("finished")

    @property
    def seatless(self) -> list[Member]:
        """The checked-in players without a seat, waiting or resting."""
        return [*self.waiting_members, *self.resting_members]

    @property
    def is_of_tournament(self) -> bool:
        """Whether a tournament seated these players: one without a seat may be out of it."""
        return any(tile.table.round.by_tournament for tile in self.tiles)

    def sits_out(self, player: Member | None) -> bool:
        """Whether a checked-in player has no seat while the others play this round."""
        return bool(self.tiles) and not self.is_of_tournament and player in self.seatless

    @property
    def playing_count(self) -> int:
        """The number of tables that have begun and not ended."""
        return self._count("playing")

    @property
    def not_started_count(self) -> int:
        return self._count("ready")

    @property
    def calling_tiles(self) -> list[Tile]:
        """The tables that have called an organiser."""
        return [tile for tile in self.tiles if tile.is_calling]

    @property
    def tiles_by_urgency(self) -> list[Tile]:
        """The tables: first those that call, then disputes, then those a player has left."""

        def urgency(tile: Tile) -> tuple[bool, ...]:
            return not tile.is_calling, tile.state != "disputed", not tile.needs_substitute

        return sorted(self.tiles, key=urgency)

    @property
    def disputed_tiles(self) -> list[Tile]:
        """The tables that wait for an organiser's decision."""
        return [tile for tile in self.tiles if tile.state == "disputed"]

    def _count(self, state: str) -> int:
        return sum(tile.state == state for tile in self.tiles)

    @property
    def late_tiles(self) -> list[Tile]:
        return [tile for tile in self.tiles if tile.is_late]

    @property
    def release_at(self) -> int:
        """The number of finished tables worth waiting for before the next round is made."""
        people = sum(tile.table.players for tile in self.tiles) + len(self.waiting_members)
        return min(3 if people >= 24 else 2, max(1, len(self.tiles)))

    @property
    def may_release(self) -> bool:
        """Whether enough tables are done to make the next round."""
        count = len(self.finished_tiles)
        return count > 0 and count >= min(self.release_at, len(self.tiles))


def room(club_session: Session, *, at: datetime, matches: Mapping[int, str] | None = None) -> Room:
    """The current state of the room, in a few queries whatever its size. `matches` has a line about
    the match of each table, by the table's key."""
    games = Game.objects.annotate(
        last_hand=Max("hands__entered_at"),
        last_undo=Max("hands__undone_at"),
        last_ruling=Max("rulings__entered_at"),
        last_withdrawal=Max("rulings__withdrawn_at"),
        last_number=Max("hands__number", filter=Q(hands__current=True)),
    ).order_by("number")
    tables = live_tables(club_session).prefetch_related(Prefetch("games", queryset=games))
    seated = members_at(tables)
    came = list(attendances(club_session))
    waiting_members = tuple(waiting(club_session))
    names = session_short_names([*(row.member for row in came), *seated, *waiting_members])
    here = sorted((row for row in came if row.left_at is None), key=lambda row: row.member.sort_key)
    present_keys = {row.member_id for row in here}
    resting = [row.member for row in here if row.resting]
    rounds = {table.round.number for table in tables}
    has_clock = len(rounds) > 1 and club_session.clock_ends_at
    started = clock_started_at(club_session) if has_clock else None
    off_clock = {table.pk for table in tables if table.is_off_clock(started, min(rounds))}
    tiles = tuple(
        _tile(
            table,
            present_keys,
            club_session,
            at,
            names,
            latest_round=max(rounds),
            off_clock=table.pk in off_clock,
            match=(matches or {}).get(table.pk, ""),
        )
        for table in tables
    )
    active_keys = present_keys - {member.pk for member in resting}
    released = {seat.member.pk for tile in tiles if tile.is_over for seat in tile.current_seats}
    return Room(
        tiles=_with_who_goes_on(tiles, club_session),
        waiting_members=waiting_members,
        resting_members=tuple(member for member in resting if member not in seated),
        free_count=len(waiting_members) + len(active_keys & released),
    )


def _with_who_goes_on(tiles: tuple[Tile, ...], club_session: Session) -> tuple[Tile, ...]:
    """The tables with the winners of their tied matches, or with what still needs one."""
    draws = {t.table.pk for t in tiles if t.table.round.by_tournament and t.is_draw}
    winners = who_goes_on(draws)
    tied = tables_without_winner(club_session) if draws - winners.keys() else set()
    return tuple(
        replace(tile, goes_on=winners.get(tile.table.pk), awaits_winner=tile.table.pk in tied)
        for tile in tiles
    )


def _tile(
    table: Table,
    present_keys: set[int],
    club_session: Session,
    at: datetime,
    names: dict[int, str],
    *,
    latest_round: int,
    off_clock: bool,
    match: str,
) -> Tile:
    if club_session.state == Session.State.CLOSED:
        table.called_at = table.coming_at = None  # calls end with the session
    games = list(table.games.all())
    game = as_of(games[-1], at) if games else None
    state = _state(game)
    first_dealer = table.first_dealer if state == "ready" else None
    last = getattr(game, "last_number", None) if game and game.is_scored_by_hands else None
    seats = tuple(
        TileSeat(
            seat,
            seat.member,
            deals_first=seat.position == first_dealer,
            has_left=seat.member_id not in present_keys,
            seat_name=seat_name(seat.position, table.players),
            scored_member=(scored := seat.member_in_hand(last or seat.from_hand)),
            scored_name=names.get(scored, names[seat.member_id]),
        )
        for seat in table.current_seats
    )
    is_playing = state in ("ready", "playing") and club_session.state == Session.State.OPEN
    is_quiet = is_playing and _is_quiet(table, game, at)
    clock = None if off_clock else clock_at(club_session, at)
    is_late = is_quiet if clock is None else is_playing and clock.zone == "over"
    if is_playing and table.round.number < latest_round:
        is_late = is_late or _has_used_its_time(table, club_session, at)
    return Tile(table, seats, game, state, is_late, is_quiet, match, off_clock)


def _has_used_its_time(table: Table, club_session: Session, at: datetime) -> bool:
    """Whether a table has played for a round's length, by whatever clock that is gone since."""
    minutes, since = club_session.round_minutes, table.round.published_at
    return bool(minutes and since and at >= since + timedelta(minutes=minutes))


def _state(game: Game | None) -> str:
    if game is None or (game.state == Game.State.PLAYING and not game.hands_played):
        return "ready"
    if game.reopened:
        return "disputed"
    return {
        Game.State.PLAYING: "playing",
        Game.State.FINISHED: "finished",
        Game.State.DISPUTED: "disputed",
    }.get(Game.State(game.state), "done")


def _is_quiet(table: Table, game: Game | None, at: datetime) -> bool:
    moments = [getattr(game, entry, None) for entry in ENTRIES]
    moments += [table.round.published_at, table.called_at]
    return at - max(filter(None, moments), default=at) > SLOW
