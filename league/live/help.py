"""The help: its parts in the order of who reads them, and the pages that its answers link."""

from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import resolve, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.access import LADDER, PUBLIC, reaches
from league.live.paper import other_rules_tonight
from league.members import queries
from league.members.languages import activate_club_language
from league.members.little_words import LITTLE_WORDS
from league.members.models import Club, ClubRuleset
from league.play.auth import TableAccess, past_table_page
from league.play.game_log import open_game_log
from league.seating.models import Seat
from league.sessions.models import Attendance, Session


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the help: its code is its anchor and names its template, `inside` says what is in
    it."""

    code: str
    title: Any
    inside: Any
    for_organisers: bool = False

    @property
    def template(self) -> str:
        """Where its answers are."""
        return f"members/help/_{self.code}.html"


PARTS = [
    Part(
        "evening",
        _("A session, step by step"),
        _("From the new session to its end."),
        for_organisers=True,
    ),
    Part(
        "people",
        _("Players come and go"),
        _("Late, leaving early, a substitute, odd numbers, sitting out, changing seats."),
    ),
    Part(
        "scores",
        _("Wrong scores and disputes"),
        _("Correct a hand or a score, penalties, disputes, confirming, calling an organiser."),
    ),
    Part(
        "ending",
        _("Rounds, the clock and the end"),
        _("The next round, slow tables, time is up, closing and reopening, the prize-giving."),
    ),
    Part(
        "phones",
        _("Phones and Wi-Fi"),
        _("No Wi-Fi, no phone, an empty battery, a lost card, a page that says an error."),
    ),
    Part("table", _("At the table"), _("How a phone keeps the score, from the card to the end.")),
    Part(
        "paper",
        _("Screen and paper"),
        _("The wall, score sheets, prints, standings on the club's website."),
    ),
    Part(
        "standings",
        _("Standings"),
        _("What decides the places; what ± avg., % of points, arrows and signs mean."),
    ),
    Part(
        "signs",
        _("Words and signs on the pages"),
        _("Colours on the board, signs on a phone, words beside a game, a match or a session."),
    ),
    Part(
        "rules",
        _("House rules"),
        _("Other rules for the club, a session or a table; older rules; the cards."),
        for_organisers=True,
    ),
    Part(
        "players",
        _("Players and names"),
        _("New players, guests, namesakes, wrong names, who may see them, who sits with whom."),
        for_organisers=True,
    ),
    Part(
        "club",
        _("Running the club"),
        _("Start, plan ahead, roles, money, newcomers, old results, copies."),
        for_organisers=True,
    ),
    Part(
        "tournament",
        _("A tournament, step by step"),
        _("Entries, the draw, next rounds, walk-overs."),
        for_organisers=True,
    ),
    Part(
        "team",
        _("Your team in a league"),
        _("Your matches, the match card, disputes, messages, results for the newspaper."),
    ),
    Part(
        "league",
        _("A team league, step by step"),
        _("Teams, fixtures, match cards, the table, the next season."),
        for_organisers=True,
    ),
    Part(
        "computer",
        _("The club's own computer"),
        _("Backups, restoring, a new version."),
        for_organisers=True,
    ),
    Part(
        "tonight",
        _("Your sessions"),
        _("Your seat, your place, your results, signing up and withdrawing."),
    ),
    Part(
        "account",
        _("Your account"),
        _("Password, language, large letters, your name in public, leaving a club."),
    ),
    Part(
        "newcomers",
        _("New to the club"),
        _("The first visit, how an evening goes, what it costs, how to join."),
    ),
    Part(
        "words",
        _("The game and its words"),
        _("Euchre in short, bowers, renege, misdeal, who deals."),
    ),
]
FIRST_FOR_MEMBERS = ("tonight", "table", "scores", "standings", "team", "account", "words")
FIRST_FOR_VISITORS = ("newcomers", "words", "table", "account")
FIRST_AT_A_TABLE = ("table", "scores", "phones", "words")


@require_safe
@never_cache
def help_page(request: HttpRequest) -> HttpResponse:
    """A short guide to an evening and its problems; docs/club-night.md is the full version."""
    slug = request.GET.get("club", "")
    context = _help_context(request, slug)
    if context["linked_club"] is None:
        context |= _of_visited_club(request, slug)
    return render(request, "members/help.html", context)


@past_table_page
@require_safe
def table_help(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """The help on a table's phone, on which nobody signs in: with the rules of its own game."""
    table = access.table
    context = _help_context(request, table.session.club.slug)
    rules_url = reverse("table_house_rules", args=[table.public_id])
    context |= {
        "table": table,
        "own_help": request.path,
        "parts": _led_by(FIRST_AT_A_TABLE),
        "house_rules": open_game_log(table).game.ruleset,
        "other_rules": [],
        "at": context["at"] | {"rules_print": rules_url},
    }
    return render(request, "members/help.html", context)


def _help_context(request: HttpRequest, slug: str) -> dict[str, Any]:
    """What the help shows to this visitor, who opens it from the club with this slug, if any."""
    user = request.user
    clubs: list[Any] = list(queries.clubs_of(user)) if user.is_authenticated else []
    club = _club_in_help(clubs, slug)
    ranks = [club.rank] if club else [one.rank for one in clubs]
    rank = max(ranks, key=LADDER.index, default=None)
    organises = reaches(rank, "organiser")
    is_of_club = club and club.slug == slug  # opened from a page of the club
    if is_of_club:
        activate_club_language(request, club)
    context: dict[str, Any] = {
        "door": f"{reverse('account_login')}?next={quote(request.get_full_path())}",
        "clubs": clubs if len(clubs) > 1 and not is_of_club else [],
        "linked_club": club,
        "little_words": LITTLE_WORDS,
        "house_rules": club and _house_rules_of(club),
        "parts": _parts_for(rank),
        "organises": organises,
        "rank": rank,
        "at": _pages_of(club, user) if club else {},
        "other_rules": other_rules_tonight(club) if club else [],
    }
    if is_of_club:  # its menu stays
        context["club"] = club
        request.rank = club.rank  # type: ignore[attr-defined]
    return context


def _of_visited_club(request: HttpRequest, slug: str) -> dict[str, Any]:
    """For a visitor who opens the help from a public club's page: the way back, the club's rules
    and its pages that anyone may open."""
    club = Club.objects.filter(slug=slug, visibility=Club.Visibility.STANDINGS).first()
    if club is None:
        return {}
    activate_club_language(request, club)  # as on the page from which it was opened
    pages = {name: reverse(name, args=[slug]) for name in CLUB_PAGES}
    return {
        "visited_club": club,
        "house_rules": _house_rules_of(club),
        "at": {name: url for name, url in pages.items() if _least_rank(url) == PUBLIC},
    }


def _house_rules_of(club: Club) -> ClubRuleset | None:
    return club.rulesets.filter(players=4, is_default=True).first()


def _parts_for(rank: str | None) -> list[Part]:
    """The parts in order: what a visitor of this rank does comes first, and what only organisers do
    last."""
    if reaches(rank, "organiser"):
        return PARTS
    return _led_by(FIRST_FOR_MEMBERS if rank else FIRST_FOR_VISITORS)


def _led_by(codes: tuple[str, ...]) -> list[Part]:
    first = [part for code in codes for part in PARTS if part.code == code]
    others = [part for part in PARTS if part not in first]
    return first + sorted(others, key=lambda part: part.for_organisers)


CLUB_PAGES = [
    "club",
    "sessions",
    "rulesets",
    "rules_print",
    "standings",
    "seasons",
    "tournaments",
    "team_leagues",
    "roles",
    "club_files",
    "members",
    "club_settings",
    "coming",
    "seating_requests",
    "audit",
]
SESSION_PAGES = [
    "checkin",
    "seating",
    "paper",
    "board",
    "session",
    "wall_made",
    "final_scores",
    "session_standings",
    "session_rules",
    "session_edit",
]


def _club_in_help(clubs: list[Any], slug: str) -> Any:
    """The club whose pages the help links to, of the account's clubs.

    It is the club with this slug, from which the help was opened; else the only club that the
    account runs, or else is in. Of several clubs it is the one that plays now. None if there is not
    exactly one.
    """
    own_clubs = [club for club in clubs if club.slug == slug]
    own_clubs = own_clubs or [club for club in clubs if reaches(club.rank, "organiser")] or clubs
    if len(own_clubs) > 1:
        playing = Session.objects.filter(
            club__in=own_clubs, state=Session.State.OPEN, of_team_match=False
        )
        playing_clubs = set(playing.values_list("club", flat=True))
        own_clubs = [club for club in own_clubs if club.pk in playing_clubs]
    return own_clubs[0] if len(own_clubs) == 1 else None


def _pages_of(club: Any, user: Any) -> dict[str, str]:
    """The URLs of the pages of a club, and of its open session, that the account may open, by
    name."""
    pages = {name: reverse(name, args=[club.slug]) for name in CLUB_PAGES}
    for night in _sessions_of(club, user)[:1]:
        pages |= {name: reverse(name, args=[club.slug, night.public_id]) for name in SESSION_PAGES}
    return {name: url for name, url in pages.items() if reaches(club.rank, _least_rank(url))}


def _sessions_of(club: Any, user: Any) -> QuerySet[Session]:
    """The club's open sessions: first where the account's player sits, then where they are checked
    in, then the latest."""
    player = queries.player_of(club, user)
    sits = Seat.objects.filter(session=OuterRef("pk"), member=player, seated=True)
    is_here = Attendance.objects.filter(session=OuterRef("pk"), member=player, left_at=None)
    sessions = Session.objects.filter(club=club, state=Session.State.OPEN, of_team_match=False)
    return sessions.order_by(Exists(sits).desc(), Exists(is_here).desc(), "-held_on", "-id")


def _least_rank(address: str) -> str:
    return cast(str, resolve(address).func.least_rank)  # type: ignore[attr-defined]
