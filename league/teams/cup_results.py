"""What a week brought beside the league's own round: matches of cups and of pairs, play-offs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from league.labels import as_label
from league.members.languages import dated
from league.teams.models import PairsCup, PairsMatch, TeamLeague
from league.teams.pairs import pair_name
from league.teams.play_offs import recorded_play_offs
from league.teams.queries import MatchRecord
from league.teams.tables import DONE, MatchShown, match_shown
from league.teams.text import moved_line
from league.tournaments.queries import NameOf


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
    shown = [match_shown(one) for one in matches if one.match.cup_id is not None]
    found = [_team_cup(cup.name, [one for one in shown if one.match.cup_id == cup.pk], since, today)
             for cup in league.cups.all()]  # fmt: skip
    found += [_pairs_cup(cup, name_of, since, today) for cup in league.pairs_cups.all()]
    found.append(_play_offs(league, shown, since))
    return [one for one in found if one.results or one.to_play]


def _team_cup(name: str, matches: Sequence[MatchShown], since: date, today: date) -> CupWeek:
    dated_ones = [(one, one.match.held_on) for one in matches if one.match.held_on is not None]
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
    names = {one.pk: pair_name(one, name_of) for one in pairs}
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
