"""Putting a plan into a draft's tables and seats: asks the planner, saves what it answers."""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.models import Club, ClubRuleset, Member
from league.seating.models import Round, Seat, Table
from league.seating.planning import draw
from league.seating.queries import played_before
from league.sessions.queries import ready

Places = Mapping[int, tuple[int, int]]
"""Member id to (table number, position)."""


def fill(draft: Round, *, sizes: Sequence[int] | None, locked: Places | None = None) -> None:
    """Give an empty draft its tables and seats.

    A lock on a chair there is no more is dropped, as is one of somebody who has left.
    """
    people = free_people(draft)
    sizes = _checked(sizes, len(people)) if sizes else _by_rule(draft.session.club, len(people))
    numbers = _numbers(draft, len(sizes))
    chairs = dict(zip(numbers, sizes, strict=True))
    index = {number: i for i, number in enumerate(numbers)}
    kept = {
        member: (index[number], position)
        for member, (number, position) in (locked or {}).items()
        if member in people and position < chairs.get(number, 0)
    }
    drawn = draw(
        list(people),
        sizes=sizes,
        history=played_before(draft.session),
        seed=draft.seed,
        locked=kept,
    )
    _save(draft, zip(numbers, drawn.tables, strict=True), set(kept))
    draft.sits_out.set(drawn.out)
    draft.certificate = drawn.figures
    draft.save(update_fields=["seed", "planner", "certificate"])


def judge_again(draft: Round) -> None:
    """Work out the draft's figures anew after a change by hand."""


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
            "no_ruleset",
            _("The club has not said by which rules %(players)d people play.")
            % {"players": players},
            details={"players": players},
        )
    return ruleset


def _save(draft: Round, tables: Iterable[tuple[int, tuple[int, ...]]], locked: set[int]) -> None:
    rulesets: dict[int, ClubRuleset] = {}
    for number, members in tables:
        players = len(members)
        if players not in rulesets:
            rulesets[players] = ruleset_for(draft.session.club, players)
        table = Table.objects.create(
            session=draft.session,
            round=draft,
            number=number,
            players=players,
            ruleset=rulesets[players],
        )
        Seat.objects.bulk_create(
            Seat(
                session=draft.session,
                table=table,
                position=position,
                member_id=member,
                locked=member in locked,
            )
            for position, member in enumerate(members)
        )


def _numbers(draft: Round, count: int) -> list[int]:
    """The numbers free for this draft's tables, lowest first."""
    taken = set(
        draft.session.tables.filter(is_live=True)
        .exclude(pk__in=draft.releases.all())
        .values_list("number", flat=True)
    )
    free = (number for number in range(1, count + len(taken) + 1) if number not in taken)
    return [number for number, _one in zip(free, range(count), strict=False)]


def _by_rule(club: Club, people: int) -> list[int]:
    if people < 2:
        raise Refused(
            "too_few",
            _("Nobody is free to be seated.") if not people else _("One person alone has to wait."),
            status=409,
        )
    fours, rest = divmod(people, 4)
    if people > 4 and rest == 1:
        return [4] * (fours - 1) + [3, 2]
    return [4] * fours + ([rest] if rest else [])


def _checked(sizes: Sequence[int], people: int) -> list[int]:
    if set(sizes) - {2, 3, 4} or not sizes or sum(sizes) > people:
        raise Refused(
            "bad_sizes",
            _("These tables do not fit the people who are here now."),
            status=409,
        )
    return sorted(sizes, reverse=True)
