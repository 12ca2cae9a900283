"""A refused order is told on the page it came from, with its own status."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from league.errors import Refused
from league.members.models import Club
from league.sessions.models import Session
from league.sessions.queries import session_of

Page = Callable[[HttpRequest, Session], HttpResponse]
Order = Callable[[HttpRequest, Session], HttpResponse]


def refused_on(page: Page) -> Callable[[Order], Callable[..., HttpResponse]]:
    """Give an order its session; when the order is refused, show `page` with the reason."""

    def decorate(order: Order) -> Callable[..., HttpResponse]:
        @wraps(order)
        def kind(request: HttpRequest, club: Club, public_id: str, **more: Any) -> HttpResponse:
            club_session = session_of(club, public_id)
            try:
                return order(request, club_session, **more)
            except Refused as refused:
                messages.error(request, refused.message)
                response = page(request, club_session)
                response.status_code = refused.status
                return response

        return kind

    return decorate
