"""Two rows that are one person: everything that points at one moves to the other.

A model that points at a member may have its say with two class methods, both taking the row that
goes and the row that stays: `refuse_joining` raises `Refused` where the two cannot be one person,
and `join_members` moves its rows where plain moving would break a constraint. One that has one row
a person and, say, season needs only `ONE_ROW_A = "season"`: the row of who stays is kept.
"""

from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.live import touch_sessions_of
from league.members.actions.people import lock_club, refuse_gone
from league.members.audit import Actor, note
from league.members.models import Member


@transaction.atomic
def merge_members(gone: Member, *, into: Member, by: Actor, at: datetime) -> Member:
    """Make `gone` one with `into`: seats, results and wishes move, and no old result changes.

    The row `gone` stays, retired and empty, and points at the other with `merged_into`. Refuses
    two of different clubs, one with itself, and two who sat in the same game.
    """
    if gone.club_id != into.club_id:
        raise Refused("other-club", _("There is no such member."), status=404)
    lock_club(into.club)
    gone.refresh_from_db()
    into.refresh_from_db()
    refuse_gone(gone)
    refuse_gone(into)
    _refuse_one_person_twice(gone, into)
    touch_sessions_of(gone)
    moved = {model.__name__: rows for model, rows in _move_all(gone, into) if rows}
    gone.retired_at = gone.retired_at or at
    _take_over(gone, into)
    note(
        into.club,
        by,
        "merge members",
        into,
        old={"name": gone.name, "public_id": gone.public_id},
        new={"name": into.name, "public_id": into.public_id, "moved": moved},
    )
    return into


def _refuse_one_person_twice(gone: Member, into: Member) -> None:
    if gone.pk == into.pk:
        raise Refused(
            "same-member",
            _("Choose two different people."),
            fields={"into": [_("Choose two different people.")]},
        )
    if gone.user_id and into.user_id:
        raise Refused(
            "two-accounts",
            _("Both have an account of their own. Take one away first."),
            status=409,
        )
    for model, _field in _pointing_models():
        if hasattr(model, "refuse_joining"):
            model.refuse_joining(gone, into)


def _move_all(gone: Member, into: Member) -> list[tuple[type[models.Model], int]]:
    moved = []
    for model, field in _pointing_models():
        rows = model._base_manager.filter(**{field: gone})
        count = rows.count()
        if hasattr(model, "join_members"):
            model.join_members(gone, into)
        else:
            if once := getattr(model, "ONE_ROW_A", None):
                theirs = model._base_manager.filter(**{field: into}).values_list(once, flat=True)
                rows.filter(**{f"{once}__in": list(theirs)}).delete()
            rows.update(**{field: into})
        moved.append((model, count))
    return moved


def _pointing_models() -> list[tuple[Any, str]]:
    """Every (model, field) that points at a member, many-to-many tables included."""
    found: list[tuple[Any, str]] = []
    for relation in Member._meta.related_objects:
        if isinstance(relation, models.ManyToManyRel):
            through: Any = relation.through
            found += [(through, f.name) for f in through._meta.fields if f.related_model is Member]
        elif relation.field.name != "merged_into":
            found.append((relation.related_model, relation.field.name))
    return sorted(found, key=lambda pair: (pair[0]._meta.label, pair[1]))


def _take_over(gone: Member, into: Member) -> None:
    """Give the row that stays what the other had and it lacks."""
    spellings = [into.name, *into.former_names]
    into.former_names = [
        *into.former_names,
        *(name for name in (gone.name, *gone.former_names) if name not in spellings),
    ]
    if not into.email:
        into.email, into.asked_email = gone.email, gone.asked_email
        into.confirmed_email = gone.confirmed_email
    into.is_guest = into.is_guest and gone.is_guest
    into.is_minor = into.is_minor or gone.is_minor
    if into.reminders == Member.Reminders.NEVER:
        into.reminders = gone.reminders
    into.joined_at = min(into.joined_at, gone.joined_at)
    user, gone.user = gone.user, None
    gone.email = gone.confirmed_email = gone.asked_email = ""
    gone.former_names, gone.merged_into = [], into
    gone.save()
    into.user = into.user or user
    into.save()
    gone.merged.update(merged_into=into)
