"""Standings for a club's own website: a page that other sites may frame, and a picture."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from csp.constants import HEADER as POLICY
from csp.utils import build_policy
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league.access import PUBLIC, ClubRequest, club_page, reaches
from league.errors import Refused
from league.labels import as_label
from league.members.account_mail import address_of_site
from league.members.languages import in_clubs_language
from league.members.models import Club, Member, Role
from league.network import is_only_nearby
from league.seasons.models import Season
from league.seasons.views import season_of
from league.sessions.models import Session
from league.sessions.queries import session_of
from league.standings.cached_tables import (
    VisibleMembers,
    cached,
    naming,
    visible_in_season,
    visible_in_session,
)
from league.standings.labels import LABELS, figure
from league.standings.queries import Standings, names
from league.standings.queries import session_standings as standings_of_session
from league.standings.season_queries import evenings_of, season_revision
from league.standings.season_queries import season_standings as standings_of_season
from league.standings.tables import Row, key_columns, rows_of

IN_PICTURE = 20
CACHE_SECONDS = 60
"""How long visitors of another site may see an outdated table."""
TOP, LINE, FIRST_FIGURE, BETWEEN = 74, 30, 300, 100
"""Layout of the picture, in its own units: top and height of lines, positions of figures."""


@dataclass(frozen=True, slots=True)
class Board:
    """A table as the public may see it: title, column headings (`briefs`: short ones for the
    picture), and lines of place, name, figures, and what decided the place if no column shows it.
    `held`: it is held back until the prize-giving; `held_back`: only these sessions of a season
    are. `in_full`: each player who wins a game together with others has a whole game won."""

    title: str
    heads: Sequence[str]
    briefs: Sequence[str]
    lines: Sequence[tuple[str, str, Sequence[str], str]]
    provisional: bool = False
    held: bool = False
    held_back: Sequence[str] = ()
    in_full: bool = False


def for_website(request: ClubRequest, scope: Session | Season, kind: str) -> dict[str, Any]:
    """The context of the code that an organiser of a public club can paste into its website."""
    is_organiser = reaches(request.rank, Role.Rank.ORGANISER)
    if not (is_organiser and scope.club.is_public):
        return {"organiser": is_organiser}
    url_args = [scope.club.slug, scope.public_id]
    page = address_of_site(request, reverse(f"{kind}_embed", args=url_args))
    return {
        "organiser": is_organiser,
        "embed_page": page,
        "embed_only_here": is_only_nearby(page),
        "embed_picture": address_of_site(request, reverse(f"{kind}_picture", args=url_args)),
        "embed_title": f"{as_label(scope.club.name)} {scope.name}",
    }


@require_safe
@club_page(PUBLIC)
@xframe_options_exempt
@in_clubs_language
def session_embed(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A session's table, to frame on the club's own website."""
    club_session = session_of(club, public_id)
    return _embed_page(request, club, session_board(club_session), "session_standings", public_id)


@require_safe
@club_page(PUBLIC)
@xframe_options_exempt
@in_clubs_language
def season_embed(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A season's table, to frame on the club's own website."""
    season = season_of(club, public_id)
    return _embed_page(request, club, season_board(season), "season_standings", public_id)


@require_safe
@club_page(PUBLIC)
@in_clubs_language
def session_picture(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The first places of a session as a picture."""
    return _picture_response(request, club, session_board(session_of(club, public_id)))


@require_safe
@club_page(PUBLIC)
@in_clubs_language
def season_picture(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The first places of a season as a picture."""
    return _picture_response(request, club, season_board(season_of(club, public_id)))


def session_board(club_session: Session) -> Board:
    if club_session.standings_held:
        return Board(club_session.name, (), (), (), held=True)
    return _public_board(
        club_session.club,
        club_session.name,
        (club_session.pk, club_session.revision),
        visible_in_session(club_session),
        lambda people: standings_of_session(club_session, people, at=timezone.now()),
    )


def season_board(season: Season) -> Board:
    board = _public_board(
        season.club,
        season.name,
        (season.pk, season_revision(season), season.counts, season.counted_number),
        visible_in_season(season),
        lambda people: standings_of_season(season, people=people, at=timezone.now()),
    )
    held_back = [name for _id, name, _day, is_held in evenings_of(season) if is_held]
    return replace(board, held=bool(held_back) and not board.lines, held_back=held_back)


def _public_board(
    club: Club,
    title: str,
    revision: Sequence[object],
    visible: VisibleMembers,
    standings: Callable[[Mapping[int, Member]], Standings],
) -> Board:
    """The table as visitors without an account see it, because a page that is framed on another
    site does not know the reader's."""

    def build_board() -> Board:
        people = visible.people()
        table = standings(people)
        columns = key_columns(table)
        return Board(
            title,
            [str(LABELS[column.code].column) for column in columns],
            [str(LABELS[column.code].brief or LABELS[column.code].column) for column in columns],
            [
                (
                    _place_text(row),
                    f"{row.name}\N{NO-BREAK SPACE}*" if row.open_games else row.name,
                    [figure(column.code, row.values[column.code]) for column in columns],
                    row.reason if row.unseen else "",
                )
                for row in rows_of(table, names(people, club, None))
            ],
            table.provisional,
            in_full=table.credits_in_full,
        )

    # The current minute is part of the key, because games are also confirmed as time passes.
    minute = timezone.now().replace(second=0, microsecond=0)
    key_parts = (title, *revision, club.measures, naming(club, None), visible.rows, minute)
    return cached("board", key_parts, build_board)


def _place_text(row: Row) -> str:
    """A place in few letters: a dash where there is none yet, "=" before one that is tied."""
    if row.missing or row.still_in:
        return "–"
    return f"={row.rank}" if row.shared else str(row.rank)


def _embed_page(
    request: ClubRequest, club: Club, board: Board, url_name: str, public_id: str
) -> HttpResponse:
    full_page = reverse(url_name, args=[club.slug, public_id])
    context = {"club": club, "title": board.title, "full_page": full_page, "board": board}
    return framed(request, club, "standings/embed.html", context)


def framed(request: ClubRequest, club: Club, page: str, context: dict[str, Any]) -> HttpResponse:
    """A page that other websites may frame. Refuses clubs that show nothing in public."""
    _refuse_members_only(club)
    response = render(request, page, context)
    response[POLICY] = build_policy(replace={"frame-ancestors": ["*"]})
    return _publicly_cached(response)


def _picture_response(request: ClubRequest, club: Club, board: Board) -> HttpResponse:
    _refuse_members_only(club)
    lines = board.lines[:IN_PICTURE]
    below, notes = max(2, len(lines)), _notes_of_picture(board)
    context = {
        "club": club,
        "board": board,
        "heads": [
            (FIRST_FIGURE + BETWEEN * (number + 1) - 40, head)
            for number, head in enumerate(board.briefs)
        ],
        "lines": [
            {
                "y": TOP + LINE * number,
                "place": place,
                "name": name,
                "reason": reason,
                "figures": [
                    (FIRST_FIGURE + BETWEEN * (column + 1) - 40, text)
                    for column, text in enumerate(values)
                ],
            }
            for number, (place, name, values, reason) in enumerate(lines, 1)
        ],
        "notes": [(TOP + LINE * number, note) for number, note in enumerate(notes, below + 1)],
        "width": FIRST_FIGURE + BETWEEN * max(2, len(board.heads)),
        "height": TOP + LINE * (below + len(notes)) + 20,
    }
    picture = render(request, "standings/picture.svg", context, content_type="image/svg+xml")
    return _publicly_cached(picture)


def _notes_of_picture(board: Board) -> list[str]:
    notes = []
    if len(board.lines) > IN_PICTURE:
        numbers = {"shown": IN_PICTURE, "all": len(board.lines)}
        notes.append(_("The first %(shown)d of %(all)d") % numbers)
    if board.provisional:
        notes.append(_("Provisional: * = a game not yet final."))
    return notes


def _refuse_members_only(club: Club) -> None:
    if not club.is_public:
        message = _("Only a club that shows its standings in public can put them on another site.")
        raise Refused("not-public", message, status=403)


def _publicly_cached(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = f"public, max-age={CACHE_SECONDS}"
    return response
