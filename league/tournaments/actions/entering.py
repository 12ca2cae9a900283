"""Who takes part: entering, coming late, finding partners, leaving."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, note
from league.members.models import Member
from league.pairing.rng import Rng
from league.seating.models import Round
from league.sessions.actions import arrive, bump, play_again
from league.sessions.queries import present
from league.tournaments.actions.drawing import clear_draft
from league.tournaments.actions.setup import locked
from league.tournaments.draws.groups import group_with_late
from league.tournaments.draws.knockout import place_of_late
from league.tournaments.draws.late import FULL, has_byes
from league.tournaments.models import Entry, Stage, Tournament
from league.tournaments.picture import BRACKETS, OF_PAIRS, picture_of

DRAFT = Round.State.DRAFT
# A draw is made while others wait: these are made within about a second.
MOST_ENTRIES = 400
MOST_OF_FORMAT = {Stage.Format.ROTATION: 128, Stage.Format.SWISS: 200}


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
    bump(fresh.session)
    return made


@transaction.atomic
def enter_present(tournament: Tournament, *, by: Actor, at: datetime) -> list[Entry]:
    """Everybody who is here and has not entered yet, each alone."""
    fresh = locked(tournament)
    entered = set(_members(fresh))
    made = [
        _enter(fresh, member, None, by=by, at=at)
        for member in present(fresh.session)
        if member.pk not in entered
    ]
    bump(fresh.session)
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
    note(fresh.club, by, "draw partners", fresh, session=fresh.session, new=new)
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
    note(fresh.club, by, "part partners", fresh, session=fresh.session, old=names)
    bump(fresh.session)


@transaction.atomic
def drop_entry(entry: Entry, *, by: Actor) -> None:
    """Take an entry off the list before play, as if it had not been made."""
    fresh = locked(entry.tournament)
    refuse_drawn(fresh)
    note(fresh.club, by, "drop entry", fresh, session=fresh.session, old=_names(entry))
    entry.delete()
    bump(fresh.session)


@transaction.atomic
def withdraw_entry(entry: Entry, *, by: Actor, at: datetime) -> Entry:
    """Somebody leaves after play has begun: results stay, no later round has them.

    A table of the round that is on goes on with a substitute, or is called by the organiser.
    """
    fresh = locked(entry.tournament)
    entry.refresh_from_db()
    if entry.withdrawn_at is None:
        entry.withdrawn_at = at
        entry.save(update_fields=["withdrawn_at"])
        note(fresh.club, by, "withdraw entry", fresh, session=fresh.session, new=_names(entry))
        bump(fresh.session)
    return entry


@transaction.atomic
def replace_player(
    entry: Entry, leaves: Member, comes: Member, *, by: Actor, at: datetime
) -> Entry:
    """Another person takes a place in an entry from the next round on; its results stay."""
    fresh = locked(entry.tournament)
    _refuse_entered(fresh, comes)
    if leaves not in entry.people:
        raise Refused("not-entered", _("This person is not part of this entry."), status=409)
    field = "member" if entry.member_id == leaves.pk else "partner"
    setattr(entry, field, comes)
    entry.save(update_fields=[field])
    _here(fresh, comes, by=by, at=at)
    old, new = leaves.name, comes.name
    note(fresh.club, by, "replace player", fresh, session=fresh.session, old=old, new=new)
    bump(fresh.session)
    return entry


@transaction.atomic
def seed_entry(entry: Entry, seed: int | None, *, by: Actor) -> Entry:
    """Give an entry its seed, or take it away; entries without one follow by lot."""
    fresh = locked(entry.tournament)
    refuse_drawn(fresh)
    old, entry.seed = entry.seed, seed
    entry.save(update_fields=["seed"])
    what = {"entry": _names(entry), "seed": seed}
    note(fresh.club, by, "seed entry", fresh, session=fresh.session, old={"seed": old}, new=what)
    bump(fresh.session)
    return entry


def _enter(
    fresh: Tournament, member: Member, partner: Member | None, *, by: Actor, at: datetime
) -> Entry:
    refuse_entering(fresh, member, partner)
    stage = fresh.stages.get(number=1)
    late, number = stage.rounds.exists(), None
    if late:
        try:
            number = _late_number(fresh, stage, partner)
        except Refused as refused:
            if refused.code not in FULL or stage.rounds.exclude(seating__state=DRAFT).exists():
                raise
            clear_draft(fresh)  # nobody has seen it: they are drawn with everybody else
            late = False
    return admit(fresh, member, partner, number=number, late=late, by=by, at=at)


def refuse_entering(fresh: Tournament, member: Member, partner: Member | None) -> None:
    """Refuse one person as a pair, anybody who has entered, and more than can be drawn at once."""
    format = fresh.stages.get(number=1).format
    most = min(MOST_ENTRIES, MOST_OF_FORMAT.get(Stage.Format(format), MOST_ENTRIES))
    if fresh.entries.count() >= most:
        message = _("A tournament of this format takes up to %(most)d entries.") % {"most": most}
        raise Refused("tournament-full", message)
    if member == partner:
        message = _("A pair is two people.")
        raise Refused("same-person", message, fields={"partner": [message]})
    for one in (member, partner):
        if one is not None:
            _refuse_entered(fresh, one)


def admit(
    fresh: Tournament,
    member: Member,
    partner: Member | None,
    *,
    number: int | None,
    late: bool,
    by: Actor,
    at: datetime,
) -> Entry:
    """An entry with its place in the draw; its people are here from now on."""
    made = Entry.objects.create(
        tournament=fresh, member=member, partner=partner, late=late, number=number, entered_at=at
    )
    for one in made.people:
        _here(fresh, one, by=by, at=at)
    note(fresh.club, by, "enter tournament", fresh, session=fresh.session, new=_names(made))
    return made


def _late_number(fresh: Tournament, stage: Stage, partner: Member | None) -> int:
    """The place in the draw of who comes late: a bye's in a bracket, else after all others."""
    _refuse_late(stage, partner)
    if stage.format in BRACKETS:
        return place_of_late(picture_of(stage))
    return (fresh.entries.aggregate(last=Max("number"))["last"] or 0) + 1


def _refuse_late(stage: Stage, partner: Member | None) -> None:
    if stage.format in OF_PAIRS and partner is None:
        message = _("Late entries come with their partner.")
        raise Refused("no-partner", message, fields={"partner": [message]})
    if stage.format == Stage.Format.GROUPS:
        group_with_late(picture_of(stage))
    if stage.format == Stage.Format.ROUND_ROBIN and not has_byes(picture_of(stage)):
        message = _("The fixtures are full: everybody has somebody to meet in every round.")
        raise Refused("fixtures-full", message, status=409)


def _refuse_entered(fresh: Tournament, member: Member) -> None:
    if member.pk in _members(fresh):
        message = _("%(name)s has entered already.") % {"name": member.name}
        raise Refused("entered-already", message, status=409, fields={"member": [message]})


def _members(fresh: Tournament) -> set[int]:
    pairs = fresh.entries.values_list("member", "partner")
    return {one for pair in pairs for one in pair if one is not None}


def _here(fresh: Tournament, member: Member, *, by: Actor, at: datetime) -> None:
    if member.club_id != fresh.club_id:
        raise Refused("unknown-member", _("There is no such person."), status=404)
    if arrive(fresh.session, member, by=by, at=at).resting:
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
            _("A round has been drawn. Who leaves now withdraws; who comes enters late."),
            status=409,
        )


def _names(entry: Entry) -> str:
    return " & ".join(member.name for member in entry.people)
