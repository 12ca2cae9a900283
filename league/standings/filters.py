"""Choosing among a session's games."""

import django_filters
from django.utils.translation import gettext_lazy as _

from league.play.models import Game


class GameFilter(django_filters.FilterSet):
    """By table size, state and who played."""

    size = django_filters.ChoiceFilter(
        field_name="table__players",
        label=_("Table size"),
        empty_label=_("Any"),
        choices=[("2", _("Two")), ("3", _("Three")), ("4", _("Four"))],
    )
    state = django_filters.ChoiceFilter(
        label=_("State"), empty_label=_("Any"), choices=Game.State.choices
    )
    player = django_filters.CharFilter(
        field_name="results__member__public_id", label=_("Player"), distinct=True
    )

    class Meta:
        model = Game
        fields = ["size", "state", "player"]
