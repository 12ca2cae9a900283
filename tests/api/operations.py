"""Every operation of the API with an address that works in a scene, and who may ask it.

A new operation fails in `test_isolation.py` until it has its line here. `at` makes the address
out of a scene; `least` is the scope that gets in at least, `table` whether a table's code does.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from league.members.models import new_public_id
from league.seating.models import Round
from tests.play.hands import made
from tests.scene import Scene

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


def in_league(path: str, *names: str) -> Address:
    """An address in the scene's league, with the id of one more thing of it."""

    def at(scene: Scene) -> str:
        ids = {"match": scene.team_league.matches.first().public_id, "cup": scene.cup.public_id}
        return path.format(scene.team_league.public_id, *(ids[name] for name in names))

    return at


CHANGE = {"version": 1, "reason": "a slip of the thumb"}


def an_id() -> dict[str, Any]:
    return {"client_id": new_public_id()}


def a_hand() -> dict[str, Any]:
    """A hand of its own each time."""
    return an_id() | {"record": made()}


def at_table(
    path: str,
    method: str = "post",
    body: Callable[[Scene], Any] | None = None,
    *,
    least: str = "record",
) -> Asked:
    """An order to the scene's table, which its own code may give too."""
    return Asked(least, of("/tables/{}" + path, "table"), method, body, table=True)


def a_member(scene: Scene) -> dict[str, Any]:
    return {"member_id": scene.member.public_id}


def of_draft(scene: Scene) -> str:
    """The address of a drafted round."""
    Round.objects.get_or_create(session=scene.session, number=99, state="draft", seed=1)
    return f"/sessions/{scene.session.public_id}/draft"


def evening(
    path: str, body: Callable[[Scene], Any] | None = None, *, method: str = "post"
) -> Asked:
    """What an organiser does in the scene's session."""
    return Asked("organise", of("/sessions/{}" + path, "session"), method, body)


def cup(path: str, body: Callable[[Scene], Any] | None = None) -> Asked:
    """What an organiser does in the scene's tournament."""
    return Asked("organise", of("/tournaments/{}" + path, "tournament"), "post", body)


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
    "member_play": Asked("public", of("/members/{}/play", "member")),
    "ratings": Asked("public", plain("/ratings")),
    "session_people": Asked("read", of("/sessions/{}/people", "session")),
    "session_pots": Asked("read", of("/sessions/{}/pots", "session")),
    "season_pots": Asked("read", of("/seasons/{}/pots", "season")),
    "leagues": Asked("public", plain("/leagues")),
    "team_league": Asked("public", of("/leagues/{}", "team_league")),
    "team_fixtures": Asked("public", of("/leagues/{}/fixtures", "team_league")),
    "team_match": Asked("public", in_league("/leagues/{}/matches/{}", "match")),
    "team_cup": Asked("public", in_league("/leagues/{}/cups/{}", "cup")),
    "tournaments": Asked("public", plain("/tournaments")),
    "tournament": Asked("public", of("/tournaments/{}", "tournament")),
    "tournament_rounds": Asked("public", of("/tournaments/{}/rounds", "tournament")),
    "make_session": Asked("organise", plain("/sessions"), "post", lambda scene: an_id()),
    "open_session": evening("/open"),
    "close_session": evening("/close"),
    "cancel_session": evening("/cancel"),
    "check_in": evening("/check-in", lambda scene: {"names": ["Somebody New"]}),
    "leave": evening("/leave", a_member),
    "sit_out": evening("/sit-out", a_member),
    "play_again": evening("/play-again", a_member),
    "session_draft": Asked("organise", of_draft),
    "draft_round": evening("/draft", lambda scene: {}),
    "discard_draft": evening("/draft", method="delete"),
    "publish_round": evening("/draft/publish", lambda scene: {"version": 1}),
    "unpublish_round": evening("/rounds/unpublish"),
    "make_tournament": Asked(
        "organise",
        plain("/tournaments"),
        "post",
        lambda scene: an_id() | {"session_id": scene.session.public_id, "format": "knockout"},
    ),
    "enter_tournament": cup("/entries", a_member),
    "enter_present": cup("/entries/present"),
    "draw_partners": cup("/partners", lambda scene: {}),
    "draw_tournament": cup("/draw", lambda scene: {}),
    "publish_tournament": cup("/draw/publish", lambda scene: {"version": 1}),
    "finish_tournament": cup("/finish"),
    "make_league": Asked(
        "organise",
        plain("/leagues"),
        "post",
        lambda scene: an_id() | {"name": "Winter", "starts_on": "2026-12-01"},
    ),
    "make_team": Asked(
        "organise",
        of("/leagues/{}/teams", "team_league"),
        "post",
        lambda scene: an_id() | {"name": "Newcomers", "names": []},
    ),
    "make_fixtures": Asked(
        "organise", of("/leagues/{}/fixtures", "team_league"), "post", lambda scene: {}
    ),
    "tournament_standings": Asked("public", of("/tournaments/{}/standings", "tournament")),
}
