"""Can I still win? The places within reach in a session or a season, or why they are unknown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
from league.ranking.reachable import best_places, most_points, reach_by_wins
from league.ranking.season import BEST, Entrant
from league.seasons.models import Season
from league.seating.models import Round, Table
from league.sessions.models import Session
from league.sessions.queries import present
from league.standings.labels import spoken
from league.standings.queries import Standings, session_standings
from league.standings.season_queries import season_rules, season_standings
from league.standings.text import ordinal
from scoring import ruleset

SHOWN_FIRST = 10  # of those who can still win


@dataclass(frozen=True, slots=True)
class Outlook:
    """The places within reach of all players: `rows` of member id, best and worst place, in the
    order of the table. A worst place is only known in a session. `why` states the assumptions or,
    without rows, why the places are unknown. `figures` are those of the first `measure` now."""

    why: str
    people: Mapping[int, Member]
    rows: Sequence[tuple[int, int, int | None]] = ()
    figures: Mapping[int, Fraction] = field(default_factory=dict)
    measure: str = "won"

    def own_sentences(self, player: int | None) -> list[str]:
        """What a player wants to know first: the best place, and how far behind the first."""
        best = next((best for who, best, _worst in self.rows if who == player), None)
        if best is None or player is None:
            return []
        sentences = [_("You can still finish %(place)s.") % {"place": ordinal(best)}]
        if player in self.figures and (lead := max(self.figures.values()) - self.figures[player]):
            behind = _("The leader is ahead of you by %(lead)s.")
            code = "won" if self.measure == "above" else self.measure  # a lead is in wins
            sentences.append(behind % {"lead": spoken(code, lead)})
        return sentences

    def shown_first(self, player: int | None) -> list[int]:
        """The ids of whom a page shows unfolded: the reader, or else those who can still win."""
        own = [who for who, _best, _worst in self.rows if who == player]
        return own or [who for who, best, _worst in self.rows if best == 1][:SHOWN_FIRST]

    def who_can_win(self) -> str:
        """How many of the players can still finish first; empty without rows."""
        winners = sum(best == 1 for _who, best, _worst in self.rows)
        sentence = ngettext(
            "%(winners)d of %(n)d player can still win.",
            "%(winners)d of %(n)d players can still win.",
            len(self.rows),
        )
        return sentence % {"winners": winners, "n": len(self.rows)} if self.rows else ""


def session_outlook(club_session: Session, *, at: datetime) -> Outlook:
    """The places that each player can still reach by the end of the session."""
    standings = session_standings(club_session, at=at)
    planned, rounds_done = club_session.rounds_planned, _rounds_done(club_session)
    reason = _why_unknown(club_session, standings, rounds_done)
    if reason:
        return Outlook(reason, standings.people)
    assert planned is not None
    assert rounds_done is not None
    games_won = {line.who: line.values["won"] or Fraction(0) for line in standings.lines}
    here = {member.pk: member for member in present(club_session)}
    playing = set(here)
    people = {**here, **standings.people}
    games_won |= {player: games_won.get(player, Fraction(0)) for player in playing}
    fewest, most_winners = _winners_per_round(club_session, len(playing))
    reach = reach_by_wins(
        games_won,
        playing,
        rounds=planned - rounds_done,
        winners=fewest,
        most_winners=most_winners,
    )
    rounds_left = planned - rounds_done
    rounds = ngettext(
        "%(left)d of %(planned)d rounds is left.",
        "%(left)d of %(planned)d rounds are left.",
        rounds_left,
    )
    sentence = _(
        "%(rounds)s This assumes that everyone here plays on, at as many tables as in the last"
        " round and with any partner. Players with the same number of wins can end in either order."
    )
    why = sentence % {"rounds": rounds % {"left": rounds_left, "planned": planned}}
    in_order = dict.fromkeys([*(line.who for line in standings.lines), *here])
    rows = [(who, reach[who].best, reach[who].worst) for who in in_order if _can_play(people[who])]
    return Outlook(why, people, rows, games_won)


def _can_play(member: Member) -> bool:
    """Whether this player can play again: not erased, not deactivated."""
    return member.erased_at is None and member.retired_at is None


def _why_unknown(club_session: Session, standings: Standings, rounds_done: int | None) -> str:
    """Why the places within reach in a session are unknown; empty if they are known."""
    if not standings.lines:
        return _("No game has finished yet.")
    if club_session.state != Session.State.OPEN:
        return _("The session is over: these are the final places.")
    if standings.places:
        return _("A tournament decides the places of this session.")
    if standings.measures[0].code != "won":
        return _("This works only where games won decide first.")
    if club_session.rounds_planned is None:
        return _(
            "This works once the number of rounds is planned. An organiser can enter it in the"
            " session settings, under “Rounds planned”."
        )
    if rounds_done is None:
        return _(
            "Between rounds, this page says which places are still within your reach. Come back"
            " when every table of the round has finished."
        )
    if rounds_done >= club_session.rounds_planned:
        return _("All planned rounds are played.")
    return ""


def _rounds_done(club_session: Session) -> int | None:
    """The number of finished rounds; None during a round, or if tables do not play in rounds."""
    rounds = list(
        club_session.rounds.filter(state=Round.State.PUBLISHED)
        .annotate(ended=Max("tables__games__finished_at"))
        .order_by("number")
    )
    tables = club_session.tables.filter(round__state=Round.State.PUBLISHED)
    games = Game.objects.filter(session=club_session).exclude(state=Game.State.ABANDONED)
    tables_over = games.exclude(finished_at=None).values("table")
    unfinished_tables = tables.filter(is_live=True).exclude(pk__in=tables_over)
    if unfinished_tables.exists() or games.filter(finished_at=None).exists():
        return None
    for previous, following in pairwise(rounds):
        if previous.ended and following.published_at and previous.ended > following.published_at:
            return None
    return len(rounds)


def _winners_per_round(club_session: Session, playing: int) -> tuple[int, int]:
    """The least and the most players who win a game in a round with the tables of the last one.
    They differ where each co-winner gets a whole game won."""
    published_tables = Table.objects.filter(
        session=club_session, round__state=Round.State.PUBLISHED
    )
    last_round = published_tables.aggregate(number=Max("round__number"))["number"]
    tables = published_tables.filter(round__number=last_round).select_related("ruleset")
    games = [ruleset(table.ruleset.body) for table in tables]
    fewest = min(sum(len(rules.sides[0]) for rules in games), playing // 2)
    if not has_full_credit(club_session):
        return fewest, fewest
    return fewest, min(sum(map(most_winners, games)), playing)


def season_outlook(season: Season, *, at: datetime) -> Outlook:
    """The best place that each player can still reach in the season."""
    standings = season_standings(season, at=at)
    reason = _why_season_unknown(season, standings)
    if reason:
        return Outlook(reason, standings.people)
    evenings = list(season.sessions.filter(state=Session.State.PLANNED))
    first_measure = standings.measures[0].code
    current_figures = {
        line.who: line.values[first_measure] or Fraction(0)
        for line in standings.lines
        if not standings.season[line.who].missing
    }
    games = sum(session.rounds_planned or 0 for session in evenings)
    reachable_points = {
        line.who: _most_reachable(
            standings.season[line.who], line.values[first_measure], season, len(evenings), games
        )
        for line in standings.lines
        if len(evenings) >= standings.season[line.who].missing
        and _can_play(standings.people[line.who])
    }
    best = best_places(current_figures, reachable_points)
    sentence = ngettext(
        "%(n)d more session of this season is planned. The places below assume that the player"
        " comes, does as well as possible and wins every tie.",
        "%(n)d more sessions of this season are planned. The places below assume that the player"
        " comes to all of them, does as well as possible and wins every tie.",
        len(evenings),
    )
    rows = [(line.who, best[line.who], None) for line in standings.lines if line.who in best]
    why = sentence % {"n": len(evenings)}
    return Outlook(why, standings.people, rows, current_figures, first_measure)


def _most_reachable(
    entrant: Entrant, current: Fraction | None, season: Season, evenings: int, games: int
) -> Fraction:
    """The figure of a player who takes everything that is still available."""
    rules = season_rules(season)
    coming = rules.attendance * evenings
    if not rules.places:
        return (current or Fraction(0)) + games + coming
    counting = max(1, rules.number) if rules.counts == BEST else None
    points = most_points(entrant.places, evenings, first=rules.places[0], counting=counting)
    return (current or Fraction(0)) - sum(entrant.places, Fraction(0)) + points + coming


def can_be_worked_out(season: Season) -> bool:
    """Whether the rules of a season allow us to compute who can still win it."""
    if season.counts == season.Counts.BEST:
        return bool(season.place_points)
    return season.counts == season.Counts.TOTAL


def may_ask(season: Season, *, to_plan: bool) -> bool:
    """Whether to offer the page while no session is open: to organisers also where only sessions or
    their rounds are still `to_plan`."""
    if to_plan or not can_be_worked_out(season):
        return can_be_worked_out(season)
    coming = season.sessions.filter(state=Session.State.PLANNED)
    rounds = list(coming.values_list("rounds_planned", flat=True))
    return bool(rounds) and (bool(season.place_points) or None not in rounds)


def next_without_rounds(season: Season) -> Session | None:
    """The next session of a season that has no planned number of rounds yet."""
    coming = season.sessions.filter(state=Session.State.PLANNED, rounds_planned=None)
    return coming.order_by("held_on", "pk").first()


def _why_season_unknown(season: Season, standings: Standings) -> str:
    """Why the places within reach in a season are unknown; empty if they are known."""
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
        return _(
            "This works once another session of this season is planned. An organiser can add one"
            " under “Sessions”."
        )
    if season.place_points:
        return ""
    if not _ranks_by_wins(standings):
        return _("This works only where games won, or points for places, decide first.")
    if session := next_without_rounds(season):
        sentence = _(
            "This works once every upcoming session has a planned number of rounds; %(session)s has"
            " none yet. An organiser can enter it in the session settings, under “Rounds planned”."
        )
        return sentence % {"session": session.name}
    return ""


def _ranks_by_wins(standings: Standings) -> bool:
    """Whether games won rank first, alone or with points for attendance added."""
    codes = [measure.code for measure in standings.measures]
    return codes[0] == "won" or codes[:2] == ["season_points", "won"]
