"""The wall: one big screen for the hall, by turns seats, scores and standings, with the clock."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.live.hub import place_of
from league.live.room import Room, room
from league.members.audit import actor_of
from league.members.languages import activate_club_language, in_clubs_language
from league.members.models import Club, Member
from league.members.names import sort_key
from league.members.public import namer
from league.network import address_for_phones
from league.play.auth import TableAccess, table_page, table_qr
from league.ranking.measures import Measure
from league.seating.queries import latest_published
from league.sessions import actions
from league.sessions.links import session_at_door, session_of_seat, session_on_wall, wall_link
from league.sessions.models import Session
from league.sessions.queries import clock_at, session_of
from league.sessions.views.door import by_link, code_of, remembered_player
from league.standings.labels import Text
from league.standings.queries import Standings, session_standings
from league.standings.tables import Row as TableRow
from league.standings.tables import key_columns, rows_of
from league.tournaments.bracket_page import BracketPart, bracket_parts
from league.tournaments.draws.groups import group_states
from league.tournaments.games_of_matches import lines_of
from league.tournaments.models import Stage, Tournament
from league.tournaments.queries import NameOf, latest_in, stage_of
from league.tournaments.stage_state import StageState, load_stage
from league.tournaments.standing import standing_of
from league.tournaments.tables import Row, codes_of, columns_of
from league.tournaments.tables import rows_of as stage_rows_of

TOURNAMENT_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class Places:
    """A ranked table of a tournament, the first figures of each row alone."""

    title: str
    heads: Sequence[Text]
    rows: Sequence[Row]


def stage_here(club_session: Session) -> StageState | None:
    """The stage of the session's tournament as it stands; None where it has none."""
    tournament = latest_in(club_session)
    return load_stage(stage_of(tournament)) if tournament else None


def tournament_places(state: StageState | None, name_of: NameOf) -> list[Places]:
    """The tables of a tournament; empty where there is none, or none is played yet."""
    if state is None or not state.published:
        return []
    if state.stage.format == Stage.Format.GROUPS and not state.in_bracket:
        return [
            _places(one, name_of, _("Group %(n)d") % {"n": number})
            for number, one in enumerate(group_states(state), 1)
        ]
    return [_places(state, name_of, state.stage.tournament.name)]


def bracket_panels(state: StageState | None, name_of: NameOf) -> list[BracketPart]:
    """The bracket of a tournament, in as many panels as can be read; often none."""
    parts = bracket_parts(state, name_of) if state else []
    return [panel for part in parts for panel in part.panels(PLACES)]


def _places(state: StageState, name_of: NameOf, title: str) -> Places:
    """With the figures there is room for, every one that parted two entries among them; what parted
    them and is no figure (who beat whom) stands beside the name."""
    standing = standing_of(state)
    heads, codes = columns_of(state, standing), codes_of(standing)
    decided = {one.measure for line in standing.lines for one in line.decisions}
    needed = [n for n, code in enumerate(codes) if n == 0 or code in decided]
    others = [n for n in range(len(heads)) if n not in needed]
    shown = sorted(needed + others[: max(0, TOURNAMENT_COLUMNS - len(needed))])
    last = {one.who: one.decisions[-1].measure for one in standing.lines if one.decisions}
    rows = [
        replace(
            row,
            cells=tuple(row.cells[n] for n in shown),
            decided="" if row.shared or last.get(row.who, codes[0]) in codes else row.decided,
        )
        for row in stage_rows_of(state, standing, name_of)
    ]
    return Places(title, [heads[n].column for n in shown], rows)


PLACES = 8
"""Matches of a bracket above one another on one panel."""
ROWS = 11
"""Lines of standings under each other: more cannot be read at ten metres. Two columns fit."""
TABLES = 12
COLUMNS = 3
SIDE_BY_SIDE = 4
"""So few tables stand beside the standings on one panel."""
NAMES = 40
"""Names on one panel of the alphabetical list."""
PODIUM = 3
"""Places that the wall of a closed session names first."""
MOST_WINNERS = 6
"""So many names have room on the panel of winners."""


@require_safe
@club_page(PUBLIC)
@in_clubs_language
def wall(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The wall for anyone who may see the club; the public reads names as people allow."""
    club_session = session_of(club, public_id)
    return _wall(request, club_session, lambda people: namer(people, club, request.rank))


@require_safe
@by_link(session_on_wall, expired_page="live/wall_shut.html")
def wall_shown(request: HttpRequest, club_session: Session) -> HttpResponse:
    """The wall by its signed link, for the hall's own screen, which nobody signs in to."""
    club = club_session.club
    activate_club_language(request, club, to_all=True)
    return _wall(request, club_session, lambda people: namer(people, club, None, in_hall=True))


@require_safe
@club_page("organiser")
def wall_made(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The link to open on the hall's screen, and the way to make it void."""
    club_session = session_of(club, public_id)
    address = address_for_phones(request, wall_link(club_session))
    context = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "address": address,
        "qr": mark_safe(table_qr(address)),  # noqa: S308 - segno's own SVG
    }
    return render(request, "live/wall_link.html", context)


@require_safe
@by_link(session_of_seat, expired_page="sessions/door_shut.html")
def door_seat(request: HttpRequest, club_session: Session) -> HttpResponse:
    """The seat of the player this phone has checked in at the door."""
    member = remembered_player(request, club_session)
    if member is None:
        return redirect("door", code_of(request))
    now, club = room(club_session, at=timezone.now()), club_session.club
    is_open = club_session.state == Session.State.OPEN
    you = place_of(now, member, whole_round=False) if is_open else None
    name_of = namer([member, *now.people], club, None, in_hall=True)
    context = {
        "club": club,
        "club_session": club_session,
        "name": name_of(member),
        "you": you,
        "partners": [name_of(one) for one in you.partners] if you else [],
        "others": [[name_of(one) for one in side] for side in you.others] if you else [],
        "code": code_of(request),
    }
    return render(request, "live/door_seat.html", context)


@require_safe
@by_link(session_at_door, expired_page="sessions/door_shut.html")
def door_standings(request: HttpRequest, club_session: Session) -> HttpResponse:
    """The standings for anyone who has the code at the door."""
    back = reverse("door_seat", args=[code_of(request)])
    return _phone_standings(request, club_session, back, at_door=True)


@table_page
@require_safe
def table_standings(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """The standings on a table's phone, which nobody signs in to."""
    back = reverse("table_entry", args=[access.table.public_id])
    return _phone_standings(request, access.table.session, back)


def _phone_standings(
    request: HttpRequest, club_session: Session, back: str, *, at_door: bool = False
) -> HttpResponse:
    """The session's standings on one phone; `back` is where its reader came from."""
    standings = session_standings(club_session, at=timezone.now())
    name_of = namer(standings.people.values(), club_session.club, None, in_hall=True)
    names = {pk: name_of(member) for pk, member in standings.people.items()}
    places = tournament_places(stage_here(club_session), name_of)
    held = club_session.standings_held
    context = {
        "back": back,
        "at_door": at_door,
        "club_session": club_session,
        "columns": key_columns(standings),
        "brief": True,
        "in_full": standings.credits_in_full,
        "rows": [] if places or held else rows_of(standings, names),
        "places": [] if held else places,
    }
    return render(request, "live/table_standings.html", context)


@require_POST
@club_page("organiser")
def wall_revoke(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Make every link to the wall void and show a new one."""
    actions.revoke_wall(session_of(club, public_id), by=actor_of(request))
    return redirect("wall_made", club.slug, public_id)


def _wall(
    request: HttpRequest, club_session: Session, names: Callable[[Iterable[Member]], NameOf]
) -> HttpResponse:
    now = timezone.now()
    state = stage_here(club_session)
    the_room = room(club_session, at=now, matches=lines_of(state))
    standings = session_standings(club_session, at=now)
    name_of = names([*the_room.people, *standings.people.values()])
    shown = {pk: name_of(member) for pk, member in standings.people.items()}
    held = club_session.standings_held  # anyone who looks: the screen is for the hall
    places = [] if held else tournament_places(state, name_of)
    rows = [] if places or held else _with_games(rows_of(standings, shown))
    is_over = club_session.state == Session.State.CLOSED
    ranks = [_level(_panels(panel, ROWS)) for panel in _panels(rows, 2 * ROWS)]
    short = len(rows) <= ROWS
    together = 0 < len(rows) <= ROWS and 0 < len(the_room.tiles) <= SIDE_BY_SIDE and not is_over
    context = {
        "club": club_session.club,
        "club_session": club_session,
        "room": the_room,
        "sizes": [] if state else [tile.table.players for tile in the_room.tiles],
        "is_over": is_over,
        "winners": _winners(rows, places, standings, state) if is_over or state else [],
        "round_title": _round_title(state),
        "tables": [] if is_over else _panels(_tables(the_room, name_of), TABLES),
        "finder": [] if is_over else _panels(_finder(the_room, name_of), NAMES),
        "waiting": [] if _is_knocking_out(state) else list(map(name_of, the_room.waiting)),
        "standings": standings,
        "columns": _wall_columns(standings, together=together, short=short),
        "brief": together or not short,
        "crowded": not short,  # two columns of players
        "ranks": ranks,
        "places": [(place, rows) for place in places for rows in _panels(place.rows, ROWS)],
        "bracket": [] if is_over and held else bracket_panels(state, name_of),
        "together": together,
        "published": latest_published(club_session),
        "clock": clock_at(club_session, now),
        "now": now,
    }
    return render(request, "live/wall.html", context)


def _with_games(rows: Sequence[TableRow]) -> Sequence[TableRow]:
    """None while nobody has played: a page of zeros says nothing."""
    return rows if any(row.games for row in rows) else []


def _is_knocking_out(state: StageState | None) -> bool:
    """Whether people without a table are out of a bracket, and do not wait."""
    return state is not None and state.in_bracket


def _round_title(state: StageState | None) -> str:
    """The tournament's own round: each further game of a match is a round of the session."""
    if state is None or state.last is None:
        return ""
    return state.last.row.label or _("round %(n)s") % {"n": state.last.number}


def _winners(
    rows: Sequence[TableRow],
    places: Sequence[Places],
    standings: Standings,
    state: StageState | None,
) -> Sequence[TableRow | Row]:
    """Who has the first three places of a closed session, a finished tournament or a bracket that
    is played out; nobody while a game is not final, and where so many are level that naming them
    would honour nobody."""
    if state is None:
        ranked: Sequence[TableRow | Row] = [] if standings.provisional else rows
    else:
        ranked = places[0].rows if len(places) == 1 else []
        finished = state.stage.tournament.state == Tournament.State.FINISHED
        played_out = state.in_bracket and all(one.rank for one in ranked)
        if not finished and (standings.provisional or not played_out):
            return []
    first = [one for one in ranked if one.rank and one.rank <= PODIUM]
    return first if len(first) <= MOST_WINNERS else []


def _wall_columns(standings: Standings, *, together: bool, short: bool) -> Sequence[Measure]:
    """The figures there is room for, the fewest where two columns of players stand side by side:
    what ranks first and everything that parted players who were level, then the others. The share
    of the score, a wide column, then stands only where it does either, so that no name wraps."""
    room = COLUMNS + 2 if short and not together else COLUMNS
    decided = {one.measure for line in standings.lines for one in line.decisions}
    needed = [column for column in standings.columns if column.code in decided]
    needed = list(dict.fromkeys([*standings.columns[:1], *needed]))
    others = [one for one in (*key_columns(standings), *standings.columns) if one not in needed]
    if room == COLUMNS:
        others = [one for one in others if one.code != "share"]
    shown = [*needed, *list(dict.fromkeys(others))[: max(0, room - len(needed))]]
    return [column for column in standings.columns if column in shown]


def _tables(the_room: Room, name_of: NameOf) -> list[dict[str, Any]]:
    return [
        {
            "tile": tile,
            "sides": [
                ([_whole(name_of(seat.member)) for seat in seats], points, side.won)
                for (seats, points), side in zip(tile.scored, tile.result, strict=True)
            ],
            "dealer": next((name_of(c.member) for c in tile.current_seats if c.deals), ""),
        }
        for tile in the_room.tiles
    ]


def _whole(name: str) -> str:
    """The name, never broken: a line ends between two people."""
    return name.replace(" ", "\N{NO-BREAK SPACE}")


def _finder(the_room: Room, name_of: NameOf) -> list[tuple[str, int | None]]:
    """Everybody by name with their table; None for who waits."""
    seated: list[tuple[str, int | None]] = [
        (name_of(tile_seat.member), tile.table.number)
        for tile in the_room.tiles
        for tile_seat in tile.current_seats
    ]
    waits: list[tuple[str, int | None]] = [(name_of(one), None) for one in the_room.waiting]
    return sorted(seated + waits, key=lambda entry: sort_key(entry[0]))


def _level(columns: list[Sequence[Any]]) -> list[list[Any]]:
    """Columns beside each other, each with as many lines as the longest: None where it has none,
    so that all lines are as high."""
    return [list(one) for one in zip(*zip_longest(*columns), strict=True)]


def _panels(entries: Sequence[Any], most: int) -> list[Sequence[Any]]:
    """As few panels as hold the entries, as evenly filled as can be."""
    if not entries:
        return []
    panels = -(-len(entries) // most)
    each = -(-len(entries) // panels)
    return [entries[start : start + each] for start in range(0, len(entries), each)]
