"""Which rows make a club, in an order in which each comes after those it points at."""

from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from typing import Any

from django.apps import apps
from django.db import models

from league.members.models import ApiToken, Club, Invitation, Job, LimitCount, Role, User

FORMAT, VERSION = "right-bower-club", 1

# What an archive leaves behind: who may sign in is a matter of the installation.
LEFT_OUT: dict[type[models.Model], str] = {
    User: "accounts, with their passwords, belong to the installation and not to the club",
    Role: "a role is an account's; the new installation gives its own",
    Invitation: "a key to the old installation",
    ApiToken: "a key to the old installation",
    LimitCount: "what the installation counts today",
    Job: "work under way, and its files for an hour",
}
# Fields that are the old installation's own: made with its secret key, on its first page, or what
# owners of addresses have agreed to there.
KEYED = {
    ("Member", "erased_marks"),
    ("Member", "confirmed_email"),
    ("Member", "asked_email"),
    ("Club", "listed"),
}


@cache
def archived() -> list[type[models.Model]]:
    """Every model that belongs to a club, those first that others point at."""
    kept = [m for m in apps.get_app_config("league").get_models() if m not in LEFT_OUT]
    order: TopologicalSorter[type[models.Model]] = TopologicalSorter()
    for model in kept:
        order.add(model, *(to for to in _targets(model) if to is not model))
    return list(order.static_order())


def plain_fields(model: type[models.Model]) -> "Iterator[models.Field[Any, Any]]":
    """The fields with values of their own."""
    for field in model._meta.local_fields:
        keyed = (model.__name__, field.name) in KEYED
        if not field.is_relation and not field.primary_key and not keyed:
            yield field


def pointers(model: type[models.Model]) -> Iterator[tuple[str, type[models.Model]]]:
    """The fields that point at another row of the club, each with that row's model."""
    for field in model._meta.local_fields:
        if field.is_relation and (to := _target(field)) is not None:
            yield field.name, to


def lists(model: type[models.Model]) -> Iterator[tuple[str, type[models.Model]]]:
    """The fields that point at many rows of the club."""
    for field in model._meta.local_many_to_many:
        if (to := _target(field)) is not None:
            yield field.name, to


def rows_of(model: type[models.Model], club: Club) -> models.QuerySet[Any]:
    """The club's rows of a model, the oldest first."""
    return model._base_manager.filter(**{path_to_club(model): club.pk}).order_by("pk")


@cache
def path_to_club(model: type[models.Model]) -> str:
    """The lookup from a row to its club, by pointers that are never empty."""
    if model is Club:
        return "pk"
    for name, to in pointers(model):
        if not model._meta.get_field(name).null and to is not model:
            return name if to is Club else f"{name}__{path_to_club(to)}"
    raise TypeError(f"{model.__name__} leads to no club: say in LEFT_OUT why it has none")


def _targets(model: type[models.Model]) -> Iterator[type[models.Model]]:
    for _name, to in pointers(model):
        yield to


def _target(field: Any) -> type[models.Model] | None:
    to = field.related_model
    return None if to in LEFT_OUT else to
