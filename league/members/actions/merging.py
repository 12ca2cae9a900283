"""Two rows that are one person: everything that points at one moves to the other.

A model that points at a member may have its say with two class methods, both taking the row that
is merged (`source`) and the one it becomes (`target`): `refuse_merge` raises `Refused` where the
two cannot be one person, and `merge_rows` moves its rows where plain moving would break a
constraint. One with a single row for each person and, say, season needs only
`ONE_ROW_PER = "season"`: the target's row wins.
"""

from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import lock_member, touch_sessions
from league.members.audit import Actor, log_action
from league.members.models import Member


@transaction.atomic
def merge_members(source: Member, *, into: Member, by: Actor, at: datetime) -> Member:
    """Make `source` one with `into`: seats, results and requests move; no old result changes.

    The row `source` is left retired and empty, and points at the other with `merged_into`. Refuses
    two of different clubs, one with itself, and two who sat in the same game.
    """
    if source.club_id != into.club_id:
        raise Refused("other-club", _("There is no such player."), status=404)
    lock_member(source)
    lock_member(into)
    _refuse_one_person_twice(source, into)
    touch_sessions(source.club, source)
    moved = {model.__name__: rows for model, rows in _move_all(source, into) if rows}
    source.retired_at = source.retired_at or at
    _take_over(source, into)
    log_action(
        into.club,
        by,
        "merge members",
        into,
        old={"name": source.name, "public_id": source.public_id},
        new={"name": into.name, "public_id": into.public_id, "moved": moved},
    )
    return into


def _refuse_one_person_twice(source: Member, into: Member) -> None:
    if source.pk == into.pk:
        raise Refused(
            "same-member",
            _("Choose two different players."),
            fields={"into": [_("Choose two different players.")]},
        )
    if source.user_id and into.user_id:
        raise Refused(
            "two-accounts",
            _("Both have their own account. Unlink one first."),
            status=409,
        )
    for model, _field in _pointing_models():
        if hasattr(model, "refuse_merge"):
            model.refuse_merge(source, into)


def _move_all(source: Member, into: Member) -> list[tuple[type[models.Model], int]]:
    moved = []
    for model, field in _pointing_models():
        rows = model._base_manager.filter(**{field: source})
        count = rows.count()
        if hasattr(model, "merge_rows"):
            model.merge_rows(source, into)
        else:
            if once := getattr(model, "ONE_ROW_PER", None):
                theirs = model._base_manager.filter(**{field: into}).values_list(once, flat=True)
                rows.filter(**{f"{once}__in": list(theirs)}).delete()
            rows.update(**{field: into})
        moved.append((model, count))
    return moved


def _pointing_models() -> list[tuple[Any, str]]:
    """Every (model, field) that points at a member, many-to-many tables included."""
    pointing: list[tuple[Any, str]] = []
    for relation in Member._meta.related_objects:
        if isinstance(relation, models.ManyToManyRel):
            through: Any = relation.through
            pointing += [
                (through, f.name) for f in through._meta.fields if f.related_model is Member
            ]
        elif relation.field.name != "merged_into":
            pointing.append((relation.related_model, relation.field.name))
    return sorted(pointing, key=lambda pair: (pair[0]._meta.label, pair[1]))


def _take_over(source: Member, into: Member) -> None:
    """Give the remaining row what the other had and it lacks."""
    spellings = [into.name, *into.former_names]
    into.former_names = [
        *into.former_names,
        *(name for name in (source.name, *source.former_names) if name not in spellings),
    ]
    if not into.email:
        into.email, into.asked_email = source.email, source.asked_email
        into.confirmed_email = source.confirmed_email
    into.is_guest = into.is_guest and source.is_guest
    into.is_minor = into.is_minor or source.is_minor
    if into.reminders == Member.Reminders.NEVER:
        into.reminders = source.reminders
    into.joined_at = min(into.joined_at, source.joined_at)
    user, source.user = source.user, None
    source.email = source.confirmed_email = source.asked_email = ""
    source.former_names, source.merged_into = [], into
    source.save()
    into.user = into.user or user
    into.save()
    source.merged.update(merged_into=into)
