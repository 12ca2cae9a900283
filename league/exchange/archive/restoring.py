"""An archive made into a club again: all of it, with equal figures, or nothing."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.exchange.archive.agreement import Index, agreement_faults
from league.exchange.archive.checking import Fault, row_faults, value_of
from league.exchange.archive.games import game_faults
from league.exchange.archive.proving import proof_faults
from league.exchange.archive.shape import (
    FORMAT,
    VERSION,
    archived,
    lists,
    plain_fields,
    pointers,
)
from league.members.audit import Actor, note
from league.members.models import Club, Member, name_key

AT_A_TIME = 500  # rows a statement
MOST_FAULTS = 50  # shown at once; a corrected file is checked again

Ids = dict[type[models.Model], dict[int, int]]
Rows = dict[str, list[dict[str, Any]]]


class BadArchive(ValueError):
    """A file that cannot be restored here; `sentences` say why, each with the row and the field."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def restore(data: object, *, by: Actor, slug: str = "") -> Club:
    """The club of an archive, with rows of its own. `slug` gives it another web address.

    Raises BadArchive with everything that is wrong, and changes nothing: where the file is no
    archive or another version's, where a row is not what the forms of the site would take, where
    rows do not fit together, or where the club or a part of it is here already.
    """
    rows = _rows_of(data)
    if slug:
        rows["Club"][0]["slug"] = slug
    _refuse(row_faults(rows))
    index = Index(rows)
    _refuse(agreement_faults(index))
    _refuse(game_faults(index))
    try:
        return _stored(rows, by)
    except IntegrityError as error:
        raise BadArchive(_("This club, or a part of it, is here already.")) from error


@transaction.atomic
def _stored(rows: Rows, by: Actor) -> Club:
    ids: Ids = {}
    for model in archived():
        ids[model] = _make(model, rows[model.__name__], ids)
    for model in archived():
        _fill_lists(model, rows[model.__name__], ids)
    club = Club.objects.get(pk__in=ids[Club].values())
    _refuse(proof_faults(club, at=timezone.now()))
    note(club, by, "restore club", club.slug)
    return club


def _refuse(faults: Any) -> None:
    """Refuse the archive with its faults, if there are any; only so many are shown."""
    found: list[Fault] = list(islice(faults, MOST_FAULTS + 1))
    if found:
        more = [_("There are more faults than these.")] if len(found) > MOST_FAULTS else []
        raise BadArchive(*(str(one) for one in found[:MOST_FAULTS]), *more)


def _rows_of(data: object) -> Rows:
    """The rows of a file of this version, by kind."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise BadArchive(_("This is not a full backup of a club."))
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        raise BadArchive(_("This full backup is of another version of Right Bower."))
    rows = data.get("rows")
    wanted = {model.__name__ for model in archived()}
    if not isinstance(rows, dict) or set(rows) != wanted:
        raise BadArchive(_("It has other kinds of rows than this version of Right Bower."))
    for name, listed in rows.items():
        if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
            raise BadArchive(_("%(kind)s: this is not a list of rows.") % {"kind": name})
    if len(rows["Club"]) != 1:
        raise BadArchive(_("A full backup holds one club."))
    return {name: [dict(row) for row in listed] for name, listed in rows.items()}


def _make(model: type[models.Model], rows: list[dict[str, Any]], ids: Ids) -> dict[int, int]:
    """Rows of one model, made; their old ids and new. Pointers within the model come last."""
    own = [name for name, to in pointers(model) if to is model]
    made = [_row(model, row, ids, leave=own) for row in rows]
    model._base_manager.bulk_create(made, batch_size=AT_A_TIME)
    new = {row["id"]: one.pk for row, one in zip(rows, made, strict=True)}
    for name in own:
        changed = [
            (one, row[name]) for row, one in zip(rows, made, strict=True) if row[name] is not None
        ]
        for one, old in changed:
            setattr(one, f"{name}_id", new[old])
        model._base_manager.bulk_update([one for one, _old in changed], [name], AT_A_TIME)
    return new


def _row(
    model: type[models.Model], row: dict[str, Any], ids: Ids, *, leave: list[str]
) -> models.Model:
    values = {field.name: value_of(field, row[field.name]) for field in plain_fields(model)}
    for name, to in pointers(model):
        if name not in leave and row[name] is not None:
            values[f"{name}_id"] = ids[to][row[name]]
    made = model(**values)
    if isinstance(made, Member):
        made.name_key = name_key(made.name)  # as saving makes it: it follows from the name
    return made


def _fill_lists(model: type[models.Model], rows: list[dict[str, Any]], ids: Ids) -> None:
    for name, to in lists(model):
        field: Any = model._meta.get_field(name)
        mine, theirs = field.m2m_field_name(), field.m2m_reverse_field_name()
        through = field.remote_field.through
        made = [
            through(
                **{
                    f"{mine}_id": ids[model][row["id"]],
                    f"{theirs}_id": ids[to][old],
                }
            )
            for row in rows
            for old in row[name]
        ]
        through._base_manager.bulk_create(made, batch_size=AT_A_TIME)
