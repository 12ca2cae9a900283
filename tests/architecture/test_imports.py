"""Who may import whom: `scoring` nobody, an area only those to its left, pure files no Django."""

import ast
import sys

from tests.architecture.source import (
    AREAS,
    OUTER,
    area_of,
    imported_names,
    imports,
    modules,
    offered_names,
    reached,
)

# What any area may use of the project around the areas.
FOR_ALL = {
    "league",
    "league.errors",
    "league.labels",
    "league.worker",
    "league.access",
    "league.limits",
    "league.locale.fr_CA.formats",
    "league.network",
    "league.database",
    "league.sqlite",
    "league.compiled_sql",
}
# The files around the rooms: how the site is put together, started, watched and kept safe.
AROUND = {
    "league",
    "league.access",
    "league.admin",
    "league.apps",
    "league.database",
    "league.checks",
    "league.errors",
    "league.labels",
    "league.gallery",
    "league.limits",
    "league.locale.fr_CA.formats",
    "league.log_pages",
    "league.log_words",
    "league.logs",
    "league.monitoring",
    "league.models",
    "league.network",
    "league.passwords",
    "league.messages",
    "league.middleware",
    "league.worker",
    "league.rsgi",
    "league.settings",
    "league.shared_cache",
    "league.sqlite",
    "league.compiled_sql",
    "league.static_files",
    "league.urls",
    "league.wsgi",
}
COMMANDS_AND_TAGS = ("league.management", "league.templatetags")
# Parts of an area, from below: each may import those of its own row and of the rows before.
ROWS = (
    {"models"},
    {"actions", "attendance", "queries", "draft_queries", "forms", "tables"},
    {"views", "links"},
    {"urls"},
)
# The engines: pure rooms, and what each may use beside the standard library and itself.
ENGINES = {
    "scoring": (),
    "league.pairing": ("scoring", "networkx"),
    "league.ranking": ("scoring", "openskill"),
}
# Pure files of areas.
PURE = ("league.members.names",)
NUMERIC = {"networkx", "openskill", "rapidfuzz", "confusable_homoglyphs", "idna"}

OURS = sorted(modules())
IN_AREAS = [module for module in OURS if area_of(module) in AREAS]


def top(name):
    return name.partition(".")[0]


def is_pure(module):
    return any(module == root or module.startswith(f"{root}.") for root in PURE)


def breaches(those, of):
    """`{module: what it imports against the rule}` for those modules that do."""
    found = {module: sorted(of(module)) for module in those}
    return {module: names for module, names in found.items() if names}


def engine_of(module):
    """The engine a module belongs to; None for the rest of the project."""
    return next((e for e in ENGINES if module == e or module.startswith(f"{e}.")), None)


def test_an_engine_imports_only_itself_the_standard_library_and_what_it_stands_on():
    def foreign(module):
        engine = engine_of(module)
        allowed = (engine, *ENGINES[engine])
        return [
            name
            for name in imports(module)
            if top(name) not in sys.stdlib_module_names
            and not any(name == one or name.startswith(f"{one}.") for one in allowed)
        ]

    assert breaches([m for m in OURS if engine_of(m)], foreign) == {}


# Rooms of the engines that are front doors too, beside those that the `__all__` of a door names.
DOORS = {"scoring.egn", "scoring.files", "scoring.playouts", "scoring.rulesets.options"}


def doors(door):
    """A front door, and those of its rooms that it offers by name, and theirs."""
    offered = {f"{door}.{name}" for name in offered_names(door)} & modules().keys()
    return {door} | DOORS | {inner for room in offered for inner in doors(room)}


def test_nothing_outside_reaches_past_the_front_door_of_an_engine():
    def past_the_door(module):
        return [
            name
            for name in imports(module)
            if (engine := engine_of(name)) not in (None, engine_of(module))
            and name not in doors(engine)
        ]

    assert breaches(OURS, past_the_door) == {}


def test_what_comes_through_a_front_door_is_named_in_its_all():
    def unnamed(module):
        return [
            f"{door}.{name}"
            for door, name in imported_names(module)
            if engine_of(door) not in (None, engine_of(module)) and name not in offered_names(door)
        ]

    assert breaches(OURS, unnamed) == {}


def test_every_file_stands_in_a_room():
    """An engine, an area, a face, or one of the files around them that are named here."""
    rooms = {m for m in OURS if engine_of(m) or area_of(m) or m.startswith(COMMANDS_AND_TAGS)}
    assert sorted(set(OURS) - rooms - AROUND) == []


def test_an_area_imports_only_areas_to_its_left():
    def to_the_right(module):
        left = AREAS[: AREAS.index(area_of(module)) + 1]
        return [n for n in imports(module) if area_of(n) and area_of(n) not in left]

    assert breaches(IN_AREAS, to_the_right) == {}


def test_an_area_uses_of_the_rest_of_the_project_only_what_is_for_all():
    def not_for_all(module):
        others = [n for n in imports(module) if top(n) == "league" and area_of(n) is None]
        return {name for name in others if not engine_of(name)} - FOR_ALL

    assert breaches(IN_AREAS, not_for_all) == {}


def test_a_pure_file_reaches_no_django_and_no_library_but_numeric_ones():
    allowed = sys.stdlib_module_names | NUMERIC | {"scoring", "league"}

    def impure(module):
        found = reached(module).items()
        return [f"{by} imports {name}" for name, by in found if top(name) not in allowed]

    assert breaches([m for m in IN_AREAS if is_pure(m)], impure) == {}


def row_of(module):
    """Which row of its area a module stands in; None for pure and other files."""
    parts = module.split(".")
    return next((i for i, row in enumerate(ROWS) if len(parts) > 2 and parts[2] in row), None)


def test_within_an_area_nothing_imports_what_stands_above_it():
    def above(module):
        mine = [n for n in imports(module) if area_of(n) == area_of(module)]
        return [n for n in mine if (row_of(n) or 0) > row_of(module)]

    assert breaches([m for m in IN_AREAS if row_of(m) is not None], above) == {}


def test_what_acts_and_reads_knows_nothing_of_views_in_other_areas_either():
    acting = [m for m in IN_AREAS if row_of(m) == 1]
    assert breaches(acting, lambda m: [n for n in imports(m) if (row_of(n) or 0) > 1]) == {}


def test_the_rules_would_see_a_breach():
    """The readers above find imports at all: by name, of a package's module, inside functions."""
    assert "league.members.models" in imports("league.access")
    assert "django.conf" in reached("league.checks")
    assert "league.checks" in {*imports("league.apps")}
    assert any(is_pure(module) for module in OURS)
    assert {area_of(m) for m in OURS} - {None} <= set(AREAS + OUTER)


def test_no_folder_of_data_is_called_like_what_its_package_offers():
    """Python takes the folder for a module too, and importing it hides the other from then on."""
    hidden = []
    for module, path in modules().items():
        if path.name == "__init__.py":
            data = {one.name for one in path.parent.iterdir() if one.is_dir()}
            data = {name for name in data if f"{module}.{name}" not in modules()}
            hidden += [f"{module}.{name}" for name in data & _offered(path)]
    assert hidden == []


def _offered(path):
    """The names a package's `__init__` defines or takes from elsewhere."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return defined | {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
