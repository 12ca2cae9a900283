"""What the fault tests share: one furnished database a run, copied for each test."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.conftest import shared_folder
from tests.faults.hall import Place, furnish
from tests.faults.scene import Scene
from tests.faults.server import Server, copy_of

TABLES = 8
Begin = Callable[..., Scene]


@pytest.fixture(scope="session")
def furnished(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str, empty_database: Path
) -> tuple[Path, list[Place]]:
    """A database with a hall in it, and the tables of the hall. The first worker makes it."""
    with shared_folder(tmp_path_factory, worker_id, "hall") as folder:
        database, places_file = folder / "club.sqlite3", folder / "places.json"
        if not places_file.exists():
            places = furnish(f"sqlite:///{database}", folder, tables=TABLES, empty=empty_database)
            places_file.write_text(json.dumps([asdict(place) for place in places]))
    return database, [Place(**place) for place in json.loads(places_file.read_text())]


@contextmanager
def scenes(furnished: tuple[Path, list[Place]], own: Path) -> Iterator[Begin]:
    """Start servers on copies: `begin(breaks="...", workers=2)`; they stop when the block ends."""
    database, places = furnished
    started: list[Server] = []

    def begin(*, folder: Path = own, query: str = "", **how: object) -> Scene:
        copy = copy_of(database, folder)
        static = {"STATIC_ROOT": str(database.parent / "static")}
        extra = {**static, **how.pop("extra", {})}  # type: ignore[dict-item]
        server = Server(f"sqlite:///{copy}{query}", own, extra=extra, **how)  # type: ignore[arg-type]
        started.append(server)
        return Scene(server.start(), places)

    try:
        yield begin
    finally:
        for server in started:
            server.stop(10)


@pytest.fixture
def a_scene(furnished: tuple[Path, list[Place]], tmp_path: Path) -> Iterator[Begin]:
    """Start a server of one's own on a copy."""
    with scenes(furnished, tmp_path) as begin:
        yield begin
