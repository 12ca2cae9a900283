"""A club just restored, read once as its pages read it: what cannot be read is not restored.

The rules of rows and of what they say of one another come first (`checking`, `agreement`,
`games`) and name the field. What is left is whether the hands come to what is stored of them, and
whether a tournament, a cup or a season can be worked out at all.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from league.exchange.archive.checking import Fault
from league.live.room import room
from league.members.audit_words import changes
from league.members.models import AuditEntry, Club, Member
from league.pairing.seating import certificate
from league.play.models import Game
from league.play.recounting import differences, prefetched_book, with_everything
from league.play.sheet import sheet_of
from league.seating.queries import draft_of, drafted, played_tonight
from league.sessions.models import Session
from league.sessions.queries import begins
from league.standings.pot_queries import pot_sheets
from league.standings.queries import session_standings
from league.standings.rating_queries import ratings_of
from league.standings.season_queries import season_standings
from league.teams.brackets import bracket_of as cup_bracket_of
from league.teams.cup_page import cup_shown
from league.teams.models import TeamCup, TeamLeague
from league.teams.queries import all_matches_of, cup_matches_of, fixtures_of, table_of
from league.teams.tables import rounds_of as fixture_rounds_of
from league.tournaments.bracket_page import bracket_shown
from league.tournaments.corrections import corrections
from league.tournaments.draws import rounds_due
from league.tournaments.models import Stage, Tournament
from league.tournaments.picture import picture_of
from league.tournaments.queries import shown
from league.tournaments.standing import standing_of
from league.tournaments.tables import crossing, prizes, rows_of

AT_A_TIME = 500  # games in memory


def proof_faults(club: Club, *, at: datetime) -> Iterator[Fault]:
    """What cannot be read of the club, each thing by its name."""
    yield from _games(club)
    for kind, things, read in (
        ("Session", club.sessions.select_related("club"), _session),
        ("Season", club.seasons.select_related("club"), _season),
        ("Tournament", club.tournaments.select_related("club", "session__club"), _tournament),
        ("TeamLeague", club.team_leagues.select_related("club", "ruleset"), _league),
        ("AuditEntry", club.audit.all(), _noted),
        ("Club", Club.objects.filter(pk=club.pk), _ratings),
    ):
        for thing in things:
            yield from _read(kind, thing, read, at)


def _read(
    kind: str, thing: Any, read: Callable[[Any, datetime], None], at: datetime
) -> Iterator[Fault]:
    try:
        read(thing, at)
    except Exception:
        yield Fault(f"{kind} “{thing}”", "", _("Its rows do not fit together."))


def _games(club: Club) -> Iterator[Fault]:
    """What is stored of every game has to be what its hands say."""
    games = with_everything(Game.objects.filter(session__club=club).order_by("pk"))
    for game in games.iterator(chunk_size=AT_A_TIME):
        name = f"Game {game.public_id}"
        try:
            for found in differences([game]):
                what = "; ".join(found.what[:3])
                yield Fault(
                    name, "", _("It does not agree with its hands: %(what)s.") % {"what": what}
                )
            sheet_of(prefetched_book(game), _name_of)
        except Exception:
            yield Fault(name, "", _("Its rows do not fit together."))


def _session(night: Session, at: datetime) -> None:
    begins(night)
    session_standings(night, at=at)
    pot_sheets(night, at=at)
    room(night, at=at)
    certificate(played_tonight(night))
    draft = draft_of(night)
    if draft is not None:
        drafted(draft)


def _season(season: Any, at: datetime) -> None:
    season_standings(season, at=at)
    for division in season.divisions.all():
        season_standings(season, at=at, division=division)
    pot_sheets(season, at=at)


def _tournament(cup: Tournament, at: datetime) -> None:
    for stage in Stage.objects.filter(tournament=cup):
        stage.tournament = cup
        picture = picture_of(stage)
        standing = standing_of(picture)
        rounds_due(picture)
        corrections(picture)
        bracket_shown(picture, _name_of)
        rows_of(picture, standing, _name_of)
        crossing(picture, standing, _name_of)
        prizes(picture, standing, _name_of)
        for one in picture.rounds:
            shown(picture, one, _name_of)


def _league(league: TeamLeague, at: datetime) -> None:
    teams, fixtures = list(league.teams.all()), fixtures_of(league)
    table_of(league, teams, fixtures)
    fixture_rounds_of(fixtures, teams)
    all_matches_of(league)
    for cup in TeamCup.objects.filter(league=league):
        cup.league = league
        matches = cup_matches_of(cup)
        cup_shown(cup_bracket_of(cup, matches), matches, {one.pk: one.name for one in teams})


def _noted(entry: AuditEntry, at: datetime) -> None:
    changes(entry)


def _ratings(club: Club, at: datetime) -> None:
    ratings_of(club, at=at)


def _name_of(member: Member) -> str:
    return member.name
