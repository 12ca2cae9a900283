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
from league.errors import REFUSED_FORM
from league.members.actions.jobs import forget_jobs
from league.members.actions.people import lock_member, models_with, touch_sessions
from league.members.actions.roles import remove_role
from league.members.audit import Actor, club_language, log_action
from league.members.fields import LineField, UserNameField
from league.members.models import Club, ClubRuleset, Member, User
from league.members.queries import marks_of
from league.sqlite import empty_journal

# A model whose texts may hold names says so with `TEXTS_WITH_NAMES`: the look-up that leads to its
# club, and the fields. A test makes sure that no text field of the site is left out unsaid. Where a
# name cannot be replaced, as in a picture, `delete_at_erasing` takes the rows away.

MESSAGES = "_messages"  # where django.contrib.messages puts what the next page is to say


@transaction.atomic
def erase_member(member: Member, *, by: Actor, at: datetime) -> Member:
    """Put a name that says nothing in the place of this person's, in every record of the club.

    Also goes: the e-mail, earlier spellings, the link to an account, and the name that account
    shows where it is the same. Rows merged into this one go with it. Only keyed hashes of the
    spellings stay, so that an old list pasted later is noticed. It cannot be undone.
    """
    lock_member(member)
    rows = [member, *member.merged.all()]
    for row in rows:
        _refuse_erasing(row)
    spellings = spellings_of(rows)
    emails = sorted({row.email for row in rows if row.email})
    with club_language(member.club):
        alias = _("Former player %(code)s") % {"code": member.alias_code}
    for user in {row.user for row in rows if row.user}:
        _unname_account(user, spellings)
    for row in rows:
        _empty(row, alias, at)
    member.erased_marks = marks_of(member.club, spellings)
    member.save()
    others = member.club.members.filter(erased_at=None).values_list("name", flat=True)
    for model in models_with("delete_at_erasing"):
        model.delete_at_erasing(member)
    _rewrite_records(member.club, rewriter([*emails, *spellings], alias, others=others))
    _drop_messages(member.club)
    touch_sessions(member.club, member)
    forget_jobs(member.club)
    log_action(member.club, by, "erase person", alias)
    transaction.on_commit(empty_journal, robust=True)
    return member


@transaction.atomic
def erase_myself(member: Member, *, by: Actor, at: datetime) -> Member:
    """A player's own order: erased as an organiser would, and no longer in the club. An account
    that is in no other club and plays in none is closed with it. The last owner is refused."""
    user = member.user
    assert user is not None
    closes = closes_account(member, user)
    for role in member.club.roles.filter(user=user):
        remove_role(role, by=by, at=at)
    with club_language(member.club):  # no user name beside what the player is called from now on
        nameless = Actor(_("the player"))
    erased = erase_member(member, by=nameless, at=at)
    if closes:
        _close_account(user)
    return erased


def closes_account(member: Member, user: User) -> bool:
    """Whether nothing is left for this account to do once its player is erased."""
    elsewhere = user.roles.exclude(club=member.club), user.players.exclude(club=member.club)
    return not (user.is_staff or any(rows.exists() for rows in elsewhere))


def _close_account(user: User) -> None:
    """Nobody signs in with it any more, and nobody is signed in: a changed password ends all."""
    user.refresh_from_db()
    user.is_active, user.email, user.display_name = False, "", ""
    user.set_unusable_password()
    user.save()
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()


def _refuse_erasing(member: Member) -> None:
    """Ask each area whether it still needs this person's name: `refuse_erase` of its models."""
    for model in models_with("refuse_erase"):
        model.refuse_erase(member)


def _unname_account(user: User, spellings: list[str]) -> None:
    """The account is its holder's own and stays; shown by its user name, here and in the admin's
    list of changes."""
    if user.display_name.casefold() in {name.casefold() for name in spellings}:
        user.display_name = ""
        user.save(update_fields=["display_name"])
        changes = LogEntry.objects.filter(
            content_type__app_label=user._meta.app_label,
            content_type__model=user._meta.model_name,
            object_id=str(user.pk),
        )
        changes.update(object_repr=user.username)


def _drop_messages(club: Club) -> None:
    """What pages had still to say to people of the club ("Added Rose.") may hold the name, and so
    may a form that waits for somebody to sign in again."""
    forms = reverse("club", args=[club.slug])
    ours = {str(pk) for pk in club.roles.values_list("user", flat=True)}
    for row in SignedIn.objects.filter(expire_date__gt=timezone.now()).iterator(chunk_size=500):
        data = row.get_decoded()
        names = [key for key, address in _addresses(data) if address.startswith(forms)]
        if data.get(SESSION_KEY) in ours:
            names.append(MESSAGES)
        dropped = [data.pop(name, None) for name in names]
        if any(dropped):
            row.session_data = SignedIn.objects.encode(data)
            row.save(update_fields=["session_data"])


def _addresses(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Where the forms go that wait in a visitor's session."""
    if unsent := data.get(UNSENT_FORM):
        yield UNSENT_FORM, unsent["path"]
    if refused := data.get(REFUSED_FORM):
        yield REFUSED_FORM, refused[0]


def _empty(row: Member, alias: str, at: datetime) -> None:
    row.name, row.email, row.former_names, row.user = alias, "", [], None
    row.confirmed_email = row.asked_email = ""
    row.shown, row.erased_at = Member.Shown.HIDDEN, at
    row.reminders = Member.Reminders.NEVER
    row.retired_at = row.retired_at or at
    row.save()


def spellings_of(rows: Iterable[Member]) -> list[str]:
    """Every name a person is or was written by."""
    return sorted({name for row in rows for name in (row.name, *row.former_names)})


def rewriter(erased_names: list[str], alias: str, *, others: Iterable[str]) -> Callable[[str], str]:
    """Replaces the erased spellings in a text, as whole words, and nobody else's longer name.

    "Ann" goes from "Ann and Ted" but stays in "Anna" and in "Ann Smith", who is somebody else.
    """
    longer = {o for o in others if any(g.casefold() in o.casefold() for g in erased_names)}
    words = sorted({*erased_names, *longer}, key=len, reverse=True)
    pattern = re.compile(
        r"(?<!\w)(?:" + "|".join(map(re.escape, words)) + r")(?!\w)", re.IGNORECASE
    )
    erased = {name.casefold() for name in erased_names} - {name.casefold() for name in longer}

    def rewrite(text: str) -> str:
        return pattern.sub(lambda m: alias if m[0].casefold() in erased else m[0], text)

    return rewrite


def _rewrite_records(club: Club, rewrite: Callable[[str], str]) -> None:
    for model in models_with("TEXTS_WITH_NAMES"):
        path, fields = model.TEXTS_WITH_NAMES
        _rewrite_rows(model, {path: club}, fields, rewrite)


def _rewrite_rows(
    model: Any, where: dict[str, Any], fields: tuple[str, ...], rewrite: Callable[[str], str]
) -> None:
    """Rewrite only the rows that change, without their models' own refusals to be changed."""
    rows = model._base_manager.filter(**where)
    for row in rows.values("pk", *fields).iterator(chunk_size=500):
        new = {field: _rewritten(row[field], rewrite) for field in fields}
        changed = {field: value for field, value in new.items() if value != row[field]}
        if changed:
            changed = {name: _fitting(model, name, value) for name, value in changed.items()}
            plain: models.QuerySet[Any] = models.QuerySet(model, using=rows.db).filter(pk=row["pk"])
            models.QuerySet.update(plain, **changed)


def _rewritten(value: Any, rewrite: Callable[[str], str]) -> Any:
    """The same value with every text in it rewritten, keys included."""
    if isinstance(value, str):
        return rewrite(value)
    if isinstance(value, list):
        return [_rewritten(item, rewrite) for item in value]
    if isinstance(value, dict):
        return {rewrite(key): _rewritten(item, rewrite) for key, item in value.items()}
    return value


def _fitting(model: Any, name: str, value: Any) -> Any:
    longest = getattr(model._meta.get_field(name), "max_length", None)
    return value[:longest] if longest and isinstance(value, str) else value


# Erasing replaces whole spellings in the records of a club (`actions.erasing`). What people wrote
# with a part of the name ("Rose's farewell"), or where a name is the club's own, stays theirs to
# change. A model whose texts people write says with `WRITTEN_ON` what it is, and on which page.

SHORTEST = 3  # letters: "de" and "Li" would be found everywhere
OF_CLUB = {Club: "pk", ClubRuleset: "club", User: "roles__club"}


@dataclass(frozen=True, slots=True)
class Mention:
    """A text that stays as it is: what it is of, how it reads, where it can be changed."""

    kind: Any
    text: str
    page: str


def mentions_of(member: Member) -> list[Mention]:
    """All texts of the club that will still hold a word of the name. A query a model."""
    rows = [member, *member.merged.all()]
    spellings = spellings_of(rows)
    word = _any_word(spellings)
    if word is None:
        return []
    people = member.club.members.filter(erased_at=None).exclude(pk__in=[row.pk for row in rows])
    others = list(people.values_list("name", flat=True))
    erase = rewriter(spellings, "", others=others)
    whole = [name for name in others if " " in name and word.search(name)]
    forget = rewriter(whole, "", others=()) if whole else str
    mentions: dict[Mention, None] = {}
    for model in models_with("WRITTEN_ON"):
        for kind, text, page, replaced in _texts(model, member, rows):
            if word.search(forget(erase(text) if replaced else text)):
                mentions[Mention(kind, text, page)] = None
    return list(mentions)


def _any_word(spellings: list[str]) -> re.Pattern[str] | None:
    """Finds the words of a name, also as they stand in a web address."""
    words = {word for name in spellings for word in re.findall(r"\w+", name)}
    words = {word for word in words | set(map(slugify, words)) if len(word) >= SHORTEST}
    if not words:
        return None
    either = "|".join(sorted(map(re.escape, words)))
    return re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])", re.IGNORECASE)


def _texts(model: Any, member: Member, rows: list[Member]) -> Iterator[tuple[Any, str, str, bool]]:
    """Every text of a model's rows that somebody wrote: what of, itself, its page, and whether
    erasing replaces a whole name in it. The person's own account is left out: it is said apart."""
    kind, page, *path = model.WRITTEN_ON
    to_club, replaced = getattr(model, "TEXTS_WITH_NAMES", (OF_CLUB.get(model, ""), ()))
    fields = [
        field.name
        for field in model._meta.local_fields
        if isinstance(field, LineField | SlugField | UserNameField)
    ]
    written = model._base_manager.filter(**{to_club: member.club_id})
    if model is User:
        written = written.exclude(players__in=rows)
    for row in written.values_list(*fields, *path).iterator(chunk_size=500):
        args = [member.club.slug, *row[len(fields) :]]
        for field, text in zip(fields, row, strict=False):
            if text:
                yield kind, text, reverse(page, args=args), field in replaced
