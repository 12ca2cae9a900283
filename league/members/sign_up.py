"""Who may create an account or start a club; the club's link; and the adapter for allauth."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.mfa.stages import AuthenticateStage
from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league import limits
from league.errors import Refused
from league.limits import Limit, refuse_over
from league.members.account_mail import MailAdapter
from league.members.actions.roles import open_invitation
from league.members.languages import activate_club_language, keep_choice
from league.members.models import Club, Invitation, Role, User
from league.members.queries import public_club_of
from league.members.sign_in import remember_device

INVITATION_KEY = "invitation"
"""The session key of the hash of the invitation that the browser opened."""
# Of two visitors of an empty site, only one can create the first account.
FIRST_ACCOUNT = limits.Limit(most=1, within=limits.HOUR)


def in_language_of_next(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A decorator for pages about accounts: in the language of the public page they lead back to,
    which the visitor has just read."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if club := public_club_of(request.POST.get("next") or request.GET.get("next")):
            activate_club_language(request, club)
        return view(request, *args, **kwargs)

    return wrapper


def may_sign_up(request: HttpRequest) -> bool:
    """Whether this visitor may create an account. On a site without accounts, anyone may."""
    if settings.SIGN_UP == "open" or not User.objects.exists():
        return True
    return settings.SIGN_UP == "invited" and _is_invited(request)


def _is_invited(request: HttpRequest) -> bool:
    """Whether the visitor opened an unused invitation, or a club's link."""
    code = request.session.get(CLUB_LINK_KEY, "")
    return bool(unused_invitation(request) or (code and club_of_link(code)))


def refuse_sign_up(request: HttpRequest) -> None:
    """Refuse an account that may not be created; called in the transaction that creates it."""
    if settings.SIGN_UP == "open":
        return
    if not User.objects.exists():
        limits.refuse_over("first-account", FIRST_ACCOUNT)
    elif not may_sign_up(request):
        sentence = _("You need an invitation to create an account here.")
        raise Refused("sign-up-closed", sentence, status=403)


def unused_invitation(request: HttpRequest) -> Invitation | None:
    """The invitation that this browser opened, unless an account was created with it."""
    token_hash = request.session.get(INVITATION_KEY, "")
    return open_invitation(token_hash, at=timezone.now()) if token_hash else None


def spend_invitation(request: HttpRequest, user: User) -> None:
    """Reserve the invitation for the account that was created with it: one account each."""
    if settings.SIGN_UP == "open":
        return
    if invitation := unused_invitation(request):
        unused = Invitation.objects.filter(pk=invitation.pk, to_user=None)
        if not unused.update(to_user=user):  # another browser was faster
            refuse_sign_up(request)


def may_start_club(user: Any) -> bool:
    """Whether this account may start a club. The first account may always start the first club."""
    if settings.START_CLUB == "anyone" or user.is_staff:
        return True
    if not Club.objects.exists():
        return bool(User.objects.order_by("pk").values_list("pk", flat=True).first() == user.pk)
    owns = Role.objects.filter(user=user.pk, rank=Role.Rank.OWNER)
    return settings.START_CLUB == "owners" and owns.exists()


def who_starts_clubs() -> str:
    """A sentence about who may start clubs on this site."""
    if settings.START_CLUB == "administrators":
        return _("Only this site's administrators can start clubs here.")
    return _("Only club owners and this site's administrators can start clubs here.")


def refuse_start_club(user: Any) -> None:
    if not may_start_club(user):
        raise Refused("start-club-closed", who_starts_clubs(), status=403)


def lists_new_clubs(user: Any) -> bool:
    """Whether a new public club is listed on the home page at once."""
    return settings.START_CLUB != "anyone" or bool(user.is_staff)


SIGN_UPS = Limit(most=60, within=60)  # on the whole site, since each costs a hash


class SecondStep(AuthenticateStage):
    """The two-factor step, which fails if the password has changed since the first step."""

    def handle(self) -> tuple[Any, bool]:
        if self.login.user is not None:
            self.state["password"] = self.login.user.get_session_auth_hash()
        return super().handle()

    def exit(self) -> HttpResponse:
        if self.state.get("password") != self.login.user.get_session_auth_hash():
            return self.abort()
        return super().exit()


class AccountAdapter(MailAdapter):
    def get_login_stages(self) -> list[str]:
        our_stage = f"{SecondStep.__module__}.{SecondStep.__name__}"
        their_stage = "allauth.mfa.stages.AuthenticateStage"
        return [our_stage if path == their_stage else path for path in super().get_login_stages()]

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_sign_up(request)

    @transaction.atomic
    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Save a new account, after checking again that it may be created: the page may be old."""
        refuse_sign_up(request)
        refuse_over("sign-up", SIGN_UPS)
        user = super().save_user(request, user, form, commit)
        spend_invitation(request, user)
        return user

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Remember this device, after the second step too."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        remember_device(request, response, user)
        keep_choice(response, user)
        return response


CLUB_LINK_KEY = "club_link"
"""The session key of the code of the club's link that the browser opened."""
# A club has one invitation link, by which anyone can join as a member until it is replaced. It is
# signed (HMAC-SHA256) over the club and its `link_version`, and isn't stored.
_signer = Signer(salt="league.members.club_link")


def club_link(club: Club) -> str:
    """The path of the club's link."""
    return reverse("club_link", args=[_signer.sign(f"{club.pk}.{club.link_version}")])


def club_of_link(code: str) -> Club | None:
    """The club of a link's code; None for a forged or replaced code, or if the link is off."""
    try:
        pk, _dot, version = _signer.unsign(code).partition(".")
    except BadSignature:
        return None
    clubs = Club.objects.filter(pk=int(pk), link_version=int(version), joins_by_link=True)
    return clubs.first()
