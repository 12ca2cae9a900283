"""Merging duplicates: two rows of one person become one, with everything that references them.

A model that references a member may define two class methods, both taking the row to be merged
(`source`) and the one it is merged into (`target`): `refuse_merge` raises `Refused` if the two
cannot be one person, and `merge_rows` moves rows where a plain update would break a constraint.
A model with one row per person and, for example, season only needs `ONE_ROW_PER = "season"`: the
target's row is kept.
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
    """Merge `source` into another player: seats, results and requests move, unchanged.

    The row `source` stays, deactivated and empty, with `merged_into` set. Refuses players of
    different clubs, a player with themselves, and two who sat in the same game.
    """
    if source.club_id != into.club_id:
        raise Refused("other-club", _("There is no such player."), status=404)
    lock_member(source)
    lock_member(into)
    _refuse_unmergeable(source, into)
    touch_sessions(source.club, source)
    moved = {model.__name__: rows for model, rows in _move_rows(source, into) if rows}
    source.retired_at = source.retired_at or at
    _merge_fields(source, into)
    log_action(
        into.club,
        by,
        "merge members",
        into,
        old={"name": source.name, "public_id": source.public_id},
        new={"name": into.name, "public_id": into.public_id, "moved": moved},
    )
    return into


def _refuse_unmergeable(source: Member, into: Member) -> None:
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
    for model, _field in _referencing_models():
        if hasattr(model, "refuse_merge"):
            model.refuse_merge(source, into)


def _move_rows(source: Member, into: Member) -> list[tuple[type[models.Model], int]]:
    moved_counts = []
    for model, field in _referencing_models():
        rows = model._base_manager.filter(**{field: source})
        count = rows.count()
        if hasattr(model, "merge_rows"):
            model.merge_rows(source, into)
        else:
            if grouping := getattr(model, "ONE_ROW_PER", None):
                target_values = model._base_manager.filter(**{field: into}).values_list(
                    grouping, flat=True
                )
                rows.filter(**{f"{grouping}__in": list(target_values)}).delete()
            rows.update(**{field: into})
        moved_counts.append((model, count))
    return moved_counts


def _referencing_models() -> list[tuple[Any, str]]:
    """Every (model, field) that references a member, many-to-many tables included."""
    references: list[tuple[Any, str]] = []
    for relation in Member._meta.related_objects:
        if isinstance(relation, models.ManyToManyRel):
            through: Any = relation.through
            references += [
                (through, f.name) for f in through._meta.fields if f.related_model is Member
            ]
        elif relation.field.name != "merged_into":
            references.append((relation.related_model, relation.field.name))
    return sorted(references, key=lambda pair: (pair[0]._meta.label, pair[1]))


def _merge_fields(source: Member, into: Member) -> None:
    """Copy to the remaining row what it lacks: spellings, e-mail, account and so on."""
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
