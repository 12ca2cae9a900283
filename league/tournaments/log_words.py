"""What the activity log calls the choices of a tournament: as its form does."""

from django.utils.translation import gettext_lazy as _

from league.members.audit_fields import name_fields
from league.standings.labels import LABELS
from league.tournaments.forms import TournamentForm
from league.tournaments.models import Stage, Tournament

name_fields(
    ("make tournament", "change tournament", "play on as pairs"),
    TournamentForm.base_fields,
    {
        "format": (_("Format"), dict(Stage.Format.choices)),
        "ranking": (_("Rank by"), {}),
    },
)
name_fields(
    ("choose tournament ranking", "choose measures"),
    {},
    {"": ("", {code: label.name for code, label in LABELS.items()})},
)
name_fields(
    ("finish tournament", "cancel tournament", "resume tournament"),
    {},
    {"": ("", dict(Tournament.State.choices))},
)
