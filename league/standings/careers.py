"""One person's games and hands out of the record: a fixed number of queries, for pure figures."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from league.members.models import Member
from league.play.models import Game, Hand, Result
from league.play.results import caller
from league.ranking.statistics import Deal, Played, Rate, company, habits, runs, trend
from league.ranking.statistics import calls_by_place as by_place
from league.ranking.statistics import calls_by_round as by_round
from league.seasons.models import Season
from league.seating.models import Seat
from league.sessions.models import Session
from league.standings.queries import exact

NO_POINTS = "[]"


class Chair(NamedTuple):
    """What a game's result row says of one chair, by the names of its fields; and the day."""

    game_id: int
    session_id: int
    member_id: int
    position: int
    players: int
    win_share: float
    expected: float
    held_on: date


@dataclass(frozen=True)
class Career:
    """A person's finished games and recorded hands in the order they were played, in figures."""

    games: Sequence[Played]
    deals: Sequence[Deal]

    @cached_property
    def won(self) -> Rate:
        return Rate(sum((game.won for game in self.games), Fraction(0)), len(self.games))

    @cached_property
    def habits(self) -> Any:
        return habits(self.deals)

    @cached_property
    def by_place(self) -> Any:
        return by_place(self.deals)

    @cached_property
    def by_round(self) -> Any:
        return by_round(self.deals)

    @cached_property
    def company(self) -> Any:
        return company(self.games)

    @cached_property
    def runs(self) -> Any:
        return runs(self.games)

    @cached_property
    def trend(self) -> Any:
        return trend(self.games, self.deals)


def games_that_count(member: Member, season: Season | None) -> QuerySet[Game]:
    """The person's games, without those called off and cancelled evenings."""
    games = Game.objects.filter(results__member=member)
    games = games.exclude(state=Game.State.ABANDONED)
    games = games.exclude(session__state=Session.State.CANCELLED)
    return (games.filter(session__season=season) if season else games).distinct()


def career_of(member: Member, season: Season | None = None) -> Career:
    """Everything recorded of one person, or what one season has of it: three queries."""
    games = games_that_count(member, season).order_by()
    return Career(_played(member, games), _deals(member, games))


def _played(member: Member, games: QuerySet[Game]) -> list[Played]:
    rows = Result.objects.filter(game__in=games.values("pk"), finished=True, games__gt=0)
    rows = rows.order_by("session__held_on", "session", "game", "pk")
    by_game: dict[int, list[Chair]] = defaultdict(list)
    for row in rows.values_list(*Chair._fields[:-1], "session__held_on"):
        chair = Chair(*row)
        by_game[chair.game_id].append(chair)
    return [
        _game(own, chairs)
        for chairs in by_game.values()
        for own in chairs
        if own.member_id == member.pk
    ]


def _game(own: Chair, chairs: Iterable[Chair]) -> Played:
    others = [row for row in chairs if row.member_id != own.member_id]
    return Played(
        session=own.session_id,
        held_on=own.held_on,
        players=own.players,
        won=Fraction(exact(own.win_share)),
        expected=Fraction(exact(own.expected)),
        partners=tuple(row.member_id for row in others if _same_side(row, own)),
        opponents=tuple(row.member_id for row in others if not _same_side(row, own)),
    )


def _same_side(one: Chair, other: Chair) -> bool:
    return one.players == 4 and one.position % 2 == other.position % 2


def _deals(member: Member, games: QuerySet[Game]) -> list[Deal]:
    spans: dict[int, list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(member=member, table__in=games.values("table"))
    for seat in seats.select_related("table"):
        spans[seat.table_id].append(seat)
    hands = Hand.objects.filter(game__in=games.values("pk"), current=True, struck=False)
    hands = hands.order_by("game__session__held_on", "game__session", "game", "number")
    # As text: hands are much alike, and each different one is read once.
    hands = hands.annotate(told=Cast("record", TextField()), took=Cast("points", TextField()))
    fields = ("game__session", "game__table", "number", "outcome", "told", "took")
    return [
        _deal(session, seat, outcome, told, took)
        for session, table, number, outcome, told, took in hands.values_list(*fields)
        for seat in spans[table]
        if took != NO_POINTS
        and seat.from_hand <= number
        and (seat.until_hand is None or number <= seat.until_hand)
    ]


def _deal(session: int, seat: Seat, outcome: str, told: str, took: str) -> Deal:
    players, position = seat.table.players, seat.position
    points, against = _taken(took, position, players)
    return Deal(
        session=session,
        players=players,
        seat=position,
        outcome=outcome,
        points=points,
        against=against,
        **_told(told),
    )


@lru_cache(maxsize=4096)
def _told(text: str) -> Mapping[str, Any]:
    """What a hand's record tells of its calls."""
    record = json.loads(text)
    return {
        "dealer": int(record["dealer"]),
        "caller": caller(record),
        "round": _round(record),
        "alone": _alone(record),
    }


@lru_cache(maxsize=1024)
def _taken(text: str, position: int, players: int) -> tuple[Fraction, Fraction]:
    """What a chair took of a hand's points, and what the other side did."""
    points = json.loads(text)
    count = 2 if players == 4 else players
    others = [points[chair] for chair in range(count) if chair != position % count]
    return Fraction(points[position]), Fraction(sum(others), len(others))


def _last_call(record: Mapping[str, Any]) -> Mapping[str, Any]:
    calls = [call for call in record.get("auction") or () if call["call"] != "pass"]
    return calls[-1] if calls else {}


def _round(record: Mapping[str, Any]) -> int | None:
    """The round of bidding, where the record tells it; bid games have none."""
    told = (record.get("contract") or {}).get("round")
    if told:
        return int(told)
    return {"order-up": 1, "name": 2}.get(str(_last_call(record).get("call", "")))


def _alone(record: Mapping[str, Any]) -> bool:
    return bool((record.get("contract") or _last_call(record)).get("alone"))
