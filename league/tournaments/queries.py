"""Queries about tournaments: one by its id, its rounds with names, who sits where."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from django.db.models import Count, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from league.labels import as_partners
from league.members.models import Club, Member
from league.members.names import sort_key
from league.pairing.formats.knockout import Part
from league.ranking.match_facts import MatchFacts
from league.seating.draft_queries import seating_requests
from league.seating.models import Round, SeatingRequest, Table
from league.seating.queries import current_seats_prefetch
from league.sessions.models import Session
from league.standings.models import GivenPlace
from league.standings.queries import given_places
from league.tournaments.draws import rounds_due
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.models import Entry, Match, Stage, Tournament
from league.tournaments.stage_state import NEWCOMER, RoundFacts, StageState, load_stage
from league.tournaments.standing import Standing, contenders, standing_of

NameOf = Callable[[Member], str]
KEPT_APART = (SeatingRequest.Kind.NEVER, SeatingRequest.Kind.AVOID)


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """The club's tournaments, latest first, each with how many entered (`entered`)."""
    return (
        club.tournaments.select_related("session")
        .annotate(entered=Count("entries"))
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


def latest_in(club_session: Session) -> Tournament | None:
    """The tournament of a session: the one that is on, else the last one played."""
    cancelled = Tournament.State.CANCELLED
    tournaments = list(Tournament.objects.filter(session=club_session).exclude(state=cancelled))
    tournaments.sort(key=lambda tournament: tournament.state == Tournament.State.FINISHED)
    for tournament in tournaments[:1]:
        tournament.club, tournament.session = club_session.club, club_session
    return tournaments[0] if tournaments else None


def is_played_out(state: StageState) -> bool:
    """Whether all rounds are over, so that prizes can be given."""
    if state.stage.tournament.state == Tournament.State.FINISHED:
        return True
    rounds = rounds_due(state)
    are_all_drawn = rounds is not None and len(state.published) >= rounds
    return are_all_drawn and state.last is not None and not state.last.open_matches


def has_rounds_to_play(club_session: Session) -> bool:
    """Whether the tournament of a session is not over, so that nobody has won it yet."""
    tournament = under_way(club_session)
    return tournament is not None and not is_played_out(load_stage(stage_of(tournament)))


def other_sessions(tournament: Tournament) -> list[Session]:
    """The club's other open or planned sessions, in which the tournament may go on."""
    states = (Session.State.OPEN, Session.State.PLANNED)
    sessions = tournament.club.sessions.filter(state__in=states)
    return list(sessions.exclude(pk=tournament.session_id)[:10])


def stage_of(tournament: Tournament) -> Stage:
    """The current stage: the last one."""
    stage = tournament.stages.order_by("-number").first()
    assert stage is not None
    stage.tournament = tournament
    return stage


def session_places(club_session: Session) -> dict[int, GivenPlace]:
    """Each player's place in a session by its tournament, with the figures that decide it.

    Of several tournaments the latest with a published round counts. Empty if none has begun, or
    while all entries are level. Partners share their place, and entries still in a bracket share
    the best place not taken. A bracket has no figures, as it ranks by the round of elimination.
    """
    cancelled = Tournament.State.CANCELLED
    begun_tournaments = club_session.tournaments.exclude(state=cancelled).filter(
        stages__rounds__seating__state=Round.State.PUBLISHED
    )
    tournament = begun_tournaments.order_by("-pk").first()
    if tournament is None:
        return {}
    state = load_stage(stage_of(tournament))
    standing = standing_of(state)
    places = entry_places(state, standing)
    if len(set(places.values())) < 2:
        return {}
    codes = (
        []
        if state.in_bracket
        else [measure.code for measure in standing.measures if not measure.among]
    )
    figures = {line.who: {code: line.values[code] for code in codes} for line in standing.lines}
    best_left = 2 if 1 in places.values() else 1  # the champion, while third place is open
    return {
        member.pk: GivenPlace(place or best_left, figures[entry])
        for entry, place in places.items()
        for member in state.entries[entry].people
    }


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


def wrong_places(
    club: Club,
) -> Iterator[tuple[Session, dict[int, GivenPlace], dict[int, GivenPlace]]]:
    """The club's sessions whose stored places differ from those of their tournament.

    Yields each session with its stored and its computed places.
    """
    ranked = Q(tournaments__isnull=False) | Q(player_places__isnull=False)
    for club_session in club.sessions.filter(ranked).distinct().order_by("pk"):
        stored, computed = given_places(club_session), session_places(club_session)
        if stored != computed:
            yield club_session, stored, computed


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


@dataclass(frozen=True, slots=True)
class SideSheet:
    """One side of a match: its players, their seats, points of the game, games won."""

    names: tuple[str, ...]
    seats: tuple[tuple[int, str], ...]
    position: int
    points: int | None
    wins: str
    won: bool

    @property
    def name(self) -> str:
        return as_partners(list(self.names))


@dataclass(frozen=True, slots=True)
class MatchSheet:
    """A match as a page shows it.

    `state` is ready, playing, tied, again (needs one more game), done or walkover. `is_mine` says
    that the reader sits at it. `title` names a match of a bracket, if its round has several.
    `withdrawn` names the pairs that have withdrawn and leave it open.
    """

    facts: MatchFacts
    table: Table | None
    sides: tuple[SideSheet, ...]
    state: str
    is_mine: bool = False
    title: str = ""
    withdrawn: tuple[str, ...] = ()

    @property
    def contenders(self) -> list[SideSheet]:
        """The sides that are tied for the win."""
        tied = contenders(self.facts) if self.facts.tied else []
        return [side for side in self.sides if side.position in tied]


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """A round with its matches and who has a bye."""

    facts: RoundFacts
    matches: tuple[MatchSheet, ...]
    byes: tuple[str, ...]

    @property
    def places(self) -> list[tuple[str, int, str]]:
        """Each player's name, table and partners, by name; without those who have a bye."""
        places = [
            (
                name,
                match.table.number,
                as_partners([other for other in side.names if other != name]),
            )
            for match in self.matches
            if match.table is not None
            for side in match.sides
            for name in side.names
        ]
        return sorted(places, key=lambda place: sort_key(place[0]))


def match_titles(state: StageState) -> dict[str, str]:
    """The titles of a bracket's final and of its matches outside the main rounds, by their keys."""
    if state.bracket_from is None or (state.bracket_from != 1 and not state.cards):
        return {}
    named = {
        Part.FINAL: _("Final"),
        Part.LOSERS: _("Losers' bracket"),
        Part.CONSOLATION: _("Consolation"),
        Part.THIRD_PLACE: _("Third place"),
    }
    matches = bracket_of(state).matches
    titles = {key: named[match.part] for key, match in matches.items() if match.part in named}
    main = [(match.round, key) for key, match in matches.items() if match.part is Part.MAIN]
    last_round = [key for round_, key in main if round_ == max(main)[0]]
    if len(last_round) == 1 and Part.FINAL not in {match.part for match in matches.values()}:
        titles[last_round[0]] = named[Part.FINAL]
    return titles


def round_sheet(
    state: StageState, facts: RoundFacts, name_of: NameOf, reader_key: int | None = None
) -> RoundSheet:
    """A round with the players now at its tables, including substitutes; three queries."""
    keys = [match.games[-1].table for match in facts.matches if match.games]
    tables = {
        table.pk: table
        for table in Table.objects.filter(pk__in=keys)
        .select_related("ruleset")
        .prefetch_related(current_seats_prefetch())
        .order_by("pk")
    }
    titles = match_titles(state) if len(facts.matches) > 1 else {}
    sheets = [_match_sheet(state, match, tables, name_of, reader_key) for match in facts.matches]
    return RoundSheet(
        facts=facts,
        matches=tuple(
            replace(
                sheet,
                title=titles.get(sheet.facts.place, ""),
                withdrawn=_withdrawn(state, sheet.facts, name_of),
            )
            for sheet in sheets
        ),
        byes=tuple(entry_name(state.entries[key], name_of) for key in state.byes_of(facts)),
    )


def _withdrawn(state: StageState, match: MatchFacts, name_of: NameOf) -> tuple[str, ...]:
    entries = [state.entries[key] for key in match.entries if match.key in state.left_open]
    return tuple(entry_name(entry, name_of) for entry in entries if entry.withdrawn_at)


def _match_sheet(
    state: StageState,
    match: MatchFacts,
    tables: Mapping[int, Table],
    name_of: NameOf,
    reader_key: int | None,
) -> MatchSheet:
    table = tables.get(match.games[-1].table) if match.games else None
    if table is None:
        sides = tuple(
            SideSheet(
                tuple(name_of(member) for member in state.entries[entry].people),
                (),
                position,
                None,
                "",
                position == match.winner,
            )
            for position, entry in sorted(match.sides.items())
        )
        return MatchSheet(match, None, sides, "walkover")
    seats = {seat.position: seat.member for seat in table.current_seats}
    count = table.ruleset.sides
    sides = tuple(_side_sheet(match, seats, side, count, name_of) for side in range(count))
    is_mine = any(member.pk == reader_key for member in seats.values())
    return MatchSheet(match, table, sides, _match_state(match), is_mine)


def _side_sheet(
    match: MatchFacts, members: Mapping[int, Member], side: int, count: int, name_of: NameOf
) -> SideSheet:
    seats = tuple((p, name_of(m)) for p, m in sorted(members.items()) if p % count == side)
    score = match.latest_score
    games_won = match.wins.get(side, Fraction(0))
    return SideSheet(
        names=tuple(name for _position, name in seats),
        seats=seats,
        position=side,
        points=score[side] if len(score) > side else None,
        wins=str(games_won) if match.best_of > 1 else "",
        won=bool(match.over and match.won(side) == 1),
    )


def _match_state(match: MatchFacts) -> str:
    if match.decided_by == Match.By.WALKOVER:
        return "walkover"
    if match.needs_another:
        return "again"
    if match.over:
        return "tied" if match.tied else "done"
    has_begun = len(match.games) > 1 or any(game.hands for game in match.games)
    return "playing" if has_begun else "ready"
