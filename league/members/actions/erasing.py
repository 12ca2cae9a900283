"""Erasing a person: the name is replaced everywhere, the results remain."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session as SignedIn
from django.db import models, transaction
from django.db.models import SlugField
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.access import UNSENT_FORM
from league.errors import REFUSED_FORM, Refused
from league.members.actions.jobs import forget_jobs
from league.members.actions.people import lock_member, models_with, touch_sessions
from league.members.actions.roles import remove_role
from league.members.audit import Actor, club_language, log_action
from league.members.fields import LineField, LinesField, UserNameField
from league.members.models import Club, ClubRuleset, Member, User
from league.members.queries import marks_of
from league.sqlite import empty_journal

# A model whose texts may contain names declares them in `TEXTS_WITH_NAMES`: the lookup of its club,
# and the fields. A test checks that no text field of the site is missing. Where a name cannot be
# replaced, as in a picture, `delete_at_erasing` deletes the rows.

MESSAGES = "_messages"  # the session key of django.contrib.messages


@transaction.atomic
def erase_member(member: Member, *, by: Actor, at: datetime) -> Member:
    """Replace a person's name with an anonymous one in every record of the club.

    This also removes the e-mail, earlier spellings, the link to an account, and that account's
    display name if it is the same; and does so for rows merged into this one. Only keyed hashes of
    the spellings are kept, to recognise the name in lists pasted later. It cannot be undone.
    """
    lock_member(member)
    rows = [member, *member.merged.all()]
    for row in rows:
        _refuse_erasing(row)
    spellings = spellings_of(rows)
    emails = sorted({row.email for row in rows if row.email})
    member.erased_at = at  # gives other letters to the alias
    with club_language(member.club):
        alias = _("Former player %(code)s") % {"code": member.alias_code}
    for user in {row.user for row in rows if row.user}:
        _clear_display_name(user, spellings)
    for row in rows:
        _clear_row(row, alias, at)
    member.erased_marks = marks_of(member.club, spellings)
    member.save()
    other_names = member.club.members.filter(erased_at=None).values_list("name", flat=True)
    for model in models_with("delete_at_erasing"):
        model.delete_at_erasing(member)
    _rewrite_records(member.club, rewriter([*emails, *spellings], alias, other_names=other_names))
    _delete_pending_messages(member.club)
    touch_sessions(member.club, member)
    forget_jobs(member.club)
    log_action(member.club, by, "erase person", alias)
    transaction.on_commit(empty_journal, robust=True)
    return member


@transaction.atomic
def erase_myself(member: Member, *, by: Actor, at: datetime) -> Member:
    """Erase a player at their own request, and remove their roles in the club.

    Their account is deactivated if it has no role and no player in another club. The last owner is
    refused.
    """
    user = member.user
    assert user is not None
    closes = closes_account(member, user)
    for role in member.club.roles.filter(user=user):
        remove_role(role, by=by, at=at)
    with club_language(member.club):  # keeps the user name out of the log entry
        nameless = Actor(_("the player"))
    erased = erase_member(member, by=nameless, at=at)
    if closes:
        _deactivate_account(user)
    return erased


def closes_account(member: Member, user: User) -> bool:
    """Whether erasing its player deactivates this account: it is in no other club and not staff."""
    rows_elsewhere = user.roles.exclude(club=member.club), user.players.exclude(club=member.club)
    return not (user.is_staff or any(rows.exists() for rows in rows_elsewhere))


@transaction.atomic
def close_account(user: User) -> User:
    """Deactivate an account that is in no club, at its owner's own request."""
    if user.is_staff or user.roles.exists() or user.players.exists():
        raise Refused("in-a-club", _("You are still in a club. Leave it first."), status=409)
    _deactivate_account(user)
    return user


def _deactivate_account(user: User) -> None:
    """Deactivate an account. Changing its password also ends its sessions."""
    user.refresh_from_db()
    user.is_active, user.email, user.display_name = False, "", ""
    user.set_unusable_password()
    user.save()
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()


def _refuse_erasing(member: Member) -> None:
    """Let each area refuse while it still needs the name, with `refuse_erase` of its models."""
    for model in models_with("refuse_erase"):
        model.refuse_erase(member)


def reason_not_to_erase(member: Member) -> str:
    """Why this player can't be erased now; empty if they can."""
    try:
        for row in (member, *member.merged.all()):
            _refuse_erasing(row)
    except Refused as refused:
        return refused.message
    return ""


def _clear_display_name(user: User, spellings: list[str]) -> None:
    """Show the account by its user name, here and in the admin's log. It remains its owner's."""
    if user.display_name.casefold() in {name.casefold() for name in spellings}:
        user.display_name = ""
        user.save(update_fields=["display_name"])
        changes = LogEntry.objects.filter(
            content_type__app_label=user._meta.app_label,
            content_type__model=user._meta.model_name,
            object_id=str(user.pk),
        )
        changes.update(object_repr=user.username)


def _delete_pending_messages(club: Club) -> None:
    """Delete messages ("Added Rose.") and unsent forms of the club, which may hold the name."""
    club_address = reverse("club", args=[club.slug])
    user_ids = {str(pk) for pk in club.roles.values_list("user", flat=True)}
    for row in SignedIn.objects.filter(expire_date__gt=timezone.now()).iterator(chunk_size=500):
        data = row.get_decoded()
        keys = [key for key, address in _form_addresses(data) if address.startswith(club_address)]
        if data.get(SESSION_KEY) in user_ids:
            keys.append(MESSAGES)
        dropped = [data.pop(name, None) for name in keys]
        if any(dropped):
            row.session_data = SignedIn.objects.encode(data)
            row.save(update_fields=["session_data"])


def _form_addresses(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The session keys and addresses of forms kept in a visitor's session."""
    if unsent := data.get(UNSENT_FORM):
        yield UNSENT_FORM, unsent["path"]
    if refused := data.get(REFUSED_FORM):
        yield REFUSED_FORM, refused[0]


def _clear_row(row: Member, alias: str, at: datetime) -> None:
    row.name, row.email, row.former_names, row.user = alias, "", [], None
    row.confirmed_email = row.asked_email = ""
    row.shown, row.erased_at = Member.Shown.HIDDEN, at
    row.reminders = Member.Reminders.NEVER
    row.retired_at = row.retired_at or at
    row.save()


def spellings_of(rows: Iterable[Member]) -> list[str]:
    """All names that a person has or had."""
    return sorted({name for row in rows for name in (row.name, *row.former_names)})


def rewriter(
    erased_names: list[str], alias: str, *, other_names: Iterable[str]
) -> Callable[[str], str]:
    """Return a function that replaces erased names in a text, as whole words.

    Longer names of others are kept: "Ann" is replaced in "Ann and Ted" but not in "Anna", nor in
    "Ann Smith" if that is another player.
    """
    erased = [name.casefold() for name in erased_names]
    longer = {other for other in other_names if any(name in other.casefold() for name in erased)}
    words = sorted({*erased_names, *longer}, key=len, reverse=True)
    pattern = re.compile(
        r"(?<!\w)(?:" + "|".join(map(re.escape, words)) + r")(?!\w)", re.IGNORECASE
    )
    replaced = set(erased) - {name.casefold() for name in longer}

    def rewrite(text: str) -> str:
        return pattern.sub(lambda m: alias if m[0].casefold() in replaced else m[0], text)

    return rewrite


def _rewrite_records(club: Club, rewrite: Callable[[str], str]) -> None:
    for model in models_with("TEXTS_WITH_NAMES"):
        path, fields = model.TEXTS_WITH_NAMES
        _rewrite_rows(model, {path: club.pk}, fields, rewrite)


def _rewrite_rows(
    model: Any, where: dict[str, Any], fields: tuple[str, ...], rewrite: Callable[[str], str]
) -> None:
    """Rewrite the rows that change, bypassing models and querysets that refuse updates."""
    rows = model._base_manager.filter(**where)
    for row in rows.values("pk", *fields).iterator(chunk_size=500):
        new = {field: _rewrite_value(row[field], rewrite) for field in fields}
        changes = {field: value for field, value in new.items() if value != row[field]}
        if changes:
            changes = {name: _truncate(model, name, value) for name, value in changes.items()}
            unrestricted: models.QuerySet[Any] = models.QuerySet(model, using=rows.db).filter(
                pk=row["pk"]
            )
            models.QuerySet.update(unrestricted, **changes)


def _rewrite_value(value: Any, rewrite: Callable[[str], str]) -> Any:
    """The value with every text in it rewritten, including keys."""
    if isinstance(value, str):
        return rewrite(value)
    if isinstance(value, list):
        return [_rewrite_value(item, rewrite) for item in value]
    if isinstance(value, dict):
        return {rewrite(key): _rewrite_value(item, rewrite) for key, item in value.items()}
    return value


def _truncate(model: Any, name: str, value: Any) -> Any:
    longest = getattr(model._meta.get_field(name), "max_length", None)
    return value[:longest] if longest and isinstance(value, str) else value


# Erasing replaces whole names in the records of a club. Texts with a part of the name ("Rose's
# farewell"), and names of the club itself, are left for people to change. A model with such texts
# declares in `WRITTEN_ON` what it is, and the page on which they can be changed.

SHORTEST_WORD = 3  # letters; "de" and "Li" would be found everywhere
CLUB_LOOKUPS = {ClubRuleset: "club", User: "roles__club"}


@dataclass(frozen=True, slots=True)
class Mention:
    """A text that erasing doesn't change: its kind, itself, and the page to change it on."""

    kind: Any
    text: str
    page: str


def mentions_of(member: Member) -> list[Mention]:
    """The texts of the club that will still contain a word of the name. One query per model."""
    rows = [member, *member.merged.all()]
    spellings = spellings_of(rows)
    word = _word_pattern(spellings)
    if word is None:
        return []
    people = member.club.members.filter(erased_at=None).exclude(pk__in=[row.pk for row in rows])
    other_names = list(people.values_list("name", flat=True))
    remove_name = rewriter(spellings, "", other_names=other_names)
    longer_names = [name for name in other_names if " " in name and word.search(name)]
    remove_longer_names = rewriter(longer_names, "", other_names=()) if longer_names else str
    mentions: dict[Mention, None] = {}
    for model in models_with("WRITTEN_ON"):
        for kind, text, page, replaced in _written_texts(model, member, rows):
            if word.search(remove_longer_names(remove_name(text) if replaced else text)):
                mentions[Mention(kind, text, page)] = None
    return list(mentions)


def _word_pattern(spellings: list[str]) -> re.Pattern[str] | None:
    """A pattern for the words of these names, also as they are spelled in web addresses."""
    words = {word for name in spellings for word in re.findall(r"\w+", name)}
    words = {word for word in words | set(map(slugify, words)) if len(word) >= SHORTEST_WORD}
    if not words:
        return None
    alternatives = "|".join(sorted(map(re.escape, words)))
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])", re.IGNORECASE)


def _written_texts(
    model: Any, member: Member, rows: list[Member]
) -> Iterator[tuple[Any, str, str, bool]]:
    """Every text in a model's rows: its kind, itself, its page, and whether erasing rewrites it.

    The person's own account is left out, since the page mentions it separately.
    """
    kind, page, *path = model.WRITTEN_ON
    to_club, rewritten_fields = getattr(
        model, "TEXTS_WITH_NAMES", (CLUB_LOOKUPS.get(model, ""), ())
    )
    fields = [
        field.name
        for field in model._meta.local_fields
        if isinstance(field, LineField | LinesField | SlugField | UserNameField)
    ]
    rows_of_club = model._base_manager.filter(**{to_club: member.club_id})
    if model is User:
        rows_of_club = rows_of_club.exclude(players__in=rows)
    for row in rows_of_club.values_list(*fields, *path).iterator(chunk_size=500):
        args = [member.club.slug, *row[len(fields) :]]
        for field, text in zip(fields, row, strict=False):
            if text:
                yield kind, text, reverse(page, args=args), field in rewritten_fields
