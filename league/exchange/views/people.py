"""A club's people as a sheet, out and in."""

from django.http import HttpResponse
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubRequest, club_page
from league.exchange.people_import import import_people, preview_import
from league.exchange.people_sheet import people_rows
from league.exchange.sheet_words import MEMBERS
from league.exchange.sheets import download, sheet
from league.exchange.views.dry_run import Import, import_page
from league.members.models import Club, Job

OF_PEOPLE = Import(
    what="people",
    kind=Job.Kind.IMPORT_PEOPLE,
    columns=MEMBERS,
    needed=("name",),
    look=lambda club, rows, _at: preview_import(club, rows),
    order=lambda club, rows, asked: import_people(
        club, rows, agreed=asked.agreed, by=asked.by, also=asked.also
    ),
    words=lambda n: ngettext("%(n)d person is added.", "%(n)d people are added.", n),
    back="members",
)


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
    return import_page(request, club, OF_PEOPLE)
