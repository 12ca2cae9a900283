"""The organiser's board: all tables, the page of one table, and substitutions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import ClubRequest, club_page, reaches
from league.errors import Refused
from league.live.place import tables_before
from league.live.room import Room, Tile, room
from league.members.audit import Actor, actor_of
from league.members.models import Club, Member, Role
from league.network import address_for_phones
from league.play.actions import call_time, recount_table
from league.play.auth import links_of, table_qr
from league.play.models import Confirmation, Game
from league.play.queries import unsettled_games
from league.play.sheet import draw_warning, page_of_matches, round_titles
from league.seating.actions import answer_call, depart, settle_call, substitute, undo_substitute
from league.seating.models import Seat, Table
from league.seating.queries import draft_of, played_rules
from league.sessions.models import Session
from league.sessions.queries import clock_at, present, session_of
from league.tournaments.draws import rounds_due
from league.tournaments.games_of_matches import (
    match_lines,
    outdated_tables,
    people_out,
    people_with_bye,
    split_byes,
    tied_tables,
)
from league.tournaments.models import Tournament
from league.tournaments.next_step import NextAction, next_action, tied_title
from league.tournaments.queries import latest_in, stage_of
from league.tournaments.session_places import shown_in
from league.tournaments.stage_state import StageState, load_stage


@transaction.atomic
def seat_substitute(
    club_session: Session, table_id: str, data: Mapping[str, str], *, by: Actor, at: datetime
) -> Seat:
    """Seat a substitute from form data: `position`, `member` and, if known, `from_hand`; with
    `leaves` the player who is replaced is checked out."""
    table = get_object_or_404(
        Table.objects.select_related("session__club"), session=club_session, public_id=table_id
    )
    member = get_object_or_404(Member, club=club_session.club_id, public_id=data.get("member", ""))
    position, from_hand = data.get("position", ""), data.get("from_hand", "").strip()
    if position not in map(str, range(table.players)):
        raise Refused("no-such-seat", _("There is no such seat at this table."))
    if from_hand and not (from_hand.isdecimal() and 1 <= int(from_hand[:5]) <= 999):
        raise Refused("bad-hand", _("Enter the hand the substitute starts at."))
    replaced = Member.objects.filter(
        seats__table=table, seats__position=position, seats__until_hand=None
    ).first()
    seat = substitute(
        table, int(position), member, by=by, from_hand=int(from_hand) if from_hand else None
    )
    if replaced and "leaves" in data and present(club_session).contains(replaced):
        depart(club_session, replaced, by=by, at=at)
    if table.games.exists():
        recount_table(table, at=at)
    return seat


def unsettled_earlier(club_session: Session, the_room: Room, at: datetime) -> list[Game]:
    """The games at tables of earlier rounds that wait for confirmation or a decision."""
    if not is_later_round(the_room):
        return []
    games = club_session.games.filter(unsettled_games(at), table__is_live=False)
    games = games.select_related("table__round")
    return list(games.order_by("table__round__number", "table__number", "number"))


def is_later_round(the_room: Room) -> bool:
    """Whether a round was played before, so that tables no longer in use may have games."""
    return any(tile.table.round.number > 1 for tile in the_room.tiles)


FILTERS = ("all", "late", "over", "decide")
BENCH = 8
"""The players waiting whom the board always shows; one or two more are not worth folding away."""


@require_safe
@club_page("scorekeeper")
def board(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """All tables as tiles, updated live."""
    club_session = session_of(club, public_id)
    now = timezone.now()
    filter_code = request.GET.get("show", "all")
    is_open = club_session.state == Session.State.OPEN  # otherwise there is nothing to do
    is_organiser = reaches(request.rank, Role.Rank.ORGANISER)
    latest = latest_in(club_session)
    seated_by = shown_in(club_session, latest)
    has_begun = seated_by is not None and seated_by.state != Tournament.State.SETUP
    state = load_stage(stage_of(seated_by)) if seated_by and has_begun else None
    the_room = room(club_session, at=now, matches=match_lines(state))
    the_room = _without(the_room, people_out(state, seats_shown=the_room.is_of_tournament))
    played = _tournament_part(latest, state, the_room)
    byes, waiting = split_byes(
        state, the_room.waiting_members, seats_shown=the_room.is_of_tournament
    )
    the_room = replace(the_room, waiting_members=tuple(waiting))
    draft = is_organiser and played["tournament"] is None and draft_of(club_session)
    context = played | {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "is_organiser": is_organiser,
        "organiser": is_open and is_organiser,
        "room": the_room,
        "byes": byes,
        "in_bracket": state is not None and state.in_bracket,
        "bench": _bench(the_room.waiting_members),
        "joinable_table": joinable_table(the_room),
        "played_rules": played_rules(tile.table for tile in the_room.tiles),
        "before": tables_before(the_room.tiles),
        "can_reseat": the_room.finished_tiles or len(the_room.waiting_members) > 1,
        "may_reseat": is_open and is_organiser and not draft and not played["is_by_tournament"],
        "clock": clock_at(club_session, now),
        "now": now,
        "seated_by": seated_by,
        "earlier": unsettled_earlier(club_session, the_room, now),
        "shown": filter_code if filter_code in FILTERS else "all",
        "draft": draft,
    }
    is_partial = request.headers.get("HX-Request")
    return render(request, "live/_board_parts.html" if is_partial else "live/board.html", context)


def _without(the_room: Room, people: Collection[int]) -> Room:
    """The room without these players, who wait for no table."""
    waiting = tuple(one for one in the_room.waiting_members if one.pk not in people)
    return replace(the_room, waiting_members=waiting)


def _bench(waiting: Sequence[Member]) -> tuple[Sequence[Member], Sequence[Member]]:
    """The players waiting whom the board always shows, and the others, folded away."""
    count = BENCH if len(waiting) > BENCH + 2 else len(waiting)
    return waiting[:count], waiting[count:]


def seatless_count(the_room: Room, tournament: Tournament | None) -> int:
    """The number of players without a table, but for those with a bye or out of the tournament."""
    seatless = the_room.seatless
    if not seatless or tournament is None or not the_room.is_of_tournament:
        return len(seatless)
    state = load_stage(stage_of(tournament))
    byes = {member for entry in people_with_bye(state) for member in entry}
    out = people_out(state, seats_shown=True)
    return sum(member.pk not in out for member in {*seatless} - byes)


def joinable_table(the_room: Room) -> Table | None:
    """The table for a late arrival: one of three that has not begun, else one of two."""
    tables = [t.table for t in the_room.tiles if t.state == "ready" and t.table.players < 4]
    return max(tables, key=lambda table: table.players, default=None)


def _tournament_part(
    latest: Tournament | None, state: StageState | None, the_room: Room
) -> dict[str, Any]:
    """The tournament that the board is about, running, corrected or the next one after another, and
    its round; or that the session's last one is over."""
    outdated = outdated_tables(state) if state else {}
    is_corrected = bool(outdated) and the_room.is_of_tournament
    tournament = latest if is_corrected else _open_tournament(latest, the_room)
    is_over = latest is not None and latest.state == Tournament.State.FINISHED
    is_tied = len(the_room.finished_tiles) + the_room.tied_count == len(the_room.tiles)
    awaits_draw = tournament is not None and not the_room.tiles
    is_tournament_over = tournament is None and is_over and the_room.is_of_tournament
    return {
        "tournament": tournament,
        "is_by_tournament": tournament is not None or is_tournament_over,
        "round_title": state.last.row.title if state and state.last else "",
        "outdated": outdated,
        "tied": tied_tables(state) if state else {},
        "tied_title": the_room.tied_count and is_tied and tied_title(the_room.tied_count),
        "next": _next_of(tournament) if awaits_draw else None,
        "is_tournament_over": is_tournament_over,
    }


def _open_tournament(latest: Tournament | None, the_room: Room) -> Tournament | None:
    """The tournament that is running, or set up next: not while tables play that are of none."""
    if latest is None or latest.state == Tournament.State.FINISHED:
        return None
    is_running = latest.state != Tournament.State.SETUP
    return latest if is_running or the_room.is_of_tournament or not the_room.tiles else None


def _next_of(tournament: Tournament | None) -> NextAction | None:
    """What its organiser does next in a tournament that has no tables now."""
    state = load_stage(stage_of(tournament)) if tournament else None
    return next_action(state, rounds_due(state)) if state else None


@require_http_methods(["GET", "HEAD", "POST"])
@club_page("organiser")
def end_games(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Call time at every table that plays; asks first, and ends only the games it has listed, at
    the scores it has shown."""
    club_session = session_of(club, public_id)
    the_room = room(club_session, at=timezone.now())
    playing = [(tile, _as_listed(tile)) for tile in the_room.tiles if tile.state == "playing"]
    if request.method == "POST":
        listed = request.POST.getlist("table")
        _call_time_at(request, [tile for tile, key in playing if key in listed])
        tables = {key.partition(" ")[0] for key in listed}
        changed = [
            tile for tile, key in playing if key not in listed and tile.table.public_id in tables
        ]
        for tile in changed:
            messages.error(request, _about(tile, _("The score has changed. Check it again.")))
        return redirect("end_games" if changed else "board", club.slug, public_id)
    context = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "room": the_room,
        "playing": playing,
        "disputed": the_room.disputed_tiles,
    }
    return render(request, "live/end_games.html", context)


def _as_listed(tile: Tile) -> str:
    """A table with the score at which its game would end."""
    return " ".join([tile.table.public_id, *(str(side.points) for side in tile.result)])


def _about(tile: Tile, text: str) -> str:
    label = _("Table %(table)d") % {"table": tile.table.number}
    return f"{label}: {text}"


def _call_time_at(request: ClubRequest, tiles: list[Tile]) -> None:
    """End the games of these tables, each in a transaction of its own, and say how many."""
    count = 0
    for tile in tiles:
        try:
            call_time(tile.table, by=actor_of(request), at=timezone.now())
        except Refused as refused:  # it was disputed or decided in the meantime
            messages.error(request, _about(tile, refused.message))
        else:
            count += 1
    if count:
        text = ngettext(
            "Ended %(n)d game at its score.", "Ended %(n)d games at their score.", count
        )
        messages.success(request, text % {"n": count})


@require_safe
@club_page("scorekeeper")
def table_desk(request: ClubRequest, club: Club, public_id: str, table: str) -> HttpResponse:
    """The page of one table: its players, its first dealer, its code for phones, its actions."""
    return _desk_page(request, session_of(club, public_id), table)


def _desk_page(
    request: ClubRequest, club_session: Session, table: str, refused: Refused | None = None
) -> HttpResponse:
    """The page of a table, with what was `refused` at its field."""
    club, now = club_session.club, timezone.now()
    the_room = room(club_session, at=now)
    tile = next((tile for tile in the_room.tiles if tile.table.public_id == table), None)
    if tile is None:
        return _to_board_from_old_table(request, club_session, table)
    link, typed_code = links_of([tile.table], club)[tile.table.number]
    address = address_for_phones(request, link)
    context: dict[str, Any] = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "organiser": reaches(request.rank, Role.Rank.ORGANISER),
        "room": the_room,
        "tile": tile,
        "table": tile.table,
        "clock": clock_at(club_session, now),
        "substitutions": tile.table.substitutions(),
        "last_hand": tile.hand - 1 if tile.is_over else tile.hand,
        "refused": refused,
        "time_called": _is_time_called(tile),
        "draw_warning": draw_warning(tile.table),
        "matches": page_of_matches(tile.table),
        "round_title": round_titles([tile.table])[tile.table.pk],
        "phone_address": address,
        "typed_code": typed_code,
        "door_address": address.partition("#")[0],
        "qr": mark_safe(table_qr(address)),  # noqa: S308 - segno's own SVG
    }
    status = refused.status if refused else 200
    return render(request, "live/table_desk.html", context, status=status)


def _is_time_called(tile: Tile) -> bool:
    """Whether its game ended because time was called, and no organiser has decided about it."""
    if not tile.is_over or tile.game is None or tile.game.ended_by != Game.EndedBy.TIME:
        return False
    decisions = tile.game.confirmations.exclude(decision="")
    return not decisions.exclude(decision=Confirmation.Decision.PLAY_ON).exists()


def _to_board_from_old_table(
    request: ClubRequest, club_session: Session, public_id: str
) -> HttpResponse:
    """Redirect from a table that has other seats since, or none; 404 if there was no such table."""
    table = get_object_or_404(Table, session=club_session, public_id=public_id)
    if not request.headers.get("HX-Request"):  # an open page that looks for news shows no message
        text = _(
            "The seats have changed since you opened table %(n)d. Here are the tables now."
        ) % {"n": table.number}
        messages.info(request, text)
    return redirect("board", club_session.club.slug, club_session.public_id)


@require_POST
@club_page("scorekeeper")
def table_answer(request: ClubRequest, club: Club, public_id: str, table: str) -> HttpResponse:
    """Tell a table that has called that somebody is coming."""
    club_session = session_of(club, public_id)
    row = get_object_or_404(Table, session=club_session, public_id=table)
    answer_call(row, by=actor_of(request), at=timezone.now())
    return _redirect_back(request, club, row)


@require_POST
@club_page("scorekeeper")
def table_settle(request: ClubRequest, club: Club, public_id: str, table: str) -> HttpResponse:
    """Mark the call of a table as settled."""
    club_session = session_of(club, public_id)
    row = get_object_or_404(Table, session=club_session, public_id=table)
    settle_call(row, by=actor_of(request))
    return _redirect_back(request, club, row)


def _redirect_back(request: ClubRequest, club: Club, table: Table) -> HttpResponse:
    """Redirect to the page with the button: the table's own, or the board."""
    url_args = (club.slug, table.session.public_id)
    if "at_desk" in request.POST:
        return redirect("table_desk", *url_args, table.public_id)
    return redirect("board", *url_args)


@require_POST
@club_page("organiser")
def table_substitute(request: ClubRequest, club: Club, public_id: str, table: str) -> HttpResponse:
    """Replace the player on a seat from a hand on."""
    club_session = session_of(club, public_id)
    try:
        seat = seat_substitute(
            club_session, table, request.POST, by=actor_of(request), at=timezone.now()
        )
    except Refused as refused:
        if "from_hand" in refused.fields:
            return _desk_page(request, club_session, table, refused)
        messages.error(request, refused.message)
    else:
        sentence = _("%(name)s plays from hand %(hand)d.")
        messages.success(request, sentence % {"name": seat.member.name, "hand": seat.from_hand})
        if "at_checkin" in request.POST:
            return redirect("checkin", club.slug, public_id)
    return redirect("table_desk", club.slug, public_id, table)


@require_POST
@club_page("organiser")
def table_substitute_undo(
    request: ClubRequest, club: Club, public_id: str, table: str
) -> HttpResponse:
    """Give the seat of a substitute back to the player before."""
    row = get_object_or_404(Table, session=session_of(club, public_id), public_id=table)
    member = get_object_or_404(Member, club=club, public_id=request.POST.get("member", ""))
    try:
        with transaction.atomic():
            seat = undo_substitute(row, member, by=actor_of(request))
            if row.games.exists():
                recount_table(row, at=timezone.now())
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        text = _("Substitute undone. All hands of this seat since then count for %(name)s.")
        messages.success(request, text % {"name": seat.member.name})
    return redirect("table_desk", club.slug, public_id, table)
