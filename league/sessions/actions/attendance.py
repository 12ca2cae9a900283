"""Who means to come and who is here: signing up, arriving, leaving, resting, coming back."""

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, log_action, log_actions
from league.members.models import Member
from league.members.names import BadName, Spellings, clean_name, looks_like, name_key
from league.sessions.actions.sessions import bump, give_places, lock
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
    """Somebody is here, for the first time tonight or again. Saying it twice changes nothing.

    Refuses (`elsewhere`) who comes while checked in to another open session of that day, unless
    `even_if_elsewhere`.
    """
    fresh = lock(club_session)
    if not even_if_elsewhere:
        _refuse_elsewhere(fresh, member)
    attendance = _arrive(fresh, member, by=by, at=at)
    bump(fresh)
    return attendance


@transaction.atomic
def leave(club_session: Session, member: Member, *, by: Actor, at: datetime) -> Attendance:
    """Somebody has gone. Their seat stays theirs until somebody else takes it."""
    return _change(club_session, member, "leave", by=by, left_at=at, resting=False)


@transaction.atomic
def rest(club_session: Session, member: Member, *, by: Actor) -> Attendance:
    """Somebody is here and wants to sit out."""
    return _change(club_session, member, "rest", by=by, resting=True)


@transaction.atomic
def play_again(club_session: Session, member: Member, *, by: Actor) -> Attendance:
    """Somebody who rested or had left is ready for the next seating."""
    return _change(club_session, member, "play again", by=by, left_at=None, resting=False)


@transaction.atomic
def add_guest(
    club_session: Session, name: str, *, by: Actor, at: datetime, even_if_similar: bool = False
) -> Attendance:
    """Note down somebody new by name alone, as here.

    Refuses an empty or overlong name, and (`similar-name`, with the members in `details`) one
    that reads like a name the club already has, unless `even_if_similar`.
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
    """A list of names is here: each the member of exactly that name, else a new guest.

    All or none; a name two members share is refused with `two-of-the-name`, and new names that
    read like one the club has with `similar-name`, unless `even_if_similar`. `choices` says of
    such names who is meant: another name of the club or the list, or "" for somebody new.
    """
    fresh, choices = lock(club_session), choices or {}
    names = _distinct(_clean(name, field="names") for name in names if name.strip())
    if not even_if_similar:
        _refuse_similar_names(fresh, names, but=choices)
    names = _distinct(choices.get(name) or name for name in names)
    keys = {name_key(name): name for name in names}
    by_key: dict[str, Member] = {}
    for member in _active(fresh).filter(name_key__in=list(keys)):
        if member.name_key in by_key:
            raise Refused(
                "two-of-the-name",
                _("Two members are called %(name)s. Tap the right one in the list.")
                % {"name": keys[member.name_key]},
                fields={"names": [keys[member.name_key]]},
            )
        by_key[member.name_key] = member
    attendances = _arrive_all(fresh, list(by_key.values()), by=by, at=at)
    for key, name in keys.items():
        if key not in by_key:
            attendances.append(_add_guest(fresh, name, by=by, at=at, even_if_similar=True))
    bump(fresh)
    return attendances


@transaction.atomic
def arrive_all(
    club_session: Session, members: Sequence[Member], *, by: Actor, at: datetime
) -> list[Attendance]:
    """All of these are here: one action, one revision.

    Left out is who is checked in to another open session of that day: that takes a question.
    """
    fresh = lock(club_session)
    attendances = _arrive_all(fresh, members, by=by, at=at)
    bump(fresh)
    return attendances


def _arrive_all(
    fresh: Session, members: Sequence[Member], *, by: Actor, at: datetime
) -> list[Attendance]:
    """The same as `_arrive` for each, in a fixed number of statements."""
    for member in members:
        _refuse_stranger(fresh, member)
    known = {
        attendance.member_id: attendance
        for attendance in fresh.attendances.select_related("member")
    }
    there = elsewhere(fresh)
    members = [member for member in members if member.pk in known or member.pk not in there]
    new = [Attendance(session=fresh, member=m, arrived_at=at) for m in members if m.pk not in known]
    known |= {one.member_id: one for one in Attendance.objects.bulk_create(new)}
    rows = [known[member.pk] for member in members]
    back = [row for row in rows if row.left_at is not None]
    for row in back:
        row.left_at, row.resting = None, False
    Attendance.objects.bulk_update(back, ["left_at", "resting"])
    log_actions(fresh.club, by, "arrive", [row.member for row in (*new, *back)], session=fresh)
    return rows


def elsewhere(club_session: Session) -> dict[int, Session]:
    """Who is checked in to another open session of the same day, and to which. One query."""
    rows = Attendance.objects.filter(
        left_at=None,
        session__club=club_session.club_id,
        session__held_on=club_session.held_on,
        session__state=Session.State.OPEN,
    )
    others = rows.exclude(session=club_session).select_related("session")
    return {row.member_id: row.session for row in others}


def _refuse_elsewhere(fresh: Session, member: Member) -> None:
    there = elsewhere(fresh).get(member.pk)
    here = fresh.attendances.filter(member=member, left_at=None)
    if there is not None and not here.exists():
        words = {"name": member.name, "session": there.name}
        message = _("%(name)s is checked in to %(session)s.") % words
        details = {"member": member, "session": there}
        raise Refused("elsewhere", message, status=409, details=details)


def _refuse_stranger(fresh: Session, member: Member) -> None:
    if member.club_id != fresh.club_id or member.retired_at is not None:
        raise Refused("unknown-member", _("There is no such player."), status=404)


def _arrive(fresh: Session, member: Member, *, by: Actor, at: datetime) -> Attendance:
    _refuse_stranger(fresh, member)
    attendance, made = Attendance.objects.get_or_create(
        session=fresh, member=member, defaults={"arrived_at": at}
    )
    if made or attendance.left_at is not None:
        attendance.left_at, attendance.resting = None, False
        attendance.save(update_fields=["left_at", "resting"])
        log_action(fresh.club, by, "arrive", member, session=fresh)
    return attendance


def _change(
    club_session: Session, member: Member, action: str, *, by: Actor, **to: object
) -> Attendance:
    fresh = lock(club_session)
    attendance = Attendance.objects.filter(session=fresh, member=member).first()
    if attendance is None:
        raise Refused("not-here", _("%(name)s is not here tonight.") % {"name": member.name})
    for field, value in to.items():
        setattr(attendance, field, value)
    attendance.save(update_fields=list(to))
    log_action(fresh.club, by, action, member, session=fresh)
    bump(fresh)
    return attendance


def _add_guest(
    fresh: Session, name: str, *, by: Actor, at: datetime, even_if_similar: bool
) -> Attendance:
    name = _clean(name, field="name")
    if not even_if_similar:
        _refuse_similar(fresh, name)
    guest = Member.objects.create(club=fresh.club, name=name, is_guest=True, joined_at=at)
    log_action(fresh.club, by, "add guest", guest, session=fresh)
    return _arrive(fresh, guest, by=by, at=at)


def _clean(name: str, *, field: str) -> str:
    try:
        return clean_name(name)
    except BadName as bad:
        message = _("Type a name with at least one letter.")
        raise Refused("bad-name", message, fields={field: [message]}) from bad


def _refuse_similar(fresh: Session, name: str) -> None:
    """Refuse a name the club has already, exactly or nearly."""
    members = list(_active(fresh))
    near = set(looks_like(name, [member.name for member in members])[:3])
    similar = [
        member for member in members if member.name in near or member.name_key == name_key(name)
    ]
    if similar:
        message = _("The club already has %(name)s.") % {"name": similar[0].name}
        raise Refused("similar-name", message, status=409, details={"similar": similar})


def _refuse_similar_names(
    fresh: Session, names: Sequence[str], *, but: Container[str] = ()
) -> None:
    members = list(_active(fresh))
    known, spellings = {m.name_key for m in members}, Spellings(m.name for m in members)
    similar: dict[str, list[str]] = {}
    for name in names:
        if name_key(name) not in known:
            if name not in but and (near := spellings.like(name)[:3]):
                similar[name] = near
            spellings.add(name)
    if similar:
        message = _("The club already has a name like this.")
        raise Refused("similar-name", message, status=409, details={"similar": similar})


def _active(club_session: Session) -> QuerySet[Member]:
    return Member.objects.filter(club=club_session.club_id, retired_at=None)


def _distinct(names: Iterable[str]) -> list[str]:
    seen: dict[str, str] = {}
    for name in names:
        if name.strip():
            seen.setdefault(name_key(name), " ".join(name.split()))
    return list(seen.values())


@transaction.atomic
def sign_up(club_session: Session, member: Member, *, by: Actor, at: datetime) -> SignUp:
    """Somebody means to come: they get a place, or the end of the waiting list.

    Saying it twice changes nothing. Refuses a night that is over (`session-over`), closed or
    called off (`session-not-open`), and somebody who is no member any more (`unknown-member`).
    """
    fresh = _coming(club_session, at)
    if member.club_id != fresh.club_id or member.retired_at is not None:
        raise Refused("unknown-member", _("There is no such player."), status=404)
    row, made = SignUp.objects.get_or_create(session=fresh, member=member, defaults={"made_at": at})
    if made:
        log_action(fresh.club, by, "sign up", member, session=fresh)
        give_places(fresh, at=at, new=row)
        bump(fresh)
        row.refresh_from_db()
    return row


@transaction.atomic
def withdraw(club_session: Session, member: Member, *, by: Actor, at: datetime) -> list[SignUp]:
    """Somebody does not come after all; the first who waits gets the place. Who has moved up.

    Refuses who is not signed up (`not-signed-up`), and a night that is over or closed.
    """
    fresh = _coming(club_session, at)
    deleted, _models = SignUp.objects.filter(session=fresh, member=member).delete()
    if not deleted:
        message = _("%(name)s is not signed up.") % {"name": member.name}
        raise Refused("not-signed-up", message, status=409)
    log_action(fresh.club, by, "withdraw", member, session=fresh)
    moved = give_places(fresh, at=at)
    bump(fresh)
    return moved


@transaction.atomic
def fill_places(club_session: Session, *, at: datetime) -> list[SignUp]:
    """Give the places that people who retired have left; who has moved up."""
    fresh = lock(club_session)
    moved = give_places(fresh, at=at)
    if moved:
        bump(fresh)
    return moved


def _coming(club_session: Session, at: datetime) -> Session:
    fresh = lock(club_session)
    if not takes_sign_ups(fresh, at):
        raise Refused("session-over", _("This session is over."), status=409)
    return fresh
