"""Lists one can sort, search and leaf through: people, and the record of who did what."""

from typing import Any

import django_filters
import django_tables2 as tables
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from league.members.models import Club, Member
from league.members.names import name_key


class PeopleFilter(django_filters.FilterSet):
    """Who is wanted: by a part of the name, by kind, and whether they still come."""

    q = django_filters.CharFilter(label=_("Name"), method="by_name", max_length=80)
    kind = django_filters.ChoiceFilter(
        label=_("Kind"),
        method="by_kind",
        choices=[("members", _("Members")), ("guests", _("Guests"))],
        empty_label=_("Members and guests"),
    )
    state = django_filters.ChoiceFilter(
        label=_("Who"),
        method="by_state",
        choices=[("retired", _("Retired")), ("all", _("Everybody"))],
        empty_label=_("Who may come"),
    )

    class Meta:
        model = Member
        fields: list[str] = []

    def by_name(self, people: QuerySet[Member], name: str, value: str) -> QuerySet[Member]:
        return people.filter(name_key__contains=name_key(value))

    def by_kind(self, people: QuerySet[Member], name: str, value: str) -> QuerySet[Member]:
        return people.filter(is_guest=value == "guests")

    def by_state(self, people: QuerySet[Member], name: str, value: str) -> QuerySet[Member]:
        return people if value == "all" else people.exclude(retired_at=None)

    @property
    def chosen(self) -> QuerySet[Member]:
        """The people wanted; without a choice, those who may come."""
        people: QuerySet[Member] = self.qs
        valid = self.form.is_valid() and self.form.cleaned_data.get("state")
        return people if valid else people.filter(retired_at=None)


class PeopleTable(tables.Table):
    """The club's people: for organisers with what is written of each, else with their results."""

    name = tables.Column(
        verbose_name=_("Name"), order_by=("name_key", "id"), attrs={"td": {"class": "lead"}}
    )
    joined = tables.DateColumn(
        verbose_name=_("Since"), accessor="joined_at", format="j M Y", short=False
    )

    class Meta:
        model = Member
        fields: tuple[str, ...] = ()
        sequence = ("name", "joined")
        attrs = {"class": "stack"}
        empty_text = _("Nobody is found.")

    caption = _("People of the club")

    def __init__(self, *args: Any, club: Club, may_edit: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club, self.may_edit = club, may_edit

    def render_name(self, value: str, record: Member) -> str:
        page = "member_edit" if self.may_edit else "member_record"
        address = reverse(page, args=[self.club.slug, record.public_id])
        marks = (
            (record.is_guest, _("guest")),
            (record.retired_at, _("retired")),
            (self.may_edit and record.user_id, _("has an account")),
        )
        badges = [(mark,) for told, mark in marks if told]
        link = format_html('<a href="{}">{}</a>', address, value)
        return link + format_html_join("", ' <span class="badge">{}</span>', badges)
