"""A draft as a plan, and the cost of swaps in it; the history and constraints for planning."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Q, QuerySet
from django.utils.translation import ngettext

from league.labels import as_partners
from league.members.models import Club, Member, number_namesakes
from league.pairing.seating import (
    VERSION,
    Certificate,
    Constraints,
    Plan,
    PlayedRound,
    Swaps,
    certificate,
    violations,
)
from league.seating.models import Round, Seat, SeatingRequest, Table
from league.seating.planner_adapter import Verdict, swap_in_words, violations_in_words
from league.seating.queries import Move, members_at, scored_seats, seating_of
from league.sessions.models import Session

EARLIER_SESSIONS = 8
"""How many earlier sessions of the season count as history."""
TOURNAMENTS: list[Callable[[Session], object | None]] = []
"""Each finds the running tournament of a session, if any. `league.apps` fills the list."""

OUT: list[Callable[[Session], set[int]]] = []
"""Each gives the keys of those who are out of a session's running tournament."""


def without_out(club_session: Session, members: Iterable[Member]) -> list[Member]:
    """These members without those who wait for no table, as they are out of the tournament."""
    found = list(members)
    out = {key for keys_of in OUT for key in keys_of(club_session)} if found else set()
    return [member for member in found if member.pk not in out]


def missing_in_words(club_session: Session, people: Iterable[Member], free: Container[int]) -> str:
    """Why those of a draft's players who are not free have no seat there; empty without any."""
    missing = [member for member in people if member.pk not in free]
    rows = club_session.attendances.filter(member__in=missing, left_at=None) if missing else ()
    resting = {row.member_id: row.resting for row in rows}
    left = [member.label for member in missing if member.pk not in resting]
    resting_names = [member.label for member in missing if resting.get(member.pk)]
    seated = [member.label for member in missing if resting.get(member.pk) is False]
    texts = [
        (left, ngettext("%(names)s has left.", "%(names)s have left.", len(left))),
        (
            resting_names,
            ngettext("%(names)s sits out.", "%(names)s sit out.", len(resting_names)),
        ),
        (
            seated,
            ngettext(
                "%(names)s has another seat now.", "%(names)s have other seats now.", len(seated)
            ),
        ),
    ]
    return " ".join(text % {"names": as_partners(names)} for names, text in texts if names)


def tournament_makes_tables(club_session: Session) -> bool:
    """Whether a running tournament alone makes the session's tables."""
    return any(tournament_of(club_session) for tournament_of in TOURNAMENTS)


def played_before(club_session: Session) -> list[PlayedRound]:
    """The published rounds of this session and the season's latest ones before it, oldest first."""
    sessions = [club_session.pk, *_earlier_sessions(club_session)]
    age = {session: sessions_back for sessions_back, session in enumerate(sessions)}
    rounds = _published_rounds(sessions)
    return sorted(
        (PlayedRound(tables, sitting_out, age[session]) for session, tables, sitting_out in rounds),
        key=lambda played: -played.age,
    )


def played_tonight(club_session: Session) -> list[PlayedRound]:
    """The session's published rounds, in order."""
    return [
        PlayedRound(tables, sitting_out)
        for _session, tables, sitting_out in _published_rounds([club_session.pk])
    ]


Tables = tuple[tuple[int, ...], ...]


def _published_rounds(sessions: list[int]) -> list[tuple[int, Tables, tuple[int, ...]]]:
    """The session, tables and members sitting out of each published round; two queries."""
    seats = (
        scored_seats()
        .filter(session__in=sessions, table__round__state=Round.State.PUBLISHED)
        .order_by("session", "table__round__number", "table__round", "table", "position")
        .values_list("session", "table__round", "table", "table__first_dealer", "member")
    )
    sitting_out = defaultdict(list)
    sit_out_rows = Round.sits_out.through.objects.filter(
        round__session__in=sessions, round__state=Round.State.PUBLISHED
    )
    for round_, member in sit_out_rows.order_by("id").values_list("round", "member"):
        sitting_out[round_].append(member)
    return [
        (session, tuple(_members_by_table(of_round)), tuple(sitting_out[round_]))
        for (session, round_), of_round in groupby(seats, key=lambda seat: seat[:2])
    ]


def _members_by_table(seats: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Each table's members, starting with the first dealer: in a plan, seat 0 deals."""
    for (_table, dealer), sitting in groupby(seats, key=lambda seat: seat[2:4]):
        members = [seat[4] for seat in sitting]
        first = dealer if dealer < len(members) else 0
        yield (*members[first:], *members[:first])


def _earlier_sessions(club_session: Session) -> list[int]:
    if club_session.season_id is None:
        return []
    earlier_sessions = (
        Session.objects.filter(season=club_session.season_id, held_on__lte=club_session.held_on)
        .exclude(pk=club_session.pk)
        .filter(of_team_match=False)  # there, the teams choose the partners
        .exclude(state=Session.State.CANCELLED)
        .order_by("-held_on", "-id")
    )
    return list(earlier_sessions.values_list("pk", flat=True)[:EARLIER_SESSIONS])


def changes_since_taken_back(draft: Round) -> list[Move]:
    """The players whose table differs from when this round was last published and unpublished.

    By name; empty if the round was never unpublished. One query.
    """
    seats = (
        Seat.objects.filter(session=draft.session_id, until_hand=None)
        .filter(
            Q(table__round=draft)
            | Q(table__round__state=Round.State.WITHDRAWN, table__round__number=draft.number)
        )
        .select_related("member", "table")
        .order_by("table__round")
    )
    by_round: dict[int, dict[Member, int]] = {}
    for seat in seats:
        by_round.setdefault(seat.table.round_id, {})[seat.member] = seat.table.number
    tables_now = by_round.pop(draft.pk, {})
    if not by_round:
        return []
    tables_before = by_round[max(by_round)]
    moves = [
        Move(member, tables_before.get(member), tables_now.get(member), "")
        for member in tables_before.keys() | tables_now.keys()
    ]
    moved = [move for move in moves if move.before != move.now]
    number_namesakes(move.member for move in moves)
    return sorted(moved, key=lambda move: move.member.sort_key)


PAIR_CONSTRAINTS = {
    SeatingRequest.Kind.NEVER: "never",
    SeatingRequest.Kind.AVOID: "avoid",
    SeatingRequest.Kind.FIXED: "fixed",
    SeatingRequest.Kind.APART: "apart_partner",
    SeatingRequest.Kind.TOGETHER: "together",
}


def seating_requests(club: Club) -> QuerySet[SeatingRequest]:
    """The club's seating requests with their people."""
    return (
        SeatingRequest.objects.filter(club=club)
        .select_related("first", "second")
        .order_by("kind", "first__sort_key", "pk")
    )


def constraints_for(
    club_session: Session,
    numbers: Iterable[int],
    *,
    guests: Iterable[int] = (),
    locked: Mapping[int | str, tuple[int, int]] | None = None,
) -> Constraints:
    """The constraints for a draft of the tables `numbers`.

    Players who don't change tables keep their last table of the session, if it is among these.
    """
    pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in PAIR_CONSTRAINTS.values()}
    staying_members: set[int] = set()
    for request in seating_requests(club_session.club):
        if request.kind == SeatingRequest.Kind.STAYS:
            staying_members.add(request.first_id)
        elif request.second_id is not None:
            pairs[PAIR_CONSTRAINTS[SeatingRequest.Kind(request.kind)]].append(
                (request.first_id, request.second_id)
            )
    table_numbers = set(numbers)
    last_tables = _last_table_numbers(club_session, staying_members) if staying_members else {}
    return Constraints(
        **{name: tuple(people) for name, people in pairs.items()},
        stays={member: number for member, number in last_tables.items() if number in table_numbers},
        locked=dict(locked or {}),
        guests=frozenset(guests),
    )


def _last_table_numbers(club_session: Session, members: set[int]) -> dict[int, int]:
    seats = Seat.objects.filter(
        session=club_session, member__in=members, table__round__state=Round.State.PUBLISHED
    ).order_by("table__round__number", "from_hand")
    return dict(seats.values_list("member", "table__number"))


@dataclass(frozen=True)
class DraftLayout:
    """A draft read from the database, with its plan and constraints."""

    round: Round
    tables: list[Table]
    bench: list[Member]
    plan: Plan
    constraints: Constraints
    names: dict[int | str, str]

    def broken(self) -> list[str]:
        """Sentences for the seating requests that it breaks."""
        return violations_in_words(self.plan.broken, self.names)

    def certificate(self) -> Certificate:
        """The session's fairness figures with this draft as its last round."""
        return certificate(
            [*played_tonight(self.round.session), self.plan.played()],
            fixed=self.constraints.fixed,
            seed=self.round.seed,
            version=self.round.planner,
        )

    def swap_costs(self, first: Member) -> dict[int, Verdict]:
        """The effect of swapping `first` with each other player, by their key."""
        swaps = self._swaps()
        return {
            int(other): swap_in_words(swaps.cost(first.pk, other), self.names)
            for other in self.names
            if other != first.pk
        }

    def swap_cost(self, first: Member, second: Member) -> Verdict | None:
        """The effect of swapping these two players; None if one is not in the draft."""
        if first == second or not {first.pk, second.pk} <= self.names.keys():
            return None
        return swap_in_words(self._swaps().cost(first.pk, second.pk), self.names)

    def _swaps(self) -> Swaps:
        return Swaps(
            self.plan, history=played_before(self.round.session), constraints=self.constraints
        )


def load_draft(draft: Round) -> DraftLayout:
    """Load a draft; five queries."""
    tables = list(seating_of(draft))
    bench = list(draft.sits_out.order_by("sort_key", "pk"))
    people = members_at(tables) + bench
    number_namesakes(people)
    constraints = constraints_for(
        draft.session,
        [table.number for table in tables],
        guests=[member.pk for member in people if member.is_guest],
    )
    return DraftLayout(
        round=draft,
        tables=tables,
        bench=bench,
        plan=_plan_of_draft(draft, tables, bench, constraints),
        constraints=constraints,
        names={member.pk: member.label for member in people},
    )


def _plan_of_draft(
    draft: Round, tables: list[Table], bench: list[Member], constraints: Constraints
) -> Plan:
    seats = tuple(tuple(seat.member_id for seat in table.current_seats) for table in tables)
    sitting_out = tuple(member.pk for member in bench)
    numbers = tuple(table.number for table in tables)
    present_constraints = constraints.of(
        [member for table in seats for member in table] + list(sitting_out)
    )
    return Plan(
        tables=seats,
        out=sitting_out,
        numbers=numbers,
        seed=draft.seed,
        version=draft.planner or VERSION,
        cost=0,
        broken=violations(present_constraints, seats, sitting_out, numbers),
    )
