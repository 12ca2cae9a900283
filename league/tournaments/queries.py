"""What pages ask about tournaments: one by its address, its rounds with names, who sits where."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from django.db.models import Count, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from league.labels import as_partners
from league.members.models import Club, Member
from league.members.names import sort_key
from league.pairing.formats.knockout import Part
from league.ranking.match_facts import MatchFacts
from league.seating.models import Round, SeatingRequest, Table
from league.seating.queries import current_seats_prefetch, seating_requests
from league.sessions.models import Session
from league.standings.models import GivenPlace
from league.standings.queries import given_places
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.models import Entry, EntryRequest, Match, Stage, Tournament
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
    """The club's tournament of this id; 404 for another club's as for none."""
    tournament = get_object_or_404(
        Tournament.objects.select_related("session__club", "club", "follows"),
        club=club,
        public_id=public_id,
    )
    tournament.club = tournament.session.club = club
    return tournament


def running_in(club_session: Session) -> Tournament | None:
    """The tournament that is on in a session."""
    on = (Tournament.State.SETUP, Tournament.State.RUNNING)
    tournament = Tournament.objects.filter(session=club_session, state__in=on).first()
    if tournament is not None:
        tournament.club, tournament.session = club_session.club, club_session
    return tournament


def under_way(club_session: Session) -> Tournament | None:
    """The tournament whose rounds are the tables of a session now: only it seats people."""
    tournament = running_in(club_session)
    return (
        tournament
        if tournament is not None and tournament.state == Tournament.State.RUNNING
        else None
    )


def latest_in(club_session: Session) -> Tournament | None:
    """The tournament a session is for: the one that is on, else the last one that was played."""
    cancelled = Tournament.State.CANCELLED
    those = list(Tournament.objects.filter(session=club_session).exclude(state=cancelled))
    those.sort(key=lambda one: one.state == Tournament.State.FINISHED)
    for tournament in those[:1]:
        tournament.club, tournament.session = club_session.club, club_session
    return those[0] if those else None


def other_sessions(tournament: Tournament) -> list[Session]:
    """Where the tournament may go on: the club's other sessions that are open or planned."""
    states = (Session.State.OPEN, Session.State.PLANNED)
    nights = tournament.club.sessions.filter(state__in=states)
    return list(nights.exclude(pk=tournament.session_id)[:10])


def stage_of(tournament: Tournament) -> Stage:
    """The stage that is on: the last one."""
    stage = tournament.stages.order_by("-number").first()
    assert stage is not None
    stage.tournament = tournament
    return stage


def session_places(club_session: Session) -> dict[int, GivenPlace]:
    """The place of each player in a session by its tournament, with the figures that decide it;
    empty where none has begun, or while all are level in it. A bracket has no figures: it ranks
    by who went out when.

    Of several it is the latest with a round published. Partners share their place, and those
    still in a bracket share the best that is not taken.
    """
    cancelled = Tournament.State.CANCELLED
    begun = club_session.tournaments.exclude(state=cancelled).filter(
        stages__rounds__seating__state=Round.State.PUBLISHED
    )
    tournament = begun.order_by("-pk").first()
    if tournament is None:
        return {}
    state = load_stage(stage_of(tournament))
    standing = standing_of(state)
    places = entry_places(state, standing)
    if len(set(places.values())) < 2:
        return {}
    shown = (
        []
        if state.in_bracket
        else [measure.code for measure in standing.measures if not measure.among]
    )
    figures = {line.who: {code: line.values[code] for code in shown} for line in standing.lines}
    best_left = 2 if 1 in places.values() else 1  # the champion, while third place is open
    return {
        member.pk: GivenPlace(place or best_left, figures[entry])
        for entry, place in places.items()
        for member in state.entries[entry].people
    }


def entry_places(state: StageState, standing: Standing) -> dict[int, int]:
    """The place of every entry of a stage; 0 while it is still in the bracket.

    A bracket ranks by who went out when. Who did not get into it out of a group comes after it, in
    the order of the standings.
    """
    ranks = {line.who: line.rank for line in standing.lines}
    if not state.in_bracket:
        return ranks
    bracket = bracket_of(state)
    in_bracket = {int(key) for key in bracket.entries}
    decided = {int(key): place for key, place in bracket.places().items()}
    below = sorted(rank for who, rank in ranks.items() if who not in in_bracket)
    return {
        who: decided.get(who, 0) if who in in_bracket else len(in_bracket) + 1 + below.index(rank)
        for who, rank in ranks.items()
    }


def wrong_places(
    club: Club,
) -> Iterator[tuple[Session, dict[int, GivenPlace], dict[int, GivenPlace]]]:
    """The club's sessions whose stored places are not what their tournament says now: each with
    those stored and those worked out."""
    ranked = Q(tournaments__isnull=False) | Q(player_places__isnull=False)
    for club_session in club.sessions.filter(ranked).distinct().order_by("pk"):
        stored, now = given_places(club_session), session_places(club_session)
        if stored != now:
            yield club_session, stored, now


def kept_apart(state: StageState, late: Iterable[Member] = ()) -> frozenset[frozenset[int]]:
    """The entries that are not to meet, by the organiser of the tournament or by the seating
    requests of the club; two queries. Those who come `late` are the entry `NEWCOMER`."""
    of = {member.pk: key for key, one in state.entries.items() for member in one.people}
    of |= {member.pk: NEWCOMER for member in late}
    wanted = seating_requests(state.stage.tournament.club).filter(kind__in=KEPT_APART)
    none = -1
    pairs = (
        frozenset((of.get(one.first_id, none), of.get(one.second_id or 0, none))) for one in wanted
    )
    by_request = {both for both in pairs if len(both) == 2 and none not in both}
    return frozenset(by_request | set(entries_apart(state.stage.tournament)))


def entries_apart(tournament: Tournament) -> list[frozenset[int]]:
    """The pairs of entries that the tournament's organiser keeps apart, in order; one query."""
    through = Entry.apart_from.through.objects.filter(from_entry__tournament=tournament)
    rows = through.order_by("from_entry", "to_entry").values_list("from_entry", "to_entry")
    return [frozenset(both) for both in rows if both[0] < both[1]]


def in_groups(pairs: Iterable[frozenset[int]]) -> list[list[int]]:
    """The pairs as few groups in which everybody makes a pair with everybody else."""
    left = {tuple(sorted(both)) for both in pairs}
    groups = []
    while left:
        group = list(min(left))
        for one in sorted({who for both in left for who in both} - set(group)):
            if all((min(one, other), max(one, other)) in left for other in group):
                group.append(one)
        left -= set(combinations(sorted(group), 2))
        groups.append(sorted(group))
    return groups


def entry_name(entry: Entry, name_of: NameOf) -> str:
    return as_partners([name_of(member) for member in entry.people])


def not_entered(tournament: Tournament) -> QuerySet[Member]:
    """The people of the club who may still enter, those who are here first."""
    pairs = tournament.entries.values_list("member", "partner")
    entered = {one for pair in pairs for one in pair if one is not None}
    came = {row.member_id for row in tournament.session.attendances.filter(left_at=None)}
    return (
        Member.objects.current()
        .filter(Q(is_guest=False) | Q(pk__in=came), club=tournament.club_id)
        .exclude(pk__in=entered)
        .order_by("sort_key", "pk")
    )


def takes_requests(tournament: Tournament) -> bool:
    """Whether its public entry form is open: until its first round is drawn."""
    if tournament.places is None or tournament.state != Tournament.State.SETUP:
        return False
    return not Stage.objects.filter(tournament=tournament, rounds__isnull=False).exists()


def requests_of(tournament: Tournament) -> list[tuple[EntryRequest, int]]:
    """Who asked to enter, first come first served, each with the number on the waiting list; 0
    for who has a place."""
    free = max(0, (tournament.places or 0) - tournament.entries.count())
    requests = tournament.requests.order_by("pk")
    return [(one, max(0, place - free)) for place, one in enumerate(requests, 1)]


@dataclass(frozen=True, slots=True)
class SideSheet:
    """One side of a match: its people, where each sits, points of the game, games won."""

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
    """A match as a page shows it. `state`: ready, playing, tied, again (one more game), done,
    walkover. `mine` when the reader sits at it. `title`: what it is in a bracket, where others are
    played in its round."""

    facts: MatchFacts
    table: Table | None
    sides: tuple[SideSheet, ...]
    state: str
    mine: bool = False
    title: str = ""

    @property
    def needs_decision(self) -> bool:
        return self.state == "tied"

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
        """Everybody by name: their table and with whom they sit; who has a bye is not in it."""
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


def rules_played(state: StageState) -> list[str]:
    """The names of the house rules at its tables; before any is drawn, the session's for fours,
    else the club's."""
    keys = [game.table for match in state.matches for game in match.games]
    if keys:
        names = Table.objects.filter(pk__in=keys).order_by().values_list("ruleset__name", flat=True)
        return sorted(set(names))
    tournament = state.stage.tournament
    its_own = tournament.session.rulesets.filter(players=4)
    usual = tournament.club.rulesets.filter(players=4, is_default=True)
    return list((its_own if its_own.exists() else usual).values_list("name", flat=True))


def match_titles(state: StageState) -> dict[str, str]:
    """What the matches of a bracket beside its main rounds are called, and its final, by their
    keys there."""
    if state.bracket_from is None or (state.bracket_from != 1 and not state.cards):
        return {}
    named = {
        Part.FINAL: _("Final"),
        Part.LOSERS: _("Losers' bracket"),
        Part.CONSOLATION: _("Consolation"),
        Part.THIRD_PLACE: _("Third place"),
    }
    matches = bracket_of(state).matches
    titles = {key: named[one.part] for key, one in matches.items() if one.part in named}
    main = [(one.round, key) for key, one in matches.items() if one.part is Part.MAIN]
    last = [key for round_, key in main if round_ == max(main)[0]]
    if len(last) == 1 and Part.FINAL not in {match.part for match in matches.values()}:
        titles[last[0]] = named[Part.FINAL]
    return titles


def round_sheet(
    state: StageState, one: RoundFacts, name_of: NameOf, mine: int | None = None
) -> RoundSheet:
    """A round with the people who sit at its tables now, substitutes too; three queries."""
    keys = [match.games[-1].table for match in one.matches if match.games]
    tables = {
        table.pk: table
        for table in Table.objects.filter(pk__in=keys)
        .select_related("ruleset")
        .prefetch_related(current_seats_prefetch())
        .order_by("pk")
    }
    titles = match_titles(state) if len(one.matches) > 1 else {}
    matches = [_match(state, match, tables, name_of, mine) for match in one.matches]
    return RoundSheet(
        facts=one,
        matches=tuple(replace(m, title=titles.get(m.facts.place, "")) for m in matches),
        byes=tuple(entry_name(state.entries[key], name_of) for key in one.byes),
    )


def _match(
    state: StageState,
    match: MatchFacts,
    tables: Mapping[int, Table],
    name_of: NameOf,
    mine: int | None,
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
    sides = tuple(_side(match, seats, side, count, name_of) for side in range(count))
    here = any(member.pk == mine for member in seats.values())
    return MatchSheet(match, table, sides, _state(match), here)


def _side(
    match: MatchFacts, members: Mapping[int, Member], side: int, count: int, name_of: NameOf
) -> SideSheet:
    seats = tuple((p, name_of(m)) for p, m in sorted(members.items()) if p % count == side)
    score = match.latest_score
    won = match.wins.get(side, Fraction(0))
    return SideSheet(
        names=tuple(name for _place, name in seats),
        seats=seats,
        position=side,
        points=score[side] if len(score) > side else None,
        wins=str(won) if match.best_of > 1 else "",
        won=bool(match.over and match.won(side) == 1),
    )


def _state(match: MatchFacts) -> str:
    if match.decided_by == Match.By.WALKOVER:
        return "walkover"
    if match.needs_another:
        return "again"
    if match.over:
        return "tied" if match.tied else "done"
    begun = len(match.games) > 1 or any(game.hands for game in match.games)
    return "playing" if begun else "ready"
