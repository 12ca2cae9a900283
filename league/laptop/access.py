"""Who may open the pages of the club's own laptop: whoever sits at it, and who keeps its club."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from league.access import signed_in
from league.members.models import Role, User
from league.network import is_this_computer

View = Callable[..., HttpResponse]
KEEPERS = (Role.Rank.ORGANISER, Role.Rank.OWNER)


def has_account() -> bool:
    """Whether anybody has an account yet: until then the site is nobody's."""
    return User.objects.exists()


def on_laptop(view: View) -> View:
    """A page that anybody in the hall may open, and that no server has."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.LAPTOP:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


def on_this_computer(view: View) -> View:
    """A page that only a browser on the club's laptop itself can open."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.LAPTOP or not is_this_computer(request):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


def before_first_account(view: View) -> View:
    """A page of the first start, which is over once there is an account."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return redirect("home") if has_account() else view(request, *args, **kwargs)

    return on_this_computer(guarded)


def for_keepers(view: View) -> View:
    """A page for owners and organisers of a club on the laptop, wherever they sit."""
    return _for(KEEPERS, view)


def for_owners(view: View) -> View:
    """A page for owners of a club on the laptop."""
    return _for((Role.Rank.OWNER,), view)


def _for(ranks: tuple[Role.Rank, ...], view: View) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        has_rank = Role.objects.filter(user=request.user.pk, rank__in=ranks)
        if not settings.LAPTOP or not has_rank.exists():
            raise Http404
        return view(request, *args, **kwargs)

    return signed_in(guarded)
