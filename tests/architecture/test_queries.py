"""An area asks nothing of those to its right, through reverse relations either."""

import ast
from functools import cache

from django.apps import apps

from tests.architecture.source import AREAS, area_of, modules

ASKING = {
    "filter", "exclude", "get", "Q", "annotate", "aggregate", "order_by", "values", "values_list",
    "select_related", "prefetch_related", "only", "defer", "F", "Count", "Sum", "Max", "Min",
    "Prefetch", "OuterRef", "update_or_create", "get_or_create", "get_object_or_404", "alias",
}  # fmt: skip
THROUGH_ROWS = {"all", "exists", "count", "first", "create", "update"}


@cache
def upward(area):
    """The names by which rows of areas to the right are reached from those of this one."""
    place = AREAS.index(area)
    found = set()
    for model in apps.get_app_config("league").get_models():
        if AREAS.index(area_of(model.__module__)) > place:
            continue
        for relation in model._meta.get_fields(include_hidden=False):
            if relation.auto_created and not relation.concrete:
                by = area_of(relation.related_model.__module__)
                if by in AREAS and AREAS.index(by) > place:
                    found |= {relation.name, relation.get_accessor_name()}
    return found


def lookups(tree):
    """Each lookup a module writes: keywords and texts given to what makes a query."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ASKING:
                yield from (keyword.arg or "" for keyword in node.keywords)
                texts = (one.value for one in node.args if isinstance(one, ast.Constant))
                yield from (text for text in texts if isinstance(text, str))


def managers(tree):
    """What is asked through a row: `row.name.filter(...)` gives `name`."""
    for node in ast.walk(tree):
        asks = isinstance(node, ast.Attribute) and node.attr in ASKING | THROUGH_ROWS
        if asks and isinstance(node.value, ast.Attribute):
            yield node.value.attr


def upward_lookups(module):
    tree = ast.parse(modules()[module].read_text("utf-8"))
    names = upward(area_of(module))
    parts = {part for text in lookups(tree) for part in text.lstrip("-").split("__")}
    return sorted((parts | set(managers(tree))) & names)


def test_no_area_asks_through_a_reverse_relation_for_what_lies_to_its_right():
    found = {m: upward_lookups(m) for m in sorted(modules()) if area_of(m) in AREAS}
    assert {module: names for module, names in found.items() if names} == {}


def test_the_rule_would_see_such_a_question():
    assert {"games", "team_match"} <= upward("seating")
    tree = ast.parse('Table.objects.filter(games__state="over"); club.sessions.filter(x=1)')
    assert [*lookups(tree)] == ["games__state", "x"]
    assert "sessions" in set(managers(tree))
