"""The club's standing wishes: read, added, dropped."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from league.access import club_page
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club
from league.seating.actions import add_wish, drop_wish
from league.seating.forms import WishForm
from league.seating.models import Wish
from league.seating.queries import wishes_of


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def wishes(request: HttpRequest, club: Club) -> HttpResponse:
    """All wishes, and the form for one more. Only organisers read them: some are delicate."""
    form = WishForm(request.POST or None, club=club)
    if form.is_valid():
        try:
            add_wish(club, **form.cleaned_data, by=actor_of(request))
        except Refused as refused:
            form.add_error("second" if "second" in refused.fields else None, refused.message)
        else:
            return redirect("wishes", club.slug)
    context = {"club": club, "here": "settings", "wishes": wishes_of(club), "form": form}
    return render(request, "seating/wishes.html", context, status=422 if form.errors else 200)


@require_POST
@club_page("organiser")
def wish_drop(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Forget one wish."""
    wish = get_object_or_404(
        Wish.objects.select_related("club", "first", "second"), club=club, pk=pk
    )
    drop_wish(wish, by=actor_of(request))
    return redirect("wishes", club.slug)
