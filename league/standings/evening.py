"""What a finished evening came to, and what one person has come to over all of them."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from django.core.cache import caches
from django.db.models import Count, Max, QuerySet, Sum

from league.members.models import Member
from league.play.models import Game
from league.ranking.measures import MEASURES, Tally, total
from league.seasons.models import Season
from league.sessions.models import Session
from league.standings.careers import games_that_count
from league.standings.queries import results_of, tallies_by

LATEST = 10


@dataclass(frozen=True, slots=True)
class Facts:
    """What a finished evening came to."""

    games: int
    hands: int
    people: int
    longest: int
    euchres: int
    lone_marches: int


def session_facts(club_session: Session) -> Facts:
    """The evening in numbers, from its finished games; kept while its revision stands."""
    key = f"facts:{club_session.pk}:{club_session.revision}"
    facts: Any = caches["pages"].get_or_set(key, lambda: _facts(club_session))
    return cast(Facts, facts)


def _facts(club_session: Session) -> Facts:
    games = club_session.games.filter(finished_at__isnull=False)
    counted = games.exclude(state=Game.State.ABANDONED).aggregate(
        games=Count("pk"), hands=Sum("hands_played", default=0), longest=Max("hands_played")
    )
    took = results_of(club_session).aggregate(
        people=Count("member", distinct=True),
        euchres=Sum("euchred", default=0),
        lone=Sum("lone_marches", default=0),
    )
    return Facts(
        games=counted["games"],
        hands=counted["hands"],
        people=took["people"],
        longest=counted["longest"] or 0,
        euchres=took["euchres"],
        lone_marches=took["lone"],
    )


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One person's games at tables of one size; `players` 0 for all sizes together."""

    players: int
    games: Fraction
    hands: Fraction
    values: dict[str, Fraction]
    calls: Fraction
    calls_made: Fraction
    euchred: Fraction
    lone_tried: Fraction


def record_of(member: Member, season: Season | None = None) -> list[RecordLine]:
    """One person's record by table size, then all together; empty before the first game."""
    games = games_that_count(member, season).order_by()
    results = member.results.filter(game__in=games.values("pk"))
    by_size = tallies_by(results, "players").get(member.pk, {})
    if not by_size:
        return []
    lines = [_line(size, by_size[size]) for size in sorted(by_size)]
    return [*lines, _line(0, [tally for tallies in by_size.values() for tally in tallies])]


def _line(players: int, tallies: list[Tally]) -> RecordLine:
    counts = ("games", "hands", "calls", "calls_made", "euchred", "lone_tried")
    return RecordLine(
        players=players,
        values={code: m.figure(tallies) for code, m in MEASURES.items() if not m.among},
        **{name: total(tallies, name) for name in counts},
    )


def latest_games(member: Member, season: Season | None = None) -> QuerySet[Game]:
    """The person's latest games with everybody who played in them."""
    return (
        games_that_count(member, season)
        .select_related("table", "session")
        .prefetch_related("results__member")
        .order_by("-session__held_on", "-pk")[:LATEST]
    )
