"""Requests to the API in tests, with a token of any scope."""

from typing import Any

from django.test import Client

from league.members.actions.roles import make_token
from league.members.audit import Actor
from league.members.models import Club, Role
from tests.builders import EIGHT, a_user

ROOT = "/api/v1"


def a_token(club: Club, scope: str = "read", *, name: str = "Screen") -> str:
    """The secret of a new token of the club, created by one of its organisers."""
    role = Role.objects.filter(club=club, rank__in=("owner", "organiser")).first()
    user = role.user if role else a_user(f"maker-{club.slug}", club=club)
    return make_token(club, name=name, scope=scope, by=Actor(str(user), user), at=EIGHT)[1]


class Program:
    """A program that sends its token with each request; None sends no token."""

    def __init__(self, secret: str | None) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.secret = secret

    def get(self, path: str, **headers: str) -> Any:
        return self.send("get", path, **headers)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        request: dict[str, Any] = {"headers": {**self._authorization(), **headers}}
        if method not in ("get", "head"):
            request |= {"data": "" if body is None else body, "content_type": "application/json"}
        return getattr(self.client, method)(ROOT + path, **request)

    def _authorization(self) -> dict[str, str]:
        return {} if self.secret is None else {"Authorization": f"Bearer {self.secret}"}
