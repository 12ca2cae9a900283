"""Who may create an account or start a club; the club's link; and the adapter for allauth. Refuses
passwords that are easy to guess: common words with a year, keyboard rows, repetition.

zxcvbn estimates how many guesses a password withstands by an attacker who has lists of leaked
passwords, names and words. It is used twice: on the password as typed, and on what is left of it
without the words that an attacker of this site would try first.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, cast

from allauth.mfa.stages import AuthenticateStage
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from zxcvbn import zxcvbn

from league import limits
from league.errors import Refused
from league.limits import Limit, refuse_over
from league.members.account_mail import MailAdapter
from league.members.actions.roles import open_invitation
from league.members.languages import keep_choice
from league.members.models import Club, Invitation, Role, User
from league.members.sign_in import remember_device

INVITATION_KEY = "invitation"
"""The session key of the hash of the invitation that the browser opened."""
# Of two visitors of an empty site, only one can create the first account.
FIRST_ACCOUNT = limits.Limit(most=1, within=limits.HOUR)


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
        return _("Only the administrators of this site start clubs here.")
    return _("Only owners of a club and the administrators of this site start clubs here.")


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


ENOUGH = 1e9
"""Guesses that the password as typed must withstand: more than three common words in a row do."""
ENOUGH_LEFT = 1e7
"""Guesses that the rest without the site's and the user's own words must withstand."""
LOOKED_AT = 40
"""Characters that are judged: 40 are enough, and the estimate takes longer with each."""
MOST_CLUBS = 20
SHORTEST_WORD = 3

SITE_WORDS = (
    "euchre right left bower rightbower leftbower trump trumps loner alone lone march maker "
    "dealer kitty partner tricks trick cards card ace king queen jack joker spades spade hearts "
    "heart diamonds diamond clubs club games game score scores deal shuffle night league "
    "tournament season password passwort admin welcome letmein login "
    "correcthorsebatterystaple"
)
YEARS = re.compile(r"(?:19|20)\d\d")
NUMBER = re.compile(r"[\d\s()+./-]+")  # a telephone number, a card number, a date
UNSEEN = ("Mn", "Cf", "Cc")
MANY_READINGS = "({[<|+%!"
"""Characters that can replace several letters each; zxcvbn takes seconds if there are many."""
UNSHIFTED = str.maketrans("!@#$%^&*()", "1234567890")  # a row of keys, every other one with shift
LETTERS = {"0": "o", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g", "$": "s", "@": "a"}
READINGS = [str.maketrans(LETTERS | {"1": letter, "!": letter}) for letter in "il"]

zxcvbn("x")  # the first call modifies its word lists, which would not be thread-safe later


class HardToGuess:
    """A password validator for Django (AUTH_PASSWORD_VALIDATORS)."""

    def validate(self, password: str, user: Any = None) -> None:
        plain = _plain(password)[:LOOKED_AT]
        if NUMBER.fullmatch(plain):
            sentence = _("This password is easy to guess: it is only a number.")
            raise ValidationError(f"{sentence} {_advice()}", code="password-easy")
        for estimate in (_estimate(plain), _estimate(plain.translate(UNSHIFTED))):
            if estimate["guesses"] < ENOUGH:
                raise _refusal(estimate)
        if _estimate(without(plain, own_words(user)))["guesses"] < ENOUGH_LEFT:
            sentence = _("Without names and words of card games, this password is easy to guess.")
            raise ValidationError(f"{sentence} {_advice()}", code="password-easy")

    def get_help_text(self) -> str:
        return _("Three or four unrelated words make a good password.")


def _plain(password: str) -> str:
    """The password in plain letters, without accents, width variants and invisible characters."""
    letters = unicodedata.normalize("NFKD", password)
    return "".join(letter for letter in letters if unicodedata.category(letter) not in UNSEEN)


def own_words(user: Any) -> list[str]:
    """The words an attacker would try first: about Euchre, the site's clubs and the user."""
    texts = [getattr(user, name, "") or "" for name in ("username", "display_name", "email")]
    texts += _club_names(user)
    words = set(SITE_WORDS.split())
    for text in texts:
        parts = re.findall(r"\w+", text.casefold())
        words |= {"".join(parts), " ".join(parts), *parts}
    return sorted((w for w in words if len(w) >= SHORTEST_WORD), key=lambda w: (-len(w), w))


def without(password: str, words: Iterable[str]) -> str:
    """The rest of a password without years and these words, in any case or leetspeak spelling."""
    letters = "".join(sign for sign in password if sign.isalnum() or sign in "@$!")
    rest = letters if 2 * len(letters) >= len(password) else password
    for word in words:
        for reading in READINGS:
            folded = rest.casefold().translate(reading)
            if len(folded) == len(rest):  # casefold lengthens a few letters; positions must match
                rest = _without_word(rest, folded, word)
    return YEARS.sub("", rest)


def _without_word(text: str, folded: str, word: str) -> str:
    """The text without the places where its `folded` form has the word."""
    pieces, start = [], 0
    while (index := folded.find(word, start)) >= 0:
        pieces.append(text[start:index])
        start = index + len(word)
    return "".join(pieces) + text[start:]


def _estimate(password: str) -> Mapping[str, Any]:
    if len(set(password) & set(MANY_READINGS)) > 2:
        password = password.translate(str.maketrans(MANY_READINGS, "-" * len(MANY_READINGS)))
    if not password:
        return {"guesses": 0, "sequence": []}
    return cast(Mapping[str, Any], zxcvbn(password))


def _club_names(user: Any) -> Iterable[str]:
    names = Club.objects.values_list("name", flat=True)
    own = names.filter(roles__user=user.pk) if getattr(user, "pk", None) else names.none()
    return chain(own[:MOST_CLUBS], names.order_by("pk")[:MOST_CLUBS])


def _refusal(estimate: Mapping[str, Any]) -> ValidationError:
    patterns = {part["pattern"] for part in estimate["sequence"]}
    if "spatial" in patterns:
        sentence = _("This password is easy to guess: it follows a row of keys.")
    elif patterns & {"repeat", "sequence"}:
        sentence = _("This password is easy to guess: it repeats itself or counts up.")
    else:
        sentence = _("This password is easy to guess: it is made of common words, names or dates.")
    return ValidationError(f"{sentence} {_advice()}", code="password-easy")


def _advice() -> str:
    return _("Use three or four unrelated words.")
