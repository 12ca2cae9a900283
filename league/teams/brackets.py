"""A cup's bracket as its matches have it so far."""

from collections.abc import Iterable

from league.errors import pairing_refusals
from league.pairing.formats.knockout import Bracket, bracket
from league.teams.models import CupPlace, TeamCup
from league.teams.queries import Played, cup_matches_of


def bracket_of(cup: TeamCup, matches: Iterable[Played] | None = None) -> Bracket:
    """The bracket of the teams drawn, with every match decided so far; who has left is out."""
    places = list(CupPlace.objects.filter(cup=cup).select_related("team"))
    drawn = [place.team_id for place in places]
    with pairing_refusals():
        now = bracket(drawn, third_place=cup.third_place)
    results = {}
    for one in cup_matches_of(cup) if matches is None else matches:
        winner = one.met.winner
        if winner is not None:
            loser = next(team for team in one.met.teams if team != winner)
            results[one.match.place] = (winner, loser)
    gone = {place.team_id for place in places if place.team.withdrawn_at is not None}
    return Bracket(now.entries, now.meetings, results, frozenset(gone))
