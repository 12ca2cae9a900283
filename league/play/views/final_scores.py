"""The page on which the final scores of a session's tables are typed, one line a table."""

from collections.abc import Callable
from dataclasses import dataclass, field

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from league.access import club_page, reaches
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club, Role, number_namesakes
from league.play import actions
from league.play.final_scores import keyboard, question_of_score
from league.play.forms import TotalsForm
from league.play.game_log import rules_of
from league.play.models import Game
from league.play.queries import games_of, open_tables, session_short_names
from league.play.results import as_of
from league.play.sheet import MatchNote, match_note, round_titles
from league.play.text import side_name
from league.play.views.entry import valid
from league.seating.models import Table
from league.seating.queries import members_at
from league.sessions.models import Session
from league.sessions.queries import came_to, session_of
from scoring import Ruleset

EARLIER_GAMES: list[Callable[[Session], Q]] = []
"""Each gives the games of a session before those at its tables in use, of the same matches."""


@dataclass
class ScoreLine:
    """A table without hands, its sides and rules, what was typed for it, its match of several
    games, and its round of a tournament."""

    table: Table
    sides: list[str]
    rules: Ruleset
    typed: list[str]
    match: MatchNote | None = None
    round: str = ""
    sure: bool = False
    refused: list[str] = field(default_factory=list)
    wrong_sides: set[int] = field(default_factory=set)
    asks: bool = False

    @property
    def target(self) -> int | None:
        return self.rules.target

    @property
    def keyboard(self) -> str:
        return keyboard(self.rules)

    @property
    def is_typed(self) -> bool:
        return any(self.typed)

    @property
    def fields(self) -> list[tuple[str, str, str, bool]]:
        """Each side with its field, the text in it, and whether that text is wrong."""
        return [
            (name, field_name(self.table, side), self.typed[side], side in self.wrong_sides)
            for side, name in enumerate(self.sides)
        ]

    @property
    def first_wrong_field(self) -> str:
        """The field to go to: the first wrong score, or the box that confirms an unlikely one."""
        if self.asks:
            return self.sure_field
        return field_name(self.table, min(self.wrong_sides, default=0))

    @property
    def sure_field(self) -> str:
        """The name of the field that confirms an unlikely score."""
        return f"{self.table.public_id}-sure"


def field_name(table: Table, side: int) -> str:
    return f"{table.public_id}-total{side}"


@require_http_methods(["GET", "HEAD", "POST"])
@club_page(Role.Rank.SCOREKEEPER)
def final_scores(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """Every table without recorded hands, to enter its final score; saves those that were typed.
    Below them, the tables with hands, and those whose score is saved."""
    club_session = session_of(club, public_id)
    lines, status = score_lines(request, club_session), 200
    lost: list[tuple[Game, str]] = []
    if request.method == "POST":
        lost = _lost_scores(request, club_session, lines)
        saved = sum(_save_line(request, line) for line in lines if line.is_typed)
        if saved:
            sentence = ngettext("Saved %(n)d final score.", "Saved %(n)d final scores.", saved)
            messages.success(request, sentence % {"n": saved})
        if not lost and not any(line.refused for line in lines):
            return redirect("final_scores", club.slug, public_id)
        lines, status = [line for line in lines if line.refused or not line.is_typed], 422
    saved_games = _saved_games(club_session)
    tables = [*(line.table for line in lines), *(game.table for game in saved_games)]
    number_namesakes(members_at(tables))
    context = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "lines": lines,
        "lost": lost,
        "refused": [line for line in lines if line.refused],
        "by_hand": [game for table in open_tables(club_session) for game in _with_hands(table)],
        "saved": saved_games,
        "round_titles": round_titles(game.table for game in saved_games),
    }
    return render(request, "play/final_scores.html", context, status=status)


def _saved_games(club_session: Session) -> list[Game]:
    """The games for which only a final score was entered, and walk-overs, of the tables in use and
    of the matches that are played there."""
    shown = Q(table__is_live=True)
    for games_before in EARLIER_GAMES:
        shown |= games_before(club_session)
    games = [as_of(game, timezone.now()) for game in games_of(club_session).filter(shown)]
    return [game for game in games if game.is_walkover or game.totals is not None]


def _lost_scores(
    request: HttpRequest, club_session: Session, lines: list[ScoreLine]
) -> list[tuple[Game, str]]:
    """The games that got another score while this page was open, each with the one typed here."""
    open_keys = {line.table.pk for line in lines}
    lost = []
    for game in games_of(club_session):
        sides = range(len(game.score))
        typed = [request.POST.get(field_name(game.table, side), "").strip() for side in sides]
        is_other = any(typed) and typed != [str(points) for points in game.score]
        if is_other and game.table_id not in open_keys:
            lost.append((game, " – ".join(typed)))
    return lost


def score_lines(request: HttpRequest, club_session: Session) -> list[ScoreLine]:
    """The open tables without recorded hands, each with what this request contains for it."""
    lines, tables = [], open_tables(club_session)
    shorts = session_short_names([*came_to(club_session), *members_at(tables)])
    titles = round_titles(tables)
    for table in tables:
        if _with_hands(table):
            continue
        names = [shorts[seat.member_id] for seat in table.current_seats]
        rules = rules_of(table.ruleset.body)
        sides = [side_name([names[seat] for seat in side]) for side in rules.sides]
        typed = [request.POST.get(field_name(table, n), "").strip() for n in range(len(sides))]
        sure = f"{table.public_id}-sure" in request.POST
        title = titles[table.pk] if table.round.by_tournament else ""
        note = match_note(table, sides)
        lines.append(ScoreLine(table, sides, rules, typed, note, title, sure))
    return lines


def _with_hands(table: Table) -> list[Game]:
    """The game of a table that is entered hand by hand."""
    return [game for game in table.games.all() if game.hands_written or game.rulings_written]


def _save_line(request: HttpRequest, line: ScoreLine) -> bool:
    """Save a table's score and return whether that worked; the line gets any errors."""
    sent = {f"total{place}": text for place, text in enumerate(line.typed)}
    try:
        form = valid(TotalsForm(sides=line.sides, sent=sent))
        totals = form.totals()  # type: ignore[attr-defined]
        if not line.sure:
            _refuse_unlikely(line, totals)
        actions.write_totals(
            line.table,
            totals,
            by=actor_of(request),
            at=timezone.now(),
            as_organiser=reaches(request.rank, Role.Rank.ORGANISER),  # type: ignore[attr-defined]
            no_hands=True,
            replaces=False,
        )
    except Refused as refused:
        sentences = [text for texts in refused.fields.values() for text in texts]
        line.refused = list(dict.fromkeys(sentences)) or [refused.message]
        line.wrong_sides = {
            side for side in range(len(line.sides)) if f"total{side}" in refused.fields
        }
        if not all(line.typed):
            is_of_singles = len(line.sides) == line.rules.players
            one_each, one_a_side = (
                _("Write a score for each player."),
                _("Write a score for each side."),
            )
            line.refused = [one_each if is_of_singles else one_a_side]
        return False
    return True


def _refuse_unlikely(line: ScoreLine, totals: list[int]) -> None:
    """Refuse a score with which a game can only end early, so that the page asks about it."""
    if question := question_of_score(line.rules, totals):
        line.asks = True
        raise Refused("short-game", question)
