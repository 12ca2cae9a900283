"""Cups of a league, of teams or of pairs: brackets, draws before they are saved, pages, results."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from itertools import groupby

from django.db.models import Q
from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.labels import as_label, as_partners
from league.members.languages import dated
from league.members.models import Member
from league.pairing import Rng
from league.pairing.formats.knockout import Bracket, Match, Part, State, bracket
from league.teams.fixtures import Venues, assign_homes, starts_at
from league.teams.models import (
    CupPair,
    CupPlace,
    PairsCup,
    PairsMatch,
    Team,
    TeamCup,
    TeamLeague,
    TeamMatch,
)
from league.teams.promotion import recorded_play_offs
from league.teams.queries import (
    MatchRecord,
    all_matches_of,
    cup_matches_of,
    fixtures_of,
    rules_of,
    tables_of,
)
from league.teams.tables import DONE, MatchShown, match_shown
from league.teams.text import moved_line, play_line
from league.tournaments.models import round_name
from league.tournaments.queries import NameOf

NOT_SHOWN = (State.BYE, State.UNUSED)


@dataclass(frozen=True, slots=True)
class FixedMatch:
    """A match that has been fixed: its day (None while that is still to be agreed), its score, and
    the public id of its page, if it has one. `tied`: played, but its deciding game is missing.
    `venue`: where it is played, until it is."""

    day: date | None
    score: str = ""
    page: str = ""
    tied: bool = False
    venue: str = ""


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """A match of the bracket. The sides are names, or "" while unknown. `fixed` is None while the
    match is to be arranged, or if a side has left since, which makes it a `walkover`."""

    sides: tuple[str, str]
    winner: str
    walkover: bool
    fixed: FixedMatch | None


def bracket_of(cup: TeamCup, matches: Iterable[MatchRecord] | None = None) -> Bracket:
    """The bracket of a cup with all results so far; teams that have left are out."""
    places = list(CupPlace.objects.filter(cup=cup).select_related("team"))
    entries = [place.team_id for place in places]
    with pairing_refusals():
        cup_bracket = bracket(entries, third_place=cup.third_place)
    results = {}
    for record in cup_matches_of(cup) if matches is None else matches:
        winner = record.met.winner
        if winner is not None:
            loser = next(team for team in record.met.teams if team != winner)
            results[record.match.place] = (winner, loser)
    withdrawn = {place.team_id for place in places if place.team.withdrawn_at is not None}
    return Bracket(cup_bracket.entries, cup_bracket.meetings, results, frozenset(withdrawn))


def open_cups(league: TeamLeague) -> list[str]:
    """The names of the league's unfinished cups, of teams and of pairs."""
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
    """A draw: the teams by their places in it, the bracket, and the matches of its first round."""

    teams: tuple[Team, ...]
    bracket: Bracket
    matches: tuple[TeamMatch, ...]

    @property
    def byes(self) -> list[Team]:
        """The teams with a bye in the first round, in the order of the draw."""
        byes = {
            m.winner
            for m in self.bracket.matches.values()
            if m.part is Part.MAIN and m.round == 1 and m.state is State.BYE
        }
        return [team for team in self.teams if team.pk in byes]

    @property
    def seen(self) -> str:
        """A digest of this draw, by which the form says which draw the organiser has looked at."""
        entries = ",".join(str(team.pk) for team in self.teams)
        meetings = ",".join(meeting.key for meeting in self.bracket.meetings)
        fixtures = ";".join(f"{m.place},{m.held_on},{m.home_id},{m.away_id}" for m in self.matches)
        return hashlib.sha256(f"{entries}|{meetings}|{fixtures}".encode()).hexdigest()[:16]


def drawn_cup(
    league: TeamLeague,
    *,
    seed: int,
    third_place: bool,
    held_on: date | None = None,
    best: int | None = None,
) -> CupDraw:
    """Draw a cup of the league's teams at random, or seed the `best` teams of its table by rank.
    Nothing is saved. The first places in the draw get the byes.

    Refuses fewer than two teams, or fewer than `best` (`too-few`).
    """
    teams = list(league.teams.filter(withdrawn_at=None).order_by("pk"))
    if len(teams) < max(2, best or 0):
        message = _("It takes at least two teams.")
        if best:
            message = _("That table has only %(n)d.") % {"n": len(teams)}
        raise Refused("too-few", message, status=409)
    if best:
        teams = _teams_by_rank(league, teams)[:best]
    else:
        Rng(seed).shuffle(teams)
    cup_bracket = bracket([team.pk for team in teams], third_place=third_place)
    first_matches = next_matches(league, None, cup_bracket, frozenset(), held_on)
    return CupDraw(tuple(teams), cup_bracket, tuple(first_matches))


def _teams_by_rank(league: TeamLeague, teams: Iterable[Team]) -> list[Team]:
    """The teams as their tables rank them, the highest division first; with parallel sections, all
    the winners first, then all the runners-up, and so on."""
    teams_by_key = {team.pk: team for team in teams}
    tables = tables_of(league, list(league.teams.all()), fixtures_of(league)).values()
    ranks = [
        (line.rank, number, line.who) for number, table in enumerate(tables) for line in table.lines
    ]
    if rules_of(league).sections is None:
        ranks.sort(key=lambda place: (place[1], place[0]))
    else:
        ranks.sort()
    return [teams_by_key[key] for _rank, _number, key in ranks if key in teams_by_key]


def next_matches(
    league: TeamLeague,
    cup: TeamCup | None,
    cup_bracket: Bracket,
    drawn_places: Collection[str],
    held_on: date | None,
) -> list[TeamMatch]:
    """The matches of the next round whose places are not in `drawn_places`, not saved.

    The side drawn first is at home, unless only its venue is taken that day.
    """
    undrawn = (m for m in cup_bracket.ready() if m.label not in drawn_places)
    ready = [meeting for meeting in undrawn if _is_next(cup_bracket, meeting.label)]
    sides = [(int(meeting.first), int(meeting.second or 0)) for meeting in ready]
    venues = Venues(league.teams.all())
    if held_on is not None:
        sides = assign_homes(sides, held_on, all_matches_of(league), venues)
    return [
        TeamMatch(
            league=league,
            cup=cup,
            round=cup_bracket.matches[meeting.label].round,
            number=len(drawn_places) + number,
            place=meeting.label,
            home=venues.teams[home],
            away=venues.teams[away],
            held_on=held_on,
        )
        for number, (meeting, (home, away)) in enumerate(zip(ready, sides, strict=True), 1)
    ]


def _is_next(cup_bracket: Bracket, place: str) -> bool:
    """Whether a match is of the earliest unfinished round; the one for third place always is."""
    open_matches = [m for m in cup_bracket.matches.values() if m.part is Part.MAIN and not m.over]
    match = cup_bracket.matches[place]
    return match.part is not Part.MAIN or match.round == min(m.round for m in open_matches)


def cup_shown(
    cup_bracket: Bracket, matches: Iterable[MatchRecord], names: Mapping[int, str]
) -> list[tuple[str, list[BracketPlace]]]:
    """Each round of the bracket: its name and its matches."""
    fixed = {}
    for fixture in matches:
        if not fixture.is_off:
            shown = match_shown(fixture)
            is_tied = shown.state == "done" and not (shown.home_won or shown.away_won)
            match = fixture.match
            venue = "" if shown.score else match.venue or match.home.venue
            fixed[match.place] = FixedMatch(
                match.held_on, shown.score, match.public_id, is_tied, venue
            )
    return bracket_shown(cup_bracket, fixed, names)


@dataclass(frozen=True, slots=True)
class CupWeek:
    """A cup on the notice board: a line for each result of the week and for each match to come."""

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
    """The cups with a result after `since` or a match from today on, then the play-offs recorded
    after `since`. At most seven queries, and two for each pairs cup."""
    shown = [match_shown(fixture) for fixture in matches if fixture.match.cup_id is not None]
    start = starts_at(league)
    weeks = [
        _team_cup(cup.name, [m for m in shown if m.match.cup_id == cup.pk], since, today, start)
        for cup in league.cups.all()
    ]
    weeks += [_pairs_cup(cup, name_of, since, today) for cup in league.pairs_cups.all()]
    weeks.append(_play_offs(league, shown, since))
    return [week for week in weeks if week.results or week.to_play]


def _team_cup(
    name: str, matches: Sequence[MatchShown], since: date, today: date, start: time | None
) -> CupWeek:
    dated_matches = [
        (shown, shown.match.held_on) for shown in matches if shown.match.held_on is not None
    ]
    dated_matches.sort(key=lambda dated_match: dated_match[1])
    results = (
        moved_line(shown) for shown, day in dated_matches if shown.state in DONE and day > since
    )
    to_play = (
        play_line(shown.match, start)
        for shown, day in dated_matches
        if shown.state in ("to_play", "postponed") and day >= today
    )
    return CupWeek(name, tuple(results), tuple(to_play))


def _pairs_cup(cup: PairsCup, name_of: NameOf, since: date, today: date) -> CupWeek:
    pairs = cup.pairs.select_related("team", "first", "second")
    names = {pair.pk: pair_name(pair, name_of) for pair in pairs}
    results, to_play = [], []
    for match in cup.matches.order_by("held_on", "pk"):
        sides = f"{names[match.home_id]} – {names[match.away_id]}"
        if match.winner_id is None:
            is_to_come = match.held_on >= today and not cup.league.is_closed
            to_play += [f"{sides}, {dated(match.held_on, _('l j F'))}"] if is_to_come else []
        elif match.held_on > since:
            results.append(f"{as_label(sides)} {_score(match, names[match.winner_id])}")
    return CupWeek(cup.name, tuple(results), tuple(to_play))


def _score(match: PairsMatch, winner: str) -> str:
    if match.through_id is not None:
        return _("awarded to %(team)s") % {"team": winner}
    return f"{match.home_points}–{match.away_points}"


def _play_offs(league: TeamLeague, shown: Iterable[MatchShown], since: date) -> CupWeek:
    """The play-offs recorded after `since`, except those that are already listed as cup matches."""
    played_as_matches = [{m.match.home_id, m.match.away_id} for m in shown if m.state in DONE]
    results = []
    for play_off, teams in recorded_play_offs(league):
        recorded_on = league.club.local(play_off.at).date()
        if {team.pk for team in teams} in played_as_matches or recorded_on <= since:
            continue
        names = " – ".join(team.name for team in teams)
        results.append(_("%(teams)s (the winner first)") % {"teams": names})
    return CupWeek(_("Play-offs"), tuple(results))


@dataclass(frozen=True, slots=True)
class PairEntry:
    """Two players of one team who enter as a pair."""

    team: Team
    first: Member
    second: Member


def pairs_bracket(pairs: Sequence[CupPair], matches: Iterable[PairsMatch]) -> Bracket:
    """The bracket of a pairs cup with all results so far; pairs of a team that has left are out."""
    with pairing_refusals():
        drawn = bracket([pair.pk for pair in pairs])
    places = {meeting.key for meeting in drawn.meetings}
    results = {}
    for match in matches:
        winner = match.winner_id
        if winner is not None and match.place in places:
            loser = match.away_id if winner == match.home_id else match.home_id
            results[match.place] = (winner, loser)
    withdrawn = {pair.pk for pair in pairs if pair.team.withdrawn_at is not None}
    return Bracket(drawn.entries, drawn.meetings, results, frozenset(withdrawn))


def ready_matches(
    cup: PairsCup, cup_bracket: Bracket, dated_places: Collection[str], held_on: date
) -> list[PairsMatch]:
    """The matches of the next round whose places are not in `dated_places`, not saved."""
    ready = [meeting for meeting in cup_bracket.ready() if meeting.label not in dated_places]
    next_round = min((cup_bracket.matches[meeting.label].round for meeting in ready), default=0)
    return [
        PairsMatch(
            cup=cup,
            place=meeting.label,
            home_id=int(meeting.first),
            away_id=int(meeting.second or 0),
            held_on=held_on,
        )
        for meeting in ready
        if cup_bracket.matches[meeting.label].round == next_round
    ]


def clashes(league: TeamLeague, teams: Collection[int], days: Collection[date]) -> list[TeamMatch]:
    """The matches of these teams in the league and its cups on these days. One query."""
    plays = Q(home__in=teams) | Q(away__in=teams)
    matches = league.matches.filter(plays, held_on__in=days).select_related("home", "away")
    return list(matches.order_by("held_on", "pk"))


def pairs_shown(
    cup_bracket: Bracket, matches: Iterable[PairsMatch], names: Mapping[int, str]
) -> list[tuple[str, list[BracketPlace]]]:
    """Each round of the bracket: its name and its matches."""
    return bracket_shown(
        cup_bracket,
        {match.place: FixedMatch(match.held_on, match.score) for match in matches},
        names,
    )


def pair_name(pair: CupPair, name_of: NameOf) -> str:
    """A pair as this reader may see it, with its team."""
    return f"{as_partners([name_of(pair.first), name_of(pair.second)])} ({pair.team.name})"


def bracket_shown(
    cup_bracket: Bracket, fixed: Mapping[str, FixedMatch], names: Mapping[int, str]
) -> list[tuple[str, list[BracketPlace]]]:
    """Each round of the bracket: its name and its matches."""
    columns = []
    for (part, _round), group in groupby(
        cup_bracket.matches.values(), lambda match: (match.part, match.round)
    ):
        listed = list(group)
        title = _("Third place") if part is Part.THIRD_PLACE else round_name(2 * len(listed))
        places = [
            _bracket_place(match, fixed, names) for match in listed if match.state not in NOT_SHOWN
        ]
        if places:
            columns.append((title, places))
    return columns


def _bracket_place(
    match: Match, fixed: Mapping[str, FixedMatch], names: Mapping[int, str]
) -> BracketPlace:
    first, second = ("" if side is None else names[int(side)] for side in match.sides)
    return BracketPlace(
        sides=(first, second),
        winner="" if match.winner is None else names[int(match.winner)],
        walkover=match.state is State.WALKOVER,
        fixed=fixed.get(match.key),
    )
