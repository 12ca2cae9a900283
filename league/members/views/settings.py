"""The page of a club's settings."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.access import club_page
from league.members import actions, queries
from league.members.audit import actor_of
from league.members.forms.clubs import SettingsForm
from league.members.models import Club
from league.members.views.answers import attempt, form_page


@require_http_methods(["GET", "POST"])
@club_page("organiser")
def club_settings(request: HttpRequest, club: Club) -> HttpResponse:
    """How the club seats, confirms, counts and shows itself."""
    form, by = SettingsForm(request.POST or None, instance=club), actor_of(request)
    if attempt(form, lambda: actions.change_settings(club, by=by, **form.cleaned_data)) is not None:
        messages.success(request, _("Saved."))
        return redirect("club_settings", club.slug)
    context = {
        "club": club,
        "form": form,
        "defaults": queries.default_rulesets(club),
        "here": "settings",
    }
    return form_page(request, "members/settings.html", context)
