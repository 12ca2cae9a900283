"""Who may import whom: `scoring` nobody, an area only those to its left, pure files no Django."""

import ast
import sys

from tests.architecture.source import AREAS, OUTER, area_of, imports, modules, reached

# What any area may use of the project around the areas.
FOR_ALL = {
    "league",
    "league.errors",
    "league.access",
    "league.limits",
    "league.replica",
    "league.sqlite",
    "league.statements",
    "league.version",
}
# Parts of an area, from below: each may import those of its own row and of the rows before.
ROWS = ({"models"}, {"actions", "queries", "forms", "tables"}, {"views"}, {"urls"})
# Pure code of others that pure files may use beside the standard library.
NUMERIC = {"openskill", "numpy", "networkx"}
PURE = (
    "league.seating.plan",
    "league.seating.movements",
    "league.standings.table",
    "league.standings.measures",
    "league.standings.meetings",
    "league.standings.season_rules",
    "league.standings.promotion",
    "league.standings.pot_rules",
    "league.standings.rating",
    "league.standings.statistics",
    "league.standings.chart",
    "league.tournaments.formats",
    "league.teams.results",
    "league.teams.ranking",
)

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


def test_scoring_imports_only_itself_and_the_standard_library():
    allowed = sys.stdlib_module_names | {"scoring"}
    scoring = [module for module in OURS if top(module) == "scoring"]
    assert breaches(scoring, lambda m: [n for n in imports(m) if top(n) not in allowed]) == {}


def test_an_area_imports_only_areas_to_its_left():
    def to_the_right(module):
        left = AREAS[: AREAS.index(area_of(module)) + 1]
        return [n for n in imports(module) if area_of(n) and area_of(n) not in left]

    assert breaches(IN_AREAS, to_the_right) == {}


def test_an_area_uses_of_the_rest_of_the_project_only_what_is_for_all():
    def not_for_all(module):
        others = [n for n in imports(module) if top(n) == "league" and area_of(n) is None]
        return set(others) - FOR_ALL

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
