"""A club's people as a sheet, out and in."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubRequest, club_page
from league.exchange.forms import SheetForm
from league.exchange.people_import import Preview, import_people, preview_import
from league.exchange.people_sheet import people_rows
from league.exchange.reading import Row
from league.exchange.sheet_trouble import read_rows
from league.exchange.sheet_words import MEMBERS
from league.exchange.sheets import download, sheet
from league.exchange.views.dry_run import dry_run
from league.members.audit import actor_of
from league.members.models import Club
from league.members.views.answers import attempt

MOST_PEOPLE = 5000


@club_page("organiser")
@require_safe
def export_people(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """Everybody on the list with what is written of them; e-mail addresses are in it."""
    content = sheet(MEMBERS, people_rows(club), kind=kind)
    return download(content, name=f"{club.name} people", kind=kind)


@club_page("organiser")
@require_http_methods(["GET", "POST"])
def import_people_page(request: ClubRequest, club: Club) -> HttpResponse:
    """Bring a sheet of people: first what each line would do, then all of it or nothing."""
    form = SheetForm(request.POST or None, request.FILES or None)
    if form.is_bound and form.is_valid() and form.cleaned_data["agreed"]:
        told, by = form.cleaned_data, actor_of(request)
        agreed, also = told["agreed"], told["also"]
        added = attempt(
            form, lambda: import_people(club, _rows(form), agreed=agreed, by=by, also=also)
        )
        if added is not None:
            words = ngettext("%(n)d person is added.", "%(n)d people are added.", len(added))
            messages.success(request, words % {"n": len(added)})
            return redirect("members", club.slug)
    context = {"club": club, "here": "members", "columns": MEMBERS, "needed": ("name",)}
    return dry_run(request, "exchange/people.html", form, lambda: _preview(club, form), context)


def _preview(club: Club, form: SheetForm) -> Preview:
    return preview_import(club, _rows(form))


def _rows(form: SheetForm) -> list[Row]:
    return read_rows(form.content, known=MEMBERS, needed=("name",), most=MOST_PEOPLE)
