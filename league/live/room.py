"""The room at a glance: every live table with its people, its game and what it waits for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Max, Prefetch, Q
from django.utils.translation import gettext as _

from league.labels import COMPASS
from league.members.models import Member
from league.play.models import Game
from league.play.results import as_of
from league.play.text import short_names, side_name
from league.seating.models import Seat, Table
from league.seating.queries import live_tables, waiting
from league.sessions.models import Session
from league.sessions.queries import present


def seat_name(position: int, players: int) -> str:
    """A seat by name, or by number at a table too big for the compass."""
    names = COMPASS.get(players)
    return str(names[position]) if names else _("seat %(n)d") % {"n": position + 1}


SLOW = timedelta(minutes=10)
"""A table that has entered nothing for so long is late."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One table on the board. `state` is ready, playing, finished, disputed (an organiser has to
    decide) or done. `match`: how the match of several games stands that its game is part of."""

    table: Table
    current_seats: tuple["TileSeat", ...]
    game: Game | None
    state: str
    late: bool
    match: str = ""

    @property
    def is_asked(self) -> bool:
        """Whether the table was asked for its hands, and has entered none since."""
        asked, last = self.table.asked_at, getattr(self.game, "last_hand", None)
        return asked is not None and (last is None or last < asked)

    @property
    def calls(self) -> bool:
        """Whether the table has called an organiser, and nobody is on the way yet."""
        return self.table.called_at is not None and self.table.coming_at is None

    @property
    def is_answered(self) -> bool:
        """Whether an organiser is on the way to the table that has called."""
        return self.table.coming_at is not None

    @property
    def hand(self) -> int:
        """The number of the hand being played."""
        return (getattr(self.game, "last_number", None) or 0) + 1

    @property
    def score(self) -> list[int]:
        return list(self.game.score) if self.game and self.game.score else []

    @property
    def is_over(self) -> bool:
        """Whether its game has ended and nothing about it waits for a decision."""
        return self.state in ("finished", "done")

    @property
    def sides(self) -> list[list["TileSeat"]]:
        """The seats by side, in the order of the score."""
        count = self.table.ruleset.sides
        return [
            [
                tile_seat
                for tile_seat in self.current_seats
                if tile_seat.seat.position % count == side
            ]
            for side in range(count)
        ]

    @property
    def result(self) -> list["SideScore"]:
        """Each side with its short names, its points and whether it has won."""
        names = short_names([one.member.name for one in self.current_seats])
        short = dict(zip(self.current_seats, names, strict=True))
        winners = set(self.game.winners) if self.game and self.is_over else set()
        return [
            SideScore(
                side_name([short[tile_seat] for tile_seat in seats]),
                points,
                any(tile_seat.seat.position in winners for tile_seat in seats),
            )
            for seats, points in self.scored
        ]

    @property
    def scored(self) -> list[tuple[list["TileSeat"], int | None]]:
        """Each side with its points, None before the first hand."""
        points: list[int | None] = [*self.score]
        points += [None] * (len(self.sides) - len(points))
        return list(zip(self.sides, points, strict=False))


class SideScore(NamedTuple):
    """A side of a table on the board."""

    names: str
    points: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class TileSeat:
    """Somebody on a seat; `deals` first, before play begins; `gone` when they went home."""

    seat: Seat
    member: Member
    deals: bool
    gone: bool
    seat_name: str


@dataclass(frozen=True, slots=True)
class Room:
    """Every live table, who waits, who of those here rests; how many are `free` for new seats:
    those who wait, and who sits at a table that is done and means to play on."""

    tiles: tuple[Tile, ...]
    waiting: tuple[Member, ...]
    resting: tuple[Member, ...]
    free: int = 0

    @property
    def people(self) -> list[Member]:
        """Everybody in it: on a seat, waiting or resting."""
        seated = [tile_seat.member for tile in self.tiles for tile_seat in tile.current_seats]
        return [*seated, *self.waiting, *self.resting]

    @property
    def has_games(self) -> bool:
        """Whether tables of one size play different games, so that each says which."""
        played = {(tile.table.players, tile.table.ruleset_id) for tile in self.tiles}
        return len(played) > len({players for players, _rules in played})

    @property
    def over(self) -> list[Tile]:
        return [tile for tile in self.tiles if tile.is_over]

    @property
    def all_done(self) -> bool:
        """Whether every table is done, so that the next round can be made with everybody."""
        return bool(self.tiles) and len(self.over) == len(self.tiles)

    @property
    def to_confirm(self) -> int:
        """How many tables have finished and wait for a confirmation."""
        return self._count("finished")

    @property
    def seatless(self) -> list[Member]:
        """The players checked in without a seat: those who wait and those who rest."""
        return [*self.waiting, *self.resting]

    @property
    def playing(self) -> int:
        """How many tables have begun and not ended."""
        return self._count("playing")

    @property
    def not_started(self) -> int:
        return self._count("ready")

    @property
    def calling(self) -> list[Tile]:
        """The tables that have called an organiser."""
        return [tile for tile in self.tiles if tile.calls]

    @property
    def by_need(self) -> list[Tile]:
        """The tables in order, those first that need an organiser: they call, or are disputed."""
        return sorted(self.tiles, key=lambda tile: (not tile.calls, tile.state != "disputed"))

    @property
    def to_decide(self) -> list[Tile]:
        """The tables that wait for an organiser's decision."""
        return [tile for tile in self.tiles if tile.state == "disputed"]

    def _count(self, state: str) -> int:
        return sum(tile.state == state for tile in self.tiles)

    @property
    def late(self) -> list[Tile]:
        return [tile for tile in self.tiles if tile.late]

    @property
    def to_join(self) -> Table | None:
        """Where a late arrival sits down at once: a table of three not begun, else one of two."""
        short = [t.table for t in self.tiles if t.state == "ready" and t.table.players < 4]
        return max(short, key=lambda table: table.players, default=None)

    @property
    def release_at(self) -> int:
        """How many finished tables are worth waiting for before people are seated anew."""
        people = sum(tile.table.players for tile in self.tiles) + len(self.waiting)
        return min(3 if people >= 24 else 2, max(1, len(self.tiles)))

    @property
    def may_release(self) -> bool:
        """Whether it is time: enough tables are done, or every one."""
        return bool(self.over) and len(self.over) >= min(self.release_at, len(self.tiles))


def room(club_session: Session, *, at: datetime, matches: Mapping[int, str] | None = None) -> Room:
    """The room as it is; eight queries however many tables there are. `matches`: what each table's
    tile says of its match, by the table's key."""
    counts = Q(hands__current=True)
    games = Game.objects.annotate(
        last_hand=Max("hands__entered_at"), last_number=Max("hands__number", filter=counts)
    ).order_by("number")
    tables = live_tables(club_session).prefetch_related(Prefetch("games", queryset=games))
    here = {member.pk for member in present(club_session)}
    resting = present(club_session).filter(
        attendances__session=club_session, attendances__resting=True
    )
    says = matches or {}
    tiles = tuple(
        replace(_tile(table, here, club_session, at), match=says.get(table.pk, ""))
        for table in tables
    )
    rest = list(resting)
    seated = {tile_seat.member.pk for tile in tiles for tile_seat in tile.current_seats}
    playing_on = here - {member.pk for member in rest}
    waits = tuple(waiting(club_session))
    moving = [
        c for tile in tiles if tile.is_over for c in tile.current_seats if c.member.pk in playing_on
    ]
    return Room(
        tiles=tiles,
        waiting=waits,
        resting=tuple(member for member in rest if member.pk not in seated),
        free=len(waits) + len(moving),
    )


def _tile(table: Table, here: set[int], club_session: Session, at: datetime) -> Tile:
    if club_session.state == Session.State.CLOSED:
        table.called_at = table.coming_at = None  # nobody waits for an organiser any more
    games = list(table.games.all())
    game = as_of(games[-1], at) if games else None
    state = _state(game)
    deals = table.first_dealer if state == "ready" else None
    seats = tuple(
        TileSeat(
            seat,
            seat.member,
            deals=seat.position == deals,
            gone=seat.member_id not in here,
            seat_name=seat_name(seat.position, table.players),
        )
        for seat in table.current_seats
    )
    return Tile(table, seats, game, state, _late(table, game, state, club_session, at))


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


def _late(table: Table, game: Game | None, state: str, club_session: Session, at: datetime) -> bool:
    if state not in ("ready", "playing") or club_session.state != Session.State.OPEN:
        return False
    if club_session.clock_ends_at is not None and club_session.clock_ends_at < at:
        return True
    last = getattr(game, "last_hand", None) or table.round.published_at
    return last is not None and at - last > SLOW


def find_tile(tiles: Iterable[Tile], public_id: str) -> Tile | None:
    """The tile of a table, if it is live."""
    return next((tile for tile in tiles if tile.table.public_id == public_id), None)
