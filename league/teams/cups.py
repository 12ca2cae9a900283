"""A cup beside a league: its bracket, its draw before it is made, and its page."""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.pairing import Rng
from league.pairing.formats.knockout import Bracket, Part, State, bracket
from league.teams.bracket import Fixed, Place, bracket_shown
from league.teams.fixtures import Venues, homes
from league.teams.models import CupPlace, Team, TeamCup, TeamLeague, TeamMatch
from league.teams.pairs import pairs_bracket
from league.teams.queries import (
    MatchRecord,
    all_matches_of,
    cup_matches_of,
    fixtures_of,
    rules_of,
    tables_of,
)
from league.teams.tables import match_shown


def bracket_of(cup: TeamCup, matches: Iterable[MatchRecord] | None = None) -> Bracket:
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
    withdrawn = {place.team_id for place in places if place.team.withdrawn_at is not None}
    return Bracket(now.entries, now.meetings, results, frozenset(withdrawn))


def open_cups(league: TeamLeague) -> list[str]:
    """The names of the league's cups, of teams and of pairs, that are not played to the end."""
    found = []
    for cup in league.cups.all():
        cup.league = league
        if not bracket_of(cup).over:
            found.append(cup.name)
    for pairs in league.pairs_cups.prefetch_related("pairs__team", "matches"):
        if not pairs_bracket(list(pairs.pairs.all()), pairs.matches.all()).over:
            found.append(pairs.name)
    return found


@dataclass(frozen=True, slots=True)
class CupDraw:
    """The teams by their places in the draw, the bracket, and the matches of its first round."""

    teams: tuple[Team, ...]
    bracket: Bracket
    matches: tuple[TeamMatch, ...]

    @property
    def byes(self) -> list[Team]:
        """Who goes on without a match of the first round, in the order of the draw."""
        free = {
            m.winner
            for m in self.bracket.matches.values()
            if m.part is Part.MAIN and m.round == 1 and m.state is State.BYE
        }
        return [team for team in self.teams if team.pk in free]

    @property
    def seen(self) -> str:
        """Tells this draw from any other: who makes the cup says which was looked at."""
        places = ",".join(str(team.pk) for team in self.teams)
        meetings = ",".join(one.key for one in self.bracket.meetings)
        where = ";".join(f"{m.place},{m.held_on},{m.home_id},{m.away_id}" for m in self.matches)
        return hashlib.sha256(f"{places}|{meetings}|{where}".encode()).hexdigest()[:16]


def drawn_cup(
    league: TeamLeague,
    *,
    seed: int,
    third_place: bool,
    held_on: date | None = None,
    best: int | None = None,
) -> CupDraw:
    """The league's teams drawn by lot, or a final of the `best` of its table, the first seeded
    first; not saved. The first numbers have the byes.

    Refuses fewer than two teams, or than are wanted (`too-few`).
    """
    teams = list(league.teams.filter(withdrawn_at=None).order_by("pk"))
    if len(teams) < max(2, best or 0):
        message = _("It takes at least two teams.")
        if best:
            message = _("Its table has only %(n)d.") % {"n": len(teams)}
        raise Refused("too-few", message, status=409)
    if best:
        teams = _by_table(league, teams)[:best]
    else:
        Rng(seed).shuffle(teams)
    now = bracket([team.pk for team in teams], third_place=third_place)
    first = next_matches(league, None, now, frozenset(), held_on)
    return CupDraw(tuple(teams), now, tuple(first))


def _by_table(league: TeamLeague, teams: Iterable[Team]) -> list[Team]:
    """The teams as their tables rank them, the highest division first; of sections side by side
    all winners first, then all second."""
    here = {team.pk: team for team in teams}
    tables = tables_of(league, list(league.teams.all()), fixtures_of(league)).values()
    ranks = [
        (line.rank, number, line.who) for number, table in enumerate(tables) for line in table.lines
    ]
    if rules_of(league).sections is None:
        ranks.sort(key=lambda one: (one[1], one[0]))
    else:
        ranks.sort()
    return [here[who] for _rank, _number, who in ranks if who in here]


def next_matches(
    league: TeamLeague,
    cup: TeamCup | None,
    now: Bracket,
    there: Collection[str],
    held_on: date | None,
) -> list[TeamMatch]:
    """The matches of the next round that are not `there` yet, not saved.

    The side drawn first is at home, unless only its venue is taken that day.
    """
    ready = [one for one in now.ready() if one.label not in there and _is_next(now, one.label)]
    sides = [(int(one.first), int(one.second or 0)) for one in ready]
    venues = Venues(league.teams.all())
    if held_on is not None:
        sides = homes(sides, held_on, all_matches_of(league), venues)
    return [
        TeamMatch(
            league=league,
            cup=cup,
            round=now.matches[one.label].round,
            number=len(there) + number,
            place=one.label,
            home=venues.teams[home],
            away=venues.teams[away],
            held_on=held_on,
        )
        for number, (one, (home, away)) in enumerate(zip(ready, sides, strict=True), 1)
    ]


def _is_next(now: Bracket, place: str) -> bool:
    """Whether a match is of the earliest round that is not over; third places go with finals."""
    main = [one for one in now.matches.values() if one.part is Part.MAIN and not one.over]
    match = now.matches[place]
    return match.part is not Part.MAIN or match.round == min(one.round for one in main)


def cup_shown(
    now: Bracket, matches: Iterable[MatchRecord], names: Mapping[int, str]
) -> list[tuple[str, list[Place]]]:
    """Each round with its name and its matches."""
    fixed = {}
    for one in matches:
        if not one.is_off:
            shown = match_shown(one)
            fixed[one.match.place] = Fixed(one.match.held_on, shown.score, one.match.public_id)
    return bracket_shown(now, fixed, names)
