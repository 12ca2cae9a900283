"""A draft with its plan and what a swap would cost; the history and constraints it is made from."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet

from league.members.models import Club, Member
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
from league.seating.queries.room import seating_of
from league.seating.text import Verdict, swap_in_words, violations_in_words
from league.sessions.models import Session

EARLIER_SESSIONS = 8
"""How many sessions of the season back are looked at."""


def played_before(club_session: Session) -> list[PlayedRound]:
    """The published rounds of the season's last sessions and of tonight, oldest first."""
    sessions = [club_session.pk, *_earlier(club_session)]
    age = {session: back for back, session in enumerate(sessions)}
    rounds = _played(sessions)
    return sorted(
        (PlayedRound(tables, out, age[session]) for session, tables, out in rounds),
        key=lambda played: -played.age,
    )


def played_tonight(club_session: Session) -> list[PlayedRound]:
    """The rounds published tonight, in order."""
    return [PlayedRound(tables, out) for _session, tables, out in _played([club_session.pk])]


Tables = tuple[tuple[int, ...], ...]


def _played(sessions: list[int]) -> list[tuple[int, Tables, tuple[int, ...]]]:
    """Session, tables and who sat out, of every published round in order; two queries."""
    seats = (
        Seat.objects.filter(
            session__in=sessions, table__round__state=Round.State.PUBLISHED, until_hand=None
        )
        .order_by("session", "table__round__number", "table__round", "table", "position")
        .values_list("session", "table__round", "table", "table__first_dealer", "member")
    )
    out = defaultdict(list)
    resting = Round.sits_out.through.objects.filter(
        round__session__in=sessions, round__state=Round.State.PUBLISHED
    )
    for round_, member in resting.order_by("id").values_list("round", "member"):
        out[round_].append(member)
    return [
        (session, tuple(_tables(of_round)), tuple(out[round_]))
        for (session, round_), of_round in groupby(seats, key=lambda seat: seat[:2])
    ]


def _tables(seats: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Each table's members from its first dealer on: the planner has the deal with seat 0."""
    for (_table, dealer), sitting in groupby(seats, key=lambda seat: seat[2:4]):
        members = [seat[4] for seat in sitting]
        first = dealer if dealer < len(members) else 0
        yield (*members[first:], *members[:first])


def _earlier(club_session: Session) -> list[int]:
    if club_session.season_id is None:
        return []
    before = (
        Session.objects.filter(season=club_session.season_id, held_on__lte=club_session.held_on)
        .exclude(pk=club_session.pk)
        .filter(of_team_match=False)  # who one's partners are there is the team's affair
        .exclude(state=Session.State.CANCELLED)
        .order_by("-held_on", "-id")
    )
    return list(before.values_list("pk", flat=True)[:EARLIER_SESSIONS])


PAIRS = {
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
    """The seating requests that hold for a draft of the tables `numbers`.

    Who does not move keeps the table they sat at last tonight, where it is among those.
    """
    pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in PAIRS.values()}
    stays: set[int] = set()
    for one in seating_requests(club_session.club):
        if one.kind == SeatingRequest.Kind.STAYS:
            stays.add(one.first_id)
        elif one.second_id is not None:
            pairs[PAIRS[SeatingRequest.Kind(one.kind)]].append((one.first_id, one.second_id))
    free = set(numbers)
    last = _last_tables(club_session, stays) if stays else {}
    return Constraints(
        **{name: tuple(people) for name, people in pairs.items()},
        stays={one: number for one, number in last.items() if number in free},
        locked=dict(locked or {}),
        guests=frozenset(guests),
    )


def _last_tables(club_session: Session, members: set[int]) -> dict[int, int]:
    seats = Seat.objects.filter(
        session=club_session, member__in=members, table__round__state=Round.State.PUBLISHED
    ).order_by("table__round__number", "from_hand")
    return dict(seats.values_list("member", "table__number"))


@dataclass(frozen=True)
class Drafted:
    """A draft read from the database, ready to be judged."""

    round: Round
    tables: list[Table]
    bench: list[Member]
    plan: Plan
    constraints: Constraints
    names: dict[int | str, str]

    def broken(self) -> list[str]:
        """The requests it does not keep, in words."""
        return violations_in_words(self.plan.broken, self.names)

    def certificate(self) -> Certificate:
        """The figures of tonight with this draft as its last round."""
        return certificate(
            [*played_tonight(self.round.session), self.plan.played()],
            fixed=self.constraints.fixed,
            seed=self.round.seed,
            version=self.round.planner,
        )

    def swap_costs(self, first: Member) -> dict[int, Verdict]:
        """What changing places with each of the others would do, by their key."""
        swaps = self._swaps()
        return {
            int(other): swap_in_words(swaps.cost(first.pk, other), self.names)
            for other in self.names
            if other != first.pk
        }

    def swap_cost(self, first: Member, second: Member) -> Verdict | None:
        """What these two changing places would do; nothing where one has no place here."""
        if first == second or not {first.pk, second.pk} <= self.names.keys():
            return None
        return swap_in_words(self._swaps().cost(first.pk, second.pk), self.names)

    def _swaps(self) -> Swaps:
        return Swaps(
            self.plan, history=played_before(self.round.session), constraints=self.constraints
        )


def drafted(draft: Round) -> Drafted:
    """Read a draft; five queries."""
    tables = list(seating_of(draft))
    bench = list(draft.sits_out.order_by("sort_key", "pk"))
    people = [seat.member for table in tables for seat in table.current_seats] + bench
    constraints = constraints_for(
        draft.session,
        [table.number for table in tables],
        guests=[member.pk for member in people if member.is_guest],
    )
    return Drafted(
        round=draft,
        tables=tables,
        bench=bench,
        plan=_plan(draft, tables, bench, constraints),
        constraints=constraints,
        names={member.pk: member.name for member in people},
    )


def _plan(draft: Round, tables: list[Table], bench: list[Member], constraints: Constraints) -> Plan:
    seats = tuple(tuple(seat.member_id for seat in table.current_seats) for table in tables)
    out = tuple(member.pk for member in bench)
    numbers = tuple(table.number for table in tables)
    here = constraints.of([one for table in seats for one in table] + list(out))
    return Plan(
        tables=seats,
        out=out,
        numbers=numbers,
        seed=draft.seed,
        version=draft.planner or VERSION,
        cost=0,
        broken=violations(here, seats, out, numbers),
    )
