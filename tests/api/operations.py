"""Every operation of the API: a request that works in a scene, and who may send it.

A new operation fails in `test_isolation.py` until it is added here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from league.members.models import new_public_id
from league.seating.models import Round
from tests.play.hands import made
from tests.scene import Scene

Path = Callable[[Scene], str]
SCOPES = ("public", "read", "record", "organise")


@dataclass(frozen=True)
class Operation:
    """A request to an operation.

    `least` is the lowest scope that may send it, and `table` says whether a table's code may.
    `path` and `body` are made from a scene.
    """

    least: str
    path: Path
    method: str = "get"
    body: Callable[[Scene], Any] | None = None
    table: bool = False


def fixed(path: str) -> Path:
    """A path without an id."""
    return lambda scene: path


def with_id(path: str, name: str) -> Path:
    """A path with the id of an object of the scene."""
    return lambda scene: path.format(getattr(scene, name).public_id)


def in_league(path: str, *names: str) -> Path:
    """A path in the scene's league, with the ids of its objects with these names."""

    def path_in(scene: Scene) -> str:
        ids = {"match": scene.team_league.matches.first().public_id, "cup": scene.cup.public_id}
        return path.format(scene.team_league.public_id, *(ids[name] for name in names))

    return path_in


CHANGE = {"version": 1, "reason": "a slip of the thumb"}


def an_id() -> dict[str, Any]:
    return {"client_id": new_public_id()}


def a_hand() -> dict[str, Any]:
    """A new hand, with a new id each time."""
    return an_id() | {"record": made()}


def at_table(
    path: str,
    method: str = "post",
    body: Callable[[Scene], Any] | None = None,
    *,
    least: str = "record",
) -> Operation:
    """A request to the scene's table, which the table's code may send too."""
    return Operation(least, with_id("/tables/{}" + path, "table"), method, body, table=True)


def a_member(scene: Scene) -> dict[str, Any]:
    return {"member_id": scene.member.public_id}


def draft_path(scene: Scene) -> str:
    """The path of a drafted round, which is created if there is none."""
    Round.objects.get_or_create(session=scene.session, number=99, state="draft", seed=1)
    return f"/sessions/{scene.session.public_id}/draft"


def in_session(
    path: str, body: Callable[[Scene], Any] | None = None, *, method: str = "post"
) -> Operation:
    """A request of an organiser, in the scene's session."""
    return Operation("organise", with_id("/sessions/{}" + path, "session"), method, body)


def in_tournament(path: str, body: Callable[[Scene], Any] | None = None) -> Operation:
    """A request of an organiser, in the scene's tournament."""
    return Operation("organise", with_id("/tournaments/{}" + path, "tournament"), "post", body)


OPERATIONS: dict[str, Operation] = {
    "club": Operation("public", fixed("/club")),
    "members": Operation("read", fixed("/members")),
    "member": Operation("public", with_id("/members/{}", "member")),
    "rulesets": Operation("read", fixed("/rulesets")),
    "ruleset": Operation("public", with_id("/rulesets/{}", "ruleset")),
    "audit": Operation("organise", fixed("/audit")),
    "seasons": Operation("public", fixed("/seasons")),
    "season": Operation("public", with_id("/seasons/{}", "season")),
    "season_standings": Operation("public", with_id("/seasons/{}/standings", "season")),
    "sessions": Operation("public", fixed("/sessions")),
    "session": Operation("public", with_id("/sessions/{}", "session")),
    "session_revision": Operation("public", with_id("/sessions/{}/revision", "session")),
    "session_rounds": Operation("public", with_id("/sessions/{}/rounds", "session")),
    "session_standings": Operation("public", with_id("/sessions/{}/standings", "session")),
    "session_games": Operation("public", with_id("/sessions/{}/games", "session")),
    "game": Operation("public", with_id("/games/{}", "game")),
    "table": at_table("", "get", least="read"),
    "check": at_table("/check", body=lambda scene: {"record": made()}, least="read"),
    "record_hand": at_table("/hands", body=lambda scene: a_hand()),
    "correct_hand": at_table("/hands/1", "put", lambda scene: a_hand() | CHANGE),
    "strike_hand": at_table("/hands/1/strike", body=lambda scene: an_id() | CHANGE),
    "undo_hand": at_table("/undo", body=lambda scene: {"number": 1, "version": 1}),
    "note_misdeal": at_table("/misdeal", body=lambda scene: an_id()),
    "rule_penalty": at_table("/penalty", body=lambda scene: an_id() | {"by_seat": 1}),
    "concede": at_table("/concede", body=lambda scene: {"seat": 1}),
    "resume": at_table("/resume"),
    "call_time": at_table("/time"),
    "write_totals": at_table("/totals", body=lambda scene: {"totals": [10, 3]}),
    "confirm_game": at_table("/confirm", body=lambda scene: {"seat": 1}),
    "dispute_game": at_table("/dispute", body=lambda scene: {"seat": 1, "reason": "no"}),
    "follow": at_table("/follow"),
    "member_play": Operation("public", with_id("/members/{}/play", "member")),
    "ratings": Operation("public", fixed("/ratings")),
    "session_people": Operation("read", with_id("/sessions/{}/people", "session")),
    "session_pots": Operation("read", with_id("/sessions/{}/pots", "session")),
    "season_pots": Operation("read", with_id("/seasons/{}/pots", "season")),
    "leagues": Operation("public", fixed("/leagues")),
    "team_league": Operation("public", with_id("/leagues/{}", "team_league")),
    "team_fixtures": Operation("public", with_id("/leagues/{}/fixtures", "team_league")),
    "team_match": Operation("public", in_league("/leagues/{}/matches/{}", "match")),
    "team_cup": Operation("public", in_league("/leagues/{}/cups/{}", "cup")),
    "tournaments": Operation("public", fixed("/tournaments")),
    "tournament": Operation("public", with_id("/tournaments/{}", "tournament")),
    "tournament_rounds": Operation("public", with_id("/tournaments/{}/rounds", "tournament")),
    "make_session": Operation("organise", fixed("/sessions"), "post", lambda scene: an_id()),
    "open_session": in_session("/open"),
    "close_session": in_session("/close"),
    "cancel_session": in_session("/cancel"),
    "check_in": in_session("/check-in", lambda scene: {"names": ["Somebody New"]}),
    "leave": in_session("/leave", a_member),
    "sit_out": in_session("/sit-out", a_member),
    "play_again": in_session("/play-again", a_member),
    "session_draft": Operation("organise", draft_path),
    "draft_round": in_session("/draft", lambda scene: {}),
    "discard_draft": in_session("/draft", method="delete"),
    "publish_round": in_session("/draft/publish", lambda scene: {"version": 1}),
    "unpublish_round": in_session("/rounds/unpublish"),
    "make_tournament": Operation(
        "organise",
        fixed("/tournaments"),
        "post",
        lambda scene: an_id() | {"session_id": scene.session.public_id, "format": "knockout"},
    ),
    "enter_tournament": in_tournament("/entries", a_member),
    "enter_present": in_tournament("/entries/present"),
    "draw_partners": in_tournament("/partners", lambda scene: {}),
    "draw_tournament": in_tournament("/draw", lambda scene: {}),
    "publish_tournament": in_tournament("/draw/publish", lambda scene: {"version": 1}),
    "finish_tournament": in_tournament("/finish"),
    "make_league": Operation(
        "organise",
        fixed("/leagues"),
        "post",
        lambda scene: an_id() | {"name": "Winter", "starts_on": "2026-12-01"},
    ),
    "make_team": Operation(
        "organise",
        with_id("/leagues/{}/teams", "team_league"),
        "post",
        lambda scene: an_id() | {"name": "Newcomers", "names": []},
    ),
    "make_fixtures": Operation(
        "organise", with_id("/leagues/{}/fixtures", "team_league"), "post", lambda scene: {}
    ),
    "tournament_standings": Operation("public", with_id("/tournaments/{}/standings", "tournament")),
}
