"""The standings of a season as of any day, in a fixed number of queries."""

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
from league.seasons.models import Champion, Division, Season
from league.seating.models import Table
from league.sessions.models import Session
from league.sessions.queries import refuse_held
from league.standings.models import SessionPlace
from league.standings.queries import (
    HELD,
    Standings,
    columns_of,
    games_by_session,
    has_lone_hands,
    next_auto_confirmation,
    open_games_in,
    order_of_play,
    people_of,
    tallies_by,
)
from league.standings.ranking_rule import (
    Kind,
    is_across_games,
    is_mixed,
    kinds_of_tables,
    measures_for,
)


def season_results(
    season: Season,
    upto: date | None = None,
    division: Division | None = None,
    *,
    with_held: bool = False,
) -> QuerySet[Result]:
    """The results that count: without games not played, sessions cancelled or, unless `with_held`,
    held back, and days after `upto`; with a division, only those of its members."""
    results = Result.objects.filter(session__season=season).exclude(
        Q(game__state=Game.State.ABANDONED) | Q(session__state=Session.State.CANCELLED)
    )
    if not with_held:
        results = results.exclude(HELD)
    if division is not None:
        results = results.filter(member__in=division.placements.values("member"))
    return results.filter(session__held_on__lte=upto) if upto else results


def season_tables(
    season: Season,
    upto: date | None = None,
    division: Division | None = None,
    *,
    with_held: bool = False,
) -> QuerySet[Table]:
    """The tables of the same sessions; with a division, only those at which its members sit."""
    tables = Table.objects.filter(session__season=season)
    if not with_held:
        tables = tables.exclude(HELD)
    if division is not None:
        members = division.placements.values("member")
        tables = tables.filter(seats__seated=True, seats__member__in=members)
    return tables.filter(session__held_on__lte=upto) if upto else tables


def season_rules(season: Season, by: str = "") -> SeasonRules:
    """The season's rules; with `by="average"` the mean evening counts instead."""
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
    """The number of the season's sessions and the sum of their revisions: changes with any."""
    sums = season.sessions.aggregate(count=Count("pk"), sum=Sum("revision", default=0))
    return sums["count"], sums["sum"]


def season_standings(
    season: Season,
    *,
    at: datetime,
    by: str = "",
    upto: date | None = None,
    division: Division | None = None,
    people: Mapping[int, Member] | None = None,
    with_held: bool = False,
) -> Standings:
    """The season's table by its rules, as it was at the end of the day `upto`; for organisers
    perhaps `with_held`, with the sessions whose standings are held back.

    Open games are as of the moment `at`. A division has its own table, in which the places of an
    evening are those among its members.
    """
    results = season_results(season, upto, division, with_held=with_held)
    people = people_of(results) if people is None else people
    rules, sums = season_rules(season, by), tallies_by(results, "session")
    kinds_by_session = kinds_of_tables(
        results, season_tables(season, upto, division, with_held=with_held)
    )
    kinds = set().union(*kinds_by_session.values())
    across_games = is_across_games(kinds)
    measures = measures_for(season.measures, season.club.measures, kinds=kinds)
    games = _games_for_head_to_head(results, season, measures)
    guests = {pk for pk, member in people.items() if member.is_guest}
    evenings = _season_evenings(season, results, sums, games, kinds_by_session)
    if rules.counts == BEST_GAMES:
        evenings = _with_games(evenings, results)
    entrants_by_player = entrants(evenings, rules, measures, guests=guests)
    ranking_measures = ranked_by(measures, rules)
    tallies = {player: entrant.tallies for player, entrant in entrants_by_player.items()}
    columns = columns_of(ranking_measures, across_games=across_games, alone=has_lone_hands(tallies))
    head_to_head = meetings(seats for evening in games.values() for seats in evening)
    seed, open_games = season.public_id, open_games_in(results, at)
    before = _ranks_before_latest(evenings, rules, measures, guests=guests, seed=seed)
    return Standings(
        lines=season_lines(
            entrants_by_player, ranking_measures, met=head_to_head, seed=seed, columns=columns
        ),
        measures=ranking_measures,
        columns=columns,
        tallies=tallies,
        people=people,
        open_games={
            player: number for player, number in open_games.items() if player in entrants_by_player
        },
        until=next_auto_confirmation(results, at) if open_games else None,
        before=before,
        evenings={player: entrant.attended for player, entrant in entrants_by_player.items()},
        season=entrants_by_player,
        seed=seed,
        across_games=across_games,
        mixed=is_mixed(kinds),
    )


def tables_of(season: Season, *, at: datetime) -> dict[Division | None, Standings]:
    """The season's table, or that of each of its divisions, the highest first."""
    divisions: list[Division | None] = list(season.divisions.all())
    return {
        division: season_standings(season, at=at, division=division)
        for division in divisions or [None]
    }


def leaders_of(tables: Mapping[Division | None, Standings]) -> list[tuple[Member, Division | None]]:
    """The players in first place of each table, several if tied, with its division."""
    return [
        (table.people[line.who], division)
        for division, table in tables.items()
        for line in table.lines
        if line.rank == 1 and not table.season[line.who].missing
    ]


def leaders_since_closing(season: Season, *, at: datetime) -> list[Champion]:
    """The champions that a closed season would have if it were closed now; empty while they are
    those that it was closed with."""
    leaders = leaders_of(tables_of(season, at=at))
    named = set(season.champions.values_list("member", "division"))
    if not named or named == {
        (member.pk, division and division.pk) for member, division in leaders
    }:
        return []
    return [Champion(member=member, division=division) for member, division in leaders]


def _ranks_before_latest(
    evenings: Sequence[Evening],
    rules: SeasonRules,
    measures: Sequence[Measure],
    *,
    guests: Set[int],
    seed: str,
) -> dict[int, int]:
    """The ranks before the latest evening of players who had one; empty while there has been only
    one, and where single games count, whose evening is not known. Ignores head-to-head, as within
    a session."""
    if rules.counts == BEST_GAMES:
        return {}
    plain_measures = [measure for measure in measures if not measure.among]
    earlier = entrants(evenings[:-1], rules, plain_measures, guests=guests)
    lines = season_lines(earlier, ranked_by(plain_measures, rules), met={}, seed=seed)
    return {line.who: line.rank for line in lines if not earlier[line.who].missing}


def _games_for_head_to_head(
    results: QuerySet[Result], season: Season, measures: Iterable[Measure]
) -> dict[int, list[list[Finish]]]:
    """The games by session, if head-to-head counts in the season or for places in an evening."""
    session_lists = (
        season.sessions.values_list("measures", flat=True) if season.place_points else ()
    )
    if HEAD_TO_HEAD in measures or any(HEAD_TO_HEAD.code in codes for codes in session_lists):
        return games_by_session(results)
    return {}


def _season_evenings(
    season: Season,
    results: QuerySet[Result],
    sums: Mapping[int, Mapping[int, list[Tally]]],
    games: Mapping[int, list[list[Finish]]],
    kinds: Mapping[int, Set[Kind]],
) -> list[Evening]:
    """The evenings with a result, oldest first, each with the measures of its own table."""
    tallies_by_session: dict[int, dict[int, list[Tally]]] = defaultdict(dict)
    for player, sums_by_session in sums.items():
        for session, tallies in sums_by_session.items():
            tallies_by_session[session][player] = tallies
    places: dict[int, dict[int, int]] = defaultdict(dict)
    if season.place_points:
        for session, player, place in SessionPlace.objects.filter(
            session__in=tallies_by_session
        ).values_list("session", "member", "place"):
            places[session][player] = place
    sessions = season.sessions.filter(pk__in=tallies_by_session).order_by("held_on", "pk")
    return [
        Evening(
            key=number,
            tallies=tallies_by_session[club_session.pk],
            measures=measures_for(
                club_session.measures, season.club.measures, kinds=kinds[club_session.pk]
            ),
            met=meetings(games.get(club_session.pk, ())),
            seed=club_session.public_id,
            places=places.get(club_session.pk, {}),
        )
        for number, club_session in enumerate(sessions)
    ]


def _with_games(evenings: Sequence[Evening], results: QuerySet[Result]) -> list[Evening]:
    """The evenings with each player's single games. All are attached to the player's first evening,
    because the evening of a game does not affect which games are the best."""
    game_ids = results.order_by(*order_of_play("game__")).values_list("game", flat=True)
    order = {game: number for number, game in enumerate(dict.fromkeys(game_ids))}
    by_game = {
        player: [games[game] for game in sorted(games, key=order.__getitem__)]
        for player, games in tallies_by(results, "game").items()
    }
    return [
        replace(evening, games={player: by_game.pop(player, ()) for player in evening.tallies})
        for evening in evenings
    ]


def division_of(
    season: Season, divisions: Sequence[Division], number: str, member_id: int | None = None
) -> Division | None:
    """The division with this number; for "" the one of `member_id`, else the highest; None for
    "all" and if there are no divisions."""
    if number or not divisions:
        return next((division for division in divisions if str(division.number) == number), None)
    own_division = (
        season.placements.filter(member=member_id).values_list("division", flat=True).first()
    )
    return next((division for division in divisions if division.pk == own_division), divisions[0])


def members_of(division: Division | None) -> tuple[int, ...]:
    """The id of a division and of its members, for cache keys; empty without a division."""
    if division is None:
        return ()
    return (division.pk, *division.placements.order_by("member").values_list("member", flat=True))


def evenings_of(season: Season) -> list[tuple[str, str, date, bool]]:
    """The sessions with results that count in the season's table, or will once released, latest
    first: public id, name, day, and whether they are held back."""
    sessions = season.sessions.exclude(state=Session.State.CANCELLED).filter(results__isnull=False)
    return list(
        sessions.order_by("-held_on", "-pk")
        .values_list("public_id", "name", "held_on", "standings_held")
        .distinct()
    )


def refuse_held_pots(season: Season, rank: str | None) -> None:
    """Refuse (`standings-held`) players the season's pots while the standings of a session are held
    back: who pays and who wins would give them away."""
    for held in season.sessions.filter(standings_held=True).exclude(state=Session.State.CANCELLED):
        refuse_held(held, rank)


def open_session_of(season: Season) -> Session | None:
    """The session of the season that is on, whose games change its table while it is read."""
    club_session = season.sessions.filter(state=Session.State.OPEN).first()
    if club_session:
        club_session.club = season.club
    return club_session
