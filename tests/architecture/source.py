"""Reads the project's own source: which files there are, and what each imports."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
AREAS = ("members", "seasons", "sessions", "seating", "play", "standings", "tournaments", "teams")
OUTER = ("api", "exchange", "live", "laptop")


@functools.cache
def modules() -> dict[str, Path]:
    """Every module of ours by its dotted name."""
    found = {}
    for top in ("scoring", "league"):
        for path in (ROOT / top).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if parts[-1] == "__init__":
                parts = parts[:-1]
            if "migrations" not in parts:
                found[".".join(parts)] = path
    return found


@functools.cache
def imports(module: str) -> frozenset[str]:
    """What a module imports, as dotted names; imports for type checking alone are left out.

    `from league.play import actions` counts as `league.play.actions`, where that is a module.
    """
    tree = ast.parse(modules()[module].read_text("utf-8"))
    return frozenset(name for node in _running(tree) for name in _names(node, module))


@functools.cache
def imported_names(module: str) -> frozenset[tuple[str, str]]:
    """What `from x import y` takes, as (x, y)."""
    tree = ast.parse(modules()[module].read_text("utf-8"))
    return frozenset(
        (_absolute(node, module), alias.name)
        for node in _running(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )


@functools.cache
def offered_names(module: str) -> frozenset[str]:
    """The names in a module's `__all__`; none where it has no such list."""
    tree = ast.parse(modules()[module].read_text("utf-8"))
    return frozenset(
        name.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        for name in ast.walk(node.value)
        if isinstance(name, ast.Constant)
    )


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            yield node
            yield from _running(node)


def _names(node: ast.AST, module: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        start = _absolute(node, module)
        for alias in node.names:
            whole = f"{start}.{alias.name}"
            yield whole if whole in modules() else start


def _absolute(node: ast.ImportFrom, module: str) -> str:
    if not node.level:
        return node.module or ""
    package = module if modules()[module].name == "__init__.py" else module.rpartition(".")[0]
    for _ in range(node.level - 1):
        package = package.rpartition(".")[0]
    return f"{package}.{node.module}" if node.module else package


def area_of(module: str) -> str | None:
    """The area or outer face a module belongs to; None for the rest of the project."""
    parts = module.split(".")
    if parts[0] == "league" and len(parts) > 1 and parts[1] in AREAS + OUTER:
        return parts[1]
    return None


def reached(module: str) -> dict[str, str]:
    """Everything a module imports, directly or through our own modules, and by whom."""
    found: dict[str, str] = {}
    waiting = [module]
    while waiting:
        by = waiting.pop()
        for name in imports(by) | _packages(by):
            if name not in found:
                found[name] = by
                if name in modules():
                    waiting.append(name)
    return found


def _packages(module: str) -> set[str]:
    """The packages around a module: Python runs their `__init__` first."""
    parts = module.split(".")
    return {".".join(parts[:i]) for i in range(1, len(parts))} & set(modules())


@functools.cache
def source_files() -> tuple[Path, ...]:
    """Every file of the folders that hold what we wrote."""
    folders = ("league", "scoring", "templates", "tests")
    return tuple(p for folder in folders for p in sorted((ROOT / folder).rglob("*")) if p.is_file())
