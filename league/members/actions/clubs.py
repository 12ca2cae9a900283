"""Actions on clubs: creating one and changing its settings."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import field_refusal, lock_club, touch_sessions
from league.members.actions.rulesets import adopt_preset
from league.members.audit import Actor, log_action
from league.members.models import Club, Role
from league.members.names import lookalike_key
from league.members.presets import DEFAULT_PRESETS
from league.members.queries import sizes_without_rules
from league.members.validators import MOST_HEADINGS

MOST_CLUBS = 20
SETTINGS = (
    "name",
    "time_zone",
    "language",
    "venue",
    "welcome",
    "session_minutes",
    "seating_policy",
    "seating_table",
    "confirm",
    "auto_accept_minutes",
    "correction_minutes",
    "tricks_entry",
    "co_winners_credit",
    "shows_ratings",
    "keeps_pots",
    "currency",
    "visibility",
    "names_in_public",
    "findable",
)
# Called after settings change, by areas that this one can't import; league/apps.py adds them.
AFTER_SETTINGS: list[Callable[[Club, Collection[str]], None]] = []


def missing_rules(club: Club, changed: Collection[str]) -> str:
    """That the club has no house rules for the table sizes it has just chosen; empty if it has."""
    sizes = sizes_without_rules(club)
    if not sizes or not {"seating_policy", "seating_table"} & set(changed):
        return ""
    text = _("Your club has no house rules for tables of %(sizes)s: add them first.")
    return text % {"sizes": get_text_list(sizes)}


# What else to say when these settings were saved; empty for nothing.
SETTINGS_NOTES: list[Callable[[Club, Collection[str]], str]] = [missing_rules]


@transaction.atomic
def create_club(
    *,
    name: str,
    slug: str,
    time_zone: str,
    by: Actor,
    presets: Mapping[int, str] = DEFAULT_PRESETS,
    listed: bool = True,
    same_name: bool = False,
    guided: bool = False,
    language: str = "",
) -> Club:
    """Create a club with a ruleset for each table size; the actor becomes its owner.

    A club that is not `listed` stays off the home page until an administrator lists it. A name
    that looks like another club's on this site needs `same_name`. `guided` shows the organisers
    the steps of their first session.
    """
    club = Club(name=name.strip(), slug=slug, time_zone=time_zone, listed=listed, guided=guided)
    club.language = language
    _validate(club, ("name", "slug", "time_zone", "language"))
    if by.user is not None:
        _refuse_too_many_clubs(by)
        if not same_name:
            _ask_about_lookalike(club)
    club.save()
    if by.user is not None:
        Role.objects.create(club=club, user=by.user, rank=Role.Rank.OWNER)
    log_action(club, by, "found club", club, new={"name": club.name, "slug": slug})
    for preset in presets.values():
        adopt_preset(club, preset=preset, by=by, default=True)
    return club


def show_guide(club: Club, is_shown: bool) -> None:
    """Show the steps of the first session, or hide them."""
    Club.objects.filter(pk=club.pk).update(guided=is_shown)


@transaction.atomic
def change_settings(club: Club, *, by: Actor, same_name: bool = False, **changes: Any) -> Club:
    """Change any of `SETTINGS`. Games and sessions that have begun keep the settings they store.

    A new name that looks like another club's on this site needs `same_name`.
    """
    lock_club(club)
    club.refresh_from_db()
    unknown = changes.keys() - set(SETTINGS)
    if unknown:
        raise TypeError(f"not a setting: {sorted(unknown)}")
    old = {field: getattr(club, field) for field in changes}
    new = {field: value for field, value in changes.items() if value != old[field]}
    for field, value in new.items():
        setattr(club, field, value)
    _check_settings(club, tuple(new), same_name=same_name)
    if "name" in new and settings.START_CLUB == "anyone":
        club.listed = False  # it was listed under its old name
    if new:
        club.save()
        touch_sessions(club)
        for after_change in AFTER_SETTINGS:
            after_change(club, new)
        log_action(club, by, "change settings", club, old={f: old[f] for f in new}, new=new)
    return club


def _check_settings(club: Club, changed: tuple[str, ...], *, same_name: bool) -> None:
    _validate(club, changed)
    if club.seating_policy == Club.SeatingPolicy.OWN and not club.seating_table:
        raise field_refusal(
            "seating_table", "no-table", _("Write at least one line of table sizes.")
        )
    if "name" in changed and not same_name:
        _ask_about_lookalike(club)


def _validate(club: Club, fields: tuple[str, ...]) -> None:
    """Refuse invalid values, with each sentence at its field."""
    excluded = [field.name for field in Club._meta.fields if field.name not in fields]
    try:
        club.clean_fields(exclude=excluded)
        club.validate_unique(exclude=excluded)
    except ValidationError as error:
        raise Refused(
            "bad-setting", _("Some settings need another look."), fields=error.message_dict
        ) from error


def _ask_about_lookalike(club: Club) -> None:
    """Ask for confirmation if another club on the site, even a closed one, has a similar name."""
    name_look, slug_look = lookalike_key(club.name), lookalike_key(club.slug)
    other_clubs = Club.objects.exclude(pk=club.pk).values_list("name", "slug")
    if any(
        lookalike_key(name) == name_look or lookalike_key(slug) == slug_look
        for name, slug in other_clubs
    ):
        sentence = _(
            "Another club on this site has a name or web address that looks like this. Same club?"
        )
        raise Refused(
            "club-name-like", sentence, fields={"name": [sentence]}, status=409, asks="same_name"
        )


def _refuse_too_many_clubs(by: Actor) -> None:
    if Role.objects.filter(user=by.user, rank=Role.Rank.OWNER).count() >= MOST_CLUBS:
        raise Refused(
            "many-clubs",
            _("An account can own at most %(most)d clubs.") % {"most": MOST_CLUBS},
            status=409,
        )


@transaction.atomic
def remember_columns(club: Club, kind: str, columns: Mapping[str, str]) -> None:
    """Save the column for each heading of the club's own sheets, by kind of import.

    The next sheet of that kind is read without asking for them.
    """
    fresh = Club.objects.select_for_update().get(pk=club.pk)
    headings = list({**fresh.sheet_columns.get(kind, {}), **columns}.items())[-MOST_HEADINGS:]
    fresh.sheet_columns = {**fresh.sheet_columns, kind: dict(headings)}
    fresh.save(update_fields=["sheet_columns"])
    club.sheet_columns = fresh.sheet_columns
