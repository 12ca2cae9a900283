"""Files to download: the table and the fixtures of a league of teams."""

from django.http import HttpResponse
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_page
from league.exchange.sheets import download, sheet
from league.members.models import Club
from league.ranking.team_match import AWAY, HOME
from league.teams.queries import fixtures_of, league_of, table_of
from league.teams.tables import rows_of


@club_page("member")
def export_team_table(request: ClubRequest, club: Club, public_id: str, kind: str) -> HttpResponse:
    """Every team with all its figures, and why it stands where it does."""
    league = league_of(club, public_id)
    teams = list(league.teams.all())
    table = table_of(league, teams, fixtures_of(league))
    headers = [_("Place"), _("Shared"), _("Team"), _("Points"), _("Played"), _("Won"), _("Drawn")]
    headers += [_("Lost"), _("Games won"), _("Games lost"), _("Points in games"), _("Against")]
    headers += [_("Points taken off"), _("To be confirmed"), _("How the place was decided")]
    yes, rows = _("yes"), []
    for row in rows_of(table, teams):
        record = row.record
        line: list[object] = [row.rank or "", yes if row.shared else "", row.team.name, row.points]
        line += [record.played, record.wins, record.draws, record.losses]
        line += [record.won, record.lost, record.own, record.theirs]
        line += [record.deducted, record.provisional, " ".join(row.why)]
        rows.append(line)
    return download(sheet(headers, rows, kind=kind), name=league.name, kind=kind)


@club_page("member")
def export_team_fixtures(
    request: ClubRequest, club: Club, public_id: str, kind: str
) -> HttpResponse:
    """Every match with its day, its place, and the games won in it."""
    league = league_of(club, public_id)
    headers = [_("Round"), _("Date"), _("Put off from"), _("Home"), _("Visitors"), _("Played at")]
    headers += [_("Games won at home"), _("Games won by visitors"), _("Given to"), _("Why")]
    rows = [
        [
            one.match.round,
            one.match.held_on or "",
            one.match.first_date or "",
            one.match.home.name,
            one.match.away.name,
            one.match.venue or one.match.home.venue,
            one.met.won[HOME] if one.met.games else "",
            one.met.won[AWAY] if one.met.games else "",
            one.match.given_to.name if one.match.given_to else "",
            one.match.given_reason or one.match.postponed_reason,
        ]
        for one in fixtures_of(league)
    ]
    return download(sheet(headers, rows, kind=kind), name=f"{league.name} fixtures", kind=kind)
