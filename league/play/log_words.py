"""What the activity log calls the state of a game and the ways of a penalty."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.members.audit_fields import name_fields
from league.play.forms import FORMS
from league.play.models import Game

name_fields(("settle game",), {}, {"state": (_("State"), dict(Game.State.choices))})
name_fields(
    ("rule", "withdraw ruling"),
    {},
    {"form": (pgettext_lazy("label in the activity log", "form"), FORMS)},
)
