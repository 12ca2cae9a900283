"""A league as one JSON file (`right-bower-league/1`): its rules, its results, and the answers.

docs/leagues.md describes the format. Ids are short texts without people's names.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from league.ranking.team_league import Ending, LeagueTable, Reach, ending_of, reaches
from league.ranking.team_league.rules import plain, rules_to_json
from league.teams.models import Deduction, PlayOff, Team, TeamLeague
from league.teams.queries import MatchRecord, fixtures_of, play_offs_of, rules_of, tables_of

FORMAT = "right-bower-league/1"
NO_DIVISION = "1"
MINUTE = "%Y-%m-%dT%H:%M"
CLOCK = "%H:%M"


def league_document(league: TeamLeague) -> dict[str, Any]:
    """The league as it stands: the results that count now, and the tables computed from them."""
    rules, teams = rules_of(league), list(league.teams.select_related("division").order_by("pk"))
    fixtures = sorted(fixtures_of(league), key=lambda fixture: fixture.match.pk)
    tables = tables_of(league, teams, fixtures)
    ids = {team.pk: team.code or team.public_id for team in teams}
    team_names = {ids[team.pk]: team.name for team in teams if team.name != ids[team.pk]}
    division_names = {division: division.name if division else NO_DIVISION for division in tables}
    table_by_division = {division_names[division]: table for division, table in tables.items()}
    played_off = play_offs_of(league, PlayOff.Kind.MOVE)
    ending = ending_of(table_by_division, rules, [(order[0], order[-1]) for order in played_off])
    return {
        "format": FORMAT,
        "name": league.name,
        "rules": rules_to_json(rules),
        "divisions": [
            {"id": division, "teams": [ids[record] for record in table.records]}
            for division, table in table_by_division.items()
        ],
        **({"names": team_names} if team_names else {}),
        **_results(league, fixtures, teams, ids, played_off),
        "tables": [
            {"division": division, "rows": _rows(table, reaches(table, rules), ids)}
            for division, table in table_by_division.items()
        ],
        **_ending(ending, ids),
    }


def _results(
    league: TeamLeague,
    fixtures: Sequence[MatchRecord],
    teams: Sequence[Team],
    ids: Mapping[int, str],
    played_off: Sequence[Sequence[int]],
) -> dict[str, Any]:
    deductions = Deduction.objects.filter(team__league=league, withdrawn_at=None).order_by("pk")
    level_orders = play_offs_of(league, PlayOff.Kind.LEVEL)
    play_offs: list[dict[str, Any]] = [
        {"kind": "level", "order": [ids[team] for team in order]} for order in level_orders
    ]
    play_offs += [
        {"kind": "move", "winner": ids[order[0]], "loser": ids[order[-1]]} for order in played_off
    ]
    numbered = list(enumerate(fixtures, 1))
    return {
        "fixtures": [_fixture(number, fixture, ids) for number, fixture in numbered],
        "cards": [
            _card(number, fixture, league) for number, fixture in numbered if fixture.met.has_card
        ],
        "walkovers": [
            {"fixture": number, "to": _given_to(fixture)}
            for number, fixture in numbered
            if fixture.match.is_given
        ],
        "adjustments": [
            {"team": ids[deduction.team_id], "points": plain(-Fraction(deduction.points))}
            for deduction in deductions
        ],
        "withdrawn": [
            {"team": ids[team.pk], "date": league.club.local(team.withdrawn_at).date().isoformat()}
            for team in teams
            if team.withdrawn_at is not None
        ],
        "play_offs": play_offs,
    }


def _fixture(number: int, fixture: MatchRecord, ids: Mapping[int, str]) -> dict[str, Any]:
    day = fixture.met.day
    division, begins_at = fixture.match.home.division, fixture.match.begins_at
    return {
        "id": number,
        "division": division.name if division else NO_DIVISION,
        "home": ids[fixture.match.home_id],
        "away": ids[fixture.match.away_id],
        "half": fixture.match.half,
        "date": day.isoformat() if day else None,
        **({"begins_at": begins_at.strftime(CLOCK)} if begins_at else {}),
    }


def _card(number: int, fixture: MatchRecord, league: TeamLeague) -> dict[str, Any]:
    received = fixture.match.received_at
    return {
        "fixture": number,
        "played": fixture.match.held_on.isoformat() if fixture.match.held_on else None,
        "received": league.club.local(received).strftime(MINUTE) if received else None,
        "late_lifted": bool(fixture.match.late_lifted),
        "games": list(fixture.entries),
        **({"totals_only": True} if fixture.match.totals_only else {}),
    }


def _given_to(fixture: MatchRecord) -> str:
    if fixture.match.given_nobody:
        return "nobody"
    return "home" if fixture.match.given_to_id == fixture.match.home_id else "away"


def _rows(
    table: LeagueTable, reach: Mapping[int, Reach], ids: Mapping[int, str]
) -> list[dict[str, Any]]:
    places = {line.who: (line.rank, line.shared) for line in table.lines}
    order = [*places, *(team for team in table.records if team in table.struck)]
    rows = []
    for team in order:
        record = table.records[team]
        place, tied = places.get(team, (None, False))
        possible = reach.get(team, Reach())
        rows.append(
            {
                "team": ids[team],
                "place": place,
                "tied": tied,
                "withdrawn": team in table.left or team in table.struck,
                "played": record.played,
                "won": record.wins,
                "drawn": record.draws,
                "lost": record.losses,
                "games_for": plain(record.won),
                "games_against": plain(record.lost),
                "points_for": record.own if record.points_known else None,
                "points_against": record.theirs if record.points_known else None,
                "walkovers": record.walkovers,
                "deducted": plain(record.deducted),
                "points": plain(record.points),
                "best": possible.best,
                "worst": possible.worst,
            }
        )
    return rows


def _ending(ending: Ending, ids: Mapping[int, str]) -> dict[str, Any]:
    return {
        "moves": [
            {"team": ids[move.team], "from": move.source, "to": move.target, "how": move.how}
            for move in ending.moves
        ],
        "undecided": [ids[team] for team in ending.undecided],
        "play_offs_due": [[ids[team] for team in pair] for pair in ending.due],
        "qualified": [
            {"division": place.division, "place": place.place, "team": ids[place.team]}
            for place in ending.qualified
        ],
    }
