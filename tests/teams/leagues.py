"""Team leagues for tests."""

from datetime import date

from league.teams import actions
from league.teams.actions import Card
from league.teams.card import meetings_of
from league.teams.models import TeamLeague, TeamMatch, TeamPlayer
from league.teams.queries import fixtures_of, players_of, tables_of
from tests.builders import EIGHT, TEST, a_club, a_ruleset

PLAIN = {
    "season": None,
    "pairs": 3,
    "turns": 3,
    "borrowed": 2,
    "twice": True,
    "starts_on": date(2026, 9, 3),
    "days_between": 7,
}
TOWNS = ("Rovers", "United", "Albion", "Rangers", "Wanderers", "Athletic", "Harriers", "Swifts")


def a_league(teams=4, *, club=None, venues=(), **chosen) -> TeamLeague:
    """A league whose teams have just enough players each; the first player is captain."""
    club = club or a_club()
    others = club.team_leagues.count()
    league = actions.make_league(
        club,
        name=f"Winter League {others + 1}" if others else "Winter League",
        target=21,
        seed=1,
        ruleset=a_ruleset(club),
        by=TEST,
        **{**PLAIN, **chosen},
    )
    known = {member.name: member for member in club.members.all()}
    for number in range(teams):
        name = TOWNS[number]
        names = [f"{name} {n}" for n in range(1, 2 * league.pairs + 1)]
        people = [known.get(one) or club.members.create(name=one) for one in names]
        venue = venues[number] if number < len(venues) else f"The {name} Arms"
        team = league.teams.create(name=name, venue=venue, captain=people[0])
        TeamPlayer.objects.bulk_create(
            TeamPlayer(league=league, team=team, member=person) for person in people
        )
    return league


def with_fixtures(teams=4, **chosen) -> TeamLeague:
    league = a_league(teams, **chosen)
    actions.make_fixtures(league, seed=1, by=TEST, anyway=True)
    league.refresh_from_db()
    return league


def scores_of(league, home_wins: int) -> dict[tuple[int, int], tuple[int, int]]:
    """The scores of a card on which the home side wins the first `home_wins` games, 21 to 15."""
    keys = [(game.turn, game.home_pair) for game in meetings_of(league)]
    return {k: (21, 15) if n < home_wins else (15, 21) for n, k in enumerate(keys)}


def a_card(match: TeamMatch, home_wins=5, *, scores=None, held_on=None, **people) -> Card:
    league = match.league
    sides = {}
    for name, team in (("home", match.home), ("away", match.away)):
        players = people.get(name) or players_of(team)[: 2 * league.pairs]
        sides[name] = list(zip(players[::2], players[1::2], strict=True))
    return Card(
        held_on=held_on or date(2026, 11, 19),
        scores=scores_of(league, home_wins) if scores is None else scores,
        **sides,
    )


def written(match, home_wins=5, *, side=None, at=EIGHT, **more) -> TeamMatch:
    return actions.write_card(match, a_card(match, home_wins, **more), side=side, by=TEST, at=at)


def matches(league, round_number=1) -> list[TeamMatch]:
    found = [
        fixture.match for fixture in fixtures_of(league) if fixture.match.round == round_number
    ]
    for match in found:
        match.league = league
    return found


def table(league):
    """The table of a league without divisions."""
    (standings,) = tables_of(league, league.teams.all(), fixtures_of(league)).values()
    return standings


def two_divisions(**border):
    """A finished league and its teams by name: Rovers and United are in the upper division, Albion
    and Rangers in the lower one, and Rovers and Albion have won."""
    league = a_league(4)
    moves = [{"upper": "1", "lower": "2", "up": 0, "down": 0, "play_off": 0, **border}]
    plain = {"squad_rules": {}, "sections": False, "blank_days": [], "by": TEST}
    actions.change_rules(league, rules={"moves": moves}, divisions=["1", "2"], **plain)
    upper, lower = league.divisions.all()
    for number, team in enumerate(league.teams.all()):
        team.division = upper if number < 2 else lower
        team.save()
    actions.make_fixtures(league, seed=1, by=TEST, anyway=True)
    league.refresh_from_db()
    for match in TeamMatch.objects.filter(league=league).select_related("home", "away"):
        match.league = league
        best = match.home if match.home.name in ("Rovers", "Albion") else match.away
        actions.give_match(match, best, reason="Snow", by=TEST, at=EIGHT)
    return league, {team.name: team for team in league.teams.all()}
