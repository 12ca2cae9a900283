"""Access to a club's pages: every view checks the visitor's rank, one of a ladder of four."""

import json
import logging
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from allauth.account.decorators import reauthentication_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from league import limits
from league.compiled_sql import read_joined
from league.database import answer_from_replica
from league.members.languages import activate_club_language, follow_account
from league.members.models import Club, Role


class ClubRequest(HttpRequest):
    """A request as a `club_page` view gets it."""

    rank: str | None
    htmx: HtmxDetails


ASK_PASSWORD = ("account_login", "account_reauthenticate", "mfa_authenticate", "mfa_reauthenticate")
LADDER = (Role.Rank.MEMBER, Role.Rank.SCOREKEEPER, Role.Rank.ORGANISER, Role.Rank.OWNER)
PUBLIC = "public"
# Every page of a club begins with this query; Django would take six times as long to build it.
CLUB_AND_ROLE = """
    FROM league_club
    LEFT JOIN league_role ON league_role.club_id = league_club.id AND league_role.user_id = %s
    WHERE league_club.slug = %s
"""

log = logging.getLogger(__name__)


def rank_in(club: Club, user: Any) -> str | None:
    """The user's rank in this club; None for someone without a role."""
    if not user.is_authenticated or not user.is_active:
        return None
    return Role.objects.filter(club=club, user=user).values_list("rank", flat=True).first()


def rank_of(request: HttpRequest) -> str | None:
    """The visitor's rank in the page's club, set by `club_page`; None for the public."""
    return getattr(request, "rank", None)


def reaches(rank: str | None, least: str) -> bool:
    """Whether a rank is at least `least`; every visitor reaches `PUBLIC`."""
    if least == PUBLIC:
        return True
    return rank is not None and LADDER.index(Role.Rank(rank)) >= LADDER.index(Role.Rank(least))


def club_page(
    least: str, *, instead: Callable[..., str] = lambda _club, **_kwargs: ""
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Pass the club to a view instead of its slug, if the visitor's rank is at least `least`.

    Sets `request.rank`. A private club looks like one that does not exist: strangers get a 404, or
    the sign-in page if they are not signed in. A member of too low a rank gets a 403. With `PUBLIC`
    the page is open to everyone if the club is public, else to members; for other pages `instead`
    can return a page to which visitors of a public club are redirected. Responses for members are
    `no-store`, unless the view sets `Cache-Control` itself. Search engines are asked not to index
    the pages below a club's home page.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            if least == PUBLIC:
                return answer_from_replica(request, lambda: answer(request, slug, *args, **kwargs))
            return answer(request, slug, *args, **kwargs)

        @follow_account
        def answer(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            club, rank, role_id = _club_and_role(request, slug)
            if club is None or (rank is None and not (least == PUBLIC and club.is_public)):
                page = instead(club, **kwargs) if club is not None and club.is_public else ""
                return _turn_away(request, page)
            request.club_found = club  # type: ignore[attr-defined]  # for the log, and for a 404
            if not reaches(rank, least):
                return _forbidden(request, club, rank, least)
            request.rank = rank  # type: ignore[attr-defined]
            request.role_id = role_id  # type: ignore[attr-defined]
            _forget_sent(request)
            activate_club_language(request, club)
            with timezone.override(club.zone):  # times are shown in the club's time zone
                response = view(request, club, *args, **kwargs)
            if kwargs or not club.findable:  # pages below the club's home page name people
                response.headers.setdefault("X-Robots-Tag", "noindex")
            if not (club.is_public and least == PUBLIC) and not response.has_header(
                "Cache-Control"
            ):
                patch_cache_control(response, private=True, no_store=True)
            return response

        guarded.least_rank = least  # type: ignore[attr-defined]
        return guarded

    return decorate


def signed_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page outside any club about the user's own account; visitors are asked to sign in."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return _ask_to_sign_in(request)
        _forget_sent(request)
        response = follow_account(view)(request, *args, **kwargs)
        patch_cache_control(response, private=True, no_store=True)
        return response

    return guarded


def password_first(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A download that asks for the password first, unless it was given recently.

    A browser that receives a file stays on its page. Users who come from the page that asks for
    the password therefore get a page with a link to the file instead of the file.
    """

    @wraps(view)
    def confirmed(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        referring_page = urlsplit(request.headers.get("Referer", "")).path
        if request.method == "GET" and referring_page in map(reverse, ASK_PASSWORD):
            context: dict[str, Any] = {"path": request.get_full_path()}
            if args:  # within `club_page`
                context |= {"club": args[0], "here": "settings"}
            return render(request, "members/download.html", context)
        return view(request, *args, **kwargs)

    guarded: Callable[..., HttpResponse] = reauthentication_required(confirmed)
    return guarded


def _club_and_role(request: HttpRequest, slug: str) -> tuple[Club | None, str | None, int | None]:
    """The club, the visitor's rank in it, and the id of their role, in one query."""
    rows = read_joined((Club, Role), CLUB_AND_ROLE, request.user.pk, slug)
    club, role = rows[0] if rows else (None, None)
    return club, getattr(role, "rank", None), getattr(role, "pk", None)


UNSENT_FORM = "unsent_form"  # session key of a form that was sent after the sign-in expired
MOST_TYPED = 20_000  # bytes of JSON
KEPT_FORMS = limits.Limit(most=30, within=limits.HOUR)
"""Per network, since each is a database row that a stranger has filled."""


def _turn_away(request: HttpRequest, instead: str) -> HttpResponse:
    """Redirect a stranger to the page `instead` if given, else answer 404 or ask to sign in."""
    if instead:
        return redirect(instead)
    if request.user.is_authenticated:
        raise Http404
    return _ask_to_sign_in(request)


def _ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in page, which leads back, and keep a posted form meanwhile."""
    back = request.get_full_path()
    if request.method == "POST":
        back = _keep_typed(request)
    sign_in = redirect_to_login(back)
    if getattr(request, "htmx", False):  # the sign-in page does not fit into a part of a page
        return HttpResponseClientRedirect(sign_in["Location"])
    return sign_in


def _keep_typed(request: HttpRequest) -> str:
    """Keep a posted form in the visitor's session; return the page that offers to resend it."""
    fields = [
        (name, text)
        for name, texts in request.POST.lists()
        if name != "csrfmiddlewaretoken" and "password" not in name
        for text in texts
    ]
    if request.FILES or len(json.dumps(fields)) > MOST_TYPED:
        return reverse("home")
    if limits.wait_for(f"typed:{limits.network_of(request)}", KEPT_FORMS):
        return reverse("home")
    request.session[UNSENT_FORM] = {"path": request.get_full_path(), "fields": fields}
    return reverse("typed_again")


def _forget_sent(request: HttpRequest) -> None:
    """Remove the kept form from the session once it is sent."""
    if request.method != "POST":
        return
    typed = request.session.get(UNSENT_FORM)
    if typed and typed["path"] == request.get_full_path():
        del request.session[UNSENT_FORM]


def _forbidden(request: HttpRequest, club: Club, rank: str | None, least: str) -> HttpResponse:
    log.warning(
        "refused: %s of club %s asked for a page of %s: %s",
        rank,
        club.pk,
        least,
        request.resolver_match.url_name if request.resolver_match else "",
    )
    return render(request, "403.html", {"club": club, "least": least}, status=403)
