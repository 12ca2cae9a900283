"""Queries about a league: its teams, its matches with their games, its tables."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.shortcuts import get_object_or_404
from django.utils import timezone

from league.members.models import Club, Member
from league.play.models import Confirmation, Game
from league.play.results import as_of
from league.ranking.team_league import LeagueTable, league_table
from league.ranking.team_league.match import LeagueMatch, card_games, fates, is_void
from league.ranking.team_league.rules import LeagueRules, rules_from_json
from league.teams.models import (
    Deduction,
    PlayOff,
    Team,
    TeamCup,
    TeamDivision,
    TeamLeague,
    TeamMatch,
)
from league.teams.round_shifts import with_round_shifts
from scoring import ruleset

RECORDED = ("play_off", "lot")
"""The tie-breaks that play-offs decide."""
PLANNER = "teams"
"""The `planner` of the rounds of a match's session."""


def leagues_of(club: Club) -> QuerySet[TeamLeague]:
    """The club's leagues, latest first, each with its number of teams (`entered`)."""
    return club.team_leagues.annotate(entered=Count("teams")).order_by("-pk")


def league_of(club: Club, public_id: str) -> TeamLeague:
    """The club's league with this id; 404 if there is none, or if it is another club's."""
    leagues = TeamLeague.objects.select_related("ruleset", "season", "secretary")
    league = get_object_or_404(leagues, club=club, public_id=public_id)
    league.club = club
    return league


def team_of(league: TeamLeague, public_id: str) -> Team:
    team = get_object_or_404(league.teams.with_captains(), public_id=public_id)
    team.league = league
    return team


def cup_of(league: TeamLeague, public_id: str) -> TeamCup:
    cup = get_object_or_404(league.cups, public_id=public_id)
    cup.league = league
    return cup


def match_of(league: TeamLeague, public_id: str) -> TeamMatch:
    match = get_object_or_404(
        TeamMatch.objects.select_related("home__captain", "away__captain", "cup", "session"),
        league=league,
        public_id=public_id,
    )
    match.league = league
    return match


def target_of(league: TeamLeague) -> int | None:
    """The points to which a game of the league is played; None if its ruleset has no target."""
    return ruleset(league.ruleset.body).target


def league_members(league: TeamLeague) -> QuerySet[Member]:
    """Everyone who plays for a team of the league or leads one."""
    in_league = Q(team_places__league=league) | Q(captain_of__league=league)
    return Member.objects.filter(in_league).distinct()


def players_of(team: Team) -> list[Member]:
    """The team's players by name, without erased ones."""
    players = Member.objects.filter(team_places__team=team, erased_at=None)
    return list(players.order_by("sort_key", "pk"))


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match with its card.

    `states` are the states of its games: waiting to be confirmed, disputed, confirmed. `entries`
    are all games of the card, in the format of `TeamMatch.card`. `void`: the match no longer counts
    for anybody, because a team has left. `closed`: the league is, so no more matches are played.
    """

    match: TeamMatch
    met: LeagueMatch
    states: frozenset[str] = frozenset()
    entries: tuple[Any, ...] = ()
    void: bool = False
    closed: bool = False

    @property
    def is_disputed(self) -> bool:
        return Game.State.DISPUTED in self.states

    @property
    def waits(self) -> bool:
        """Whether the card is written but not yet confirmed."""
        return Game.State.FINISHED in self.states

    @property
    def is_off(self) -> bool:
        """Whether it will not be played because a team has left."""
        withdrawn = self.match.home.withdrawn_at or self.match.away.withdrawn_at
        return bool(withdrawn) and not self.met.over

    @property
    def unplayed_winner(self) -> Team | None:
        """The team that wins a match not played because the other has left; None if it is void."""
        return self.match.remaining_team if self.is_off and not self.void else None

    @property
    def is_to_come(self) -> bool:
        return not (self.met.over or self.is_off or self.closed)

    @property
    def counts(self) -> bool:
        return self.met.has_card and not self.met.provisional


def match_records(matches: Iterable[TeamMatch], league: TeamLeague) -> list[MatchRecord]:
    """Load the games of these matches; one query."""
    listed = list(matches)
    sessions = [match.session_id for match in listed if match.session_id]
    games: dict[int, list[Game]] = defaultdict(list)
    now = timezone.now()
    for game in (
        Game.objects.filter(session__in=sessions, table__round__planner=PLANNER)
        .exclude(totals=None)
        .exclude(state=Game.State.ABANDONED)
        .select_related("table__round")
    ):
        games[game.session_id].append(as_of(game, now))
    rules = rules_of(league)
    return [
        _match_record(match, games.get(match.session_id or 0, []), league, rules)
        for match in listed
    ]


def _match_record(
    match: TeamMatch, games: list[Game], league: TeamLeague, rules: LeagueRules
) -> MatchRecord:
    states = frozenset(game.state for game in games)
    entries = _entries(match, games, rules)
    counted = card_games(entries, rules.by_game if match.totals_only else rules)
    met = LeagueMatch(
        home=match.home_id,
        away=match.away_id,
        due=league.games,
        games=tuple(game.score for game in counted),
        given_to=match.given_to_id,
        provisional=bool(states - {Game.State.CONFIRMED}),
        void=entries.count("void"),
        given_nobody=match.given_nobody,
        late=is_late(match, league, rules),
        half=match.half,
        day=match.planned_on,
        held_on=match.held_on,
        decided_by=_decided_by(match),
        points_known=not match.totals_only or any(isinstance(entry, list) for entry in entries),
    )
    return MatchRecord(match, met, states, tuple(entries), closed=league.is_closed)


def _decided_by(match: TeamMatch) -> int | None:
    """The side that won the deciding game of a cup match; None without one."""
    if not match.decider or match.cup_id is None:
        return None
    return 0 if match.decider[0] > match.decider[1] else 1


def _entries(match: TeamMatch, games: list[Game], rules: LeagueRules) -> list[Any]:
    """Every game of the card: its points if it has a table, else its entry in `match.card`."""
    entries = [*match.card, *([None] * (rules.games - len(match.card)))]
    for game in games:
        number = (game.table.round.number - 1) * rules.pairs + game.table.number - 1
        if entries[number] is None:  # a game that was played may have been awarded since
            entries[number] = [int(game.score[0]), int(game.score[1])]
    return entries


def is_late(match: TeamMatch, league: TeamLeague, rules: LeagueRules) -> bool:
    """Whether the card came after the league's deadline and its penalty has not been waived.

    The card of a cup match has no deadline: there are no league points to lose.
    """
    if rules.late is None or match.cup_id is not None or match.late_lifted:
        return False
    if match.received_at is None or not match.held_on:
        return False
    received = league.club.local(match.received_at).replace(tzinfo=None)
    return rules.late.is_late(match.held_on, received)


def all_matches_of(league: TeamLeague) -> list[MatchRecord]:
    """The matches of the league and of its cups, each with the times at which its card was entered
    (`entered_at`) and last confirmed (`confirmed_at`); two queries."""
    accepted = Confirmation.objects.filter(game__session=OuterRef("session"), accepted=True)
    matches = league.matches.select_related("home__division", "away", "cup", "given_to")
    matches = matches.annotate(
        entered_at=Coalesce("session__made_at", "received_at"),
        confirmed_at=Subquery(accepted.order_by("-at").values("at")[:1]),
    )
    listed = with_round_shifts(matches.order_by("round", "number", "pk"))
    return mark_void_matches(match_records(listed, league), league)


def fixtures_of(league: TeamLeague) -> list[MatchRecord]:
    """The matches of the league itself, in order; two queries."""
    matches = league.matches.filter(cup=None).select_related(
        "home__division", "away", "cup", "given_to"
    )
    listed = with_round_shifts(matches.order_by("round", "number"))
    return mark_void_matches(match_records(listed, league), league)


def mark_void_matches(matches: list[MatchRecord], league: TeamLeague) -> list[MatchRecord]:
    """Mark the matches that became void when a team left. Takes all matches of a league."""
    teams = {team for m in matches for team in (m.match.home, m.match.away)}
    withdrawn_on = withdrawal_days(league, teams)
    if not withdrawn_on:
        return matches
    league_matches = [fixture for fixture in matches if fixture.match.cup_id is None]
    division = {team.pk: team.division_id for team in teams}
    fate: dict[int, str] = {}
    for team, day in withdrawn_on.items():
        met = [m.met for m in league_matches if division[m.met.home] == division[team]]
        fate |= fates(met, {team: day}, rules_of(league).withdrawal)
    return [
        replace(fixture, void=fixture.match.cup_id is None and is_void(fixture.met, fate))
        for fixture in matches
    ]


def withdrawal_days(league: TeamLeague, teams: Iterable[Team]) -> dict[int, date | None]:
    """The teams that have left, each with the day in the club's time zone."""
    return {
        team.pk: league.club.local(team.withdrawn_at).date()
        for team in teams
        if team.withdrawn_at is not None
    }


def cup_matches_of(cup: TeamCup) -> list[MatchRecord]:
    """The matches of a cup drawn so far; two queries."""
    matches = cup.matches.select_related("home", "away").order_by("round", "number")
    return match_records(matches, cup.league)


def rules_of(league: TeamLeague) -> LeagueRules:
    """What a match of this league is worth, and how its table ranks."""
    own = {"pairs": league.pairs, "games_each": league.turns, "target": target_of(league)}
    return rules_from_json({**league.rules, **own})


Tables = dict[TeamDivision | None, LeagueTable]


def tables_of(league: TeamLeague, teams: Iterable[Team], fixtures: Iterable[MatchRecord]) -> Tables:
    """The table of each division, the highest first, with the places on the eve of the last round's
    first day; under None for a league without divisions. Three queries."""
    all_teams, all_fixtures = list(teams), list(fixtures)
    deductions = list(Deduction.objects.filter(team__league=league))
    withdrawn_on, local = withdrawal_days(league, all_teams), league.club.local
    rules = rules_of(league)
    counts = not set(RECORDED).isdisjoint(rules.tie_breaks)
    play_offs = play_offs_of(league, PlayOff.Kind.LEVEL) if counts else []

    def ranked(keys: list[int], matches: list[MatchRecord], until: date) -> LeagueTable:
        """The table with the withdrawals and deductions made before the day `until`."""
        deducted: dict[int, Fraction] = defaultdict(Fraction)
        for one in deductions:
            given_back = one.withdrawn_at and local(one.withdrawn_at).date() < until
            if local(one.at).date() < until and not given_back:
                deducted[one.team_id] += Fraction(one.points)
        gone = {team: day for team, day in withdrawn_on.items() if day and day < until}
        met = [fixture.met for fixture in matches]
        return league_table(keys, met, rules, deducted=deducted, gone=gone, orders=play_offs)

    tables, round_ = Tables(), last_round_played(all_fixtures)
    for division, members in by_division(league, all_teams):
        keys = [team.pk for team in members]
        own = [fixture for fixture in all_fixtures if set(fixture.met.teams) <= set(keys)]
        table = ranked(keys, own, date.max)
        before: dict[int, int] = {}
        if round_ is not None:
            keys = [
                t.pk for t in members if not t.joined_at or local(t.joined_at).date() < round_[1]
            ]
            eve = ranked(keys, [m for m in own if _was_before(m, *round_)], round_[1])
            if any(match.games for match in eve.over):
                before = {line.who: line.rank for line in eve.lines}
        tables[division] = replace(
            table, before=before, open=() if league.is_closed else table.open
        )
    return tables


def last_round_played(fixtures: Iterable[MatchRecord]) -> tuple[int, date] | None:
    """The last round with a card, and its first day. A match brought forward starts no round."""
    started = [
        (m.met.day, m.match.round)
        for m in fixtures
        if m.met.games and m.met.day and not (m.void or m.match.is_early)
    ]
    last = max(started, default=(None, 0))[1]
    return (last, min(day for day, number in started if number == last)) if started else None


def _was_before(record: MatchRecord, last: int, day: date) -> bool:
    """Whether a match belongs to the table before the `last` round, which began on this day."""
    is_later = record.met.games and (record.match.held_on or date.min) >= day
    return record.match.round != last and (record.match.is_given or not is_later)


def table_of(team: Team, tables: Tables) -> LeagueTable:
    """The table that has this team."""
    return next(table for table in tables.values() if team.pk in table.records)


def by_division(
    league: TeamLeague, teams: Iterable[Team]
) -> list[tuple[TeamDivision | None, list[Team]]]:
    """The teams of each division, the highest first; teams without one under None. One query."""
    teams_of: dict[int | None, list[Team]] = defaultdict(list)
    for team in teams:
        teams_of[team.division_id].append(team)
    divisions: list[TeamDivision | None] = list(league.divisions.all())
    if None in teams_of or not divisions:
        divisions.append(None)
    return [(division, teams_of[division.pk if division else None]) for division in divisions]


def play_offs_of(league: TeamLeague, kind: str) -> list[list[int]]:
    """The results of all play-offs of a kind, each as its teams in order; a confirmed card decides
    whatever was recorded. At most four queries."""
    decided = [one for one in card_play_offs(league) if one.kind == kind]
    by_card = [set(one.order) for one in decided]
    rows = league.play_offs.filter(kind=kind).order_by("pk").prefetch_related("places")
    recorded = [[place.team_id for place in row.places.all()] for row in rows]
    return [order for order in recorded if set(order) not in by_card] + [
        [*one.order] for one in decided
    ]


@dataclass(frozen=True, slots=True)
class CardPlayOff:
    """A play-off that confirmed cards have decided: its kind, the winner and the loser, its
    matches."""

    kind: str
    order: tuple[int, int]
    matches: tuple[MatchRecord, ...]


def card_play_offs(league: TeamLeague) -> list[CardPlayOff]:
    """The play-offs between two teams that confirmed cards have decided. Two queries."""
    n_teams = Count("cup__places", distinct=True)
    # A cup that was drawn has a seed; the cup of a play-off has none.
    matches = league.matches.filter(cup__seed=0).annotate(n_teams=n_teams).filter(n_teams=2)
    listed = matches.select_related("home", "away", "cup", "given_to").order_by("pk")
    series: dict[frozenset[int], list[MatchRecord]] = defaultdict(list)
    for record in match_records(listed, league):
        series[frozenset(record.met.teams)].append(record)
    decided = []
    for records in series.values():
        match, order = records[0].match, _decided_order(records)
        if order is not None:
            is_level = match.home.division_id == match.away.division_id
            kind = PlayOff.Kind.LEVEL if is_level else PlayOff.Kind.MOVE
            decided.append(CardPlayOff(kind.value, order, tuple(records)))
    return decided


def _decided_order(series: Sequence[MatchRecord]) -> tuple[int, int] | None:
    """The winner and the loser, once the matches that do not count yet can't change the winner."""
    met = [record.met for record in series]
    wins = Counter(dict.fromkeys(met[0].teams, 0))
    wins.update(m.winner for m in met if m.winner and (m.is_walkover or not m.provisional))
    (winner, most), (loser, fewer) = wins.most_common()
    return (winner, loser) if most - fewer > len(series) - most - fewer else None
