"""Who may do what in a club: changing and taking roles. They are given by invitations."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import lock_club, refused_at
from league.members.audit import Actor, note
from league.members.models import Club, Role, User

LADDER = [Role.Rank.MEMBER, Role.Rank.SCOREKEEPER, Role.Rank.ORGANISER, Role.Rank.OWNER]


def ranks_to_give(own: str | None) -> list[Role.Rank]:
    """The ranks somebody of this rank may give and take: an owner every one, others those below."""
    if own == Role.Rank.OWNER:
        return list(LADDER)
    return list(Role.GIVEN_BY_ORGANISERS) if own == Role.Rank.ORGANISER else []


def account_named(username: str) -> User:
    """The account of this user name, where it is not switched off."""
    user = User.objects.filter(username=username.strip(), is_active=True).first()
    if user is None:
        raise refused_at("username", "account-unknown", _("There is no account of this name."))
    return user


@transaction.atomic
def give_role(club: Club, *, username: str, rank: str, by: Actor) -> Role:
    """Give an account a role without asking it: for the server's own commands alone."""
    lock_club(club)
    role = Role.objects.create(club=club, user=account_named(username), rank=rank)
    note(club, by, "give role", role.user, new={"rank": rank})
    return role


@transaction.atomic
def change_role(role: Role, *, rank: str, by: Actor, at: datetime) -> Role:
    """Give an account another rank. The last owner stays owner; a new one accepts it first."""
    lock_club(role.club)
    role.refresh_from_db()
    refuse_beyond(role.club, by, rank, role.rank)
    if rank == role.rank:
        return role
    if rank == Role.Rank.OWNER:
        sentence = _("Nobody becomes owner without accepting it. Send an invitation.")
        raise Refused("owner-accepts", sentence, fields={"rank": [sentence]}, status=409)
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
        refuse_beyond(role.club, by, role.rank)
    _refuse_last_owner(role)
    _withdraw_all_of(role, at)
    note(role.club, by, "remove role", role.user, old={"rank": role.rank})
    role.delete()


def refuse_beyond(club: Club, by: Actor, *ranks: str) -> None:
    """Only an owner touches owners and organisers; the program itself may do everything."""
    if by.user is None:
        return
    own = Role.objects.filter(club=club, user=by.user).values_list("rank", flat=True).first()
    if not set(ranks) <= set(ranks_to_give(own)):
        sentence = _("Only an owner can give or take this rank.")
        raise Refused("beyond-rank", sentence, fields={"rank": [sentence]}, status=403)


def _refuse_last_owner(role: Role) -> None:
    owners = role.club.roles.filter(rank=Role.Rank.OWNER, user__is_active=True)
    if role.rank == Role.Rank.OWNER and not owners.exclude(pk=role.pk).exists():
        sentence = _("A club keeps at least one owner. Make somebody else owner first.")
        raise Refused("last-owner", sentence, fields={"rank": [sentence]}, status=409)


def _withdraw_all_of(role: Role, at: datetime) -> None:
    """End the invitations made by somebody who may do less from now on, and those to them."""
    theirs = Q(made_by=role.user) | Q(to_user=role.user)
    role.club.invitations.filter(theirs, used_at=None, withdrawn_at=None).update(withdrawn_at=at)
