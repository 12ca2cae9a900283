"""What the fault tests share: one furnished database a run, copied for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.hall import Place, furnish
from tests.faults.scene import Scene
from tests.faults.server import Server, copy_of

TABLES = 8


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Place]]:
    """A database with a hall in it, and the tables of the hall."""
    folder = tmp_path_factory.mktemp("hall")
    database = folder / "club.sqlite3"
    return database, furnish(f"sqlite:///{database}", folder, tables=TABLES)


@pytest.fixture
def a_scene(furnished: tuple[Path, list[Place]], tmp_path: Path) -> Iterator[Callable[..., Scene]]:
    """Start a server of one's own on a copy: `a_scene(breaks="...", workers=2)`."""
    database, places = furnished
    started: list[Server] = []

    def begin(*, folder: Path = tmp_path, query: str = "", **how: object) -> Scene:
        copy = copy_of(database, folder)
        static = {"STATIC_ROOT": str(database.parent / "static")}
        extra = {**static, **how.pop("extra", {})}  # type: ignore[dict-item]
        server = Server(f"sqlite:///{copy}{query}", tmp_path, extra=extra, **how)  # type: ignore[arg-type]
        started.append(server)
        return Scene(server.start(), places)

    yield begin
    for server in started:
        server.stop(10)
