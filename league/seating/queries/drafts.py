"""A draft on the organiser's desk: its plan, what is wrong with it, what a swap would cost."""

from dataclasses import dataclass

from league.members.models import Member
from league.pairing.seating import VERSION, Certificate, Plan, Swaps, Wishes, certificate
from league.pairing.seating.constraints import broken_wishes
from league.seating.models import Round, Table
from league.seating.queries.history import played_before, played_tonight
from league.seating.queries.rounds import seating_of
from league.seating.queries.wishes import wishes_for
from league.seating.words import Verdict, broken_in_words, price_in_words


@dataclass(frozen=True)
class Drafted:
    """A draft read from the database, ready to be judged."""

    round: Round
    tables: list[Table]
    bench: list[Member]
    plan: Plan
    wishes: Wishes
    names: dict[int | str, str]

    def broken(self) -> list[str]:
        """The wishes it does not keep, in words."""
        return broken_in_words(self.plan.broken, self.names)

    def certificate(self) -> Certificate:
        """The figures of tonight with this draft as its last round."""
        return certificate(
            [*played_tonight(self.round.session), self.plan.played()],
            fixed=self.wishes.fixed,
            seed=self.round.seed,
            version=self.round.planner,
        )

    def prices(self, first: Member) -> dict[int, Verdict]:
        """What changing places with each of the others would do, by their key."""
        swaps = self._swaps()
        return {
            int(other): price_in_words(swaps.price(first.pk, other), self.names)
            for other in self.names
            if other != first.pk
        }

    def price(self, first: Member, second: Member) -> Verdict | None:
        """What these two changing places would do; nothing where one has no place here."""
        if first == second or not {first.pk, second.pk} <= self.names.keys():
            return None
        return price_in_words(self._swaps().price(first.pk, second.pk), self.names)

    def _swaps(self) -> Swaps:
        return Swaps(self.plan, history=played_before(self.round.session), wishes=self.wishes)


def drafted(draft: Round) -> Drafted:
    """Read a draft; five queries."""
    tables = list(seating_of(draft))
    bench = list(draft.sits_out.order_by("name_key", "pk"))
    people = [seat.member for table in tables for seat in table.chairs] + bench
    wishes = wishes_for(
        draft.session,
        [table.number for table in tables],
        guests=[member.pk for member in people if member.is_guest],
    )
    return Drafted(
        round=draft,
        tables=tables,
        bench=bench,
        plan=_plan(draft, tables, bench, wishes),
        wishes=wishes,
        names={member.pk: member.name for member in people},
    )


def _plan(draft: Round, tables: list[Table], bench: list[Member], wishes: Wishes) -> Plan:
    seats = tuple(tuple(seat.member_id for seat in table.chairs) for table in tables)
    out = tuple(member.pk for member in bench)
    numbers = tuple(table.number for table in tables)
    here = wishes.of([one for table in seats for one in table] + list(out))
    return Plan(
        tables=seats,
        out=out,
        numbers=numbers,
        seed=draft.seed,
        version=draft.planner or VERSION,
        cost=0,
        broken=broken_wishes(here, seats, out, numbers),
    )
