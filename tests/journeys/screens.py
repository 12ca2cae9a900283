"""The ten main screens, and others an organiser opens: their names and addresses in the demo."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse

from league.exchange.demo_club import SLUG
from league.members.models import Club, Member
from league.play.auth import table_link
from league.play.models import Game
from league.seating.models import Table
from league.sessions.models import Session


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen: its name, its address, whether it is looked at signed in."""

    name: str
    address: Callable[[], str]
    signed_in: bool = True


def _tonight() -> Session:
    return Session.objects.get(club__slug=SLUG, state=Session.State.OPEN)


def _last_week() -> Session:
    evenings = Session.objects.filter(club__slug=SLUG, season__isnull=False)
    closed = evenings.filter(state=Session.State.CLOSED)
    return closed.latest("held_on")


def _of(session: Session, name: str) -> str:
    return reverse(name, args=[SLUG, session.public_id])


def playing_table() -> Table:
    """The table of four that has played most hands of a game that is not over."""
    tables = Table.objects.filter(session=_tonight(), players=4)
    playing = tables.filter(games__state=Game.State.PLAYING)
    found = playing.order_by("-games__hands_played").first()
    assert found is not None
    return found


def _game() -> str:
    games = Game.objects.filter(session=_last_week(), table__players=4)
    game = games.latest("hands_played")
    return reverse("game", args=[SLUG, game.public_id])


def _season() -> str:
    season = Club.objects.get(slug=SLUG).seasons.get()
    return reverse("season_standings", args=[SLUG, season.public_id])


def _record() -> str:
    rose = Member.objects.get(club__slug=SLUG, name="Rose Whitfield")
    return reverse("member_record", args=[SLUG, rose.public_id])


SCREENS = (
    Screen("club", lambda: reverse("club", args=[SLUG])),
    Screen("check-in", lambda: _of(_tonight(), "checkin")),
    Screen("seating", lambda: _of(_tonight(), "seating")),
    Screen("board", lambda: _of(_tonight(), "board")),
    Screen("table", lambda: table_link(playing_table()), signed_in=False),
    Screen("game", _game),
    Screen("standings", lambda: _of(_tonight(), "session_standings")),
    Screen("season", _season),
    Screen("member", _record),
    Screen("wall", lambda: _of(_tonight(), "wall")),
)


def _of_tonight(name: str) -> Screen:
    return Screen(name, lambda: _of(_tonight(), name))


def _of_cup(name: str) -> Screen:
    cup = Club.objects.get(slug=SLUG).tournaments.earliest("pk")
    return Screen(name, lambda: reverse(name, args=[SLUG, cup.public_id]))


def _of_teams(name: str) -> Screen:
    teams = Club.objects.get(slug=SLUG).team_leagues.earliest("pk")
    return Screen(name, lambda: reverse(name, args=[SLUG, teams.public_id]))


def other_screens() -> list[Screen]:
    """What an organiser opens beside the ten."""
    of_tonight = ("session", "session_edit", "session_rules", "tables_to_enter", "paper")
    of_club = ("sessions", "coming", "calendar", "club_files", "tournaments")
    return [
        *map(_of_tonight, (*of_tonight, "print_sheets", "wall_made", "door_code", "certificate")),
        *(Screen(name, lambda name=name: reverse(name, args=[SLUG])) for name in of_club),
        *map(_of_cup, ("tournament", "tournament_entries")),
        *map(_of_teams, ("team_league", "team_fixtures", "team_embed")),
        Screen("ruleset", _ruleset),
        Screen("table_desk", _desk),
    ]


def _ruleset() -> str:
    rules = Club.objects.get(slug=SLUG).rulesets.earliest("pk")
    return reverse("ruleset", args=[SLUG, rules.public_id])


def _desk() -> str:
    table = playing_table()
    return reverse("table_desk", args=[SLUG, table.session.public_id, table.public_id])
