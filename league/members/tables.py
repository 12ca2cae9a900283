"""Tables that can be sorted, filtered and paged: players and the activity log."""

import json
import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

import django_filters
import django_tables2 as tables
from django import forms
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, TextField, When
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.labels import as_label
from league.members.audit_changes import (
    LeagueInLog,
    action_word,
    changes,
    leagues_in,
    pages_of,
    tables_in,
)
from league.members.audit_hands import NO_TABLE, TableInLog
from league.members.audit_rows import (
    SEARCH_WORDS,
    actor_words,
    row_text,
    searchable,
    subject_parts,
)
from league.members.audit_search import fitting_rows, words_to_find
from league.members.audit_words import ACTIONS, HANDS, SOURCES
from league.members.languages import clock, dated, dated_near
from league.members.models import AuditEntry, Club, Member, number_namesakes
from league.members.names import sort_key
from league.members.presets import folded


class PeopleFilter(django_filters.FilterSet):
    """Filters players by a part of the name, by members or guests, and by active or not."""

    q = django_filters.CharFilter(label=_("Name"), method="by_name", max_length=80)
    kind = django_filters.ChoiceFilter(
        label=_("Members or guests"),
        method="by_kind",
        choices=[("members", _("Members")), ("guests", _("Guests"))],
        empty_label=_("Everyone"),
    )
    state = django_filters.ChoiceFilter(
        label=_("Active or not"),
        method="by_state",
        choices=[("retired", _("Deactivated")), ("all", _("Everyone"))],
        empty_label=_("Active"),
    )

    class Meta:
        model = Member
        fields: list[str] = []

    def by_name(self, people: QuerySet[Member], name: str, value: str) -> QuerySet[Member]:
        return people.filter(sort_key__contains=sort_key(value))

    def by_kind(self, people: QuerySet[Member], name: str, value: str) -> QuerySet[Member]:
        return people.filter(is_guest=value == "guests")

    def by_state(self, people: QuerySet[Member], name: str, value: str) -> QuerySet[Member]:
        return people if value == "all" else people.exclude(retired_at=None)

    @property
    def filtered(self) -> QuerySet[Member]:
        """The filtered players; by default only active ones."""
        people: QuerySet[Member] = self.qs
        has_state = self.form.is_valid() and self.form.cleaned_data.get("state")
        return people if has_state else people.filter(retired_at=None)


class PeopleTable(tables.Table):
    """The club's players, with links to their settings for organisers, else to their results."""

    name = tables.Column(
        verbose_name=_("Name"), order_by=("sort_key", "id"), attrs={"td": {"class": "lead"}}
    )
    joined = tables.Column(verbose_name=_("Since"), accessor="joined_at")

    class Meta:
        model = Member
        fields: tuple[str, ...] = ()
        sequence = ("name", "joined")
        attrs = {"class": "stack people"}
        empty_text = _("No player found.")

    caption = _("Players")

    def __init__(self, *args: Any, club: Club, may_edit: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club, self.may_edit = club, may_edit

    def before_render(self, request: HttpRequest) -> None:
        number_namesakes(row.record for row in self.paginated_rows)

    def render_joined(self, value: datetime) -> str:
        return dated_near(self.club.local(value), gettext("j M Y"))

    def render_name(self, value: str, record: Member) -> str:
        page = "member_edit" if self.may_edit else "member_record"
        address = reverse(page, args=[self.club.slug, record.public_id])
        marks = (
            (record.is_guest, _("guest")),
            (record.retired_at, _("inactive")),
            (self.may_edit and record.user_id, _("has an account")),
        )
        badges = [(mark,) for applies, mark in marks if applies]
        link = format_html('<a href="{}">{}</a>', address, record.label)
        return link + format_html_join("", ' <span class="badge">{}</span>', badges)


class AuditFilter(django_filters.FilterSet):
    """Filters the log by month, session, action, actor or words.

    Without a chosen action or words, the games of a match's card are left out: its own entry has
    them. `searched` are the entries searched in full, if there are earlier ones; `before` the last
    of these goes on with the next. `fits_most`: no entry has all the words, these have most.
    """

    searched: Sequence[AuditEntry] = ()
    fits_most = False

    before = django_filters.NumberFilter(
        field_name="pk", lookup_expr="lt", widget=forms.HiddenInput
    )

    month = django_filters.ChoiceFilter(
        label=_("Month"), method="by_month", empty_label=_("All months")
    )
    session = django_filters.ChoiceFilter(
        label=_("Session"), field_name="session__public_id", empty_label=_("All sessions")
    )
    action = django_filters.ChoiceFilter(
        label=_("What"), method="by_action", empty_label=_("Everything")
    )
    who = django_filters.CharFilter(label=_("Who"), method="by_actor", max_length=80)
    about = django_filters.CharFilter(
        label=_("Words to find"),
        method="by_words",
        max_length=80,
        help_text=_("Names, sessions, reasons or scores, or a short question"),
    )

    class Meta:
        model = AuditEntry
        fields: list[str] = []

    @property
    def narrows(self) -> bool:
        """Whether anything but words to find is chosen."""
        return any(self.data.get(name) for name in ("month", "session", "action", "who"))

    def by_month(
        self, entries: QuerySet[AuditEntry], _name: str, month: str
    ) -> QuerySet[AuditEntry]:
        """Entries of a month of the club's calendar, as "2026-11"."""
        year, number = map(int, month.split("-"))
        first = datetime(year, number, 1, tzinfo=self.club.zone)
        after = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=self.club.zone)
        return entries.filter(at__gte=first, at__lt=after)

    def filter_queryset(self, queryset: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        chosen = self.form.cleaned_data
        if chosen.get("action") in ("", NO_HANDS) and not chosen.get("about"):
            queryset = _without_games_of_cards(queryset)
        entries: QuerySet[AuditEntry] = super().filter_queryset(queryset)
        return entries

    def by_action(
        self, entries: QuerySet[AuditEntry], _name: str, action: str
    ) -> QuerySet[AuditEntry]:
        if action == NO_HANDS:
            return entries.exclude(action__in=HANDS)
        return entries if action == EACH_GAME else entries.filter(action=action)

    def by_actor(
        self, entries: QuerySet[AuditEntry], _name: str, text: str
    ) -> QuerySet[AuditEntry]:
        """Entries of an actor with this in the name: as logged, the player's or the account's."""
        logged, account = Q(actor__icontains=text), Q(user__username__icontains=text)
        return entries.filter(logged | account | Q(player__icontains=text))

    def by_words(
        self, entries: QuerySet[AuditEntry], _name: str, text: str
    ) -> QuerySet[AuditEntry]:
        """Entries whose row shows words that begin like these, whatever their accents: all of
        them, or else most (`fits_most`).

        Rows show names and words that are not stored, so the newest `SEARCHED` entries are put into
        words; in earlier ones the database searches for the text as it is stored.
        """
        newest = list(entries[:SEARCHED])
        places, leagues = tables_in(newest), leagues_in(self.club, newest)
        rows = {
            entry.pk: row_text(entry, places.get(entry.pk, NO_TABLE), leagues.get(entry.pk, ()))
            for entry in newest
        }
        found, self.fits_most = fitting_rows(rows, text)
        entries = _own_first(entries, newest, text)
        if len(newest) < SEARCHED:
            return entries.filter(pk__in=found)
        if entries.filter(pk__lt=newest[-1].pk).exists():
            self.searched = newest
        earlier = Q(*map(_stored_text, words_to_find(text)), pk__lt=newest[-1].pk)
        return entries.alias(was=Cast("old", TextField()), became=Cast("new", TextField())).filter(
            Q(pk__in=found) | earlier
        )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        actions = club.audit.order_by("action").values_list("action", flat=True).distinct()
        sessions = AuditEntry.session.field.related_model._default_manager.filter(club=club)
        words = {action: action_word(action) for action in actions}
        self.filters["action"].extra["choices"] = [
            (NO_HANDS, _("Everything but hands")),
            (EACH_GAME, _("Everything, with each game of a match card")),
            *sorted(words.items(), key=lambda one: one[1]),
        ]
        self.filters["month"].extra["choices"] = [
            (f"{month:%Y-%m}", dated(month, gettext("F Y"))) for month in _months_of(club)
        ]
        self.filters["session"].extra["choices"] = [
            (public_id, f"{name}, {dated_near(held_on, gettext('j M Y'))}")
            for public_id, name, held_on in sessions.values_list("public_id", "name", "held_on")[
                :200
            ]
        ]


def _months_of(club: Club) -> list[date]:
    """The months since the club's first entry, the latest first."""
    first = club.audit.order_by("id").values_list("at", flat=True).first()
    if first is None:
        return []
    begun, now = club.local(first), club.local(timezone.now())
    numbers = range(now.year * 12 + now.month - 1, begun.year * 12 + begun.month - 2, -1)
    return [date(number // 12, number % 12 + 1, 1) for number in numbers]


NO_HANDS, EACH_GAME = "no-hands", "each-game"
GAMES_OF_CARDS = ("write totals", "settle game", "abandon game")
CARDS = ("write match card", "correct match card", "confirm match card", "settle disputed card",
         "give games", "order replay", "move match card")  # fmt: skip
MOMENT = timedelta(seconds=10)
"""A card is saved in less time than this."""
SEARCHED = 2000
"""So many entries are put into words to find a text in them."""
LOOPBACK = ("127.0.0.1", "::1")
"""The addresses of the server itself, which say nothing of who acted."""


def _without_games_of_cards(entries: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
    """Leave out the games of a match that were saved with its card, at the same moment."""
    at_once = {"at__gte": OuterRef("at"), "at__lte": OuterRef("at") + MOMENT}
    cards = AuditEntry.objects.filter(session=OuterRef("session"), action__in=CARDS, **at_once)
    games = Q(session__of_team_match=True, action__in=GAMES_OF_CARDS)
    return entries.exclude(games & Exists(cards))


def _own_first(
    entries: QuerySet[AuditEntry], newest: Sequence[AuditEntry], text: str
) -> QuerySet[AuditEntry]:
    """First the entries of an actor with this name: what Rose did, then what names her."""
    actors = {entry.pk: f" {folded(actor_words(entry))}" for entry in newest}
    own, fits_most = fitting_rows(actors, text)
    if not own or fits_most:
        return entries
    return entries.order_by(Case(When(pk__in=own, then=0), default=1), "-pk")


def _beginning(text: str) -> str:
    """A pattern for words that begin like this, for Python and both databases."""
    return rf"(^|\W|\\n){re.escape(text)}"


def _stored_text(text: str) -> Q:
    """Entries with a word like this in actor, action, subject or values, as they are stored."""
    wanted = re.compile(_beginning(text), re.IGNORECASE)
    words = {action: f"{action_word(action)} {SEARCH_WORDS.get(action, '')}" for action in ACTIONS}
    actions = [action for action, text in words.items() if wanted.search(searchable(text))]
    found = _stored_in("subject", text) | _stored_in("actor", text) | Q(action__in=actions)
    for written in (text, json.dumps(text)[1:-1]):  # SQLite keeps JSON with its escapes
        found |= _stored_in("was", written) | _stored_in("became", written)
    return found


def _stored_in(field: str, text: str) -> Q:
    # The database looks for the text first, which is much quicker than for the pattern.
    return Q((f"{field}__icontains", text), (f"{field}__iregex", _beginning(text)))


def _linked(text: str, page: str) -> str:
    """The text, with a link if there is a page."""
    return format_html('<a href="{}">{}</a>', page, text) if page else text


class AuditTable(tables.Table):
    """The activity log: time, actor, action, IP address, and old and new values in words."""

    at = tables.Column(verbose_name=_("When"), order_by=("id",), attrs={"td": {"class": "nowrap"}})
    actor = tables.Column(verbose_name=_("Who"))
    action = tables.Column(verbose_name=_("What"))
    changed = tables.Column(
        verbose_name=_("Old and new"), empty_values=(), orderable=False, accessor="pk"
    )
    source = tables.Column(verbose_name=_("IP address"), orderable=False, default="")

    class Meta:
        model = AuditEntry
        fields: tuple[str, ...] = ()
        sequence = ("at", "actor", "action", "changed", "source")
        attrs = {"class": "stack audit"}
        empty_text = _("No entry fits.")

    caption = _("What was done, newest first")

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.tables: dict[int, TableInLog] = {}
        self.pages: dict[int, str] = {}
        self.leagues: dict[int, list[LeagueInLog]] = {}

    def find_tables(self) -> None:
        """Look up the tables of the entries on this page, with their players, their leagues and
        what they are about."""
        entries = [row.record for row in self.page]
        self.tables, self.pages = tables_in(entries), pages_of(self.club, entries)
        self.leagues = leagues_in(self.club, entries)

    def render_at(self, value: Any) -> str:
        local = self.club.local(value)
        return format_html(
            '<time datetime="{}">{} {}</time>',
            value.isoformat(),
            dated_near(local, gettext("j M Y")),
            clock(local.time()),
        )

    def render_actor(self, value: str, record: AuditEntry) -> str:
        if record.user is None:
            return value
        account, value = record.user.username, actor_words(record)
        return value if account == value else format_html("{} <small>({})</small>", value, account)

    def render_action(self, record: AuditEntry) -> str:
        leagues = self.leagues.get(record.pk, ())
        table = self.tables.get(record.pk, NO_TABLE)
        action, subject, league, session = subject_parts(record, table, leagues)
        league_page = leagues[0].page if len(leagues) == 1 else ""
        about_page = self._page_about(record, table) or ("" if league else league_page)
        if not subject:
            action = _linked(action, about_page)
        about = format_html(" <strong>{}</strong>", _linked(subject, about_page)) if subject else ""
        places = ((league, league_page), (session, self._page_of_session(record)))
        linked = [(_linked(name, page),) for name, page in places if name]
        where = format_html(" ({})", format_html_join(", ", "{}", linked)) if linked else ""
        # On a phone each part of a cell is on its own: these are one sentence.
        return format_html("<span>{}{}{}</span>", action, about, where)

    def _page_about(self, record: AuditEntry, table: TableInLog) -> str:
        """The page of an entry's subject; empty if it has none."""
        if table.game_id:
            return reverse("game", args=[self.club.slug, table.game_id])
        return "" if record.session else self.pages.get(record.pk, "")

    def _page_of_session(self, record: AuditEntry) -> str:
        """The page of an entry's session, or of its match; empty if it has none."""
        if record.session and not record.session.of_team_match:
            return reverse("session", args=[self.club.slug, record.session.public_id])
        return self.pages.get(record.pk, "")

    def render_source(self, value: str) -> str:
        return "" if value in LOOPBACK else str(SOURCES.get(value, value))

    def render_changed(self, record: AuditEntry) -> str:
        lines = (
            (
                format_html("{} ", as_label(change.label)) if change.label else "",
                format_html("<del>{}</del>{}", change.old, " → " if change.new else "")
                if change.old
                else "",
                format_html("<ins>{}</ins>", change.new) if change.new else "",
            )
            for change in changes(record, self.tables.get(record.pk, NO_TABLE))
        )
        return format_html_join("", "<div>{}{}{}</div>", lines)
