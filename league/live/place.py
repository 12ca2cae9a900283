"""A player's own panel on the session's page: their seat, why they have none, or how they did; and
the seat of a player who checked in at the door."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.errors import Refused
from league.labels import table_and_seat
from league.live.room import Room, Tile, TileSeat, room
from league.members.models import Member, namer
from league.play.sheet import tournament_titles
from league.play.text import score_text
from league.seating.actions import undo_arrival
from league.seating.draft_queries import changes_since_taken_back
from league.seating.models import Round
from league.seating.queries import has_published_seat, moves_in_round
from league.sessions.door import actor_at_door, code_of, is_own_arrival, remembered_player
from league.sessions.links import by_link, session_at_door, session_of_seat
from league.sessions.models import Session
from league.standings.cached_tables import Part
from league.standings.text import ordinal
from league.tournaments.games_of_matches import result_in_games
from league.tournaments.models import Tournament
from league.tournaments.own_match import (
    bye_for,
    next_for,
    next_tournament,
    result_text,
    stake_for,
)
from league.tournaments.session_places import begun_in


@dataclass(frozen=True, slots=True)
class Place:
    """A player's seat in the room; `whole_round`: new seats wait for all of its tables;
    `last_round`: none follow; `in_games`: the result of a match of several games."""

    tile: Tile
    tile_seat: TileSeat
    the_room: Room
    whole_round: bool
    last_round: bool = False
    in_games: str = ""

    @property
    def where(self) -> str:
        """The table and seat, "table 7, North"."""
        table = self.tile.table
        return table_and_seat(table.number, table.players, self.tile_seat.seat.position)

    @property
    def round_title(self) -> str:
        """The name of the tournament's round; empty in an ordinary session. One query."""
        return tournament_titles([self.tile.table]).get(self.tile.table.pk, "")

    @property
    def partners(self) -> list[Member]:
        return [seat.member for seat in self._side() if seat is not self.tile_seat]

    @property
    def opponents(self) -> list[list[Member]]:
        """The players of each other side, clockwise from the reader's, as the result has them."""
        sides = self.tile.sides
        own = sides.index(self._side())
        return [[seat.member for seat in side] for side in [*sides[own + 1 :], *sides[:own]]]

    @property
    def next_seats_text(self) -> str:
        """A sentence about when there are new seats; empty in a tournament's last round."""
        if self.last_round:
            return ""
        enough_done = tables_to_wait(self.the_room, whole_round=self.whole_round) < 1
        if enough_done and not self.tile.is_over:
            return _("You move when your game is finished.")
        return new_seats_text(self.the_room, whole_round=self.whole_round)

    @property
    def result(self) -> str:
        """ "You won 11 – 5", "You tied 7 – 7", "You won by walk-over" once the game is over; empty
        without a result, or for a substitute for whom it does not count."""
        if self.tile_seat.scored_member != self.tile_seat.member.pk:
            return ""
        if self.in_games:
            return self.in_games
        if self.tile.game and self.tile.game.is_walkover:
            return result_text("", won=self.tile_seat.seat.position in self.tile.game.winners)
        sides = self.tile.result
        own = self.tile.sides.index(self._side())
        score = [side.points for side in [*sides[own:], *sides[:own]] if side.points is not None]
        is_won = any(side.won for side in sides)
        if not self.tile.is_over or not score or not (is_won or self.tile.is_draw):
            return ""
        decided_by = self.tile.goes_on.by if self.tile.goes_on else ""
        won = sides[own].won if is_won else None
        return result_text(score_text(score), won=won, decided_by=decided_by)

    @property
    def is_called_off(self) -> bool:
        """Whether the game was marked as not played."""
        return self.tile.game is not None and self.tile.game.is_called_off

    def _side(self) -> list[TileSeat]:
        return next(side for side in self.tile.sides if self.tile_seat in side)


def place_of(the_room: Room, player: Member | None, *, whole_round: bool) -> Place | None:
    """A player's seat; None without one."""
    for tile in the_room.tiles:
        for tile_seat in tile.current_seats:
            if tile_seat.member == player:
                return Place(tile, tile_seat, the_room, whole_round)
    return None


def tables_note(the_room: Room) -> str:
    """The counts of tables that are not playing: "1 not started · 2 done"."""
    ready, done = the_room.not_started_count, len(the_room.finished_tiles)
    disputed, tied = len(the_room.disputed_tiles), the_room.tied_count
    parts = [
        ready and ngettext("%(n)d not started", "%(n)d not started", ready) % {"n": ready},
        done and ngettext("%(n)d done", "%(n)d done", done) % {"n": done},
        tied and ngettext("%(n)d tied", "%(n)d tied", tied) % {"n": tied},
        disputed and ngettext("%(n)d to decide", "%(n)d to decide", disputed) % {"n": disputed},
    ]
    return " · ".join(part for part in parts if part)


def tables_to_wait(the_room: Room, *, whole_round: bool) -> int:
    """The number of tables to finish before new seats. The next round of a tournament waits for
    all (`whole_round`), that of an ordinary session only for enough to mix the players."""
    table_count = len(the_room.tiles)
    needed = table_count if whole_round else min(the_room.release_at, table_count)
    return needed - len(the_room.finished_tiles)


def new_seats_text(the_room: Room, *, whole_round: bool) -> str:
    """When there are new seats, for a player who is not playing now: after so many tables, or when
    the organiser likes, with how many still play."""
    if (wait := tables_to_wait(the_room, whole_round=whole_round)) > 0:
        text = ngettext(
            "New seats when %(n)d more table is done.",
            "New seats when %(n)d more tables are done.",
            wait,
        )
        return text % {"n": wait}
    text = _("Your next seat appears here when the organiser makes the next round.")
    if left := len(the_room.tiles) - len(the_room.finished_tiles):
        count = ngettext("%(n)d table is not done yet.", "%(n)d tables are not done yet.", left)
        return f"{count % {'n': left}} {text}"
    return text


def without_seat(
    the_room: Room, player: Member | None, tournament: Tournament | None
) -> tuple[str, str]:
    """What a player without a seat reads, and what comes next: there are no tables now, or they sit
    out or have a bye."""
    if not the_room.tiles and player in the_room.waiting_members:
        seat_text = _("Your seat appears here once the tables are published.")
        return _("You are checked in."), next_for(tournament, player) or seat_text
    if player in the_room.resting_members and not the_room.tiles:
        return _("You sit out this round."), ""
    wait = new_seats_text(the_room, whole_round=tournament is not None)
    if the_room.sits_out(player):
        return _("You sit out this round."), wait
    if tournament is None or not the_room.is_of_tournament or player not in the_room.seatless:
        return "", ""
    text, plays_on = bye_for(tournament, player)
    return text, wait if text and plays_on else ""


def change_text(tile: Tile, player: Member) -> str:
    """A sentence for a player who sat at another table before; empty for everybody else."""
    latest = _round_to_begin([tile])
    changes = changes_since_taken_back(latest) if latest else []
    before = next((move.before for move in changes if move.member == player), None)
    if before is None:
        return ""
    return _("Your table has changed: it was table %(n)d.") % {"n": before}


def panel(
    the_room: Room,
    player: Member | None,
    seated_by: Tournament | None,
    latest: Tournament | None,
) -> dict[str, Any]:
    """What a player's own panel says: their seat, or why they have none, and what comes next.

    `seated_by` is the tournament whose rounds the session shows, while its `latest` is set up.
    """
    is_playing = seated_by is not None and seated_by.state != Tournament.State.FINISHED
    you = place_of(the_room, player, whole_round=is_playing)
    in_cup = seated_by is not None and (is_playing or the_room.is_of_tournament)
    has_ended = you is not None and bool(you.result or you.is_called_off or you.tile.is_draw)
    tables = {tile.table.pk: tile.table.number for tile in the_room.tiles}
    at_stake = ""
    if you is not None and in_cup and not you.tile.is_over:
        at_stake, is_last = stake_for(seated_by, player, tables)
        you = replace(you, last_round=is_last)
    elif you is not None and in_cup:
        you = replace(you, in_games=result_in_games(seated_by, player))
    return {
        "you": you,
        "whats_next": whats_next(seated_by, latest, player) if in_cup and you and has_ended else "",
        "at_stake": at_stake,
        "changed": change_text(you.tile, player) if you and player else "",
        "about_you": ("", "") if you else about_seatless(the_room, player, seated_by, latest),
    }


def about_seatless(
    the_room: Room,
    player: Member | None,
    seated_by: Tournament | None,
    latest: Tournament | None,
) -> tuple[str, str]:
    """What a player without a seat reads, as `without_seat`, or how their last tournament ended;
    the tournaments are those of `panel`."""
    is_playing = seated_by is not None and seated_by.state != Tournament.State.FINISHED
    texts = without_seat(the_room, player, seated_by if is_playing else None)
    if any(texts) or seated_by is None or player is None or not the_room.is_of_tournament:
        return texts
    return _last_tournament(seated_by, None if latest == seated_by else latest, player)


def whats_next(
    seated_by: Tournament | None, latest: Tournament | None, player: Member | None
) -> str:
    """What comes next for a player whose game is over: how the tournament ended, and the one set up
    after it if they are in that."""
    texts = [next_for(seated_by, player)]
    if latest and latest != seated_by:
        texts.append(next_tournament(latest, player))
    return " ".join(filter(None, texts))


def _last_tournament(
    seated_by: Tournament, later: Tournament | None, player: Member
) -> tuple[str, str]:
    """How the last tournament of the session that they were in ended for a player who has no match
    left, with the one set up after it if they are in that; and its name if another one is shown."""
    for tournament in begun_in(seated_by.session):
        if text := whats_next(tournament, later, player):
            return text, "" if tournament == seated_by else tournament.name
    return "", ""


def result_panel(
    the_room: Room, player: Member | None, part: Part | None, latest: Tournament | None
) -> dict[str, Any]:
    """What the panel says after the session: the player's place in `part`, the final standings, or
    how it ended in its tournament, and the result of their last game."""
    you = place_of(the_room, player, whole_round=False)
    result = you.result if you else ""
    place = _place_text(part, player) if part and player else ""
    if place and latest and latest.state == Tournament.State.FINISHED:
        place = next_for(latest, player) or place
    if not place:
        return {"about_you": (result, "")}
    return {"about_you": (place, result and _("Your last game: %(result)s") % {"result": result})}


def _place_text(part: Part, player: Member) -> str:
    own = part.place_of(player.pk)
    if own is None or own.missing or own.still_in:
        return ""
    text = _("You share %(place)s place.") if own.shared else _("You finished %(place)s.")
    return text % {"place": ordinal(own.rank)}


TablesBefore = dict[int, int | None]


def tables_before(tiles: Iterable[Tile]) -> TablesBefore:
    """The table that each player with another table than first published comes from, by their key:
    as the print-out has it, in a first round the table first published; None without a seat."""
    latest = _round_to_begin(tiles)
    changes = changes_since_taken_back(latest) if latest else []
    moves = moves_in_round(latest) if latest and changes else []
    played = {move.member.pk: move.before for move in moves}
    before = {move: played.get(move.member.pk) or move.before for move in changes}
    return {move.member.pk: table for move, table in before.items() if table != move.now}


def _round_to_begin(tiles: Iterable[Tile]) -> Round | None:
    """The latest round with a table that has not begun: who plays has found the new seat."""
    rounds = [tile.table.round for tile in tiles if tile.state == "ready"]
    return max(rounds, key=lambda round_: round_.number, default=None)


def newcomers(tile: Tile, before: TablesBefore) -> list[tuple[Member, int | None]]:
    """The players who are new at a table that has not begun, with their table before."""
    members = [tile_seat.member for tile_seat in tile.current_seats if tile.state == "ready"]
    return [(member, before[member.pk]) for member in members if member.pk in before]


@require_safe
@by_link(session_at_door, expired_page="sessions/door_shut.html")
def door_in(request: HttpRequest, club_session: Session) -> HttpResponse:
    """What this phone's check-in answers: who is checked in, and the way to undo it."""
    member, code = remembered_player(request, club_session), code_of(request)
    if member is None:
        return redirect("door", code)
    club = club_session.club
    context = {
        "club": club,
        "club_session": club_session,
        "name": namer([member], club, None, in_hall=True)(member),
        "code": code,
        "is_own": is_own_arrival(request, club_session, member),
        "has_seat": has_published_seat(club_session, member),
    }
    return render(request, "live/door_in.html", context)


@require_POST
@by_link(session_at_door, expired_page="sessions/door_shut.html")
def door_undo(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Undo this phone's check-in; the page says why if the player has a seat by now."""
    member, code = remembered_player(request, club_session), code_of(request)
    if member is None:
        return redirect("door", code)
    if is_own_arrival(request, club_session, member):
        by = actor_at_door(request, club_session)
        with suppress(Refused):
            undo_arrival(club_session, member, by=by, at=timezone.now())
            messages.success(request, _("Undone. Now tap your own name."))
    return redirect("door_in", code)


@require_safe
@by_link(session_of_seat, expired_page="sessions/door_shut.html")
def door_seat(request: HttpRequest, club_session: Session) -> HttpResponse:
    """The seat of the player that this phone has checked in at the door."""
    member = remembered_player(request, club_session)
    if member is None:
        return redirect("door", code_of(request))
    the_room, club = room(club_session, at=timezone.now()), club_session.club
    is_open = club_session.state == Session.State.OPEN
    you = place_of(the_room, member, whole_round=False) if is_open else None
    name_of = namer([member, *the_room.people], club, None, in_hall=True)
    context = {
        "club": club,
        "club_session": club_session,
        "room": the_room,
        "new_seats": new_seats_text(the_room, whole_round=False),
        "name": name_of(member),
        "you": you,
        "changed": change_text(you.tile, member) if you else "",
        "sits_out": is_open and the_room.sits_out(member),
        "partners": [name_of(partner) for partner in you.partners] if you else [],
        "others": [list(map(name_of, side)) for side in you.opponents] if you else [],
        "code": code_of(request),
    }
    return render(request, "live/door_seat.html", context)
