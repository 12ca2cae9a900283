"""Entries: entering, late entries, partners, replacements, pairs after a seeding round."""

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
from league.sessions.actions import bump
from league.sessions.attendance import play_again
from league.sessions.queries import present
from league.tournaments.actions.checking_in import check_in, refuse_in_other_session
from league.tournaments.actions.drawing import clear_draft
from league.tournaments.actions.setup import finish_tournament, locked, start_tournament, touch
from league.tournaments.draws.groups import group_with_late
from league.tournaments.draws.knockout import bye_to_take
from league.tournaments.draws.late import FULL, has_byes
from league.tournaments.models import Entry, Stage, Tournament
from league.tournaments.parameters import DRAWN, FOLDED, StageOptions, read_options
from league.tournaments.stage_state import BRACKETS, OF_PAIRS, load_stage
from league.tournaments.standing import picking_of, seeding_places

DRAFT = Round.State.DRAFT
# Others wait while a round is drawn; drawing this many entries takes about a second.
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
    """Enter one player, or two as a pair, and check them in, unless it is before the day.

    Once the first round is drawn they are a late entry, last in the order of the draw.
    """
    fresh = locked(tournament)
    entry = _enter(fresh, member, partner, by=by, at=at)
    touch(fresh)
    return entry


@transaction.atomic
def enter_present(tournament: Tournament, *, by: Actor, at: datetime) -> list[Entry]:
    """Enter everybody who is checked in and has not entered yet, each without a partner."""
    fresh = locked(tournament)
    entered_keys = _entered_keys(fresh)
    members = [member for member in present(fresh.session) if member.pk not in entered_keys]
    if fresh.stages.get(number=1).rounds.exists():
        entries = [_enter(fresh, member, None, by=by, at=at) for member in members]
    else:
        entries = enter_all(fresh, [(member, None) for member in members], by=by, at=at)
    touch(fresh)
    return entries


@transaction.atomic
def draw_partners(tournament: Tournament, *, seed: int, by: Actor) -> list[Entry]:
    """Make pairs at random of entries without a partner. An odd one is left without."""
    fresh = locked(tournament)
    refuse_drawn(fresh)
    unpaired = list(fresh.entries.filter(partner=None, withdrawn_at=None).order_by("pk"))
    Rng(seed).shuffle(unpaired)
    pairs = [
        join(entry, other) for entry, other in zip(unpaired[::2], unpaired[1::2], strict=False)
    ]
    names = [[member.name for member in entry.people] for entry in pairs]
    new = {"seed": seed, "pairs": names}
    log_action(fresh.club, by, "draw partners", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return pairs


@transaction.atomic
def pair_up(tournament: Tournament, entry: Entry, other: Entry, *, by: Actor) -> Entry:
    """Make a pair of two entries without a partner."""
    fresh = locked(tournament)
    refuse_drawn(fresh)
    unpaired = fresh.entries.select_related("member").filter(partner=None, withdrawn_at=None)
    entries = list(unpaired.filter(pk__in=[entry.pk, other.pk]).order_by("pk"))
    if len(entries) != PAIR:
        raise Refused("not-two", _("Choose two different players without a partner."))
    pair = join(*entries)
    names = [member.name for member in pair.people]
    log_action(fresh.club, by, "pick partner", fresh, session=fresh.session, new=names)
    bump(fresh.session)
    return pair


@transaction.atomic
def part_partners(entry: Entry, *, by: Actor) -> None:
    """Split a pair, before play, into two entries without a partner."""
    fresh = locked(entry.tournament)
    refuse_drawn(fresh)
    partner, entry.partner = entry.partner, None
    if partner is None:
        return
    if fresh.follows_id is not None:
        entry.seed = None  # the seeding round gave it to the pair
    entry.save(update_fields=["partner", "seed"])
    Entry.objects.create(tournament=fresh, member=partner, entered_at=entry.entered_at)
    names = [entry.member.name, partner.name]
    log_action(fresh.club, by, "part partners", fresh, session=fresh.session, old=names)
    bump(fresh.session)


@transaction.atomic
def drop_entry(entry: Entry, *, by: Actor) -> None:
    """Delete an entry before play."""
    fresh = locked(entry.tournament)
    refuse_drawn(fresh)
    log_action(fresh.club, by, "drop entry", fresh, session=fresh.session, old=names_of(entry))
    entry.delete()
    bump(fresh.session)


@transaction.atomic
def replace_player(
    entry: Entry, leaves: Member, comes: Member, *, by: Actor, at: datetime
) -> Entry:
    """Replace a player of an entry from the next round on; the entry keeps its results."""
    fresh = locked(entry.tournament)
    _refuse_entered(fresh, comes)
    if leaves not in entry.people:
        raise Refused("not-entered", _("This player is not part of this entry."), status=409)
    field = "member" if entry.member_id == leaves.pk else "partner"
    setattr(entry, field, comes)
    entry.save(update_fields=[field])
    refuse_in_other_session(fresh, [comes])
    check_in(fresh, [comes], by=by, at=at)
    old, new = leaves.name, comes.name
    log_action(fresh.club, by, "replace player", fresh, session=fresh.session, old=old, new=new)
    touch(fresh)
    return entry


def _enter(
    fresh: Tournament, member: Member, partner: Member | None, *, by: Actor, at: datetime
) -> Entry:
    refuse_entering(fresh, member, partner)
    stage = fresh.stages.get(number=1)
    is_late, number, bye_of = stage.rounds.exists(), None, None
    if is_late:
        try:
            _refuse_late(stage, partner)
            if stage.format in BRACKETS:
                bye_of = bye_to_take(load_stage(stage))
            number = next_number(fresh)
        except Refused as refused:
            if refused.code not in FULL or stage.rounds.exclude(seating__state=DRAFT).exists():
                raise
            clear_draft(fresh)  # nobody has seen it, so they can be drawn with everybody else
            is_late = False
    return admit(fresh, member, partner, number=number, late=is_late, bye_of=bye_of, by=by, at=at)


def refuse_entering(fresh: Tournament, member: Member, partner: Member | None) -> None:
    """Refuse a pair of one player, players who have entered already, and an entry too many."""
    _refuse_full(fresh, new_entries=1)
    if member == partner:
        message = _("A pair needs two players.")
        raise Refused("same-person", message, fields={"partner": [message]})
    for player in (member, partner):
        if player is not None:
            _refuse_entered(fresh, player)


def _refuse_full(fresh: Tournament, *, new_entries: int) -> None:
    format = fresh.stages.get(number=1).format
    most = min(MOST_ENTRIES, MOST_OF_FORMAT.get(Stage.Format(format), MOST_ENTRIES))
    if fresh.entries.count() + new_entries > most:
        message = _("A tournament of this format takes up to %(most)d entries.") % {"most": most}
        raise Refused("tournament-full", message)


def enter_all(
    fresh: Tournament, teams: Sequence[tuple[Member, Member | None]], *, by: Actor, at: datetime
) -> list[Entry]:
    """Enter players, each with or without a partner, before play; in few queries as others wait
    meanwhile."""
    _refuse_full(fresh, new_entries=len(teams))
    entries = Entry.objects.bulk_create(
        Entry(tournament=fresh, member=member, partner=partner, entered_at=at)
        for member, partner in teams
    )
    people = [person for entry in entries for person in entry.people]
    resting = fresh.session.attendances.filter(member__in=people, resting=True)
    for attendance in resting.select_related("member"):
        play_again(fresh.session, attendance.member, by=by)
    for entry in entries:
        log_action(
            fresh.club, by, "enter tournament", fresh, session=fresh.session, new=names_of(entry)
        )
    return entries


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
    """Create an entry with its place in the draw, and check its players in."""
    entry = Entry.objects.create(
        tournament=fresh,
        member=member,
        partner=partner,
        late=late,
        number=number,
        bye_of_id=bye_of,
        entered_at=at,
    )
    if not even_if_elsewhere:
        refuse_in_other_session(fresh, entry.people)
    check_in(fresh, entry.people, by=by, at=at)
    log_action(
        fresh.club, by, "enter tournament", fresh, session=fresh.session, new=names_of(entry)
    )
    return entry


def next_number(fresh: Tournament) -> int:
    """The number in the draw for a late entry: after all others."""
    return (fresh.entries.aggregate(last=Max("number"))["last"] or 0) + 1


def _refuse_late(stage: Stage, partner: Member | None) -> None:
    if stage.format in OF_PAIRS and partner is None:
        message = _("Late entries need a partner.")
        raise Refused("no-partner", message, fields={"partner": [message]})
    if stage.format == Stage.Format.GROUPS:
        group_with_late(load_stage(stage))
    if stage.format == Stage.Format.ROUND_ROBIN and not has_byes(load_stage(stage)):
        message = _("There are no byes left for a late entry.")
        raise Refused("fixtures-full", message, status=409)


def _refuse_entered(fresh: Tournament, member: Member) -> None:
    if member.pk in _entered_keys(fresh):
        message = _("%(name)s is already entered.") % {"name": member.name}
        raise Refused("entered-already", message, status=409, fields={"member": [message]})


def _entered_keys(fresh: Tournament) -> set[int]:
    pairs = fresh.entries.values_list("member", "partner")
    return {key for pair in pairs for key in pair if key is not None}


def join(entry: Entry, other: Entry) -> Entry:
    """Make one pair of two entries without a partner; the second entry is deleted."""
    partner = other.member
    other.delete()
    entry.partner = partner
    entry.save(update_fields=["partner"])
    return entry


def refuse_drawn(fresh: Tournament) -> None:
    """Refuse (`already-drawn`) a change that may only be made before the first draw."""
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
    choice: StageOptions,
    seed: int,
    by: Actor,
    at: datetime,
) -> Tournament:
    """Close the seeding round and start a tournament of pairs with the players still in it.

    They enter without partners; `choice.partners` says how they find them. Refuses while a round of
    it is on (`round-open`), and if pairs played it (`of-pairs`).
    """
    fresh = locked(seeding, on=False)
    stage = fresh.stages.order_by("number").last()
    state = load_stage(stage) if stage else None
    if state is None or state.of_pairs or format not in OF_PAIRS:
        raise Refused("of-pairs", _("A seeding round is played by individuals."), status=409)
    if state.draft is not None or state.last is None or state.last.open_matches:
        raise Refused("round-open", _("A round is still in play. Finish it first."), status=409)
    finish_tournament(fresh, by=by, at=at)
    tournament = start_tournament(
        fresh.session, name=name, format=format, choice=choice, seed=seed, by=by
    )
    tournament.follows = fresh
    tournament.save(update_fields=["follows"])
    Entry.objects.bulk_create(
        Entry(tournament=tournament, member_id=entry.member_id, entered_at=at)
        for entry in state.active_entries.values()
    )
    new = {"follows": fresh.name, "people": len(state.active_entries), "partners": choice.partners}
    log_action(
        tournament.club, by, "play on as pairs", tournament, session=tournament.session, new=new
    )
    return tournament


@transaction.atomic
def pick_partner(tournament: Tournament, partner: Entry, *, by: Actor) -> Entry:
    """Let the player whose turn it is pick a partner."""
    fresh = locked(tournament)
    refuse_drawn(fresh)
    places = seeding_places(fresh)
    picking = picking_of(fresh, places)
    with pairing_refusals():
        picked = picking.with_pick(partner.pk).pairs[-1]
    pair = _pair(fresh, picked, places)
    names = [member.name for member in pair.people]
    log_action(fresh.club, by, "pick partner", fresh, session=fresh.session, new=names)
    bump(fresh.session)
    return pair


@transaction.atomic
def pair_by_places(tournament: Tournament, *, seed: int, by: Actor) -> list[Entry]:
    """Make all pairs at once by the seeding round: upper with lower half at random, or first with
    last. An odd one is left without a partner."""
    fresh = locked(tournament)
    refuse_drawn(fresh)
    places = seeding_places(fresh)
    unpaired = picking_of(fresh, places).unpaired
    way = read_options(fresh.stages.get(number=1).parameters).partners
    if way not in (DRAWN, FOLDED):
        raise Refused(
            "picked", _("In this tournament the best placed pick their partners."), status=409
        )
    partners = drawn_partners(unpaired, seed=seed) if way == DRAWN else folded_partners(unpaired)
    pairs = [_pair(fresh, pair, places) for pair in partners.pairs]
    names = [[member.name for member in entry.people] for entry in pairs]
    new = {"seed": seed, "way": way, "pairs": names}
    log_action(fresh.club, by, "draw partners", fresh, session=fresh.session, new=new)
    bump(fresh.session)
    return pairs


def _pair(fresh: Tournament, pair: tuple[int | str, int | str], places: dict[int, int]) -> Entry:
    """Join two entries, the better placed first, whose place becomes the seed."""
    entry, other = (fresh.entries.select_related("member").get(pk=key) for key in pair)
    entry.seed = places.get(entry.member_id)
    entry.save(update_fields=["seed"])
    return join(entry, other)
