"""Every operation of the API with an address that works in a scene, and who may ask it.

A new operation fails in `test_isolation.py` until it has its line here. `at` makes the address
out of a scene; `least` is the scope that gets in at least, `table` whether a table's code does.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.access_table import Scene

Address = Callable[[Scene], str]
SCOPES = ("public", "read", "record", "organise")


@dataclass(frozen=True)
class Asked:
    """How one operation is asked, and by whom it may be."""

    least: str
    at: Address
    method: str = "get"
    body: Callable[[Scene], Any] | None = None
    table: bool = False


def plain(path: str) -> Address:
    """An address without an id."""
    return lambda scene: path


def of(path: str, thing: str) -> Address:
    """An address with the id of a thing of the scene."""
    return lambda scene: path.format(getattr(scene, thing).public_id)


OPERATIONS: dict[str, Asked] = {
    "club": Asked("public", plain("/club")),
    "members": Asked("read", plain("/members")),
    "member": Asked("public", of("/members/{}", "member")),
    "rulesets": Asked("read", plain("/rulesets")),
    "ruleset": Asked("public", of("/rulesets/{}", "ruleset")),
    "audit": Asked("organise", plain("/audit")),
    "seasons": Asked("public", plain("/seasons")),
    "season": Asked("public", of("/seasons/{}", "season")),
    "season_standings": Asked("public", of("/seasons/{}/standings", "season")),
    "sessions": Asked("public", plain("/sessions")),
    "session": Asked("public", of("/sessions/{}", "session")),
    "session_revision": Asked("public", of("/sessions/{}/revision", "session")),
    "session_rounds": Asked("public", of("/sessions/{}/rounds", "session")),
    "session_standings": Asked("public", of("/sessions/{}/standings", "session")),
    "session_games": Asked("public", of("/sessions/{}/games", "session")),
    "game": Asked("public", of("/games/{}", "game")),
    "tournaments": Asked("public", plain("/tournaments")),
    "tournament": Asked("public", of("/tournaments/{}", "tournament")),
    "tournament_rounds": Asked("public", of("/tournaments/{}/rounds", "tournament")),
    "tournament_standings": Asked("public", of("/tournaments/{}/standings", "tournament")),
}
