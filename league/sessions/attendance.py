"""Actions on sign-ups and attendance: signing up, arriving, leaving, sitting out, returning."""

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.labels import as_partners
from league.members.audit import Actor, log_action, log_actions
from league.members.models import Member
from league.members.names import Spellings, name_key
from league.sessions.actions import bump, give_places, lock
from league.sessions.guests import active_members, checked_name, new_guest
from league.sessions.models import Attendance, Session, SignUp
from league.sessions.queries import takes_sign_ups


@transaction.atomic
def arrive(
    club_session: Session,
    member: Member,
    *,
    by: Actor,
    at: datetime,
    even_if_elsewhere: bool = False,
) -> Attendance:
    """Check in a player, for the first time or again. Does nothing if they are checked in.

    Refuses (`elsewhere`) a player who is checked in to another open session of that day, unless
    `even_if_elsewhere`.
    """
    fresh = lock(club_session)
    if not even_if_elsewhere:
        refuse_elsewhere(fresh, [member])
    attendance = _arrive(fresh, member, by=by, at=at)
    bump(fresh)
    return attendance


@transaction.atomic
def leave(club_session: Session, member: Member, *, by: Actor, at: datetime) -> Attendance:
    """Check out a player. They keep their seat until somebody else takes it."""
    return _change_attendance(club_session, member, "leave", by=by, left_at=at, resting=False)


@transaction.atomic
def rest(club_session: Session, member: Member, *, by: Actor) -> Attendance:
    """Let a player who is checked in sit out."""
    return _change_attendance(club_session, member, "rest", by=by, resting=True)


@transaction.atomic
def play_again(club_session: Session, member: Member, *, by: Actor) -> Attendance:
    """Make a player who sat out or had left ready for the next tables."""
    return _change_attendance(
        club_session, member, "play again", by=by, left_at=None, resting=False
    )


@transaction.atomic
def add_guest(
    club_session: Session, name: str, *, by: Actor, at: datetime, even_if_similar: bool = False
) -> Attendance:
    """Add a guest by name and check them in.

    Refuses an empty or overlong name, and (`similar-name`, with the members in `details`) a name
    similar to one the club already has, unless `even_if_similar`.
    """
    fresh = lock(club_session)
    attendance = _add_guest(fresh, name, by=by, at=at, even_if_similar=even_if_similar)
    bump(fresh)
    return attendance


@transaction.atomic
def arrive_names(
    club_session: Session,
    names: Sequence[str],
    *,
    by: Actor,
    at: datetime,
    even_if_similar: bool = False,
    choices: Mapping[str, str] | None = None,
) -> list[Attendance]:
    """Check in a list of names, all or none: each the member of exactly that name, or a new guest.

    Refuses a name that two members share (`two-of-the-name`), and new names similar to one the
    club has (`similar-name`), unless `even_if_similar`. `choices` maps such names to the name that
    is meant, of the club or the list, or to "" for a new player.
    """
    fresh, choices = lock(club_session), choices or {}
    names = _distinct_names(checked_name(name, field="names") for name in names if name.strip())
    if not even_if_similar:
        _refuse_similar_names(fresh, names, except_for=choices)
    names = _distinct_names(choices.get(name) or name for name in names)
    keys = {name_key(name): name for name in names}
    by_key = _members_by_key(fresh, keys)
    members = list(by_key.values())
    attendances = _arrive_all(fresh, members, checked_in_elsewhere(fresh), by=by, at=at)
    for key, name in keys.items():
        if key not in by_key:
            attendances.append(_add_guest(fresh, name, by=by, at=at, even_if_similar=True))
    bump(fresh)
    return attendances


def _members_by_key(fresh: Session, names: Mapping[str, str]) -> dict[str, Member]:
    """The active members with these names (by name key); refuses a name that two share."""
    by_key: dict[str, Member] = {}
    for member in active_members(fresh).filter(name_key__in=list(names)):
        if member.name_key in by_key:
            name = names[member.name_key]
            message = _("Two members are called %(name)s. Tap the right one in the list.")
            raise Refused("two-of-the-name", message % {"name": name}, fields={"names": [name]})
        by_key[member.name_key] = member
    return by_key


@transaction.atomic
def arrive_all(
    club_session: Session,
    members: Sequence[Member],
    *,
    by: Actor,
    at: datetime,
    even_if_elsewhere: bool = False,
) -> list[Attendance]:
    """Check in all of these members, as one action that raises the revision once.

    Members checked in to another open session of that day are left out, unless
    `even_if_elsewhere`.
    """
    fresh = lock(club_session)
    left_out = {} if even_if_elsewhere else checked_in_elsewhere(fresh)
    attendances = _arrive_all(fresh, members, left_out, by=by, at=at)
    bump(fresh)
    return attendances


def _arrive_all(
    fresh: Session, members: Sequence[Member], left_out: Container[int], *, by: Actor, at: datetime
) -> list[Attendance]:
    """Do the same as `_arrive` for each member, in a fixed number of queries.

    Keys `left_out` are of members who are not checked in, unless they have been here before.
    """
    for member in members:
        _refuse_stranger(fresh, member)
    attendances = {row.member_id: row for row in fresh.attendances.select_related("member")}
    members = [
        member for member in members if member.pk in attendances or member.pk not in left_out
    ]
    first_time = [
        Attendance(session=fresh, member=m, arrived_at=at)
        for m in members
        if m.pk not in attendances
    ]
    attendances |= {row.member_id: row for row in Attendance.objects.bulk_create(first_time)}
    rows = [attendances[member.pk] for member in members]
    returning = [row for row in rows if row.left_at is not None]
    for row in returning:
        row.left_at, row.resting = None, False
    Attendance.objects.bulk_update(returning, ["left_at", "resting"])
    log_actions(
        fresh.club, by, "arrive", [row.member for row in (*first_time, *returning)], session=fresh
    )
    return rows


def checked_in_elsewhere(club_session: Session) -> dict[int, Session]:
    """The other open sessions of the same day, by the key of each member checked in. One query."""
    rows = Attendance.objects.filter(
        left_at=None,
        session__club=club_session.club_id,
        session__held_on=club_session.held_on,
        session__state=Session.State.OPEN,
    )
    other_rows = rows.exclude(session=club_session).select_related("session")
    return {row.member_id: row.session for row in other_rows}


def refuse_elsewhere(club_session: Session, members: Sequence[Member]) -> None:
    """Refuse (`elsewhere`) players checked in to another open session of that day and not here."""
    others = checked_in_elsewhere(club_session)
    elsewhere = [member for member in members if member.pk in others]
    if elsewhere:
        here = club_session.attendances.filter(member__in=elsewhere, left_at=None)
        present_keys = set(here.values_list("member", flat=True))
        elsewhere = [member for member in elsewhere if member.pk not in present_keys]
    if not elsewhere:
        return
    sessions = list(dict.fromkeys(others[member.pk] for member in elsewhere))
    words = {"name": as_partners(elsewhere), "session": as_partners(sessions)}
    message = ngettext(
        "%(name)s is checked in to %(session)s.",
        "%(name)s are checked in to %(session)s.",
        len(elsewhere),
    )
    details = {"member": elsewhere[0], "members": elsewhere, "session": sessions[0]}
    raise Refused("elsewhere", message % words, status=409, details=details)


def _refuse_stranger(fresh: Session, member: Member) -> None:
    if member.club_id != fresh.club_id or member.retired_at is not None:
        raise Refused("unknown-member", _("There is no such player."), status=404)


def _arrive(fresh: Session, member: Member, *, by: Actor, at: datetime) -> Attendance:
    _refuse_stranger(fresh, member)
    attendance, is_new = Attendance.objects.get_or_create(
        session=fresh, member=member, defaults={"arrived_at": at}
    )
    if is_new or attendance.left_at is not None:
        attendance.left_at, attendance.resting = None, False
        attendance.save(update_fields=["left_at", "resting"])
        log_action(fresh.club, by, "arrive", member, session=fresh)
    return attendance


def _change_attendance(
    club_session: Session, member: Member, action: str, *, by: Actor, **changes: object
) -> Attendance:
    fresh = lock(club_session)
    attendance = Attendance.objects.filter(session=fresh, member=member).first()
    if attendance is None:
        raise Refused("not-here", _("%(name)s is not here tonight.") % {"name": member.name})
    for field, value in changes.items():
        setattr(attendance, field, value)
    attendance.save(update_fields=list(changes))
    log_action(fresh.club, by, action, member, session=fresh)
    bump(fresh)
    return attendance


def _add_guest(
    fresh: Session, name: str, *, by: Actor, at: datetime, even_if_similar: bool
) -> Attendance:
    guest = new_guest(fresh, name, by=by, at=at, even_if_similar=even_if_similar)
    return _arrive(fresh, guest, by=by, at=at)


def _refuse_similar_names(
    fresh: Session, names: Sequence[str], *, except_for: Container[str] = ()
) -> None:
    members = list(active_members(fresh))
    known_keys, spellings = {m.name_key for m in members}, Spellings(m.name for m in members)
    similar: dict[str, list[str]] = {}
    for name in names:
        if name_key(name) not in known_keys:
            if name not in except_for and (matches := spellings.like(name)[:3]):
                similar[name] = matches
            spellings.add(name)
    if similar:
        message = _("The club already has a name like this.")
        raise Refused("similar-name", message, status=409, details={"similar": similar})


def _distinct_names(names: Iterable[str]) -> list[str]:
    distinct: dict[str, str] = {}
    for name in names:
        if name.strip():
            distinct.setdefault(name_key(name), " ".join(name.split()))
    return list(distinct.values())


@transaction.atomic
def sign_up(club_session: Session, member: Member, *, by: Actor, at: datetime) -> SignUp:
    """Sign up a member: they get a place, or join the end of the waiting list.

    Does nothing if they are signed up. Refuses a session that is over (`session-over`), closed or
    cancelled (`session-not-open`), and a player who is not an active member (`unknown-member`).
    """
    fresh = _lock_upcoming(club_session, at)
    if member.club_id != fresh.club_id or member.retired_at is not None:
        raise Refused("unknown-member", _("There is no such player."), status=404)
    row, is_new = SignUp.objects.get_or_create(
        session=fresh, member=member, defaults={"made_at": at}
    )
    if is_new:
        log_action(fresh.club, by, "sign up", member, session=fresh)
        give_places(fresh, at=at, new=row)
        bump(fresh)
        row.refresh_from_db()
    return row


@transaction.atomic
def sign_up_guest(
    club_session: Session, name: str, *, by: Actor, at: datetime, even_if_similar: bool = False
) -> SignUp:
    """Add a guest by name and sign them up. Refuses what `add_guest` and `sign_up` refuse."""
    fresh = _lock_upcoming(club_session, at)
    guest = new_guest(fresh, name, by=by, at=at, even_if_similar=even_if_similar)
    return sign_up(fresh, guest, by=by, at=at)


@transaction.atomic
def sign_up_all(
    club_session: Session, members: Iterable[Member], *, by: Actor, at: datetime
) -> list[SignUp]:
    """Sign up several members, all or none, in this order; see `sign_up`."""
    return [sign_up(club_session, member, by=by, at=at) for member in members]


@transaction.atomic
def withdraw(club_session: Session, member: Member, *, by: Actor, at: datetime) -> list[SignUp]:
    """Withdraw a member; the first on the waiting list gets the place. Return who moved up.

    Refuses a member who is not signed up (`not-signed-up`), and a session that is over or closed.
    """
    fresh = _lock_upcoming(club_session, at)
    deleted, _models = SignUp.objects.filter(session=fresh, member=member).delete()
    if not deleted:
        message = _("%(name)s is not signed up.") % {"name": member.name}
        raise Refused("not-signed-up", message, status=409)
    log_action(fresh.club, by, "withdraw", member, session=fresh)
    moved = give_places(fresh, at=at)
    bump(fresh)
    return moved


@transaction.atomic
def undo_withdrawal(
    club_session: Session, row: SignUp, *, withdrawn_at: datetime, by: Actor, at: datetime
) -> list[SignUp]:
    """Restore a withdrawn sign-up with its place, or its turn. Return who is waiting again.

    They moved up by the withdrawal and have had no mail about it. Does nothing if the
    member has signed up since; refuses what `sign_up` refuses.
    """
    fresh = _lock_upcoming(club_session, at)
    _refuse_stranger(fresh, row.member)
    if fresh.sign_ups.filter(member=row.member).exists():
        return []
    row.save(force_insert=True)
    moved = fresh.sign_ups.filter(moved_up=True, placed_at=withdrawn_at, told_at=None)
    waiting = list(moved.exclude(pk=row.pk).select_related("member")) if row.placed_at else []
    for one in waiting:
        one.placed_at, one.moved_up = None, False
        one.save(update_fields=["placed_at", "moved_up"])
        log_action(fresh.club, by, "move back", one.member, session=fresh)
    log_action(fresh.club, by, "undo withdrawal", row.member, session=fresh)
    placed_again = give_places(fresh, at=at)
    bump(fresh)
    return [one for one in waiting if one not in placed_again]


@transaction.atomic
def fill_places(club_session: Session, *, at: datetime) -> list[SignUp]:
    """Give away the places of members deactivated since; return who moved up."""
    fresh = lock(club_session)
    moved = give_places(fresh, at=at)
    if moved:
        bump(fresh)
    return moved


def follow_retiring(member: Member, by: Actor, at: datetime) -> None:
    """Check out a deactivated player, and give their places to the first who wait."""
    for here in member.attendances.filter(left_at=None, session__state=Session.State.OPEN):
        leave(here.session, member, by=by, at=at)
    for club_session in Session.objects.filter(sign_ups__member=member).order_by("pk"):
        if takes_sign_ups(club_session, at):
            fill_places(club_session, at=at)


def _lock_upcoming(club_session: Session, at: datetime) -> Session:
    fresh = lock(club_session)
    if not takes_sign_ups(fresh, at):
        raise Refused("session-over", _("This session is over."), status=409)
    return fresh
