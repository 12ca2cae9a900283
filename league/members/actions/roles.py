"""Who may do what in a club: roles, the invitations by which alone they are given, API tokens."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.errors import Refused
from league.limits import DAY, Limit, give_back, refuse_over
from league.members.actions.people import field_refusal, lock_club, read_name, refuse_gone
from league.members.audit import Actor, log_action
from league.members.models import ApiToken, Club, Invitation, Member, Role, User

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
        raise field_refusal(
            "username", "account-unknown", _("There is no account with this user name.")
        )
    return user


@transaction.atomic
def give_role(club: Club, *, username: str, rank: str, by: Actor) -> Role:
    """Give an account a role without asking it: for the server's own commands alone."""
    lock_club(club)
    role = Role.objects.create(club=club, user=account_named(username), rank=rank)
    log_action(club, by, "give role", role.user, new={"rank": rank})
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
        sentence = _("A new owner has to accept first. Send an invitation.")
        raise Refused("owner-accepts", sentence, fields={"rank": [sentence]}, status=409)
    _refuse_last_owner(role)
    old, role.rank = role.rank, rank
    role.save(update_fields=["rank"])
    if LADDER.index(Role.Rank(rank)) < LADDER.index(Role.Rank(old)):
        _withdraw_all_of(role, at)
    log_action(role.club, by, "change role", role.user, old={"rank": old}, new={"rank": rank})
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
    log_action(role.club, by, "remove role", role.user, old={"rank": role.rank})
    role.delete()


def refuse_beyond(club: Club, by: Actor, *ranks: str) -> None:
    """Only an owner touches owners and organisers; the program itself may do everything."""
    if by.user is None:
        return
    own = Role.objects.filter(club=club, user=by.user).values_list("rank", flat=True).first()
    if not set(ranks) <= set(ranks_to_give(own)):
        sentence = _("Only an owner can assign or remove this role.")
        raise Refused("beyond-rank", sentence, fields={"rank": [sentence]}, status=403)


def _refuse_last_owner(role: Role) -> None:
    owners = role.club.roles.filter(rank=Role.Rank.OWNER, user__is_active=True)
    if role.rank == Role.Rank.OWNER and not owners.exclude(pk=role.pk).exists():
        sentence = _("A club needs at least one owner. Make someone else an owner first.")
        raise Refused("last-owner", sentence, fields={"rank": [sentence]}, status=409)


def _withdraw_all_of(role: Role, at: datetime) -> None:
    """End the invitations made by somebody who may do less from now on, and those to them."""
    theirs = Q(made_by=role.user) | Q(to_user=role.user)
    role.club.invitations.filter(theirs, used_at=None, withdrawn_at=None).update(withdrawn_at=at)


DAYS_VALID = 7
MOST_OPEN = 300
"""Of one club at a time: a secretary may invite a large club in one evening."""
A_DAY = Limit(most=600, within=DAY)
UNKNOWN_NAMES = Limit(most=100, within=DAY)
"""User names without an account that one account may try: others are guesses, not mistakes."""
MOST_WAITING = 20
"""For one account at a time."""


@transaction.atomic
def invite(
    club: Club, *, rank: str, by: Actor, at: datetime, member: Member | None = None
) -> tuple[Invitation, str]:
    """A new invitation, valid `DAYS_VALID` days and once, and the secret of its link.

    Only a hash of the secret is kept: it can be shown now and never again.
    """
    lock_club(club)
    refuse_beyond(club, by, rank)
    return _link_made(club, rank, member, by, at)


@transaction.atomic
def invite_player(member: Member, *, by: Actor, at: datetime) -> tuple[Invitation, str]:
    """An invitation for the account of a player, as a member; from an inviter who gives no roles
    as well, as the secretary of a league for its captains."""
    lock_club(member.club)
    return _link_made(member.club, Role.Rank.MEMBER, member, by, at)


def _link_made(
    club: Club, rank: str, member: Member | None, by: Actor, at: datetime
) -> tuple[Invitation, str]:
    if member is not None:
        _refuse_taken(club, member)
    invitation, token = _made(club, rank=rank, by=by, at=at, member=member)
    log_action(club, by, "invite", member or "", new={"rank": rank})
    return invitation, token


def invite_account(club: Club, *, username: str, rank: str, by: Actor, at: datetime) -> Invitation:
    """Offer an account a role, or one higher than it has: its home page shows the invitation. Once
    in `DAYS_VALID` days.

    Until it accepts, the club reads its user name, which it typed, and not the name it shows.
    """
    # Outside the transaction, so that a refusal is counted.
    return _offer(club, _account_to_invite(username, by), rank=rank, by=by, at=at)


@transaction.atomic
def _offer(club: Club, user: User, *, rank: str, by: Actor, at: datetime) -> Invitation:
    lock_club(club)
    refuse_beyond(club, by, rank)
    has = club.roles.filter(user=user).values_list("rank", flat=True).first()
    if has and LADDER.index(Role.Rank(has)) >= LADDER.index(Role.Rank(rank)):
        sentence = _("%(user)s already has a role here.") % {"user": user.username}
        raise field_refusal("username", "role-known", sentence)
    if club.invitations.filter(to_user=user, expires_at__gt=at, used_at=None).exists():
        sentence = _("%(user)s was invited in the last days. Send them a link instead.")
        raise field_refusal("username", "already-invited", sentence % {"user": user.username})
    if Invitation.objects.open(at).filter(to_user=user).count() >= MOST_WAITING:
        sentence = _("%(user)s has too many invitations. Send them a link instead.")
        raise field_refusal("username", "too-many-invitations", sentence % {"user": user.username})
    invitation, _token = _made(club, rank=rank, by=by, at=at, to_user=user)
    log_action(club, by, "invite", user.username, new={"rank": rank})
    return invitation


@transaction.atomic
def withdraw_invitation(invitation: Invitation, *, by: Actor, at: datetime) -> None:
    """Make an invitation useless that has not been accepted yet."""
    _end(invitation, "withdraw invitation", by, at)


@transaction.atomic
def decline_invitation(invitation: Invitation, *, by: Actor, at: datetime) -> None:
    """Turn down an invitation: the club sees the user name in its activity log, and no more."""
    if by.user is not None:
        by = Actor(by.user.username, by.user)
    _end(invitation, "decline invitation", by, at)


@transaction.atomic
def accept_invitation(token_hash: str, *, by: Actor, at: datetime) -> Role:
    """Take the role a link or an invitation gives, once. A higher role the account has stays.

    Refuses (`invitation-gone`) one that is unknown, used, withdrawn, expired, somebody else's, or
    of somebody who may not give that role any more.
    """
    invitation = open_invitation(token_hash, at=at, user=by.user)
    if invitation is not None:
        lock_club(invitation.club)  # two at once come in turn: the second looks again
        invitation = open_invitation(token_hash, at=at, user=by.user)
    if invitation is None or by.user is None:
        raise Refused("invitation-gone", _("This invitation is no longer valid."), status=404)
    club = invitation.club
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
    log_action(club, by, "accept invitation", by.user, old={"rank": old}, new={"rank": role.rank})
    return role


@transaction.atomic
def open_club_link(club: Club, *, by: Actor) -> None:
    """Let anyone who has the club's link join as a member. Every opening makes a new link."""
    _set_club_link(club, True, "open club link", by)


@transaction.atomic
def close_club_link(club: Club, *, by: Actor) -> None:
    """Let nobody else join by the link. Members stay."""
    _set_club_link(club, False, "close club link", by)


def _set_club_link(club: Club, joins: bool, action: str, by: Actor) -> None:
    lock_club(club)
    refuse_beyond(club, by, Role.Rank.MEMBER)
    club.refresh_from_db()
    club.joins_by_link, club.link_version = joins, club.link_version + 1
    club.save(update_fields=["joins_by_link", "link_version"])
    log_action(club, by, action, club)


@transaction.atomic
def join_by_link(club: Club, *, by: Actor) -> Role:
    """Join as a member; a role the account already has stays."""
    lock_club(club)
    role, made = club.roles.get_or_create(user=by.user, defaults={"rank": Role.Rank.MEMBER})
    if made:
        log_action(club, by, "join by link", by.user, new={"rank": role.rank})
    return role


def open_invitation(
    token_hash: str, *, at: datetime, user: User | None = None
) -> Invitation | None:
    """The invitation behind a link's hash, while this visitor can accept it."""
    invitations = Invitation.objects.open(at).filter(Q(to_user=None) | Q(to_user=user))
    return (
        invitations.select_related("club", "member", "made_by")
        .filter(token_hash=token_hash)
        .first()
    )


def hash_of(token: str) -> str:
    """What is kept of a link's secret."""
    return hashlib.sha256(token.encode()).hexdigest()


def _account_to_invite(username: str, by: Actor) -> User:
    """The account of this user name; refused, known or not, after too many unknown ones."""
    if by.user is None:
        return account_named(username)
    key = f"unknown-names-of:{by.user.pk}"
    refuse_over(key, UNKNOWN_NAMES, _("You've tried many unknown user names today."))
    user = account_named(username)
    give_back(key)
    return user


def _made(
    club: Club,
    *,
    rank: str,
    by: Actor,
    at: datetime,
    member: Member | None = None,
    to_user: User | None = None,
) -> tuple[Invitation, str]:
    if club.invitations.open(at).count() >= MOST_OPEN:
        sentence = _("A club has at most %(most)d open invitations. Withdraw some first.")
        raise Refused("too-many-invitations", sentence % {"most": MOST_OPEN}, status=409)
    if by.user is not None:
        refuse_over(f"invitations-of:{by.user.pk}", A_DAY, _("You've made many invitations today."))
    token = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        club=club,
        rank=rank,
        member=member,
        to_user=to_user,
        token_hash=hash_of(token),
        made_by=by.user,
        made_at=at,
        expires_at=at + timedelta(days=DAYS_VALID),
    )
    return invitation, token


def _end(invitation: Invitation, action: str, by: Actor, at: datetime) -> None:
    lock_club(invitation.club)
    invitation.refresh_from_db()
    if invitation.used_at is None and invitation.withdrawn_at is None:
        invitation.withdrawn_at = at
        invitation.save(update_fields=["withdrawn_at"])
        user_name = invitation.to_user.username if invitation.to_user else ""
        who = invitation.member or user_name
        log_action(invitation.club, by, action, who, old={"rank": invitation.rank})


def _refuse_taken(club: Club, member: Member) -> None:
    if member.club_id != club.pk:
        raise Refused("unknown-member", _("There is no such player."), status=404)
    refuse_gone(member)
    if member.user_id:
        raise field_refusal("member", "member-linked", _("This person already has an account."))


def _link(club: Club, member: Member, user: User) -> None:
    """Say that the account is this person, unless either has another by now."""
    free = member.user_id is None and member.merged_into_id is None and member.erased_at is None
    if free and not club.members.filter(user=user).exists():
        member.user = user
        member.save()


TOKEN_PREFIX = "rb_"  # noqa: S105
"""So that anyone who finds one in a log or a repository sees what it is."""
MOST_TOKENS = 50


@transaction.atomic
def make_token(
    club: Club, *, name: str, scope: str, by: Actor, at: datetime
) -> tuple[ApiToken, str]:
    """A new token and its secret, which can be shown now and never again."""
    lock_club(club)
    if club.tokens.filter(revoked_at=None).count() >= MOST_TOKENS:
        sentence = _("A club has at most %(most)d tokens. Revoke one you no longer use.")
        raise Refused("too-many-tokens", sentence % {"most": MOST_TOKENS}, status=409)
    secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        club=club,
        name=read_name(name),
        scope=ApiToken.Scope(scope),
        token_hash=hash_of(secret),
        made_by=by.user,
        made_at=at,
    )
    log_action(club, by, "make token", token, new={"scope": token.scope})
    return token, secret


@transaction.atomic
def revoke_token(token: ApiToken, *, by: Actor, at: datetime) -> ApiToken:
    """Make a token useless, for good."""
    lock_club(token.club)
    token.refresh_from_db()
    if token.revoked_at is None:
        token.revoked_at = at
        token.save(update_fields=["revoked_at"])
        log_action(token.club, by, "revoke token", token)
    return token
