"""One person's games, hands and record, and everybody's rating: a fixed number of queries."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, cast

from django.core.cache import caches
from django.db.models import Count, F, Q, QuerySet, Sum, TextField
from django.db.models.functions import Cast

from league.members.models import Club, Member
from league.play.game_log import open_game_log
from league.play.models import Game, Hand, Result
from league.play.queries import CREDIT, ENDED, silently_accepted, still_provisional
from league.play.results import caller, is_lone, last_call
from league.ranking.measures import IN_POINTS, MEASURES, Tally, total
from league.ranking.rating import RatedGame, Rating, rated
from league.ranking.statistics import Career, Deal, PlayedGame
from league.seasons.models import Season
from league.seating.models import Seat, Table
from league.sessions.models import Session
from league.standings.queries import (
    HELD,
    exact,
    order_of_play,
    scales_played,
    side_of,
    tallies_by,
)


class SeatRow(NamedTuple):
    """What a game's result row says of one seat, by the names of its fields; and the day."""

    game_id: int
    session_id: int
    member_id: int
    position: int
    players: int
    win_share: float
    expected: float
    hands: int
    points: int
    points_against: float
    held_on: date
    credit: float


def games_that_count(member: Member, season: Season | None) -> QuerySet[Game]:
    """The person's games, without those called off and evenings cancelled or held back."""
    games = Game.objects.filter(results__member=member).exclude(HELD)
    games = games.exclude(state=Game.State.ABANDONED)
    games = games.exclude(session__state=Session.State.CANCELLED)
    return (games.filter(session__season=season) if season else games).distinct()


def career_of(member: Member, season: Season | None = None) -> Career:
    """Everything recorded of one person, or what one season has of it: three queries."""
    games = games_that_count(member, season).order_by()
    return Career(_played(member, games), _deals(member, games))


def _played(member: Member, games: QuerySet[Game]) -> list[PlayedGame]:
    rows = Result.objects.filter(ENDED, game__in=games.values("pk"))
    rows = rows.order_by(*order_of_play("game__"), "pk")
    by_game: dict[int, list[SeatRow]] = defaultdict(list)
    rows = rows.annotate(held_on=F("session__held_on"), credit=CREDIT)
    for row in rows.values_list(*SeatRow._fields):
        seat_row = SeatRow(*row)
        by_game[seat_row.game_id].append(seat_row)
    return [
        _game(own, seats)
        for seats in by_game.values()
        for own in seats
        if own.member_id == member.pk
    ]


def _game(own: SeatRow, seats: Iterable[SeatRow]) -> PlayedGame:
    others = [row for row in seats if row.member_id != own.member_id]
    return PlayedGame(
        session=own.session_id,
        held_on=own.held_on,
        players=own.players,
        won=Fraction(exact(own.win_share)),
        expected=Fraction(exact(own.expected)),
        partners=tuple(row.member_id for row in others if _same_side(row, own)),
        opponents=tuple(row.member_id for row in others if not _same_side(row, own)),
        hands=own.hands,
        difference=Fraction(own.points - exact(own.points_against)),
        credit=Fraction(exact(own.credit)),
    )


def _same_side(one: SeatRow, other: SeatRow) -> bool:
    return side_of(one.position, one.expected) == side_of(other.position, other.expected)


def _deals(member: Member, games: QuerySet[Game]) -> list[Deal]:
    spans: dict[int, list[tuple[Seat, dict[str, Any], frozenset[str]]]] = defaultdict(list)
    seats = Seat.objects.filter(member=member, table__in=games.values("table"))
    for seat in seats.select_related("table__ruleset"):
        rules, players = seat.table.ruleset, seat.table.players
        bid = rules.scale.startswith("bid")
        about = {"seat": seat.position, "players": players, "sides": rules.sides, "bid": bid}
        about["lone"] = bool(rules.lone_bids) or not bid
        spans[seat.table_id].append((seat, about, rules.lone_bids))
    hands = Hand.objects.filter(game__in=games.values("pk"), current=True, struck=False)
    hands = hands.order_by(*order_of_play("game__"), "number")
    # As text: hands are much alike, and each different one is read once.
    hands = hands.exclude(points=[]).annotate(as_text=Cast("record", TextField()))
    fields = ("game__session", "game__table", "number", "outcome", "as_text")
    rows = hands.values_list(*fields, "game__misfits")
    beyond = _after_the_end({table for _session, table, *_hand, misfits in rows if misfits})
    return [
        Deal(
            session=session,
            outcome=outcome,
            **about,
            **_calls_of(record, lone_bids),
        )
        for session, table, number, outcome, record, _misfits in rows
        for seat, about, lone_bids in spans[table]
        if (table, number) not in beyond
        and seat.from_hand <= number
        and (seat.until_hand is None or number <= seat.until_hand)
    ]


def _after_the_end(tables: set[int]) -> set[tuple[int, int]]:
    """Hands after what a correction made their game's end, by table and number: they score nothing
    until an organiser has decided. Few games have any."""
    if not tables:
        return set()
    return {
        (table.pk, fault.hand)
        for table in Table.objects.filter(pk__in=tables).select_related("session__club", "ruleset")
        for fault in open_game_log(table, named=False).conflicts()
        if fault.code == "game-over" and fault.hand is not None
    }


@lru_cache(maxsize=4096)
def _calls_of(text: str, lone_bids: frozenset[str]) -> Mapping[str, Any]:
    """What a hand's record tells of its calls."""
    record = json.loads(text)
    return {
        "dealer": int(record["dealer"]),
        "caller": caller(record),
        "round": _round(record),
        "alone": is_lone(record, lone_bids),
    }


def _round(record: Mapping[str, Any]) -> int | None:
    """The round of bidding, where the record tells it; bid games have none."""
    written = (record.get("contract") or {}).get("round")
    if written:
        return int(written)
    return {"order-up": 1, "name": 2}.get(str(last_call(record).get("call", "")))


LATEST = 10


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One person's games at tables of one size; `players` 0 for all sizes together."""

    players: int
    games: Fraction
    hands: Fraction
    values: dict[str, Fraction | None]
    calls: Fraction
    calls_made: Fraction
    euchred: Fraction
    lone_tried: Fraction


def record_of(member: Member, season: Season | None = None) -> list[RecordLine]:
    """One person's record by table size, then all together; empty before the first game."""
    games = games_that_count(member, season).order_by()
    results = member.results.filter(game__in=games.values("pk"))
    by_size = tallies_by(results, "players", every_hand=True).get(member.pk, {})
    if not by_size:
        return []
    scales = scales_played(results, by="players")
    lines = [_line(size, by_size[size], scales[size]) for size in sorted(by_size)]
    together = [tally for tallies in by_size.values() for tally in tallies]
    return [*lines, _line(0, together, set().union(*scales.values()))]


def _line(players: int, tallies: list[Tally], scales: Set[str]) -> RecordLine:
    """One row; games whose points do not compare have no figure of points."""
    figures = {code: m.value(tallies) for code, m in MEASURES.items() if not m.among}
    if len(scales) > 1:
        figures |= dict.fromkeys(IN_POINTS)
    counts = ("games", "hands", "calls", "calls_made", "euchred", "lone_tried")
    return RecordLine(
        players=players,
        values=figures,
        **{name: total(tallies, name) for name in counts},
    )


def latest_games(member: Member, season: Season | None = None) -> QuerySet[Game]:
    """The person's latest games with everybody who played in them."""
    return (
        games_that_count(member, season)
        .select_related("table", "session")
        .prefetch_related("results__member")
        .order_by(*order_of_play())
        .reverse()[:LATEST]
    )


CACHED_SECONDS = 24 * 3600


def ratings_of(club: Club, *, at: datetime) -> dict[int, Rating]:
    """Everybody's rating from the club's history; kept while no session of it has moved."""
    moved = club.sessions.aggregate(count=Count("pk"), sum=Sum("revision", default=0))
    last = Result.objects.filter(session__club=club).order_by("-pk").values_list("pk", flat=True)
    silent = Game.objects.filter(silently_accepted(at), session__club=club).count()
    key = f"ratings:{club.pk}:{moved['count']}:{moved['sum']}:{last.first()}:{silent}"
    rated_players = caches["pages"].get_or_set(
        key, lambda: rated(history(club, at=at)), CACHED_SECONDS
    )
    return cast(dict[int, Rating], rated_players)


def history(club: Club, *, at: datetime) -> list[RatedGame]:
    """The club's rated games, in the order of play. A side is those who sat there at the end."""
    rows = _rated_results(club, at).order_by(*order_of_play("game__"), "position")
    games: dict[int, dict[int, list[tuple[int, Fraction]]]] = defaultdict(lambda: defaultdict(list))
    fields = ("game", "member", "position", "expected", "win_share")
    for game, member, position, expected, won in rows.order_by(
        *order_of_play("game__"), "position"
    ).values_list(*fields):
        side = side_of(position, expected)
        games[game][side].append((member, Fraction(exact(won))))
    return [_rated_game(games[game]) for game in games]


def rated_games(club: Club, *, at: datetime) -> QuerySet[Game]:
    """The same games as rows, in the same order."""
    games = Game.objects.filter(pk__in=_rated_results(club, at).values("game"))
    return games.order_by(*order_of_play())


def _rated_results(club: Club, at: datetime) -> QuerySet[Result]:
    """Of every game that is finished and, at the moment `at`, accepted."""
    return Result.objects.filter(ENDED, session__club=club).exclude(
        still_provisional(at)
        | Q(game__state=Game.State.ABANDONED)
        | Q(session__state=Session.State.CANCELLED)
        | HELD
    )


def _rated_game(sides: dict[int, list[tuple[int, Fraction]]]) -> RatedGame:
    order = [sides[side] for side in sorted(sides)]
    return RatedGame(
        sides=[[who for who, _won in side] for side in order],
        won=[max(won for _who, won in side) for side in order],
    )
