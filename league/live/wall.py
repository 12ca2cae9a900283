"""The wall: a big screen for the hall that shows seats, scores and standings in turn."""

from collections.abc import Callable, Container, Iterable, Sequence
from itertools import zip_longest
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_POST, require_safe

from league.access import PUBLIC, ClubRequest, club_page
from league.labels import as_partners, unbroken_initial
from league.live.place import TablesBefore, newcomers, tables_before
from league.live.room import Room, Tile, room
from league.live.wall_tournament import (
    PHONE_COLUMNS,
    Places,
    bracket_panels,
    deciding_codes,
    players_without_table,
    replay_text,
    sign_kept,
    special_prizes,
    stage_state_of,
    tournament_places,
)
from league.members.audit import actor_of
from league.members.languages import activate_club_language, in_clubs_language
from league.members.models import Club, Member, namer
from league.members.names import sort_key
from league.network import address_for_phones
from league.play.auth import TableAccess, past_response, past_table_page, table_qr
from league.ranking.measures import Measure
from league.seating.queries import draft_of, latest_published, was_unpublished
from league.sessions import actions
from league.sessions.door import code_of
from league.sessions.links import (
    by_link,
    has_wall,
    session_of_seat,
    session_on_wall,
    shows_result,
    wall_link,
)
from league.sessions.models import Session
from league.sessions.queries import clock_at, session_of
from league.standings.labels import LABELS, Text
from league.standings.queries import Standings, has_winners, session_standings
from league.standings.tables import Row as TableRow
from league.standings.tables import key_columns
from league.standings.text import how_ranking_works
from league.standings.views.tables import rows_by_pair
from league.tournaments import games_of_matches
from league.tournaments.draws.knockout import corrections
from league.tournaments.queries import NameOf, is_played_out
from league.tournaments.stage_state import StageState
from league.tournaments.tables import Row

ROWS = 11
"""Rows of standings in a column, of which two fit; more cannot be read at ten metres."""
TABLES = 12
COLUMNS = 3
SIDE_BY_SIDE = 4
"""Up to this many tables share a panel with the standings."""
NAMES = 40
"""Names on one panel of the alphabetical list."""
WRITTEN_OUT = ("above",)
"""Measures whose short heading puzzles a hall: written out where one column of players is shown."""
PODIUM = 3
"""Places that the panel of winners names."""
MOST_WINNERS = 6
"""Names that fit on the panel of winners."""


@require_safe
@club_page(PUBLIC)
@in_clubs_language
def wall(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The wall for anyone who may see the club; the public sees names as each player allows."""
    club_session = session_of(club, public_id)
    return _wall(request, club_session, lambda people: namer(people, club, request.rank))


@require_safe
@by_link(session_on_wall, expired_page="live/wall_shut.html")
def wall_shown(request: HttpRequest, club_session: Session) -> HttpResponse:
    """The wall by its signed link, for the hall's screen, on which nobody signs in."""
    club = club_session.club
    activate_club_language(request, club, to_all=True)
    return _wall(request, club_session, lambda people: namer(people, club, None, in_hall=True))


@require_safe
@club_page("organiser")
def wall_made(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The link to open on the hall's screen, with a button to replace it; once it no longer works,
    the way to the standings."""
    club_session = session_of(club, public_id)
    address = address_for_phones(request, wall_link(club_session))
    context = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "works": has_wall(club_session),
        "address": address,
        "qr": mark_safe(table_qr(address)),  # noqa: S308 - segno's own SVG
    }
    return render(request, "live/wall_link.html", context)


@require_safe
@by_link(session_of_seat, expired_page="sessions/door_shut.html")
def door_standings(request: HttpRequest, club_session: Session) -> HttpResponse:
    """The standings for anyone with the self check-in code, until days after closing."""
    back = reverse("door_seat", args=[code_of(request)])
    return _phone_standings(request, club_session, back, at_door=True)


@past_table_page
@require_safe
def table_standings(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """The standings on a table's phone, on which nobody signs in, until days after closing."""
    if access.is_past and not shows_result(access.table.session):
        return past_response(request, access.table)
    back = reverse("table_entry", args=[access.table.public_id])
    return _phone_standings(request, access.table.session, back)


def _phone_standings(
    request: HttpRequest, club_session: Session, back: str, *, at_door: bool = False
) -> HttpResponse:
    """The session's standings for a phone; `back` is the page its reader came from."""
    is_over = club_session.state == Session.State.CLOSED
    standings = session_standings(club_session, at=timezone.now(), only_finished=not is_over)
    name_of = namer(standings.people.values(), club_session.club, None, in_hall=True)
    names = {pk: name_of(member) for pk, member in standings.people.items()}
    state = stage_state_of(club_session)
    places = tournament_places(
        state, lambda m: unbroken_initial(name_of(m)), standings, columns=PHONE_COLUMNS
    )
    is_held = club_session.standings_held
    rows = [] if places or is_held else rows_by_pair(standings, names, club_session)
    context = {
        "back": back,
        "at_door": at_door,
        "club_session": club_session,
        "columns": key_columns(standings),
        "brief": True,
        "in_full": standings.credits_in_full,
        "provisional": any(row.open_games for row in rows),
        "rows": rows,
        "of_pairs": 0 < 2 * len(rows) == len(standings.lines),
        "places": [] if is_held else places,
        "rule": how_ranking_works(standings),
    }
    return render(request, "live/table_standings.html", context)


@require_POST
@club_page("organiser")
def wall_revoke(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Revoke all links to the wall and show a new one."""
    actions.revoke_wall(session_of(club, public_id), by=actor_of(request))
    return redirect("wall_made", club.slug, public_id)


def _wall(
    request: HttpRequest, club_session: Session, names: Callable[[Iterable[Member]], NameOf]
) -> HttpResponse:
    now, state = timezone.now(), stage_state_of(club_session)
    is_held = club_session.standings_held  # for every reader, as the screen is for the hall
    hides_scores = is_held and not (state and state.in_bracket)
    matches = {} if hides_scores else games_of_matches.match_lines(state)
    the_room = room(club_session, at=now, matches=matches)
    is_over = club_session.state == Session.State.CLOSED
    standings = session_standings(club_session, at=now, only_finished=not is_over)
    name_of = _hyphens_unbroken(names([*the_room.people, *standings.people.values()]))
    shown_names = {pk: name_of(member) for pk, member in standings.people.items()}
    places = [] if is_held else tournament_places(state, name_of, standings)
    rows = [] if places or is_held else rows_by_pair(standings, shown_names, club_session)
    tables = [tile.table for tile in the_room.tiles]
    is_played_out = is_over or games_of_matches.is_all_played(state, tables)
    winners = _winners(club_session, rows, places, standings, state)
    has_few_tables = 0 < len(tables) <= SIDE_BY_SIDE
    context = {
        "club": club_session.club,
        "club_session": club_session,
        "tournament": state.stage.tournament if state else None,
        "is_over": is_over,
        "is_cancelled": club_session.state == Session.State.CANCELLED,
        "is_played_out": is_played_out,
        "winners": winners,
        "special_prizes": special_prizes(state, name_of) if winners else [],
        "standings": standings,
        "places": _places_panels(places),
        "bracket": []
        if is_over and is_held
        else bracket_panels(
            state, lambda m: _unbroken(name_of(m)), {table.pk: table.number for table in tables}
        ),
        "published": latest_published(club_session),
        "clock": clock_at(club_session, now),
        "now": now,
        "seats_change": not tables and was_unpublished(club_session),
        "awaits_seats": not is_played_out and the_room.all_done and draft_of(club_session),
        "hides_scores": hides_scores,
        **_room_context(the_room, state, name_of, is_played_out=is_played_out),
        **_standings_context(standings, rows, may_join_tables=has_few_tables and not is_played_out),
    }
    return render(request, "live/wall.html", context)


def _places_panels(places: Sequence[Places]) -> list[tuple[Places, Sequence[Row]]]:
    """The panels of a tournament's rankings; none while pairs without a place play on in a bracket,
    which says more."""
    ranked = [place for place in places if all(row.rank for row in place.rows)]
    return [(place, panel) for place in ranked for panel in _panels(place.rows, ROWS)]


def _room_context(
    the_room: Room, state: StageState | None, name_of: NameOf, *, is_played_out: bool
) -> dict[str, Any]:
    """The tables and the players, for a wall that shows them until all is played."""
    sitting_out = players_without_table(the_room, state)
    byes = _bye_names(state, sitting_out, name_of)
    with_bye = {name for names in byes for name in names}
    to_seat = [[name_of(m) for m in match] for match in games_of_matches.people_to_seat(state)]
    before = tables_before(the_room.tiles)
    finder = _finder(the_room, sitting_out, name_of, before)
    return {
        "room": the_room,
        "sizes": [] if state else [tile.table.players for tile in the_room.tiles],
        "round_title": _round_title(state),
        "replay": replay_text(state),
        "tables": [] if is_played_out else _panels(_tables(the_room, name_of, before), TABLES),
        "outdated": games_of_matches.outdated_tables(state, in_short=True) if state else {},
        "tied": games_of_matches.tied_tables(state) if state else {},
        "finder": [] if is_played_out else _panels(finder, NAMES),
        "mixes_rounds": not state and the_room.mixes_rounds,
        "byes": [_side_name([*map(_unbroken, names)]) for names in byes],
        "with_bye": with_bye,
        "soon": {name for names in to_seat for name in names},
        "to_seat": [" – ".join(map(_side_name, (names[:2], names[2:]))) for names in to_seat],
        "waiting": sorted({*map(name_of, sitting_out)} - with_bye.union(*to_seat), key=sort_key),
    }


def _bye_names(
    state: StageState | None, sitting_out: Sequence[Member], name_of: NameOf
) -> list[list[str]]:
    """The names of each pair or player with a bye who is here, sorted."""
    entries = games_of_matches.people_with_bye(state)
    byes = [[name_of(member) for member in entry if member in sitting_out] for entry in entries]
    return sorted(filter(None, byes), key=lambda names: sort_key(names[0]))


def _standings_context(
    standings: Standings, rows: Sequence[TableRow], *, may_join_tables: bool
) -> dict[str, Any]:
    """The layout of the standings: panels of rows, columns of figures, and whether they share a
    panel with the tables."""
    is_short = len(rows) <= ROWS
    is_together = may_join_tables and 0 < len(rows) <= ROWS
    is_of_pairs = 0 < 2 * len(rows) == len(standings.lines)
    columns = _wall_columns(standings, together=is_together, short=is_short and not is_of_pairs)
    is_brief = is_together or not is_short
    return {
        "columns": columns,
        "of_pairs": is_of_pairs,
        "brief": is_brief,
        "written_out": WRITTEN_OUT if is_short else (),
        "legend": _legend(columns, except_for=WRITTEN_OUT if is_short else ()) if is_brief else [],
        "crowded": not is_short,  # two columns of players
        "ranks": [  # columns filled up with None, so that their rows align
            list(zip(*zip_longest(*_panels(panel, ROWS)), strict=True))
            for panel in _panels(rows, 2 * ROWS)
        ],
        "together": is_together,
    }


def _legend(columns: Sequence[Measure], *, except_for: Container[str]) -> list[tuple[str, Text]]:
    """The short headings that are signs, "± avg.", with what they mean; "Diff." explains itself."""
    codes = [column.code for column in columns if column.code not in except_for]
    labels = [LABELS[code] for code in codes if code in LABELS]
    briefs = [(str(label.brief), label.name) for label in labels]
    return [(brief, name) for brief, name in briefs if brief and not brief[0].isalpha()]


def _round_title(state: StageState | None) -> str:
    """The title of the tournament's round, which may span several rounds of the session."""
    return state.last.row.title if state and state.last else ""


def _winners(
    club_session: Session,
    rows: Sequence[TableRow],
    places: Sequence[Places],
    standings: Standings,
    state: StageState | None,
) -> Sequence[TableRow | Row]:
    """The first three places of a closed session, or of a tournament of which all is played.

    Empty while a game of a session is not final or a correction waits, and if so many are tied that
    naming them honours nobody. Those of a tournament are the winners as it stands.
    """
    if state is None:
        is_won = has_winners(club_session) and not standings.provisional
        ranked: Sequence[TableRow | Row] = rows if is_won else []
    else:
        by_session = rows if standings.places else []
        ranked = places[0].rows if len(places) == 1 else by_session
        if corrections(state) or not is_played_out(state):
            return []
    winners = [row for row in ranked if row.rank and row.rank <= PODIUM]
    return winners if len(winners) <= MOST_WINNERS else []


def _wall_columns(standings: Standings, *, together: bool, short: bool) -> Sequence[Measure]:
    """The figures there is room for, fewest when two columns of players are side by side.

    First come the main measure and every tie-break that decided between players, then others. With
    little room the share of the score, a wide column, is shown only if it is one of the first two
    kinds, so that no name wraps.
    """
    column_count = COLUMNS + 2 if short and not together else COLUMNS
    deciders = deciding_codes(standings.lines)
    columns = standings.shown_columns
    needed = [column for column in columns if column.code in deciders]
    needed = list(dict.fromkeys([*columns[:1], *needed]))
    candidates = (*key_columns(standings), *columns)
    optional = [column for column in candidates if column not in needed]
    if column_count == COLUMNS:
        optional = [column for column in optional if column.code != "share"]
    visible = [*needed, *list(dict.fromkeys(optional))[: max(0, column_count - len(needed))]]
    return [column for column in columns if column in visible]


def _tables(the_room: Room, name_of: NameOf, before: TablesBefore) -> list[dict[str, Any]]:
    return [
        {
            "tile": tile,
            "sides": [
                (_side_name([_unbroken(name_of(seat.member)) for seat in seats]), points, side.won)
                for (seats, points), side in zip(tile.side_points, tile.result, strict=True)
            ],
            "dealer": next((name_of(s.member) for s in tile.current_seats if s.deals_first), ""),
            "newcomers": [
                (_unbroken(name_of(member)), table) for member, table in newcomers(tile, before)
            ],
        }
        for tile in the_room.tiles
    ]


def _side_name(names: Sequence[str]) -> str:
    return sign_kept(as_partners(names))


def _hyphens_unbroken(name_of: NameOf) -> NameOf:
    """The same names, in which no line breaks at a hyphen."""
    return lambda member: name_of(member).replace("-", "-\N{WORD JOINER}")


def _unbroken(name: str) -> str:
    """The name with no-break spaces, so that lines break only between names."""
    return name.replace(" ", "\N{NO-BREAK SPACE}")


def _finder(
    the_room: Room, sitting_out: Iterable[Member], name_of: NameOf, before: TablesBefore
) -> list[tuple[str, Tile | None, int | None]]:
    """The names of all players with their tables, sorted by name; None if they sit out. The last
    figure is their table before, if the round was published again and they have another now.

    Empty once every game is over: the seats of a round that has ended are nobody's next.
    """
    if the_room.tiles and all(tile.is_over for tile in the_room.tiles):
        return []
    seated: list[tuple[Member, Tile | None]] = [
        (tile_seat.member, tile)
        for tile in the_room.tiles
        if not (tile.game and tile.game.is_walkover)
        for tile_seat in tile.current_seats
    ]
    players = [*seated, *((member, None) for member in sitting_out)]
    entries = [(name_of(member), tile, before.get(member.pk)) for member, tile in players]
    return sorted(entries, key=lambda entry: sort_key(entry[0]))


def _panels(entries: Sequence[Any], most: int) -> list[Sequence[Any]]:
    """The entries cut into as few panels of at most `most` as possible, evenly filled."""
    if not entries:
        return []
    panel_count = -(-len(entries) // most)
    size = -(-len(entries) // panel_count)
    return [entries[start : start + size] for start in range(0, len(entries), size)]
