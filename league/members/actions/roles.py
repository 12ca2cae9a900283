"""Who may do what in a club: giving, changing and taking roles, and invitations by link."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import lock_club, refuse_gone, refused_at
from league.members.audit import Actor, note
from league.members.models import Club, Invitation, Member, Role, User

DAYS_VALID = 7
LADDER = [Role.Rank.MEMBER, Role.Rank.SCOREKEEPER, Role.Rank.ORGANISER, Role.Rank.OWNER]


def ranks_to_give(own: str | None) -> list[Role.Rank]:
    """The ranks somebody of this rank may give and take: an owner every one, others those below."""
    if own == Role.Rank.OWNER:
        return list(LADDER)
    if own != Role.Rank.ORGANISER:
        return []
    return LADDER[: LADDER.index(Role.Rank.ORGANISER)]


@transaction.atomic
def give_role(club: Club, *, username: str, rank: str, by: Actor) -> Role:
    """Give an account that exists a role here. One that has a role already is refused."""
    lock_club(club)
    _refuse_beyond(club, by, rank)
    user = User.objects.filter(username=username.strip(), is_active=True).first()
    if user is None:
        raise refused_at("username", "account_unknown", _("There is no account of this name."))
    if club.roles.filter(user=user).exists():
        sentence = _("%(user)s already has a role here.") % {"user": user}
        raise refused_at("username", "role_known", sentence)
    role = Role.objects.create(club=club, user=user, rank=rank)
    note(club, by, "give role", user, new={"rank": rank})
    return role


@transaction.atomic
def change_role(role: Role, *, rank: str, by: Actor, at: datetime) -> Role:
    """Give an account another rank. The last owner stays owner."""
    lock_club(role.club)
    role.refresh_from_db()
    _refuse_beyond(role.club, by, rank, role.rank)
    if rank == role.rank:
        return role
    _refuse_last_owner(role)
    old, role.rank = role.rank, rank
    role.save(update_fields=["rank"])
    if LADDER.index(Role.Rank(rank)) < LADDER.index(Role.Rank(old)):
        _withdraw_all_of(role, at)
    note(role.club, by, "change role", role.user, old={"rank": old}, new={"rank": rank})
    return role


@transaction.atomic
def remove_role(role: Role, *, by: Actor, at: datetime) -> None:
    """Take an account's role, and withdraw what it invited to. Everybody may give up their own."""
    lock_club(role.club)
    role.refresh_from_db()
    if by.user is None or by.user.pk != role.user_id:
        _refuse_beyond(role.club, by, role.rank)
    _refuse_last_owner(role)
    _withdraw_all_of(role, at)
    note(role.club, by, "remove role", role.user, old={"rank": role.rank})
    role.delete()


@transaction.atomic
def invite(
    club: Club, *, rank: str, by: Actor, at: datetime, member: Member | None = None
) -> tuple[Invitation, str]:
    """A new invitation, valid `DAYS_VALID` days and once, and the secret of its link.

    Only a hash of the secret is kept: it can be shown now and never again.
    """
    lock_club(club)
    _refuse_beyond(club, by, rank)
    if member is not None:
        _refuse_taken(club, member)
    token = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        club=club,
        rank=rank,
        member=member,
        token_hash=hash_of(token),
        made_by=by.user,
        made_at=at,
        expires_at=at + timedelta(days=DAYS_VALID),
    )
    note(club, by, "invite", member or "", new={"rank": rank})
    return invitation, token


@transaction.atomic
def withdraw_invitation(invitation: Invitation, *, by: Actor, at: datetime) -> None:
    """Make a link useless that has not been followed yet."""
    lock_club(invitation.club)
    invitation.refresh_from_db()
    if invitation.is_open(at):
        invitation.withdrawn_at = at
        invitation.save(update_fields=["withdrawn_at"])
        note(
            invitation.club,
            by,
            "withdraw invitation",
            invitation.member or "",
            old={"rank": invitation.rank},
        )


@transaction.atomic
def accept_invitation(token_hash: str, *, by: Actor, at: datetime) -> Role:
    """Take the role a link gives, once. A higher rank the account already has stays.

    Refuses (`invitation_gone`) a link that is unknown, used, withdrawn or too old.
    """
    invitation = open_invitation(token_hash, at=at)
    if invitation is None or by.user is None:
        raise Refused("invitation_gone", _("This invitation is no longer valid."), status=404)
    club = invitation.club
    lock_club(club)
    invitation.refresh_from_db()
    if not invitation.is_open(at):
        raise Refused("invitation_gone", _("This invitation is no longer valid."), status=404)
    role, made = Role.objects.get_or_create(
        club=club, user=by.user, defaults={"rank": invitation.rank}
    )
    old = None if made else role.rank
    if LADDER.index(Role.Rank(invitation.rank)) > LADDER.index(Role.Rank(role.rank)):
        role.rank = invitation.rank
        role.save(update_fields=["rank"])
    invitation.used_by, invitation.used_at = by.user, at
    invitation.save(update_fields=["used_by", "used_at"])
    if invitation.member is not None:
        _link(club, invitation.member, by.user)
    note(club, by, "accept invitation", by.user, old={"rank": old}, new={"rank": role.rank})
    return role


def open_invitation(token_hash: str, *, at: datetime) -> Invitation | None:
    """The invitation behind a link's hash, while it can still be followed."""
    found = Invitation.objects.select_related("club", "member", "made_by")
    invitation = found.filter(token_hash=token_hash).first()
    return invitation if invitation and invitation.is_open(at) else None


def hash_of(token: str) -> str:
    """What is kept of a link's secret."""
    return hashlib.sha256(token.encode()).hexdigest()


def _refuse_beyond(club: Club, by: Actor, *ranks: str) -> None:
    """Only an owner touches owners and organisers; the program itself may do everything."""
    if by.user is None:
        return
    own = Role.objects.filter(club=club, user=by.user).values_list("rank", flat=True).first()
    if not set(ranks) <= set(ranks_to_give(own)):
        sentence = _("Only an owner can give or take this rank.")
        raise Refused("beyond_rank", sentence, fields={"rank": [sentence]}, status=403)


def _refuse_last_owner(role: Role) -> None:
    owners = role.club.roles.filter(rank=Role.Rank.OWNER, user__is_active=True)
    if role.rank == Role.Rank.OWNER and not owners.exclude(pk=role.pk).exists():
        sentence = _("A club keeps at least one owner. Make somebody else owner first.")
        raise Refused("last_owner", sentence, fields={"rank": [sentence]}, status=409)


def _refuse_taken(club: Club, member: Member) -> None:
    if member.club_id != club.pk:
        raise Refused("unknown_member", _("There is no such member."), status=404)
    refuse_gone(member)
    if member.user_id:
        raise refused_at("member", "member_linked", _("This person already has an account."))


def _withdraw_all_of(role: Role, at: datetime) -> None:
    """Links made by somebody who may do less from now on stop working."""
    open_ones = role.club.invitations.filter(made_by=role.user, used_at=None, withdrawn_at=None)
    for invitation in open_ones:
        invitation.withdrawn_at = at
        invitation.save(update_fields=["withdrawn_at"])


def _link(club: Club, member: Member, user: User) -> None:
    """Say that the account is this person, unless either has another by now."""
    free = member.user_id is None and member.merged_into_id is None and member.erased_at is None
    if free and not club.members.filter(user=user).exists():
        member.user = user
        member.save()
