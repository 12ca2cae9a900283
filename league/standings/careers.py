"""A player's games, hands and record, and all ratings, in a fixed number of queries."""

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
from league.play.queries import (
    CREDIT,
    ENDED,
    auto_confirmed,
    still_provisional,
)
from league.play.results import caller, is_lone, last_call
from league.ranking.measures import IN_POINTS, MEASURES, Tally, total
from league.ranking.rating import RatedGame, Rating, rated
from league.ranking.statistics import Career, Deal, PlayedGame
from league.seasons.models import Season
from league.seating.models import Seat, Table
from league.sessions.models import Session
from league.standings.queries import (
    HELD,
    TIED,
    exact,
    open_games_in,
    order_of_play,
    side_of,
    tallies_by,
    with_co_winners,
)
from league.standings.ranking_rule import kinds_of_tables


class SeatRow(NamedTuple):
    """One result row, with fields named as in the query."""

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
    tied: bool
    finished: bool


def games_that_count(member: Member, season: Season | None) -> QuerySet[Game]:
    """The player's games, without those not played and those of sessions cancelled or held back."""
    games = Game.objects.filter(results__member=member).exclude(HELD)
    games = games.exclude(state=Game.State.ABANDONED)
    games = games.exclude(session__state=Session.State.CANCELLED)
    return (games.filter(session__season=season) if season else games).distinct()


def career_of(member: Member, season: Season | None = None) -> Career:
    """The career of a player, or the part of it in one season; three queries."""
    games = games_that_count(member, season).order_by()
    return Career(_played_games(member, games), _deals(member, games))


def _played_games(member: Member, games: QuerySet[Game]) -> list[PlayedGame]:
    ended = Result.objects.filter(ENDED, game__in=games.values("pk"))
    rows = Result.objects.filter(game__in=ended.values("game"))
    rows = rows.order_by(*order_of_play("game__"), "pk")
    by_game: dict[int, list[SeatRow]] = defaultdict(list)
    rows = rows.annotate(held_on=F("session__held_on"), credit=CREDIT, tied=TIED)
    for row in rows.values_list(*SeatRow._fields):
        seat_row = SeatRow(*row)
        by_game[seat_row.game_id].append(seat_row)
    return [
        _played_game(seat_row, seats)
        for seats in by_game.values()
        for seat_row in seats
        if seat_row.member_id == member.pk
    ]


def _played_game(own_seat: SeatRow, seats: Iterable[SeatRow]) -> PlayedGame:
    """The game as the player on this seat had it. Only who ended it won with and against others."""
    finishers = [row for row in seats if row.finished and own_seat.finished]
    other_seats = [row for row in finishers if row.member_id != own_seat.member_id]
    return PlayedGame(
        session=own_seat.session_id,
        held_on=own_seat.held_on,
        players=own_seat.players,
        won=Fraction(exact(own_seat.win_share)),
        expected=Fraction(exact(own_seat.expected)),
        partners=tuple(row.member_id for row in other_seats if _same_side(row, own_seat)),
        opponents=tuple(row.member_id for row in other_seats if not _same_side(row, own_seat)),
        hands=own_seat.hands,
        difference=Fraction(own_seat.points - exact(own_seat.points_against)),
        credit=Fraction(exact(own_seat.credit)),
        tied=own_seat.tied,
        left=not own_seat.finished,
    )


def _same_side(seat: SeatRow, other_seat: SeatRow) -> bool:
    return side_of(seat.position, seat.expected) == side_of(
        other_seat.position, other_seat.expected
    )


def _deals(member: Member, games: QuerySet[Game]) -> list[Deal]:
    spans: dict[int, list[tuple[Seat, dict[str, Any], frozenset[str]]]] = defaultdict(list)
    seats = Seat.objects.filter(member=member, table__in=games.values("table"))
    for seat in seats.select_related("table__ruleset"):
        rules, players = seat.table.ruleset, seat.table.players
        is_bid_game = rules.scale.startswith("bid")
        seat_facts = {
            "seat": seat.position,
            "players": players,
            "sides": rules.sides,
            "bid": is_bid_game,
        }
        seat_facts["lone"] = bool(rules.lone_bids) or not is_bid_game
        spans[seat.table_id].append((seat, seat_facts, rules.lone_bids))
    hands = Hand.objects.filter(game__in=games.values("pk"), current=True, struck=False)
    hands = hands.order_by(*order_of_play("game__"), "number")
    # As text, because many hands are identical and `_calls_of` parses each text only once.
    hands = hands.exclude(points=[]).annotate(as_text=Cast("record", TextField()))
    fields = ("game__session", "game__table", "number", "outcome", "as_text")
    rows = hands.values_list(*fields, "game__misfits")
    hands_beyond_end = _hands_after_end(
        {table for _session, table, *_hand, misfits in rows if misfits}
    )
    return [
        Deal(
            session=session,
            outcome=outcome,
            **seat_facts,
            **_calls_of(record, lone_bids),
        )
        for session, table, number, outcome, record, _misfits in rows
        for seat, seat_facts, lone_bids in spans[table]
        if (table, number) not in hands_beyond_end
        and seat.from_hand <= number
        and (seat.until_hand is None or number <= seat.until_hand)
    ]


def _hands_after_end(tables: set[int]) -> set[tuple[int, int]]:
    """Hands after an end that a correction has moved, as (table, number). They score nothing until
    an organiser has decided. Few games have any."""
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
    """The fields of a `Deal` that follow from the record of a hand."""
    record = json.loads(text)
    return {
        "dealer": int(record["dealer"]),
        "caller": caller(record),
        "round": _bidding_round(record),
        "alone": is_lone(record, lone_bids),
    }


def _bidding_round(record: Mapping[str, Any]) -> int | None:
    """The round of bidding, if recorded; bid games have none."""
    recorded_round = (record.get("contract") or {}).get("round")
    if recorded_round:
        return int(recorded_round)
    return {"order-up": 1, "name": 2}.get(str(last_call(record).get("call", "")))


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A player's games at tables of one size; `players` is 0 for all sizes together."""

    players: int
    games: Fraction
    hands: Fraction
    values: dict[str, Fraction | None]
    calls: Fraction
    calls_made: Fraction
    euchred: Fraction
    lone_tried: Fraction


def record_of(
    member: Member, season: Season | None = None, month: date | None = None
) -> list[RecordLine]:
    """A player's record by table size, then all sizes together; empty before the first game."""
    games = in_month(games_that_count(member, season), month).order_by()
    results = member.results.filter(game__in=games.values("pk"))
    by_size = tallies_by(results, "players", every_hand=True).get(member.pk, {})
    if not by_size:
        return []
    scales: dict[int, set[str]] = defaultdict(set)
    for size, scale in set().union(*kinds_of_tables(results).values()):
        scales[size].add(scale)
    lines = [_record_line(size, by_size[size], scales[size]) for size in sorted(by_size)]
    all_tallies = [tally for tallies in by_size.values() for tally in tallies]
    return [*lines, _record_line(0, all_tallies, set().union(*scales.values()))]


def in_month(games: QuerySet[Game], month: date | None) -> QuerySet[Game]:
    """Those of the games in the month of this day; all of them without one."""
    if month is None:
        return games
    return games.filter(session__held_on__year=month.year, session__held_on__month=month.month)


def _record_line(players: int, tallies: list[Tally], scales: Set[str]) -> RecordLine:
    """One line of the record, without points if the games score on different scales."""
    figures = {
        code: measure.value(tallies) for code, measure in MEASURES.items() if not measure.among
    }
    if len(scales) > 1:
        figures |= dict.fromkeys(IN_POINTS)
    counts = ("games", "hands", "calls", "calls_made", "euchred", "lone_tried")
    return RecordLine(
        players=players,
        values=figures,
        **{name: total(tallies, name) for name in counts},
    )


def latest_games(member: Member, season: Season | None = None) -> QuerySet[Any]:
    """The player's games, the latest first, with all results of them."""
    games = with_co_winners(games_that_count(member, season))
    games = games.select_related("table__round", "session")
    return games.prefetch_related("results__member").order_by(*order_of_play()).reverse()


def open_games_of(member: Member, season: Season | None, *, at: datetime) -> int:
    """How many of these games are being played, disputed or not yet confirmed."""
    games = games_that_count(member, season).order_by()
    results = member.results.filter(game__in=games.values("pk"))
    return open_games_in(results, at).get(member.pk, 0)


CACHED_SECONDS = 24 * 3600


def ratings_of(club: Club, *, at: datetime) -> dict[int, Rating]:
    """The ratings of all players of a club, cached until one of its sessions changes."""
    sums = club.sessions.aggregate(count=Count("pk"), sum=Sum("revision", default=0))
    ids = Result.objects.filter(session__club=club).order_by("-pk").values_list("pk", flat=True)
    unopposed = Game.objects.filter(auto_confirmed(at), session__club=club).count()
    key = f"ratings:{club.pk}:{sums['count']}:{sums['sum']}:{ids.first()}:{unopposed}"
    rated_players = caches["pages"].get_or_set(
        key, lambda: rated(history(club, at=at)), CACHED_SECONDS
    )
    return cast(dict[int, Rating], rated_players)


def history(club: Club, *, at: datetime) -> list[RatedGame]:
    """The club's rated games in the order of play. A side is the players at the end of the game."""
    rows = _rated_results(club, at).order_by(*order_of_play("game__"), "position")
    games: dict[int, dict[int, list[tuple[int, Fraction]]]] = defaultdict(lambda: defaultdict(list))
    fields = ("game", "member", "position", "expected", "win_share")
    for game, member, position, expected, win_share in rows.order_by(
        *order_of_play("game__"), "position"
    ).values_list(*fields):
        side = side_of(position, expected)
        games[game][side].append((member, Fraction(exact(win_share))))
    return [_rated_game(games[game]) for game in games]


def rated_games(club: Club, *, at: datetime) -> QuerySet[Game]:
    """The same games as model instances, in the same order."""
    games = Game.objects.filter(pk__in=_rated_results(club, at).values("game"))
    return games.order_by(*order_of_play())


def _rated_results(club: Club, at: datetime) -> QuerySet[Result]:
    """The results of all games that are finished and confirmed at the moment `at`."""
    return Result.objects.filter(ENDED, session__club=club).exclude(
        still_provisional(at)
        | Q(game__state=Game.State.ABANDONED)
        | Q(session__state=Session.State.CANCELLED)
        | HELD
    )


def _rated_game(sides: dict[int, list[tuple[int, Fraction]]]) -> RatedGame:
    order = [sides[side] for side in sorted(sides)]
    return RatedGame(
        sides=[[player for player, _share in side] for side in order],
        won=[max(share for _player, share in side) for side in order],
    )
