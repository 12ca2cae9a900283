"""A page with every component of the site's design, for developers. Only with DEBUG."""

from types import SimpleNamespace
from typing import Any

import django_tables2 as tables
from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from league.sessions.models import Session

NAMES = ("Rose", "Ann", "Ted", "Bill", "Joan", "Gus", "Sam", "Dee")
STANDINGS: list[dict[str, Any]] = [
    {"rank": 1, "name": "Rose Whitfield", "won": 3, "points": 29, "difference": "+14"},
    {"rank": 2, "name": "Bill Okafor", "won": 2, "points": 27, "difference": "+9"},
    {"rank": 3, "name": "Ann Leclerc", "won": 2, "points": 27, "difference": "+6"},
    {"rank": 4, "name": "Ted Marsh", "won": 2, "points": 24, "difference": "−3"},
]
NUMBER = {"th": {"class": "number"}, "td": {"class": "number"}}


class StandingsTable(tables.Table):
    """A table as django-tables2 renders it."""

    caption = "Thursday night, after round 3"
    rank = tables.Column(verbose_name="Place", attrs={"td": {"class": "rank"}})
    name = tables.Column(verbose_name="Player", attrs={"td": {"class": "lead"}})
    won = tables.Column(attrs=NUMBER)
    points = tables.Column(attrs=NUMBER)
    difference = tables.Column(verbose_name="±", attrs=NUMBER, orderable=False)

    class Meta:
        attrs = {"class": "stack"}
        row_attrs = {"class": lambda record: "mine" if record["rank"] == 3 else ""}


class SampleForm(forms.Form):
    """One field of each kind."""

    name = forms.CharField(label="Name", max_length=60, help_text="As it stands on the wall.")
    email = forms.EmailField(label="E-mail", required=False)
    players = forms.IntegerField(label="Players", min_value=2, max_value=8, initial=4)
    policy = forms.ChoiceField(
        label="How tables are made up", choices=[("club", "Nobody sits out"), ("out", "In turn")]
    )
    visible = forms.ChoiceField(
        label="Who may look",
        choices=[("members", "Members only"), ("all", "Anybody")],
        widget=forms.RadioSelect,
        help_text="Names follow the club's rule.",
    )
    guest = forms.BooleanField(label="A guest", required=False)
    note = forms.CharField(label="Note", required=False, widget=forms.Textarea(attrs={"rows": 3}))


class Stateful:
    """An object with a state, like sessions, rounds and games."""

    def __init__(self, state: str, words: str) -> None:
        self.state, self.words = state, words

    def get_state_display(self) -> str:
        return self.words


def gallery(request: HttpRequest) -> HttpResponse:
    """The gallery page; `?page=phone`, `wall` and `print` show the other page layouts, `live` with
    `session=` a page that follows that session."""
    if not settings.DEBUG:
        raise Http404
    shell = request.GET.get("page", "")
    name = shell if shell in {"phone", "wall", "print", "live"} else "index"
    return render(request, f"gallery/{name}.html", _context(request))


def _context(request: HttpRequest) -> dict[str, Any]:
    table = StandingsTable(STANDINGS * 3, order_by="-won")
    tables.RequestConfig(request, paginate={"per_page": 4}).configure(table)
    return {
        "club_session": Session.objects.filter(public_id=request.GET.get("session", "")).first(),
        "form": SampleForm(),
        "wrong_form": SampleForm({"email": "nobody", "players": 9, "policy": "club"}, prefix="w"),
        "table": table,
        "standings": STANDINGS,
        "all_points": range(11),
        "eleven": range(12),
        "sides": [
            SimpleNamespace(name="Rose & Ted", points=7, target=10, needs=3),
            SimpleNamespace(name="Ann & Bill", points=4, target=10, needs=6),
        ],
        "three_sides": [
            SimpleNamespace(name=name, points=points, target=10, needs=10 - points)
            for name, points in (("Lou", 5), ("Kit", 5), ("May", 6))
        ],
        "states": [
            Stateful("open", "Open"),
            Stateful("playing", "Playing"),
            Stateful("finished", "Waiting to be confirmed"),
            Stateful("disputed", "Disputed"),
            Stateful("confirmed", "Done"),
            Stateful("draft", "Draft"),
        ],
    }
