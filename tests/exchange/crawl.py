"""Every page of a club that is opened by an address, for every thing that the club has."""

import traceback
from collections.abc import Callable, Collection, Iterator
from typing import Any

from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from league.access import PUBLIC
from league.api.urls import api
from league.members.models import Club, Role
from league.play.models import Game
from league.seating.models import Table
from league.sessions.links import calendar_link, door_link, make_calendar_link, wall_link
from league.standings.models import Pot
from league.teams.models import PairsCup, Team, TeamCup, TeamMatch
from league.tournaments.models import StageRound
from tests.access_table import PAGES
from tests.api.asking import a_token
from tests.builders import EIGHT, TEST, a_user

# They ask for a password, belong to no club or to no full backup, or are a picture and no page.
OF_NOTHING = {"club_archive", "ruleset_new", "job", "job_file", "check_import"} | {
    "example_sheet", "league_example", "team_photograph",
}  # fmt: skip
KINDS = {"export_session", "export_season", "session_hands", "session_results"} | {
    "session_payments", "season_payments", "season_account_file",
    "export_team_table", "export_teams", "export_team_fixtures",
    "export_tournament_standings", "export_bracket", "export_rounds",
}  # fmt: skip
OWN_PARTS: dict[str, tuple[str, Callable[[Any], dict[str, Any]]]] = {
    "role_link": ("role", lambda role: {"role_id": role.pk}),
    "role_remove": ("role", lambda role: {"role_id": role.pk}),
    "tournament_round": (
        "round",
        lambda row: {"public_id": row.stage.tournament.public_id, "number": row.number},
    ),
    "table_desk": ("table", lambda table: _of_table(table)),
    "team_round_move": (
        "match",
        lambda match: {"public_id": match.league.public_id, "number": match.round},
    ),
    "session_variant": ("session", lambda session: {"public_id": session.public_id, "players": 4}),
    "table_rules": ("table", lambda table: _of_table(table)),
}
# What an address names by its public id, by the name of its page; else by what it begins with.
NAMED = {
    "session": "checkin seating certificate tables_to_enter disputes board wall paper print_ "
    "games_table end_games clock door_code sign_ups session tournament_new export_session "
    "final_scores",
    "member": "member_",
    "ruleset": "ruleset",
    "season": "season export_season",
    "tournament": "tournament export_tournament export_bracket export_rounds",
    "game": "game",
    "team_league": "team_ export_team import_teams import_fixtures",
}
IN_THE_API = (
    *("cup", "match", "table", "game", "member", "ruleset"),
    *("season", "session", "tournament", "league"),
)


def addresses(things: dict[str, list[Any]]) -> Iterator[tuple[str, str]]:
    """Each address with the least rank that opens it."""
    (club,) = things["club"]
    yield from of_pages(things, slug=club.slug)
    for session in things["session"]:
        yield PUBLIC, wall_link(session)
        yield PUBLIC, door_link(session)
        yield PUBLIC, f"{door_link(session)}in"
    for role in club.roles.all():
        yield PUBLIC, calendar_link(role)
        yield PUBLIC, calendar_link(role, "own_calendar_feed")
    for table in things["table"]:
        yield "owner", reverse("table_entry", args=[table.public_id])
        yield "owner", reverse("table_house_rules", args=[table.public_id])
        yield "owner", reverse("table_help", args=[table.public_id])
        hands = getattr(table.games.first(), "hands_written", 0)
        for number in range(1, hands + 1):
            yield "owner", reverse("table_correct", args=[table.public_id, number])


def of_pages(things: dict[str, list[Any]], *, slug: str) -> Iterator[tuple[str, str]]:
    """Each address of a page in the table, with the least rank that opens it."""
    for name, page in PAGES.items():
        if page.method == "get" and name not in OF_NOTHING:
            for ids in _ids(name, things):
                yield page.least, reverse(name, kwargs={"slug": slug, **ids})


def _few(things: dict[str, list[Any]], around: Collection[str]) -> dict[str, list[Any]]:
    """Those that are among `around`, and the club; with nothing around, the first of each kind."""
    if not around:
        return {kind: there[:1] for kind, there in things.items()}
    return {
        kind: [one for one in there if kind == "club" or _is_among(one, around)]
        for kind, there in things.items()
    }


def _is_among(one: Any, around: Collection[str]) -> bool:
    one = one.stage.tournament if isinstance(one, StageRound) else one
    return getattr(one, "public_id", None) in around


def _things(club: Club) -> dict[str, list[Any]]:
    leagues = {"league__club": club}
    return {
        "club": [club],
        "role": list(club.roles.all()),
        "member": list(club.members.all()),
        "session": list(club.sessions.all()),
        "season": list(club.seasons.all()),
        "ruleset": list(club.rulesets.all()),
        "tournament": list(club.tournaments.all()),
        "team_league": list(club.team_leagues.all()),
        "game": list(Game.objects.filter(session__club=club)),
        "table": list(Table.objects.filter(session__club=club).select_related("session")),
        "pot": list(Pot.objects.filter(club=club)),
        "team": list(Team.objects.filter(**leagues).select_related("league")),
        "cup": list(TeamCup.objects.filter(**leagues).select_related("league")),
        "pairs": list(PairsCup.objects.filter(**leagues).select_related("league")),
        "match": list(TeamMatch.objects.filter(**leagues).select_related("league")),
        "round": list(
            StageRound.objects.filter(stage__tournament__club=club).select_related(
                "stage__tournament"
            )
        ),
    }


def _of_table(table: Any) -> dict[str, Any]:
    return {"public_id": table.session.public_id, "table": table.public_id}


def _ids(name: str, things: dict[str, list[Any]]) -> Iterator[dict[str, Any]]:
    """The parts of every address of a page, beside the club's."""
    parts = {"kind": "csv"} if name in KINDS else {}
    if name in ("club_results", "export_sessions", "export_people"):
        yield {"kind": "csv"}
    elif name in OWN_PARTS:
        kind, parts_of = OWN_PARTS[name]
        yield from map(parts_of, things[kind])
    elif (kind := _part_of_a_league(name)) is not None:
        for one in things[kind]:
            yield {"public_id": one.league.public_id, kind: one.public_id}
    elif (kind := _named(name)) is not None:
        for one in things[kind]:
            yield {"public_id": one.public_id, **parts}
    else:
        yield parts


def _part_of_a_league(name: str) -> str | None:
    """What of a league the page is about, as the table of pages says."""
    parts = {"a_team": "team", "a_team_cup": "cup", "a_team_match": "match"}
    parts |= {"a_pairs_cup": "pairs"}
    return parts.get(PAGES[name].ids.__name__)


def _named(name: str) -> str | None:
    """What the public id in the page's address is one of; None where there is no id in it."""
    page = PAGES[name]
    if page.ids.__name__ == "NO_IDS":
        return None
    begins = [
        (len(begin), kind)
        for kind, listed in NAMED.items()
        for begin in listed.split()
        if name.startswith(begin)
    ]
    return max(begins)[1]


class Visitors:
    """An owner and a program of the club, and a stranger."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.owner, self.stranger = Client(), Client()
        user = a_user("crawler")
        role, _made = Role.objects.update_or_create(
            club=club, user=user, defaults={"rank": "owner"}
        )
        make_calendar_link(role, by=TEST, at=EIGHT)
        players = club.members.filter(retired_at=None, merged_into=None, erased_at=None)
        players.filter(pk__in=players[:1]).update(user=user)
        self.owner.force_login(user)
        self.token = a_token(club, "organise")

    def broken(self, around: Collection[str] | None = None) -> Iterator[str]:
        """The addresses that fail, each with why: all, or those about some public ids."""
        cache.clear()
        things = _things(self.club) if around is None else _few(_things(self.club), around)
        for least, address in addresses(things):
            for client in (self.owner, self.stranger) if least == PUBLIC else (self.owner,):
                yield from _failed(client, address)
        for address in _api_addresses(things):
            yield from _failed(self.owner, address, HTTP_AUTHORIZATION=f"Bearer {self.token}")


def _failed(client: Client, address: str, **headers: str) -> Iterator[str]:
    if "/calendar/" in address or "/door/" in address or "/wall/" in address:
        cache.clear()  # they are counted
    try:
        answer = client.get(address, **headers)
        b"".join(answer.streaming_content) if answer.streaming else answer.content
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        yield f"{address}: {type(error).__name__}: {error} ({at.filename}:{at.lineno})"
    else:
        if answer.status_code >= 500:
            yield f"{address}: {answer.status_code}"


def _api_addresses(things: dict[str, list[Any]]) -> Iterator[str]:
    """What a program may read of the club."""
    for path, methods in api.get_openapi_schema()["paths"].items():
        if "get" not in methods:
            continue
        kind = next((one for one in IN_THE_API if f"{{{one}_id}}" in path), "")
        for one in things["team_league" if kind == "league" else kind or "club"]:
            yield _filled(path, kind, one)


def _filled(path: str, kind: str, one: Any) -> str:
    if kind:
        path = path.replace(f"{{{kind}_id}}", one.public_id)
    if "{league_id}" in path:
        path = path.replace("{league_id}", one.league.public_id)
    return path.replace("{number}", "1")
