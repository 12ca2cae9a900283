"""What pages ask about a league: its matches with their games, line-ups, the table, a calendar."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from league.members.models import Club, Member
from league.play.models import Game
from league.play.results import as_of
from league.ranking import GameScore, LeagueTable, Met, Scheme, league_table
from league.seating.models import Seat, Table
from league.sessions.calendar import CANCELLED, CONFIRMED, Entry
from league.teams.models import Deduction, Team, TeamCup, TeamLeague, TeamMatch
from scoring import ruleset

PLANNER = "teams"
"""What the rounds of a match's session are marked with."""


def leagues_of(club: Club) -> QuerySet[TeamLeague]:
    """The club's leagues, latest first, each with how many teams it has (`entered`)."""
    return club.team_leagues.annotate(entered=Count("teams")).order_by("-pk")


def league_of(club: Club, public_id: str) -> TeamLeague:
    """The club's league of this id; 404 for another club's as for none."""
    leagues = TeamLeague.objects.select_related("ruleset", "season")
    found = get_object_or_404(leagues, club=club, public_id=public_id)
    found.club = club
    return found


def team_of(league: TeamLeague, public_id: str) -> Team:
    found = get_object_or_404(league.teams.select_related("captain"), public_id=public_id)
    found.league = league
    return found


def cup_of(league: TeamLeague, public_id: str) -> TeamCup:
    found = get_object_or_404(league.cups, public_id=public_id)
    found.league = league
    return found


def match_of(league: TeamLeague, public_id: str) -> TeamMatch:
    found = get_object_or_404(
        TeamMatch.objects.select_related("home__captain", "away__captain", "cup", "session"),
        league=league,
        public_id=public_id,
    )
    found.league = league
    return found


def target_of(league: TeamLeague) -> int | None:
    """The points a game of the league is played to; None where its ruleset has no target."""
    return ruleset(league.ruleset.body).target


def everybody_in(league: TeamLeague) -> QuerySet[Member]:
    """Whoever plays for a team of the league, or leads one."""
    in_league = Q(team_places__league=league) | Q(captain_of__league=league)
    return Member.objects.filter(in_league).distinct()


def players_of(team: Team) -> list[Member]:
    """The team's people by name."""
    return list(Member.objects.filter(team_places__team=team).order_by("sort_key", "pk"))


@dataclass(frozen=True, slots=True)
class Played:
    """A match with what has been written down of it.

    `states` are those of its games: waiting to be confirmed, disputed, done.
    """

    match: TeamMatch
    met: Met
    states: frozenset[str] = frozenset()

    @property
    def is_disputed(self) -> bool:
        return Game.State.DISPUTED in self.states

    @property
    def waits(self) -> bool:
        """Whether the card is written and somebody has still to confirm it."""
        return Game.State.FINISHED in self.states

    @property
    def is_off(self) -> bool:
        """Whether it will not be played, since a team has left."""
        withdrawn = self.match.home.withdrawn_at or self.match.away.withdrawn_at
        return bool(withdrawn) and not self.met.over

    @property
    def is_to_come(self) -> bool:
        return not self.met.over and not self.is_off

    @property
    def counts(self) -> bool:
        return bool(self.states) and not self.met.provisional


def played(matches: Iterable[TeamMatch], league: TeamLeague) -> list[Played]:
    """The matches with their games; one query."""
    listed = list(matches)
    sessions = [one.session_id for one in listed if one.session_id]
    games: dict[int, list[Game]] = defaultdict(list)
    now = timezone.now()
    for game in (
        Game.objects.filter(session__in=sessions, table__round__planner=PLANNER)
        .exclude(totals=None)
        .exclude(state=Game.State.ABANDONED)
        .order_by("table__round__number", "table__number")
    ):
        games[game.session_id].append(as_of(game, now))
    return [_played(one, games.get(one.session_id or 0, []), league) for one in listed]


def _played(match: TeamMatch, games: list[Game], league: TeamLeague) -> Played:
    states = frozenset(game.state for game in games)
    met = Met(
        home=match.home_id,
        away=match.away_id,
        due=league.games,
        games=tuple(_score(game) for game in games),
        given_to=match.given_to_id,
        provisional=bool(states - {Game.State.CONFIRMED}),
    )
    return Played(match, met, states)


def _score(game: Game) -> GameScore:
    points = (int(game.score[0]), int(game.score[1]))
    return GameScore(points, tuple(sorted({seat % 2 for seat in game.winners})))


def all_matches_of(league: TeamLeague) -> list[Played]:
    """The matches of the league and of its cups; two queries."""
    matches = league.matches.select_related("home", "away", "cup", "given_to")
    return played(matches.order_by("round", "number", "pk"), league)


def fixtures_of(league: TeamLeague) -> list[Played]:
    """The matches of the league itself, in order; two queries."""
    matches = league.matches.filter(cup=None).select_related("home", "away", "cup", "given_to")
    return played(matches.order_by("round", "number"), league)


def cup_matches_of(cup: TeamCup) -> list[Played]:
    """The matches of a cup that are drawn; two queries."""
    matches = cup.matches.select_related("home", "away").order_by("round", "number")
    return played(matches, cup.league)


def scheme_of(league: TeamLeague) -> Scheme:
    """The points of this league, and the order of its tie-breaks."""
    return Scheme(
        win=league.points_win,
        draw=league.points_draw,
        loss=league.points_loss,
        game=league.points_game,
        ranking=league.ranking,
    )


def table_of(league: TeamLeague, teams: Iterable[Team], fixtures: Iterable[Played]) -> LeagueTable:
    """The league's table; one query."""
    listed = list(teams)
    taken: dict[int, int] = defaultdict(int)
    for one in Deduction.objects.filter(team__league=league, withdrawn_at=None):
        taken[one.team_id] += one.points
    return league_table(
        [team.pk for team in listed],
        [one.met for one in fixtures],
        scheme_of(league),
        deducted=taken,
        gone=[team.pk for team in listed if team.withdrawn_at is not None],
    )


@dataclass(frozen=True, slots=True)
class LinedUp:
    """A game's table: which pairs meet at it and who they are."""

    turn: int
    home_pair: int
    away_pair: int
    home: tuple[Member, ...] = ()
    away: tuple[Member, ...] = ()
    game: Game | None = None


def meetings_of(league: TeamLeague) -> list[LinedUp]:
    """Which pairs meet in each game, turn by turn: the visitors move on by one pair a turn."""
    return [
        LinedUp(turn, pair, (pair + turn - 2) % league.pairs + 1)
        for turn in range(1, league.turns + 1)
        for pair in range(1, league.pairs + 1)
    ]


def lined_up(match: TeamMatch, league: TeamLeague) -> list[LinedUp]:
    """Every game of the match with its people and its score, as far as it is written down; three
    queries."""
    tables = {
        (table.round.number, table.number): table
        for table in Table.objects.filter(
            session=match.session_id, round__planner=PLANNER
        ).select_related("round")
    }
    keys = [table.pk for table in tables.values()]
    games = {game.table_id: game for game in Game.objects.filter(table__in=keys)}
    chairs: dict[int, dict[int, Member]] = defaultdict(dict)
    for seat in Seat.objects.filter(table__in=keys, until_hand=None).select_related("member"):
        chairs[seat.table_id][seat.position] = seat.member
    found = []
    for one in meetings_of(league):
        table = tables.get((one.turn, one.home_pair))
        if table is None:
            found.append(one)
            continue
        at = chairs[table.pk]
        home, away = ((at[0], at[2]), (at[1], at[3])) if len(at) == 4 else ((), ())
        found.append(
            LinedUp(one.turn, one.home_pair, one.away_pair, home, away, games.get(table.pk))
        )
    return found


def entries_of(club: Club, since: date, member: Member | None = None) -> list[Entry]:
    """The fixtures that have a day, or a member's, the first first. One query."""
    matches = TeamMatch.objects.filter(league__club=club, held_on__gte=since)
    if member is not None:
        teams = member.team_places.values("team")
        matches = matches.filter(Q(home__in=teams) | Q(away__in=teams))
    matches = matches.select_related("league", "home", "away").order_by("held_on", "pk")
    return [_entry(club, match) for match in matches]


def _entry(club: Club, match: TeamMatch) -> Entry:
    withdrawn = match.home.withdrawn_at or match.away.withdrawn_at
    unplayed = match.session_id is None and match.given_to_id is None
    off = match.league.state == TeamLeague.State.CANCELLED or (withdrawn and unplayed)
    assert match.held_on is not None
    return Entry(
        uid=f"{match.public_id}@right-bower",
        name=str(match),
        day=match.held_on,
        path=reverse("team_match", args=[club.slug, match.league.public_id, match.public_id]),
        made_at=match.made_at,
        sequence=match.revision,
        venue=match.venue or match.home.venue,
        status=CANCELLED if off else CONFIRMED,
    )
