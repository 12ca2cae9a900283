"""Queries about tournaments: one by its id, its places, who may still enter."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from itertools import takewhile
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from league.labels import as_partners
from league.members.models import AuditEntry, Club, Member
from league.play.models import Game, Result
from league.play.queries import unsettled_games
from league.ranking.match_facts import MatchFacts
from league.seating.draft_queries import seating_requests
from league.seating.models import Round, Seat, SeatingRequest, Table
from league.sessions.models import Session
from league.tournaments.draws import rounds_due
from league.tournaments.draws.knockout import bracket_of, corrections
from league.tournaments.models import (
    Entry,
    Match,
    MatchGame,
    MatchSide,
    Stage,
    StageRound,
    Tournament,
)
from league.tournaments.stage_state import CLOSED, NEWCOMER, StageState, load_stage
from league.tournaments.standing import Standing
from league.tournaments.ties import moves_by_results

NameOf = Callable[[Member], str]
MOST_CORRECTIONS = 50
KEPT_APART = (SeatingRequest.Kind.NEVER, SeatingRequest.Kind.AVOID)


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """The club's tournaments, latest first, each with how many entered (`entered`) and how many
    requests to enter wait (`requested`)."""
    return (
        club.tournaments.select_related("session")
        .annotate(entered=Count("entries", distinct=True))
        .annotate(requested=Count("requests", distinct=True))
        .order_by("-pk")
    )


def tournament_of(club: Club, public_id: str) -> Tournament:
    """The club's tournament with this id; 404 if there is none in this club."""
    tournament = get_object_or_404(
        Tournament.objects.select_related("session__club", "club", "follows"),
        club=club,
        public_id=public_id,
    )
    tournament.club = tournament.session.club = club
    return tournament


def running_in(club_session: Session) -> Tournament | None:
    """The tournament being set up or played in a session, if any."""
    states = (Tournament.State.SETUP, Tournament.State.RUNNING)
    tournament = Tournament.objects.filter(session=club_session, state__in=states).first()
    if tournament is not None:
        tournament.club, tournament.session = club_session.club, club_session
    return tournament


def under_way(club_session: Session) -> Tournament | None:
    """The running tournament of a session, if any: only it makes the session's tables."""
    tournament = running_in(club_session)
    return (
        tournament
        if tournament is not None and tournament.state == Tournament.State.RUNNING
        else None
    )


def tournaments_in(club_session: Session) -> list[Tournament]:
    """The tournaments of a session: the one that is on, then those played, the latest first."""
    cancelled = Tournament.State.CANCELLED
    tournaments = list(Tournament.objects.filter(session=club_session).exclude(state=cancelled))
    tournaments.sort(key=lambda tournament: tournament.state == Tournament.State.FINISHED)
    for tournament in tournaments:
        tournament.club, tournament.session = club_session.club, club_session
    return tournaments


def latest_in(club_session: Session) -> Tournament | None:
    """The tournament of a session: the one that is on, else the last one played."""
    return next(iter(tournaments_in(club_session)), None)


def tournament_names(sessions: Iterable[Session]) -> dict[int, str]:
    """The names of the tournaments of these sessions, without cancelled ones and those that are
    called like their session, by the session's key. At most one query."""
    by_key = {session.pk: session for session in sessions}
    names: dict[int, str] = {}
    if by_key:
        found = Tournament.objects.filter(session__in=by_key).order_by("pk")
        found = found.exclude(state=Tournament.State.CANCELLED)
        for key, name in found.values_list("session", "name"):
            if name != by_key[key].name:
                names[key] = f"{names[key]}, {name}" if key in names else name
    return names


def is_played_out(state: StageState) -> bool:
    """Whether all rounds are over, so that prizes can be given."""
    if state.stage.tournament.state == Tournament.State.FINISHED:
        return True
    rounds = rounds_due(state)
    are_all_drawn = rounds is not None and len(state.published) >= rounds
    return are_all_drawn and state.last is not None and not state.last.open_matches


def are_settled(state: StageState, entry: int | None = None) -> bool:
    """Whether no game of an entry, or of any, is disputed or waits to be confirmed."""
    matches = [match for match in state.matches if entry is None or entry in match.entries]
    return not _unsettled_games(matches).exists()


def unsettled_tables(state: StageState) -> list[int]:
    """The numbers of the tables whose game is disputed or waits to be confirmed."""
    numbers = _unsettled_games(state.matches).values_list("table__number", flat=True)
    return sorted(set(numbers))


def _unsettled_games(matches: Iterable[MatchFacts]) -> QuerySet[Game]:
    tables = [game.table for match in matches for game in match.games]
    return Game.objects.filter(unsettled_games(timezone.now()), table__in=tables)


def waits_for_correction(tournament: Tournament) -> bool:
    """Whether its bracket does not follow a corrected result yet, so that its places may change."""
    stage = stage_of(tournament)
    return stage.format in CLOSED and bool(corrections(load_stage(stage)))


def has_outdated_places(club_session: Session) -> bool:
    """Whether the bracket of a session's tournament does not follow a corrected result yet."""
    latest = latest_in(club_session)
    return latest is not None and waits_for_correction(latest)


def has_rounds_to_play(club_session: Session) -> bool:
    """Whether the tournament of a session is not over, here or where it was moved to."""
    played_here = Q(session=club_session) | Q(stages__rounds__seating__session=club_session)
    tournaments = Tournament.objects.filter(played_here, state=Tournament.State.RUNNING)
    tournament = tournaments.select_related("session__club").first()
    if tournament is None:
        return False
    tournament.club = tournament.session.club
    return not is_played_out(load_stage(stage_of(tournament)))


def round_titles(tables: Iterable[int]) -> dict[int, str]:
    """The name of the tournament's round at each of these tables that plays in one, with the game's
    number if there are several of its match; one query."""
    links = MatchGame.objects.filter(table__in=list(tables)).select_related("match__stage_round")
    games = Counter(link.match_id for link in links)
    several = _("%(title)s · game %(n)d")
    return {
        link.table_id: several % {"title": link.match.title, "n": link.number}
        if games[link.match_id] > 1
        else link.match.title
        for link in links
    }


def left_open(state: StageState) -> dict[int, list[Entry]]:
    """The withdrawn entries of each open match of the latest round, by its key: of individuals,
    those who still have a seat at a table that has not begun, at one query."""
    matches = state.last.open_matches if state.last else ()
    if not state.of_pairs:
        matches = tuple(match for match in matches if match.key in state.unbegun)
    left = {
        match.key: [state.entries[key] for key in match.entries if state.entries[key].withdrawn_at]
        for match in matches
    }
    if not state.of_pairs and any(left.values()):
        tables = [game.table for match in matches for game in match.games]
        seated = set(Seat.objects.filter(table__in=tables).values_list("member", flat=True))
        left = {key: [one for one in who if one.member_id in seated] for key, who in left.items()}
    return {key: entries for key, entries in left.items() if entries}


def is_undone(table: Table) -> bool:
    """Whether a table played a match that a correction of its bracket has undone."""
    matches = Match.objects.filter(games__table=table, place="", group=None)
    return matches.filter(stage_round__stage__format__in=CLOSED).exists()


def is_walkover(table: Table) -> bool:
    """Whether the match of a table was given by walk-over."""
    return Match.objects.filter(games__table=table, decided_by=Match.By.WALKOVER).exists()


class TieDecision(NamedTuple):
    """The position that won a tied match, by one more hand or a cut."""

    winner: int | None
    by: str


def who_goes_on(tables: Collection[int]) -> dict[int, TieDecision]:
    """How the match of each of these tied tables was decided, by the table's key, where one more
    hand or a cut did; one query if there are any."""
    if not tables:
        return {}
    links = MatchGame.objects.filter(
        table__in=tables, match__decided_by__in=(Match.By.EXTRA_HAND, Match.By.CUT)
    )
    rows = links.values_list("table_id", "match__winner", "match__decided_by")
    return {table: TieDecision(winner, by) for table, winner, by in rows}


def extra_hands(tables: Collection[int]) -> dict[int, int]:
    """The position that won one more hand after a tied match of a bracket, by the key of its table;
    one query if there are any."""
    links = MatchGame.objects.filter(table__in=tables, match__decided_by=Match.By.EXTRA_HAND)
    rows = links.exclude(match__place="").values_list("table_id", "match__winner")
    return {table: winner for table, winner in rows if winner is not None} if tables else {}


def is_no_show(state: StageState, entry: int) -> bool:
    """Whether an entry has played no game and lost a match by walk-over."""
    matches = [match for match in state.matches if entry in match.entries]
    if any(match.played for match in matches):
        return False
    return any(
        match.over and match.is_unplayed_walkover and not match.won(position)
        for match in matches
        for position, key in match.sides.items()
        if key == entry
    )


def no_shows(session: str, member: str) -> Q:
    """Who lost a match by walk-over in a session and finished no game there; by the names of the
    fields of the session and the player."""
    walkovers = MatchSide.objects.filter(match__decided_by=Match.By.WALKOVER)
    sessions = walkovers.values("entry__tournament__session")  # few, and found once
    own = Q(entry__member=OuterRef(member)) | Q(entry__partner=OuterRef(member))
    lost = walkovers.filter(own, entry__tournament__session=OuterRef(session))
    lost = lost.exclude(position=F("match__winner"))
    results = Result.objects.filter(session=OuterRef(session), member=OuterRef(member))
    played = results.exclude(game__state=Game.State.ABANDONED)
    return Q((f"{session}__in", sessions)) & Q(Exists(lost)) & ~Q(Exists(played))


def title_of_round(published: Round) -> str:
    """The name of a published round of a session: that of the tournament it belongs to, if any."""
    stage_round = _stage_round_of(published)
    return stage_round.title if stage_round else _("Round %(n)d") % {"n": published.number}


def stage_of_round(published: Round) -> Stage | None:
    """The stage of the tournament that a round of a session belongs to; None for no tournament."""
    stage_round = _stage_round_of(published)
    return stage_round.stage if stage_round else None


def _stage_round_of(published: Round) -> StageRound | None:
    rounds = StageRound.objects.filter(matches__games__table__round=published)
    rounds = rounds.select_related("stage__tournament__session")
    return rounds.first() if published.by_tournament else None


def other_sessions(tournament: Tournament) -> list[Session]:
    """The club's other open or planned sessions, in which the tournament may go on."""
    states = (Session.State.OPEN, Session.State.PLANNED)
    sessions = tournament.club.sessions.filter(state__in=states)
    return list(sessions.exclude(pk=tournament.session_id)[:10])


def followed_by(tournament: Tournament) -> Tournament | None:
    """Its final, or the tournament of pairs after a seeding round; None without one."""
    followers = tournament.followed_by.exclude(state=Tournament.State.CANCELLED)
    return followers.select_related("session").first()


def stage_of(tournament: Tournament) -> Stage:
    """The current stage: the last one."""
    stage = tournament.stages.order_by("-number").first()
    assert stage is not None
    stage.tournament = tournament
    return stage


CORRECTED = (
    "settle game",
    "correct hand",
    "strike hand",
    "undo hand",
    "write totals",
    "rule",
    "add or take points",
    "withdraw ruling",
)
"""Actions in the activity log that can change the result of a game."""
DRAWN = ("draw tournament round", "publish round")


def is_drawn_from_old_result(state: StageState) -> bool:
    """Whether a result was corrected after the latest round, which depends on it, was drawn, while
    it is a draft or nobody has played in it. One query, and none for fixtures and brackets."""
    can_redraw = state.is_untouched or state.draft is not None
    follows_results = state.stage.format == Stage.Format.SWISS or moves_by_results(state)
    if not (follows_results and can_redraw):
        return False
    entries = AuditEntry.objects.filter(
        session=state.stage.tournament.session, action__in=(*DRAWN, *CORRECTED)
    )
    latest = entries.order_by("-pk").values_list("action", "old", "new")[:MOST_CORRECTIONS]
    since = takewhile(lambda entry: entry[0] not in DRAWN, latest)
    return any(_changes_result(old, new) for _action, old, new in since)


def _changes_result(old: Any, new: Any) -> bool:
    """Whether an entry of the log says that a result may be another one; a decision that the score
    stands gives the same score and winners as before."""
    if not isinstance(old, dict) or not isinstance(new, dict) or "decision" not in new:
        return True
    return any(old.get(name) != new.get(name) for name in ("score", "winners"))


def entry_places(state: StageState, standing: Standing) -> dict[int, int]:
    """The place of every entry of a stage; 0 while it is still in the bracket.

    A bracket ranks by the round of elimination. Entries that did not qualify from their group come
    after it, in the order of the standings.
    """
    ranks = {line.who: line.rank for line in standing.lines}
    if not state.in_bracket:
        return ranks
    bracket = bracket_of(state)
    bracket_entries = {int(key) for key in bracket.entries}
    final_places = {int(key): place for key, place in bracket.places().items()}
    ranks_below = sorted(rank for entry, rank in ranks.items() if entry not in bracket_entries)
    return {
        entry: (
            final_places.get(entry, 0)
            if entry in bracket_entries
            else len(bracket_entries) + 1 + ranks_below.index(rank)
        )
        for entry, rank in ranks.items()
    }


def kept_apart(state: StageState, late: Iterable[Member] = ()) -> frozenset[frozenset[int]]:
    """The pairs of entries to be kept apart, by the organiser or the club's seating requests.

    Takes two queries. The `late` members are the entry `NEWCOMER`.
    """
    entry_of = {m.pk: key for key, entry in state.entries.items() for m in entry.people}
    entry_of |= {member.pk: NEWCOMER for member in late}
    requests = seating_requests(state.stage.tournament.club).filter(kind__in=KEPT_APART)
    none = -1
    pairs = (
        frozenset((entry_of.get(row.first_id, none), entry_of.get(row.second_id or 0, none)))
        for row in requests
    )
    by_request = {pair for pair in pairs if len(pair) == 2 and none not in pair}
    return frozenset(by_request | set(entries_apart(state.stage.tournament)))


def entries_apart(tournament: Tournament) -> list[frozenset[int]]:
    """The pairs of entries that the tournament's organiser keeps apart, in order; one query."""
    through = Entry.apart_from.through.objects.filter(from_entry__tournament=tournament)
    rows = through.order_by("from_entry", "to_entry").values_list("from_entry", "to_entry")
    return [frozenset(pair) for pair in rows if pair[0] < pair[1]]


def is_entered(tournament: Tournament, player: Member | None) -> bool:
    """Whether a player is in a tournament and has not left it."""
    entries = tournament.entries.filter(withdrawn_at=None)
    return player is not None and entries.filter(Q(member=player) | Q(partner=player)).exists()


def entry_name(entry: Entry, name_of: NameOf) -> str:
    return as_partners([name_of(member) for member in entry.people])


def not_entered(tournament: Tournament) -> QuerySet[Member]:
    """The players who may still enter, by name; guests only if they are checked in."""
    pairs = tournament.entries.values_list("member", "partner")
    entered_keys = {key for pair in pairs for key in pair if key is not None}
    attendances = tournament.session.attendances.filter(left_at=None)
    present_keys = {attendance.member_id for attendance in attendances}
    return (
        Member.objects.current()
        .filter(Q(is_guest=False) | Q(pk__in=present_keys), club=tournament.club_id)
        .exclude(pk__in=entered_keys)
        .order_by("sort_key", "pk")
    )
