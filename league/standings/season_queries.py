"""The season's table as of any day: its evenings by a fixed number of queries, then pure rules."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction

from django.db.models import Count, Q, QuerySet, Sum

from league.members.models import Member
from league.play.models import Game, Result
from league.ranking.measures import HEAD_TO_HEAD, Measure, Tally
from league.ranking.season import (
    AVERAGE,
    BEST_GAMES,
    Evening,
    SeasonRules,
    entrants,
    ranked_by,
    season_lines,
)
from league.ranking.tie_breaks import Finish, meetings
from league.seasons.models import Division, Season
from league.sessions.models import Session
from league.standings.models import SessionPlace
from league.standings.queries import (
    HELD,
    Standings,
    columns_of,
    games_by_session,
    has_lone_hands,
    is_mixed,
    measures_for,
    next_acceptance,
    open_games_in,
    order_of_play,
    people_of,
    scales_played,
    tallies_by,
)


def season_results(
    season: Season, upto: date | None = None, division: Division | None = None
) -> QuerySet[Result]:
    """The results that count: no game called off, no evening cancelled or held back, none after
    `upto`; of a division, its own people's."""
    results = Result.objects.filter(session__season=season).exclude(
        Q(game__state=Game.State.ABANDONED) | Q(session__state=Session.State.CANCELLED) | HELD
    )
    if division is not None:
        results = results.filter(member__in=division.placements.values("member"))
    return results.filter(session__held_on__lte=upto) if upto else results


def season_rules(season: Season, by: str = "") -> SeasonRules:
    """The season's rules; `by="average"` asks for the mean evening instead."""
    rules = SeasonRules(
        counts=season.counts,
        number=season.counted_number,
        minimum=season.minimum_evenings,
        guests=season.guests_count,
        places=tuple(Fraction(points) for points in season.place_points),
        attendance=Fraction(season.attendance_points),
    )
    return replace(rules, counts=AVERAGE) if by == AVERAGE else rules


def season_revision(season: Season) -> tuple[int, int]:
    """Moves when anything in any session of the season does: how many, and their revisions."""
    counted = season.sessions.aggregate(count=Count("pk"), sum=Sum("revision", default=0))
    return counted["count"], counted["sum"]


def season_standings(
    season: Season,
    *,
    at: datetime,
    by: str = "",
    upto: date | None = None,
    division: Division | None = None,
    people: Mapping[int, Member] | None = None,
) -> Standings:
    """The season's table by its rules, as it stood when the evening of `upto` was over.

    Open games are as of the moment `at`. A division has a table of its own: an evening gives its
    places among the division's people.
    """
    results = season_results(season, upto, division)
    people = people_of(results) if people is None else people
    rules, sums = season_rules(season, by), tallies_by(results, "session", "players")
    scales = scales_played(results)
    several = len(set().union(*scales.values())) > 1
    chosen = (season.measures, season.club.measures)
    measures = measures_for(*chosen, mixed=is_mixed(sums), across_games=several)
    games = _games(results, season, measures)
    guests = {pk for pk, member in people.items() if member.is_guest}
    nights = _evenings(season, results, sums, games, scales)
    if rules.counts == BEST_GAMES:
        nights = _game_by_game(nights, results)
    counted = entrants(nights, rules, measures, guests=guests)
    by_what = ranked_by(measures, rules)
    tallies = {who: one.tallies for who, one in counted.items()}
    columns = columns_of(by_what, across_games=several, alone=has_lone_hands(tallies))
    met = meetings(seats for evening in games.values() for seats in evening)
    seed, open_games = season.public_id, open_games_in(results, at)
    return Standings(
        lines=season_lines(counted, by_what, met=met, seed=seed, columns=columns),
        measures=by_what,
        columns=columns,
        tallies=tallies,
        people=people,
        open_games={w: n for w, n in open_games.items() if w in counted},
        until=next_acceptance(results, at) if open_games else None,
        evenings={who: one.attended for who, one in counted.items()},
        season=counted,
        seed=seed,
        across_games=several,
        mixed=is_mixed(sums),
    )


def _games(
    results: QuerySet[Result], season: Season, measures: Iterable[Measure]
) -> dict[int, list[list[Finish]]]:
    """Who met whom, where head-to-head counts in the season or in the place of an evening."""
    own = season.sessions.values_list("measures", flat=True) if season.place_points else ()
    if HEAD_TO_HEAD in measures or any(HEAD_TO_HEAD.code in codes for codes in own):
        return games_by_session(results)
    return {}


def _evenings(
    season: Season,
    results: QuerySet[Result],
    sums: Mapping[int, Mapping[tuple[int, int], list[Tally]]],
    games: Mapping[int, list[list[Finish]]],
    scales: Mapping[int, Set[str]],
) -> list[Evening]:
    """The evenings with a result, oldest first, each with what its own table ranks by."""
    taken: dict[int, dict[int, list[Tally]]] = defaultdict(dict)
    sizes: dict[int, set[int]] = defaultdict(set)
    for who, parts in sums.items():
        for (session, size), tallies in parts.items():
            taken[session].setdefault(who, []).extend(tallies)
            sizes[session].add(size)
    places: dict[int, dict[int, int]] = defaultdict(dict)
    if season.place_points:
        for session, who, place in SessionPlace.objects.filter(session__in=taken).values_list(
            "session", "member", "place"
        ):
            places[session][who] = place
    sessions = season.sessions.filter(pk__in=taken).order_by("held_on", "pk")
    return [
        Evening(
            key=number,
            tallies=taken[night.pk],
            measures=measures_for(
                night.measures,
                season.club.measures,
                mixed=len(sizes[night.pk]) > 1,
                across_games=len(scales[night.pk]) > 1,
            ),
            met=meetings(games.get(night.pk, ())),
            seed=night.public_id,
            places=places.get(night.pk, {}),
        )
        for number, night in enumerate(sessions)
    ]


def _game_by_game(nights: Sequence[Evening], results: QuerySet[Result]) -> list[Evening]:
    """The evenings with everybody's games one by one, all in their first: which evening a
    game is of makes no difference to which are the best."""
    played = results.order_by(*order_of_play("game__")).values_list("game", flat=True)
    order = {game: number for number, game in enumerate(dict.fromkeys(played))}
    by_game = {
        who: [games[game] for game in sorted(games, key=order.__getitem__)]
        for who, games in tallies_by(results, "game").items()
    }
    return [
        replace(night, games={who: by_game.pop(who, ()) for who in night.tallies})
        for night in nights
    ]


def division_of(
    season: Season, divisions: Sequence[Division], wanted: str, mine: int | None = None
) -> Division | None:
    """The one of the season's divisions that was asked for by its number; for "" the reader's
    (`mine` is their member's key), else the highest; None for "all" and where there are none."""
    if wanted or not divisions:
        return next((division for division in divisions if str(division.number) == wanted), None)
    own = season.placements.filter(member=mine).values_list("division", flat=True).first()
    return next((division for division in divisions if division.pk == own), divisions[0])


def members_of(division: Division | None) -> tuple[int, ...]:
    """The keys of those who play in a division; none for a season's whole table."""
    if division is None:
        return ()
    return (division.pk, *division.placements.order_by("member").values_list("member", flat=True))


def evenings_of(season: Season) -> list[tuple[str, str, date, bool]]:
    """The evenings that moved the season's table, or will once their standings are released,
    latest first: id, name, day, and whether they are held back."""
    played = season.sessions.exclude(state=Session.State.CANCELLED).filter(results__isnull=False)
    return list(
        played.order_by("-held_on", "-pk")
        .values_list("public_id", "name", "held_on", "standings_held")
        .distinct()
    )
