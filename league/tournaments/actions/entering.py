"""Who takes part: entering, coming late, finding partners after a seeding round, leaving."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.members.audit import Actor, log_action
from league.members.models import Member
from league.pairing import Rng
from league.pairing.formats import drawn_partners, folded_partners
from league.seating.models import Round
from league.sessions.actions import arrive, bump, play_again
from league.sessions.queries import present
from league.tournaments.actions.drawing import clear_draft
from league.tournaments.actions.setup import finish_tournament, locked, start_tournament, touch
from league.tournaments.draws.groups import group_with_late
from league.tournaments.draws.knockout import bye_to_take
from league.tournaments.draws.late import FULL, has_byes
from league.tournaments.models import Entry, Stage, Tournament
from league.tournaments.parameters import DRAWN, FOLDED, Chosen, chosen
from league.tournaments.stage_state import BRACKETS, OF_PAIRS, load_stage
from league.tournaments.standing import picking_of, placed

DRAFT = Round.State.DRAFT
# A draw is made while others wait: these are made within about a second.
MOST_ENTRIES = 400
MOST_OF_FORMAT = {Stage.Format.ROTATION: 64, Stage.Format.SWISS: 200}


PAIR = 2


@transaction.atomic
def enter(
    tournament: Tournament,
    member: Member,
    *,
    by: Actor,
    at: datetime,
    partner: Member | None = None,
) -> Entry:
    """One person enters, or two as a pair. Both are here tonight from now on.

    After the first round is drawn they come late: at the bottom, with what a newcomer has.
    """
    fresh = locked(tournament)
    made = _enter(fresh, member, partner, by=by, at=at)
    touch(fresh)
    return made


@transaction.atomic
def enter_present(tournament: Tournament, *, by: Actor, at: datetime) -> list[Entry]:
    """Everybody who is here and has not entered yet, each alone."""
    fresh = locked(tournament)
    entered = set(_members(fresh))
    coming = [member for member in present(fresh.session) if member.pk not in entered]
    if fresh.stages.get(number=1).rounds.exists():
        made = [_enter(fresh, member, None, by=by, at=at) for member in coming]
    else:
        made = _enter_all(fresh, coming, by=by, at=at)
    touch(fresh)
    return made


@transaction.atomic
def draw_partners(tournament: Tournament, *, seed: int, by: Actor) -> list[Entry]:
    """Make pairs by lot of those who entered alone. An odd one out stays alone."""
    fresh = locked(tournament)
    refuse_drawn(fresh)
    alone = list(fresh.entries.filter(partner=None, withdrawn_at=None).order_by("pk"))
    Rng(seed).shuffle(alone)
    made = [join(one, other) for one, other in zip(alone[::2], alone[1::2], strict=False)]
    names = [[member.name for member in one.people] for one in made]
    new = {"seed": seed, "pairs": names}
    log_action(fresh.club, by, "draw partners", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return made


@transaction.atomic
def pair_up(tournament: Tournament, one: Entry, other: Entry, *, by: Actor) -> Entry:
    """Make a pair of two who entered alone."""
    fresh = locked(tournament)
    refuse_drawn(fresh)
    alone = fresh.entries.select_related("member").filter(partner=None, withdrawn_at=None)
    both = list(alone.filter(pk__in=[one.pk, other.pk]).order_by("pk"))
    if len(both) != PAIR:
        raise Refused("not-two", _("Choose two different players without a partner."))
    made = join(*both)
    names = [member.name for member in made.people]
    log_action(fresh.club, by, "pick partner", fresh, session=fresh.session, new=names)
    bump(fresh.session)
    return made


@transaction.atomic
def part_partners(entry: Entry, *, by: Actor) -> None:
    """Undo a pair before play: both have entered alone."""
    fresh = locked(entry.tournament)
    refuse_drawn(fresh)
    other, entry.partner = entry.partner, None
    if other is None:
        return
    if fresh.follows_id is not None:
        entry.seed = None  # it was the pair's, by the seeding round
    entry.save(update_fields=["partner", "seed"])
    Entry.objects.create(tournament=fresh, member=other, entered_at=entry.entered_at)
    names = [entry.member.name, other.name]
    log_action(fresh.club, by, "part partners", fresh, session=fresh.session, old=names)
    bump(fresh.session)


@transaction.atomic
def drop_entry(entry: Entry, *, by: Actor) -> None:
    """Take an entry off the list before play, as if it had not been made."""
    fresh = locked(entry.tournament)
    refuse_drawn(fresh)
    log_action(fresh.club, by, "drop entry", fresh, session=fresh.session, old=names_of(entry))
    entry.delete()
    bump(fresh.session)


@transaction.atomic
def replace_player(
    entry: Entry, leaves: Member, comes: Member, *, by: Actor, at: datetime
) -> Entry:
    """Another person takes a place in an entry from the next round on; its results stay."""
    fresh = locked(entry.tournament)
    _refuse_entered(fresh, comes)
    if leaves not in entry.people:
        raise Refused("not-entered", _("This player is not part of this entry."), status=409)
    field = "member" if entry.member_id == leaves.pk else "partner"
    setattr(entry, field, comes)
    entry.save(update_fields=[field])
    _here(fresh, comes, by=by, at=at)
    old, new = leaves.name, comes.name
    log_action(fresh.club, by, "replace player", fresh, session=fresh.session, old=old, new=new)
    touch(fresh)
    return entry


def _enter(
    fresh: Tournament, member: Member, partner: Member | None, *, by: Actor, at: datetime
) -> Entry:
    refuse_entering(fresh, member, partner)
    stage = fresh.stages.get(number=1)
    late, number, bye_of = stage.rounds.exists(), None, None
    if late:
        try:
            _refuse_late(stage, partner)
            if stage.format in BRACKETS:
                bye_of = bye_to_take(load_stage(stage))
            number = next_number(fresh)
        except Refused as refused:
            if refused.code not in FULL or stage.rounds.exclude(seating__state=DRAFT).exists():
                raise
            clear_draft(fresh)  # nobody has seen it: they are drawn with everybody else
            late = False
    return admit(fresh, member, partner, number=number, late=late, bye_of=bye_of, by=by, at=at)


def refuse_entering(fresh: Tournament, member: Member, partner: Member | None) -> None:
    """Refuse one person as a pair, anybody who has entered, and more than can be drawn at once."""
    _refuse_full(fresh, more=1)
    if member == partner:
        message = _("A pair needs two players.")
        raise Refused("same-person", message, fields={"partner": [message]})
    for one in (member, partner):
        if one is not None:
            _refuse_entered(fresh, one)


def _refuse_full(fresh: Tournament, *, more: int) -> None:
    format = fresh.stages.get(number=1).format
    most = min(MOST_ENTRIES, MOST_OF_FORMAT.get(Stage.Format(format), MOST_ENTRIES))
    if fresh.entries.count() + more > most:
        message = _("A tournament of this format takes up to %(most)d entries.") % {"most": most}
        raise Refused("tournament-full", message)


def _enter_all(
    fresh: Tournament, members: Sequence[Member], *, by: Actor, at: datetime
) -> list[Entry]:
    """Players who are here enter before play, all in a few statements: the others wait for it."""
    _refuse_full(fresh, more=len(members))
    made = Entry.objects.bulk_create(
        Entry(tournament=fresh, member=member, entered_at=at) for member in members
    )
    resting = fresh.session.attendances.filter(member__in=members, resting=True)
    for one in resting.select_related("member"):
        play_again(fresh.session, one.member, by=by)
    for entry in made:
        log_action(
            fresh.club, by, "enter tournament", fresh, session=fresh.session, new=names_of(entry)
        )
    return made


def admit(
    fresh: Tournament,
    member: Member,
    partner: Member | None,
    *,
    number: int | None,
    late: bool,
    by: Actor,
    at: datetime,
    bye_of: int | None = None,
    even_if_elsewhere: bool = False,
) -> Entry:
    """An entry with its place in the draw; its people are here from now on."""
    made = Entry.objects.create(
        tournament=fresh,
        member=member,
        partner=partner,
        late=late,
        number=number,
        bye_of_id=bye_of,
        entered_at=at,
    )
    for person in made.people:
        _here(fresh, person, by=by, at=at, even_if_elsewhere=even_if_elsewhere)
    log_action(fresh.club, by, "enter tournament", fresh, session=fresh.session, new=names_of(made))
    return made


def next_number(fresh: Tournament) -> int:
    """The place in the draw of who comes late: after all others."""
    return (fresh.entries.aggregate(last=Max("number"))["last"] or 0) + 1


def _refuse_late(stage: Stage, partner: Member | None) -> None:
    if stage.format in OF_PAIRS and partner is None:
        message = _("Late entries need a partner.")
        raise Refused("no-partner", message, fields={"partner": [message]})
    if stage.format == Stage.Format.GROUPS:
        group_with_late(load_stage(stage))
    if stage.format == Stage.Format.ROUND_ROBIN and not has_byes(load_stage(stage)):
        message = _("There are no byes left to join in.")
        raise Refused("fixtures-full", message, status=409)


def _refuse_entered(fresh: Tournament, member: Member) -> None:
    if member.pk in _members(fresh):
        message = _("%(name)s has entered already.") % {"name": member.name}
        raise Refused("entered-already", message, status=409, fields={"member": [message]})


def _members(fresh: Tournament) -> set[int]:
    pairs = fresh.entries.values_list("member", "partner")
    return {one for pair in pairs for one in pair if one is not None}


def _here(
    fresh: Tournament, member: Member, *, by: Actor, at: datetime, even_if_elsewhere: bool = False
) -> None:
    if member.club_id != fresh.club_id:
        raise Refused("unknown-member", _("There is no such player."), status=404)
    arrived = arrive(fresh.session, member, by=by, at=at, even_if_elsewhere=even_if_elsewhere)
    if arrived.resting:
        play_again(fresh.session, member, by=by)


def join(one: Entry, other: Entry) -> Entry:
    """Two who entered alone are one pair from now on."""
    partner = other.member
    other.delete()
    one.partner = partner
    one.save(update_fields=["partner"])
    return one


def refuse_drawn(fresh: Tournament) -> None:
    """Refuse (`already-drawn`) what may only change before play."""
    if fresh.stages.filter(rounds__isnull=False).exists():
        raise Refused(
            "already-drawn",
            _(
                "A round has been drawn. Withdraw an entry that leaves; add a new one as a "
                "late entry."
            ),
            status=409,
        )


def names_of(entry: Entry) -> str:
    return " & ".join(member.name for member in entry.people)


@transaction.atomic
def play_on_as_pairs(
    seeding: Tournament,
    *,
    name: str,
    format: str,
    choice: Chosen,
    seed: int,
    by: Actor,
    at: datetime,
) -> Tournament:
    """Close the seeding round and begin a tournament of pairs with the people still in it.

    They enter alone, in the order of its standings; `choice.partners` says how they find their
    partners. Refuses while a round of it is on, and for one that was of pairs itself.
    """
    fresh = locked(seeding, on=False)
    stage = fresh.stages.order_by("number").last()
    state = load_stage(stage) if stage else None
    if state is None or state.of_pairs or format not in OF_PAIRS:
        raise Refused("of-pairs", _("A seeding round is played by individuals."), status=409)
    if state.draft is not None or state.last is None or state.last.open:
        raise Refused("round-open", _("A round is still in play. Finish it first."), status=409)
    finish_tournament(fresh, by=by, at=at)
    made = start_tournament(
        fresh.session, name=name, format=format, choice=choice, seed=seed, by=by
    )
    made.follows = fresh
    made.save(update_fields=["follows"])
    Entry.objects.bulk_create(
        Entry(tournament=made, member_id=entry.member_id, entered_at=at)
        for entry in state.playing.values()
    )
    new = {"follows": fresh.name, "people": len(state.playing), "partners": choice.partners}
    log_action(made.club, by, "play on as pairs", made, session=made.session, new=new)
    return made


@transaction.atomic
def pick_partner(tournament: Tournament, partner: Entry, *, by: Actor) -> Entry:
    """The one whose turn it is picks a partner."""
    fresh = locked(tournament)
    refuse_drawn(fresh)
    places = placed(fresh)
    picking = picking_of(fresh, places)
    with pairing_refusals():
        picked = picking.with_pick(partner.pk).pairs[-1]
    made = _pair(fresh, picked, places)
    names = [member.name for member in made.people]
    log_action(fresh.club, by, "pick partner", fresh, session=fresh.session, new=names)
    bump(fresh.session)
    return made


@transaction.atomic
def pair_by_places(tournament: Tournament, *, seed: int, by: Actor) -> list[Entry]:
    """Make all pairs at once by the seeding round: upper half with lower half by lot, or the first
    with the last. An odd one out stays alone."""
    fresh = locked(tournament)
    refuse_drawn(fresh)
    places = placed(fresh)
    left = picking_of(fresh, places).unpaired
    way = chosen(fresh.stages.get(number=1).parameters).partners
    if way not in (DRAWN, FOLDED):
        raise Refused(
            "picked", _("In this tournament the best placed pick their partners."), status=409
        )
    partners = drawn_partners(left, seed=seed) if way == DRAWN else folded_partners(left)
    made = [_pair(fresh, pair, places) for pair in partners.pairs]
    names = [[member.name for member in one.people] for one in made]
    new = {"seed": seed, "way": way, "pairs": names}
    log_action(fresh.club, by, "draw partners", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return made


def _pair(fresh: Tournament, pair: tuple[int | str, int | str], places: dict[int, int]) -> Entry:
    """Two entries become one, seeded by the better place of the two."""
    one, other = (fresh.entries.select_related("member").get(pk=key) for key in pair)
    one.seed = places.get(one.member_id)
    one.save(update_fields=["seed"])
    return join(one, other)
