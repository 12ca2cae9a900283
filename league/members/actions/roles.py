"""Actions on roles in a club, on the invitations that give them, and on API tokens."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.errors import Refused
from league.limits import DAY, Limit, give_back, refuse_over
from league.members.actions.people import (
    change_account,
    field_refusal,
    lock_club,
    models_with,
    read_name,
    refuse_gone,
)
from league.members.audit import Actor, log_action
from league.members.models import ApiToken, Club, Invitation, Member, Role, User

LADDER = [Role.Rank.MEMBER, Role.Rank.SCOREKEEPER, Role.Rank.ORGANISER, Role.Rank.OWNER]


def ranks_to_give(own: str | None) -> list[Role.Rank]:
    """The ranks that a user of this rank may assign and remove: all for owners."""
    if own == Role.Rank.OWNER:
        return list(LADDER)
    return list(Role.GIVEN_BY_ORGANISERS) if own == Role.Rank.ORGANISER else []


def account_by_username(username: str) -> User:
    """Return the active account with this user name; refuse an unknown one."""
    user = User.objects.filter(username=username.strip(), is_active=True).first()
    if user is None:
        raise field_refusal(
            "username", "account-unknown", _("There is no account with this user name.")
        )
    return user


@transaction.atomic
def give_role(club: Club, *, username: str, rank: str, by: Actor) -> Role:
    """Give an account a role without an invitation, for management commands only."""
    lock_club(club)
    role = Role.objects.create(club=club, user=account_by_username(username), rank=rank)
    log_action(club, by, "give role", role.user, new={"rank": rank})
    return role


@transaction.atomic
def change_role(role: Role, *, rank: str, by: Actor, at: datetime) -> Role:
    """Change an account's rank. The last owner stays owner; a new owner has to accept first."""
    lock_club(role.club)
    role.refresh_from_db()
    refuse_beyond_rank(role.club, by, rank, role.rank)
    if rank == role.rank:
        return role
    if rank == Role.Rank.OWNER:
        sentence = _("A new owner has to accept first. Send an invitation.")
        raise Refused("owner-accepts", sentence, fields={"rank": [sentence]}, status=409)
    _refuse_last_owner(role)
    old, role.rank = role.rank, rank
    role.save(update_fields=["rank"])
    if LADDER.index(Role.Rank(rank)) < LADDER.index(Role.Rank(old)):
        _withdraw_invitations(role, at)
    log_action(role.club, by, "change role", role.user, old={"rank": old}, new={"rank": rank})
    return role


@transaction.atomic
def remove_role(role: Role, *, by: Actor, at: datetime) -> None:
    """Remove an account's role and withdraw its invitations. Everyone may remove their own."""
    lock_club(role.club)
    role.refresh_from_db()
    if by.user is None or by.user.pk != role.user_id:
        refuse_beyond_rank(role.club, by, role.rank)
    _refuse_last_owner(role)
    _withdraw_invitations(role, at)
    log_action(role.club, by, "remove role", role.user, old={"rank": role.rank})
    role.delete()


def notes_on_leaving(club: Club, user: User) -> list[str]:
    """What each area says before this account leaves the club, by `note_on_leaving` of models."""
    notes = (model.note_on_leaving(club, user) for model in models_with("note_on_leaving"))
    return [note for note in notes if note]


def notes_on_joining(member: Member | None) -> list[str]:
    """What each area says to an invited player, by `note_on_joining` of models."""
    models = models_with("note_on_joining") if member else []
    return [note for model in models if (note := model.note_on_joining(member))]


def refuse_beyond_rank(club: Club, by: Actor, *ranks: str) -> None:
    """Refuse ranks that the actor may not assign or remove; the program itself may do all."""
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


def _withdraw_invitations(role: Role, at: datetime) -> None:
    """Withdraw open invitations by and to an account whose rank was lowered or removed."""
    by_or_to_user = Q(made_by=role.user) | Q(to_user=role.user)
    role.club.invitations.filter(by_or_to_user, used_at=None, withdrawn_at=None).update(
        withdrawn_at=at
    )


DAYS_VALID = 7
MOST_OPEN = 300
"""Per club at a time: enough to invite a large club in one evening."""
INVITATIONS_PER_DAY = Limit(most=600, within=DAY)
UNKNOWN_NAMES = Limit(most=100, within=DAY)
"""User names without an account that one account may try: more are guesses, not mistakes."""
MOST_WAITING = 20
"""Open invitations for one account."""


@transaction.atomic
def invite(
    club: Club, *, rank: str, by: Actor, at: datetime, member: Member | None = None
) -> tuple[Invitation, str]:
    """Make an invitation, valid once within `DAYS_VALID` days; return it and its link's secret.

    Only a hash of the secret is stored, so it can't be shown again.
    """
    lock_club(club)
    refuse_beyond_rank(club, by, rank)
    return _make_player_invitation(club, rank, member, by, at)


@transaction.atomic
def invite_player(member: Member, *, by: Actor, at: datetime) -> tuple[Invitation, str]:
    """Make an invitation for a player to join as a member.

    The inviter needs no right to assign roles: league secretaries invite captains.
    """
    lock_club(member.club)
    return _make_player_invitation(member.club, Role.Rank.MEMBER, member, by, at)


def _make_player_invitation(
    club: Club, rank: str, member: Member | None, by: Actor, at: datetime
) -> tuple[Invitation, str]:
    if member is not None:
        _refuse_linked(club, member)
    invitation, token = _make_invitation(club, rank=rank, by=by, at=at, member=member)
    log_action(club, by, "invite", member or "", new={"rank": rank})
    return invitation, token


def invite_account(club: Club, *, username: str, rank: str, by: Actor, at: datetime) -> Invitation:
    """Invite an account to a role, or to a higher one: the invitation appears on its home page.

    At most once in `DAYS_VALID` days. Until it accepts, the club sees only its user name, which it
    typed, and not its display name.
    """
    # Outside the transaction, so that a refusal is counted.
    return _invite_user(club, _account_to_invite(username, by), rank=rank, by=by, at=at)


@transaction.atomic
def _invite_user(club: Club, user: User, *, rank: str, by: Actor, at: datetime) -> Invitation:
    lock_club(club)
    refuse_beyond_rank(club, by, rank)
    current_rank = club.roles.filter(user=user).values_list("rank", flat=True).first()
    if current_rank and LADDER.index(Role.Rank(current_rank)) >= LADDER.index(Role.Rank(rank)):
        sentence = _("%(user)s already has a role here.") % {"user": user.username}
        raise field_refusal("username", "role-known", sentence)
    if club.invitations.filter(to_user=user, expires_at__gt=at, used_at=None).exists():
        sentence = _("%(user)s was invited in the last days. Send them a link instead.")
        raise field_refusal("username", "already-invited", sentence % {"user": user.username})
    if Invitation.objects.open(at).filter(to_user=user).count() >= MOST_WAITING:
        sentence = _("%(user)s has too many invitations. Send them a link instead.")
        raise field_refusal("username", "too-many-invitations", sentence % {"user": user.username})
    invitation, _token = _make_invitation(club, rank=rank, by=by, at=at, to_user=user)
    log_action(club, by, "invite", user.username, new={"rank": rank})
    return invitation


@transaction.atomic
def withdraw_invitation(invitation: Invitation, *, by: Actor, at: datetime) -> None:
    """Withdraw an invitation that has not been accepted."""
    _end_invitation(invitation, "withdraw invitation", by, at)


@transaction.atomic
def decline_invitation(invitation: Invitation, *, by: Actor, at: datetime) -> None:
    """Decline an invitation: the activity log shows only the user name."""
    if by.user is not None:
        by = Actor(by.user.username, by.user)
    _end_invitation(invitation, "decline invitation", by, at)


@transaction.atomic
def accept_invitation(token_hash: str, *, by: Actor, at: datetime) -> Role:
    """Accept an invitation once. A higher role that the account has is kept.

    Refuses (`invitation-gone`) an invitation that is unknown, used, withdrawn or expired, is for
    another account, or was made by someone who may no longer assign that role.
    """
    invitation = open_invitation(token_hash, at=at, user=by.user)
    if invitation is not None:
        lock_club(invitation.club)  # the second of two at once checks again
        invitation = open_invitation(token_hash, at=at, user=by.user)
    if invitation is None or by.user is None:
        raise Refused("invitation-gone", _("This invitation is no longer valid."), status=404)
    club = invitation.club
    role, is_new = Role.objects.get_or_create(
        club=club, user=by.user, defaults={"rank": invitation.rank}
    )
    old = None if is_new else role.rank
    if LADDER.index(Role.Rank(invitation.rank)) > LADDER.index(Role.Rank(role.rank)):
        role.rank = invitation.rank
        role.save(update_fields=["rank"])
    invitation.used_by, invitation.used_at = by.user, at
    invitation.save(update_fields=["used_by", "used_at"])
    if invitation.member is not None:
        _link_player(club, invitation.member, by.user)
    log_action(club, by, "accept invitation", by.user, old={"rank": old}, new={"rank": role.rank})
    return role


@transaction.atomic
def open_club_link(club: Club, *, by: Actor) -> None:
    """Let anyone with the club's link join as a member. This makes a new link each time."""
    _set_club_link(club, True, "open club link", by)


@transaction.atomic
def close_club_link(club: Club, *, by: Actor) -> None:
    """Close the club's link: nobody else can join by it. Members stay."""
    _set_club_link(club, False, "close club link", by)


def _set_club_link(club: Club, joins: bool, action: str, by: Actor) -> None:
    lock_club(club)
    refuse_beyond_rank(club, by, Role.Rank.MEMBER)
    club.refresh_from_db()
    club.joins_by_link, club.link_version = joins, club.link_version + 1
    club.save(update_fields=["joins_by_link", "link_version"])
    log_action(club, by, action, club)


@transaction.atomic
def join_by_link(club: Club, *, by: Actor, name: str = "", same_name: bool = False) -> Role:
    """Join as a member by the club's link; an existing role is kept.

    With a `name`, the account shows it: organisers see by it whose results are this person's.
    """
    lock_club(club)
    role, is_new = club.roles.get_or_create(user=by.user, defaults={"rank": Role.Rank.MEMBER})
    if name and by.user is not None:
        change_account(by.user, name=name, language=by.user.language, same_name=same_name)
    if is_new:
        log_action(club, by, "join by link", by.user, new={"rank": role.rank})
    return role


def open_invitation(
    token_hash: str, *, at: datetime, user: User | None = None
) -> Invitation | None:
    """The open invitation with this hash, if this visitor can accept it."""
    invitations = Invitation.objects.open(at).filter(Q(to_user=None) | Q(to_user=user))
    return (
        invitations.select_related("club", "member", "made_by")
        .filter(token_hash=token_hash)
        .first()
    )


def hash_token(token: str) -> str:
    """The hash of a secret, which is stored in its place."""
    return hashlib.sha256(token.encode()).hexdigest()


def _account_to_invite(username: str, by: Actor) -> User:
    """The account with this user name; refused after too many unknown names, known or not."""
    if by.user is None:
        return account_by_username(username)
    key = f"unknown-names-of:{by.user.pk}"
    refuse_over(key, UNKNOWN_NAMES, _("You've tried many unknown user names today."))
    user = account_by_username(username)
    give_back(key)
    return user


def _make_invitation(
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
        refuse_over(
            f"invitations-of:{by.user.pk}",
            INVITATIONS_PER_DAY,
            _("You've made many invitations today."),
        )
    token = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        club=club,
        rank=rank,
        member=member,
        to_user=to_user,
        token_hash=hash_token(token),
        made_by=by.user,
        made_at=at,
        expires_at=at + timedelta(days=DAYS_VALID),
    )
    return invitation, token


def _end_invitation(invitation: Invitation, action: str, by: Actor, at: datetime) -> None:
    lock_club(invitation.club)
    invitation.refresh_from_db()
    if invitation.used_at is None and invitation.withdrawn_at is None:
        invitation.withdrawn_at = at
        invitation.save(update_fields=["withdrawn_at"])
        user_name = invitation.to_user.username if invitation.to_user else ""
        subject = invitation.member or user_name
        log_action(invitation.club, by, action, subject, old={"rank": invitation.rank})


def _refuse_linked(club: Club, member: Member) -> None:
    if member.club_id != club.pk:
        raise Refused("unknown-member", _("There is no such player."), status=404)
    refuse_gone(member)
    if member.user_id:
        raise field_refusal("member", "member-linked", _("This person already has an account."))


def _link_player(club: Club, member: Member, user: User) -> None:
    """Link the account to this player, unless either is linked already."""
    is_free = member.user_id is None and member.merged_into_id is None and member.erased_at is None
    if is_free and not club.members.filter(user=user).exists():
        member.user = user
        member.save()


TOKEN_PREFIX = "rb_"  # noqa: S105
"""Makes tokens recognisable in logs and repositories."""
MOST_TOKENS = 50


@transaction.atomic
def make_token(
    club: Club, *, name: str, scope: str, by: Actor, at: datetime
) -> tuple[ApiToken, str]:
    """Make a token; return it and its secret, which can't be shown again."""
    lock_club(club)
    if club.tokens.filter(revoked_at=None).count() >= MOST_TOKENS:
        sentence = _("A club has at most %(most)d tokens. Revoke one you no longer use.")
        raise Refused("too-many-tokens", sentence % {"most": MOST_TOKENS}, status=409)
    secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        club=club,
        name=read_name(name),
        scope=ApiToken.Scope(scope),
        token_hash=hash_token(secret),
        made_by=by.user,
        made_at=at,
    )
    log_action(club, by, "make token", token, new={"scope": token.scope})
    return token, secret


@transaction.atomic
def revoke_token(token: ApiToken, *, by: Actor, at: datetime) -> ApiToken:
    """Revoke a token for good."""
    lock_club(token.club)
    token.refresh_from_db()
    if token.revoked_at is None:
        token.revoked_at = at
        token.save(update_fields=["revoked_at"])
        log_action(token.club, by, "revoke token", token)
    return token
