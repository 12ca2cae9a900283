"""Forgetting a person: the name and e-mail go from everywhere, the results stay.

A model whose texts may hold names says so with `TEXTS_WITH_NAMES`: the look-up that leads to its
club, and the fields. A test makes sure that no text field of the site is left out unsaid.
"""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session as SignedIn
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.members.actions.jobs import forget_jobs
from league.members.actions.live import touch_sessions_of
from league.members.actions.people import lock_club, refuse_gone
from league.members.audit import Actor, note
from league.members.erased import marks
from league.members.models import Club, Member, User
from league.sqlite import empty_journal

MESSAGES = "_messages"  # where django.contrib.messages puts what the next page is to say


@transaction.atomic
def erase_member(member: Member, *, by: Actor, at: datetime) -> Member:
    """Put a name that says nothing in the place of this person's, in every record of the club.

    Also goes: the e-mail, earlier spellings, the link to an account, and the name that account
    shows where it is the same. Rows merged into this one go with it. Only keyed hashes of the
    spellings stay, so that an old list pasted later is noticed. It cannot be undone.
    """
    lock_club(member.club)
    member.refresh_from_db()
    refuse_gone(member)
    rows = [member, *member.merged.all()]
    spellings = spellings_of(rows)
    emails = sorted({row.email for row in rows if row.email})
    alias = _("Former player %(code)s") % {"code": member.alias_code}
    for user in {row.user for row in rows if row.user}:
        _unname_account(user, spellings)
    for row in rows:
        _empty(row, alias, at)
    member.erased_marks = marks(member.club, spellings)
    member.save()
    others = member.club.members.filter(erased_at=None).values_list("name", flat=True)
    _rewrite_records(member.club, rewriter([*emails, *spellings], alias, others=others))
    _drop_messages(member.club)
    touch_sessions_of(member)
    forget_jobs(member.club)
    note(member.club, by, "erase person", alias)
    transaction.on_commit(empty_journal, robust=True)
    return member


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
    """What pages had still to say to people of the club ("Added Rose.") may hold the name."""
    ours = {str(pk) for pk in club.roles.values_list("user", flat=True)}
    for row in SignedIn.objects.filter(expire_date__gt=timezone.now()).iterator(chunk_size=500):
        data = row.get_decoded()
        if data.get(SESSION_KEY) in ours and data.pop(MESSAGES, None):
            row.session_data = SignedIn.objects.encode(data)
            row.save(update_fields=["session_data"])


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


def rewriter(gone: list[str], alias: str, *, others: Iterable[str]) -> Callable[[str], str]:
    """Replaces the erased spellings in a text, as whole words, and nobody else's longer name.

    "Ann" goes from "Ann and Ted" but stays in "Anna" and in "Ann Smith", who is somebody else.
    """
    longer = {o for o in others if any(g.casefold() in o.casefold() for g in gone)}
    words = sorted({*gone, *longer}, key=len, reverse=True)
    pattern = re.compile(
        r"(?<!\w)(?:" + "|".join(map(re.escape, words)) + r")(?!\w)", re.IGNORECASE
    )
    erased = {name.casefold() for name in gone} - {name.casefold() for name in longer}

    def rewrite(text: str) -> str:
        return pattern.sub(lambda m: alias if m[0].casefold() in erased else m[0], text)

    return rewrite


def _rewrite_records(club: Club, rewrite: Callable[[str], str]) -> None:
    for model in apps.get_app_config("league").get_models():
        if hasattr(model, "TEXTS_WITH_NAMES"):
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
