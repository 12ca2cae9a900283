"""Can I still win? The places within reach in a session and a season, or why nobody knows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import pairwise

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.members.models import Member
from league.play.final_scores import most_winners
from league.play.models import Game
from league.play.queries import has_full_credit
from league.ranking.reachable import PlaceReach, best_places, most_points, reach_by_wins
from league.ranking.season import BEST, Entrant
from league.seasons.models import Season
from league.seating.models import Round, Table
from league.sessions.models import Session
from league.sessions.queries import present
from league.standings.queries import Standings, session_standings
from league.standings.season_queries import season_rules, season_standings
from scoring import ruleset


@dataclass(frozen=True, slots=True)
class Outlook:
    """Everybody's places within reach, in the order of the table. Without any, `why` says why;
    else it says what was assumed. A worst place is only known in a session."""

    why: str
    people: Mapping[int, Member]
    rows: Sequence[tuple[int, int, int | None]] = ()


def session_outlook(club_session: Session, *, at: datetime) -> Outlook:
    """The places that everybody can still have at the end of the session."""
    standings = session_standings(club_session, at=at)
    planned, done = club_session.rounds_planned, _rounds_done(club_session)
    why = _unknown(club_session, standings, done)
    if why:
        return Outlook(why, standings.people)
    assert planned is not None
    assert done is not None
    won = {line.who: line.values["won"] or Fraction(0) for line in standings.lines}
    playing = set(present(club_session).values_list("pk", flat=True))
    won |= {who: won.get(who, Fraction(0)) for who in playing}
    fewest, most = _winners(club_session, len(playing))
    reach = reach_by_wins(
        won,
        playing,
        rounds=planned - done,
        winners=fewest,
        most_winners=most,
    )
    left = planned - done
    rounds = ngettext(
        "%(left)d of %(planned)d rounds is left.", "%(left)d of %(planned)d rounds are left.", left
    )
    words = _(
        "%(rounds)s This assumes that everyone here plays on, at as many tables as in the last"
        " round and with any partner. Players with the same number of wins can end in either order."
    )
    return _in_order(
        standings, reach, words % {"rounds": rounds % {"left": left, "planned": planned}}
    )


def _in_order(standings: Standings, reach: Mapping[int, PlaceReach], why: str) -> Outlook:
    lines = [line.who for line in standings.lines]
    rows = [(who, reach[who].best, reach[who].worst) for who in lines]
    return Outlook(why, standings.people, rows)


def _unknown(club_session: Session, standings: Standings, done: int | None) -> str:
    """Why the places within reach of a session are not known; empty where they are."""
    if not standings.lines:
        return _("No game has finished yet.")
    if club_session.state != Session.State.OPEN:
        return _("The session is over: these are the final places.")
    if standings.places:
        return _("A tournament decides the places of this session.")
    if standings.measures[0].code != "won":
        return _("This works only where games won decide first.")
    if club_session.rounds_planned is None:
        return _("The session has no planned number of rounds, so this can't be worked out.")
    if done is None:
        return _("Come back when every table of the round has finished.")
    if done >= club_session.rounds_planned:
        return _("All planned rounds are played.")
    return ""


def _rounds_done(club_session: Session) -> int | None:
    """How many rounds are over; None while one goes on, or where tables are not in step."""
    rounds = list(
        club_session.rounds.filter(state=Round.State.PUBLISHED)
        .annotate(ended=Max("tables__games__finished_at"))
        .order_by("number")
    )
    tables = club_session.tables.filter(round__state=Round.State.PUBLISHED)
    games = Game.objects.filter(session=club_session).exclude(state=Game.State.ABANDONED)
    over = games.exclude(finished_at=None).values("table")
    going_on = tables.filter(is_live=True).exclude(pk__in=over)
    if going_on.exists() or games.filter(finished_at=None).exists():
        return None
    for before, after in pairwise(rounds):
        if before.ended and after.published_at and before.ended > after.published_at:
            return None
    return len(rounds)


def _winners(club_session: Session, playing: int) -> tuple[int, int]:
    """How many of those `playing` win a game at the tables of the last round: at least and, with
    games won together that count for each of them, at most."""
    last = Table.objects.filter(session=club_session, round__state=Round.State.PUBLISHED)
    latest = last.aggregate(number=Max("round__number"))["number"]
    tables = last.filter(round__number=latest).select_related("ruleset")
    games = [ruleset(table.ruleset.body) for table in tables]
    fewest = min(sum(len(rules.sides[0]) for rules in games), playing // 2)
    if not has_full_credit(club_session):
        return fewest, fewest
    return fewest, min(sum(map(most_winners, games)), playing)


def season_outlook(season: Season, *, at: datetime) -> Outlook:
    """The best place that everybody can still have in the season."""
    standings = season_standings(season, at=at)
    why = _unknown_of_season(season, standings)
    if why:
        return Outlook(why, standings.people)
    evenings = list(season.sessions.filter(state=Session.State.PLANNED))
    first = standings.measures[0].code
    now = {
        line.who: line.values[first] or Fraction(0)
        for line in standings.lines
        if not standings.season[line.who].missing
    }
    games = sum(night.rounds_planned or 0 for night in evenings)
    most = {
        line.who: _most(
            standings.season[line.who], line.values[first], season, len(evenings), games
        )
        for line in standings.lines
        if len(evenings) >= standings.season[line.who].missing
    }
    best = best_places(now, most)
    words = ngettext(
        "%(n)d more session of this season is planned. The places below assume that the player"
        " comes, does as well as possible and wins every tie.",
        "%(n)d more sessions of this season are planned. The places below assume that the player"
        " comes to all of them, does as well as possible and wins every tie.",
        len(evenings),
    )
    rows = [(line.who, best[line.who], None) for line in standings.lines if line.who in best]
    return Outlook(words % {"n": len(evenings)}, standings.people, rows)


def _most(
    one: Entrant, now: Fraction | None, season: Season, evenings: int, games: int
) -> Fraction:
    """What somebody has who takes all there is."""
    rules = season_rules(season)
    coming = rules.attendance * evenings
    if not rules.places:
        return (now or Fraction(0)) + games + coming
    counting = max(1, rules.number) if rules.counts == BEST else None
    points = most_points(one.places, evenings, first=rules.places[0], counting=counting)
    return (now or Fraction(0)) - sum(one.places, Fraction(0)) + points + coming


def can_be_worked_out(season: Season) -> bool:
    """Whether what a season counts lets anybody say who can still win it."""
    if season.counts == season.Counts.BEST:
        return bool(season.place_points)
    return season.counts == season.Counts.TOTAL


def without_rounds(season: Season) -> Session | None:
    """The next coming session of a season whose number of rounds nobody has planned yet."""
    coming = season.sessions.filter(state=Session.State.PLANNED, rounds_planned=None)
    return coming.order_by("held_on", "pk").first()


def _unknown_of_season(season: Season, standings: Standings) -> str:
    """Why the places within reach of a season are not known; empty where they are."""
    coming = season.sessions.filter(state=Session.State.PLANNED)
    if season.closed_at:
        return _("The season is over: these are the final places.")
    if not standings.lines:
        return _("No game has finished yet.")
    if not can_be_worked_out(season):
        return _("This works only for seasons that add up sessions, or points for places.")
    if season.sessions.filter(state=Session.State.OPEN).exists():
        return _("A session of this season is still open. Come back when it is closed.")
    if not coming.exists():
        return _("No further session of this season is planned yet.")
    if season.place_points:
        return ""
    if not _by_wins(standings):
        return _("This works only where games won, or points for places, decide first.")
    if coming.filter(rounds_planned=None).exists():
        return _(
            "Some coming sessions have no planned number of rounds, so this can't be worked out."
        )
    return ""


def _by_wins(standings: Standings) -> bool:
    """Whether games won rank first, with or without points for coming added to them."""
    codes = [measure.code for measure in standings.measures]
    return codes[0] == "won" or codes[:2] == ["season_points", "won"]
