"""The record of who did what as a list one can search and leaf through."""

from typing import Any

import django_filters
import django_tables2 as tables
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from league.members.audit_words import action_word, changes
from league.members.models import AuditEntry, Club
from league.members.times import clock


class AuditFilter(django_filters.FilterSet):
    """By session, by what was done, by who did it, or by whom or what it was done to."""

    session = django_filters.ChoiceFilter(
        label=_("Session"), field_name="session__public_id", empty_label=_("All sessions")
    )
    action = django_filters.ChoiceFilter(label=_("What"), empty_label=_("Everything"))
    who = django_filters.CharFilter(
        label=_("Who"), field_name="actor", lookup_expr="icontains", max_length=80
    )
    about = django_filters.CharFilter(
        label=_("About"), field_name="subject", lookup_expr="icontains", max_length=80
    )

    class Meta:
        model = AuditEntry
        fields: list[str] = []

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        noted = club.audit.order_by("action").values_list("action", flat=True).distinct()
        sessions = club.sessions.values_list("public_id", "name", "held_on")[:200]
        self.filters["action"].extra["choices"] = [(a, action_word(a)) for a in noted]
        self.filters["session"].extra["choices"] = [
            (public_id, f"{name}, {date_format(held_on, 'j M Y')}")
            for public_id, name, held_on in sessions
        ]


class AuditTable(tables.Table):
    """Who did what, when on the club's clock, from where; old and new in words."""

    at = tables.Column(verbose_name=_("When"), order_by=("id",))
    actor = tables.Column(verbose_name=_("Who"))
    action = tables.Column(verbose_name=_("What"))
    changed = tables.Column(
        verbose_name=_("Old and new"), empty_values=(), orderable=False, accessor="pk"
    )
    source = tables.Column(verbose_name=_("From where"), orderable=False)

    class Meta:
        model = AuditEntry
        fields: tuple[str, ...] = ()
        sequence = ("at", "actor", "action", "changed", "source")
        attrs = {"class": "stack audit"}
        empty_text = _("Nothing is noted here.")

    caption = _("What was done, the newest first")

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club

    def render_at(self, value: Any) -> str:
        local = self.club.local(value)
        return format_html(
            '<time datetime="{}">{} {}</time>',
            value.isoformat(),
            date_format(local, "j M Y"),
            clock(local.time(), seconds=True),
        )

    def render_actor(self, value: str, record: AuditEntry) -> str:
        account = record.user.username if record.user else value
        return value if account == value else format_html("{} <small>({})</small>", value, account)

    def render_action(self, value: str, record: AuditEntry) -> str:
        where = f" ({record.session.name})" if record.session else ""
        return format_html("{} <strong>{}</strong>{}", action_word(value), record.subject, where)

    def render_changed(self, record: AuditEntry) -> str:
        lines = (
            (
                format_html("{}: ", change.label) if change.label else "",
                format_html("<del>{}</del> ", change.old) if change.old else "",
                format_html("<ins>{}</ins>", change.new) if change.new else "",
            )
            for change in changes(record)
        )
        return format_html_join("", "<div>{}{}{}</div>", lines)
