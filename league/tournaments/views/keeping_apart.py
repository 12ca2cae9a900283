"""The buttons that keep two entries of a tournament from meeting, and let them meet again."""

from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.errors import valid
from league.members.audit import actor_of
from league.tournaments import actions
from league.tournaments.entry_forms import ApartForm
from league.tournaments.models import Tournament
from league.tournaments.views.rounds import tournament_button


@tournament_button("tournament_entries", form_on="tournament_entries")
def tournament_keep_apart(request: HttpRequest, tournament: Tournament) -> str:
    data = valid(ApartForm(request.POST, tournament=tournament))
    actions.keep_apart(data["one"], data["other"], by=actor_of(request))
    return _("Saved. The next draw keeps them apart.")


@tournament_button("tournament_entries", form_on="tournament_entries")
def tournament_let_meet(request: HttpRequest, tournament: Tournament) -> str:
    data = valid(ApartForm(request.POST, tournament=tournament))
    actions.let_meet(data["one"], data["other"], by=actor_of(request))
    return _("Saved. They may meet again.")
