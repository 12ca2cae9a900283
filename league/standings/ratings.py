"""Ratings of a club out of all its finished games, computed again when one of them changes."""

from collections import defaultdict
from datetime import datetime
from fractions import Fraction
from typing import cast

from django.core.cache import caches
from django.db.models import Count, Q, QuerySet, Sum

from league.members.models import Club
from league.play.models import Game, Result
from league.play.queries import silently_accepted, still_provisional
from league.ranking.rating import RatedGame, Rating, rated
from league.sessions.models import Session
from league.standings.queries import ENDED, HELD, exact, order_of_play, side_of

CACHED_SECONDS = 24 * 3600


def ratings_of(club: Club, *, at: datetime) -> dict[int, Rating]:
    """Everybody's rating from the club's history; kept while no session of it has moved."""
    moved = club.sessions.aggregate(count=Count("pk"), sum=Sum("revision", default=0))
    last = Result.objects.filter(session__club=club).order_by("-pk").values_list("pk", flat=True)
    silent = Game.objects.filter(silently_accepted(at), session__club=club).count()
    key = f"ratings:{club.pk}:{moved['count']}:{moved['sum']}:{last.first()}:{silent}"
    found = caches["pages"].get_or_set(key, lambda: rated(history(club, at=at)), CACHED_SECONDS)
    return cast(dict[int, Rating], found)


def history(club: Club, *, at: datetime) -> list[RatedGame]:
    """The club's rated games, in the order of play. A side is whoever sat there at the end."""
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
