"""A club's ratings out of all its finished games, counted anew whenever one of them moves."""

from collections import defaultdict
from datetime import datetime
from fractions import Fraction
from typing import cast

from django.core.cache import caches
from django.db.models import Count, Q, Sum

from league.members.models import Club
from league.play.models import Game, Result
from league.play.queries import silently_accepted, still_provisional
from league.ranking.rating import RatedGame, Rating, rated
from league.sessions.models import Session
from league.standings.queries import ENDED, exact

KEPT_SECONDS = 24 * 3600
ORDER = (
    "session__held_on",
    "session",
    "game__table__round__number",
    "game__table__number",
    "game__number",
    "game",
    "position",
)


def ratings_of(club: Club, *, at: datetime) -> dict[int, Rating]:
    """Everybody's rating from the club's history; kept while no session of it has moved."""
    moved = club.sessions.aggregate(count=Count("pk"), sum=Sum("revision", default=0))
    last = Result.objects.filter(session__club=club).order_by("-pk").values_list("pk", flat=True)
    silent = Game.objects.filter(silently_accepted(at), session__club=club).count()
    key = f"ratings:{club.pk}:{moved['count']}:{moved['sum']}:{last.first()}:{silent}"
    found = caches["pages"].get_or_set(key, lambda: rated(history(club, at=at)), KEPT_SECONDS)
    return cast(dict[int, Rating], found)


def history(club: Club, *, at: datetime) -> list[RatedGame]:
    """Every game of the club that is finished and, at the moment `at`, accepted: by day, session,
    round, table and number.

    A side is whoever sat there when the game ended.
    """
    rows = Result.objects.filter(ENDED, session__club=club).exclude(
        still_provisional(at)
        | Q(game__state=Game.State.ABANDONED)
        | Q(session__state=Session.State.CANCELLED)
    )
    games: dict[int, dict[int, list[tuple[int, Fraction]]]] = defaultdict(lambda: defaultdict(list))
    fields = ("game", "member", "position", "players", "win_share")
    for game, member, position, players, won in rows.order_by(*ORDER).values_list(*fields):
        side = position % 2 if players == 4 else position
        games[game][side].append((member, Fraction(exact(won))))
    return [_rated_game(games[game]) for game in games]


def _rated_game(sides: dict[int, list[tuple[int, Fraction]]]) -> RatedGame:
    order = [sides[side] for side in sorted(sides)]
    return RatedGame(
        sides=[[who for who, _won in side] for side in order],
        won=[max(won for _who, won in side) for side in order],
    )
