"""The games of a session as rows: who sat on each side, the score, who won."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from league.members.models import Club, Member
from league.members.public import namer
from league.play.derived import as_of
from league.play.models import Game
from league.sessions.models import Session


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a game: its people as the viewer may read them, its points, whether it won."""

    names: tuple[str, ...]
    points: int
    won: bool


def games_of(club_session: Session) -> QuerySet[Game]:
    """The session's games with their tables and everybody who played, latest round first."""
    return (
        club_session.games.select_related("table", "table__round")
        .prefetch_related("results__member")
        .order_by("-table__round__number", "table__number", "number")
    )


def with_sides(games: Iterable[Game], club: Club, viewer_rank: str | None) -> list[Any]:
    """The games as a list, each with its `sides`."""
    now = timezone.now()
    listed: list[Any] = [as_of(game, now) for game in games]
    people = [row.member for game in listed for row in game.results.all()]
    name_of = namer(people, club, viewer_rank)
    for game in listed:
        game.sides = sides_of(game, name_of)
    return listed


def sides_of(game: Any, name_of: Callable[[Member], str]) -> list[Side]:
    """The sides in seat order. A substitute stands beside whoever she took over from."""
    results = sorted(game.results.all(), key=lambda r: (r.position, r.pk))
    players = game.table.players
    count = 2 if players == 4 else players
    sides = []
    for side in range(count):
        chairs = [r for r in results if r.position % count == side]
        names = tuple(name_of(r.member) for r in chairs)
        points = game.score[side] if side < len(game.score) else 0
        sides.append(Side(names, points, bool({r.position for r in chairs} & set(game.winners))))
    return sides
