"""Cups beside a league: a cup's bracket, its draw before it is made, its page; a week's results."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.labels import as_label
from league.members.languages import dated
from league.pairing import Rng
from league.pairing.formats.knockout import Bracket, Part, State, bracket
from league.teams.fixtures import Venues, homes
from league.teams.models import (
    CupPlace,
    PairsCup,
    PairsMatch,
    Team,
    TeamCup,
    TeamLeague,
    TeamMatch,
)
from league.teams.pairs import Fixed, Place, bracket_shown, pair_name, pairs_bracket
from league.teams.play_offs import recorded_play_offs
from league.teams.queries import (
    MatchRecord,
    all_matches_of,
    cup_matches_of,
    fixtures_of,
    rules_of,
    tables_of,
)
from league.teams.tables import DONE, MatchShown, match_shown
from league.teams.text import moved_line
from league.tournaments.queries import NameOf


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
    names = []
    for cup in league.cups.all():
        cup.league = league
        if not bracket_of(cup).over:
            names.append(cup.name)
    for pairs in league.pairs_cups.prefetch_related("pairs__team", "matches"):
        if not pairs_bracket(list(pairs.pairs.all()), pairs.matches.all()).over:
            names.append(pairs.name)
    return names


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
        meetings = ",".join(meeting.key for meeting in self.bracket.meetings)
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
            message = _("That table has only %(n)d.") % {"n": len(teams)}
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
    for fixture in matches:
        if not fixture.is_off:
            shown = match_shown(fixture)
            fixed[fixture.match.place] = Fixed(
                fixture.match.held_on, shown.score, fixture.match.public_id
            )
    return bracket_shown(now, fixed, names)


@dataclass(frozen=True, slots=True)
class CupWeek:
    """A cup in lines: its results of the week, its matches that have a day."""

    name: str
    results: tuple[str, ...]
    to_play: tuple[str, ...] = ()


def cups_of_the_week(
    league: TeamLeague,
    matches: Iterable[MatchRecord],
    name_of: NameOf,
    *,
    since: date,
    today: date,
) -> list[CupWeek]:
    """The cups with a result since this day or a match from today on, then the play-offs recorded
    since. Seven queries at most and two a pairs cup."""
    shown = [match_shown(fixture) for fixture in matches if fixture.match.cup_id is not None]
    weeks = [_team_cup(cup.name, [one for one in shown if one.match.cup_id == cup.pk], since, today)
             for cup in league.cups.all()]  # fmt: skip
    weeks += [_pairs_cup(cup, name_of, since, today) for cup in league.pairs_cups.all()]
    weeks.append(_play_offs(league, shown, since))
    return [week for week in weeks if week.results or week.to_play]


def _team_cup(name: str, matches: Sequence[MatchShown], since: date, today: date) -> CupWeek:
    dated_ones = [
        (fixture, fixture.match.held_on) for fixture in matches if fixture.match.held_on is not None
    ]
    results = (moved_line(one) for one, day in dated_ones if one.state in DONE and day > since)
    to_play = (
        _coming(str(one.match), day, one.match.venue or one.match.home.venue)
        for one, day in dated_ones
        if one.state in ("to_play", "postponed") and day >= today
    )
    return CupWeek(name, tuple(results), tuple(to_play))


def _coming(match: str, day: date, venue: str = "") -> str:
    return ", ".join(part for part in (match, dated(day, _("l j F")), venue) if part)


def _pairs_cup(cup: PairsCup, name_of: NameOf, since: date, today: date) -> CupWeek:
    pairs = cup.pairs.select_related("team", "first", "second")
    names = {pair.pk: pair_name(pair, name_of) for pair in pairs}
    results, to_play = [], []
    for one in cup.matches.order_by("held_on", "pk"):
        match = f"{names[one.home_id]} – {names[one.away_id]}"
        if one.winner_id is None:
            to_play += [_coming(match, one.held_on)] if one.held_on >= today else []
        elif one.held_on > since:
            results.append(f"{as_label(match)} {_score(one, names[one.winner_id])}")
    return CupWeek(cup.name, tuple(results), tuple(to_play))


def _score(match: PairsMatch, winner: str) -> str:
    if match.through_id is not None:
        return _("awarded to %(team)s") % {"team": winner}
    return f"{match.home_points}–{match.away_points}"


def _play_offs(league: TeamLeague, shown: Iterable[MatchShown], since: date) -> CupWeek:
    """Those recorded since, unless they were played as a match that is among the cups."""
    carded = [{one.match.home_id, one.match.away_id} for one in shown if one.state in DONE]
    results = []
    for one, teams in recorded_play_offs(league):
        if {team.pk for team in teams} in carded or league.club.local(one.at).date() <= since:
            continue
        names = " – ".join(team.name for team in teams)
        results.append(_("%(teams)s (the winner first)") % {"teams": names})
    return CupWeek(_("Play-offs"), tuple(results))
