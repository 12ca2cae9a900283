"""Putting a plan into a draft's tables and seats: asks the planner, saves what it answers."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.models import Club, ClubRuleset, Member
from league.pairing.seating import Plan, plan_round
from league.seating.asking import planner_refusals, rule_for
from league.seating.models import Round, Seat, Table
from league.seating.queries.history import played_before
from league.seating.queries.wishes import wishes_for
from league.sessions.queries import ready

Places = Mapping[int, tuple[int, int]]
"""Member id to (table number, position)."""


def fill(draft: Round, *, sizes: Sequence[int] | None, locked: Places | None = None) -> None:
    """Give an empty draft its tables and seats.

    A lock on a chair there is no more is dropped, as is one of somebody who has left.
    """
    people = free_people(draft)
    chosen = sizes or rule_for(draft.session.club, len(people)).sizes
    chosen = sorted(chosen, reverse=True)
    numbers = _numbers(draft, len(chosen))
    size_at = dict(zip(numbers, chosen, strict=True))
    kept: dict[int | str, tuple[int, int]] = {
        member: (number, position)
        for member, (number, position) in (locked or {}).items()
        if member in people and position < size_at.get(number, 0)
    }
    guests = [member.pk for member in people.values() if member.is_guest]
    wishes = wishes_for(draft.session, numbers, guests=guests, locked=kept)
    with planner_refusals():
        plan = plan_round(
            people,
            seed=draft.seed,
            history=played_before(draft.session),
            wishes=wishes,
            sizes=chosen,
            numbers=numbers,
        )
    _save(draft, plan, {int(one) for one in kept})


def free_people(draft: Round) -> dict[int, Member]:
    """Whoever may be seated by this draft: ready, and at no table that stays."""
    staying = Seat.objects.filter(session=draft.session, seated=True).exclude(
        table__in=draft.releases.all()
    )
    free = ready(draft.session).exclude(pk__in=staying.values("member"))
    return {member.pk: member for member in free}


def ruleset_for(club: Club, players: int) -> ClubRuleset:
    """The club's ruleset for a table of this size."""
    ruleset = ClubRuleset.objects.filter(club=club, players=players, is_default=True).first()
    if ruleset is None:
        raise Refused(
            "no-ruleset",
            _("The club has not said by which rules %(players)d people play.")
            % {"players": players},
            details={"players": players},
        )
    return ruleset


def _save(draft: Round, plan: Plan, locked: set[int]) -> None:
    club = draft.session.club
    rulesets = {players: ruleset_for(club, players) for players in set(map(len, plan.tables))}
    tables = Table.objects.bulk_create(
        Table(
            session=draft.session,
            round=draft,
            number=number,
            players=len(members),
            ruleset=rulesets[len(members)],
        )
        for number, members in zip(plan.numbers, plan.tables, strict=True)
    )
    Seat.objects.bulk_create(
        Seat(
            session=draft.session,
            table=table,
            position=position,
            member_id=member,
            locked=member in locked,
        )
        for table, members in zip(tables, plan.tables, strict=True)
        for position, member in enumerate(members)
    )
    draft.sits_out.set([int(one) for one in plan.out])
    draft.planner = plan.version
    draft.save(update_fields=["seed", "planner"])


def _numbers(draft: Round, count: int) -> list[int]:
    """The numbers free for this draft's tables, lowest first."""
    taken = set(
        draft.session.tables.filter(is_live=True)
        .exclude(pk__in=draft.releases.all())
        .values_list("number", flat=True)
    )
    free = (number for number in range(1, count + len(taken) + 1) if number not in taken)
    return [number for number, _one in zip(free, range(count), strict=False)]
