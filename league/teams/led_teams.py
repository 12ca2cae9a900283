"""What captains have to do: their teams' matches, and the cards on the club's home page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.members.models import AuditEntry, Club
from league.play.models import Game
from league.ranking.team_league.match import late_cost
from league.standings.labels import figure
from league.teams.models import Deduction, Team, TeamLeague, TeamMatch
from league.teams.queries import MatchRecord, rules_of
from league.teams.tables import MatchShown, match_shown, state_of

COMING = 3
CORRECTION_SHOWN = timedelta(days=7)


def cards_for_captain(club: Club, user: int | None, *, at: datetime) -> QuerySet[TeamMatch]:
    """The matches whose card needs the account `user`, a captain, in the leagues of the club that
    are not called off: it is disputed (`disputed`), it waits for them (`waits`), or an organiser
    corrected it lately although it counted (`corrected`). One query."""
    games = Game.objects.filter(session=OuterRef("session"), state=Game.State.DISPUTED)
    corrections = AuditEntry.objects.filter(
        session=OuterRef("session"),
        action="correct match card",
        at__gte=at - CORRECTION_SHOWN,
        new__has_key="why",
    )
    is_own = Q(home__captain__user=user) | Q(away__captain__user=user)
    own = TeamMatch.objects.filter(is_own, league__club=club, session__isnull=False)
    own = own.exclude(league__state=TeamLeague.State.CANCELLED)
    own = own if user else own.none()
    shown = own.annotate(
        disputed=Exists(games),
        waits=Exists(TeamMatch.objects.to_confirm(user).filter(pk=OuterRef("pk"))),
        corrected=Exists(corrections),
    ).filter(Q(disputed=True) | Q(waits=True) | Q(corrected=True))
    return shown.select_related("home", "away", "league").order_by("-disputed", "-waits", "pk")


def unconfirmed_cards(matches: Iterable[MatchRecord]) -> list[MatchRecord]:
    """The matches whose card is still to be confirmed, or disputed."""
    return [record for record in matches if state_of(record) in ("waits", "disputed")]


@dataclass(frozen=True, slots=True)
class LedTeam:
    """A team on its captain's page.

    `cards` are to be confirmed by the captain, `sent` by the other one; `disputed` are for an
    organiser to decide; `overdue` are matches whose day is past and whose card is missing; `coming`
    and `last` are the next matches and the last results; `people` are the players with how often
    each has been borrowed, `deductions` the points it has lost, `late` those for late cards, each
    with its match. A match that is off because a team has left is among the next matches until its
    day, then among the results if it has a winner.
    A team of the same house that another captain leads is not `is_own`: it
    has no cards and nothing overdue.
    """

    team: Team
    is_own: bool
    cards: Sequence[MatchShown]
    sent: Sequence[MatchShown]
    disputed: Sequence[MatchShown]
    overdue: Sequence[MatchShown]
    coming: Sequence[MatchShown]
    last: Sequence[MatchShown]
    people: Sequence[tuple[str, int]]
    deductions: Sequence[Deduction]
    late: Sequence[tuple[str, TeamMatch]]
    may_sign_on: bool


def led_team(
    team: Team,
    matches: Sequence[MatchRecord],
    *,
    is_own: bool,
    today: date,
    people: Sequence[tuple[str, int]],
    deductions: Sequence[Deduction],
    may_sign_on: bool,
) -> LedTeam:
    """A team with its matches out of all matches of the league and its cups."""
    listed = [m for m in matches if team.pk in m.met.teams]
    open_matches = [m for m in listed if m.is_off or state_of(m) in ("to_play", "postponed")]
    open_matches.sort(key=lambda m: (m.match.held_on is None, m.match.held_on, m.match.pk))
    past = [m for m in open_matches if m.match.held_on and m.match.held_on < today]
    overdue = [m for m in past if not m.is_off]
    finished = [m for m in listed if state_of(m) in ("done", "given")]
    finished += [m for m in past if m.unplayed_winner]
    finished.sort(key=lambda m: (m.match.held_on or date.min, m.match.pk), reverse=True)
    cards, sent, disputed = _cards_of(team, listed if is_own else [])
    return LedTeam(
        team,
        is_own,
        cards=cards,
        sent=sent,
        disputed=disputed,
        overdue=_shown(overdue) if is_own else [],
        coming=_shown([m for m in open_matches if m not in past][:COMING]),
        last=_shown(finished[:COMING]),
        people=people,
        deductions=deductions,
        late=late_points(team, matches),
        may_sign_on=may_sign_on,
    )


def late_points(team: Team, matches: Iterable[MatchRecord]) -> list[tuple[str, TeamMatch]]:
    """The points that a team has lost for late cards, each with the match."""
    rules, lost = rules_of(team.league), []
    for record in matches:
        side = record.match.side_of(team)
        if side is not None and record.met.has_card and not record.void:
            lost.append((late_cost(record.met, side, rules), record.match))
    return [(figure("league_points", cost), match) for cost, match in lost if cost]


def _cards_of(
    team: Team, matches: Sequence[MatchRecord]
) -> tuple[list[MatchShown], list[MatchShown], list[MatchShown]]:
    """The cards that wait for this team, those that it has sent, and the disputed ones."""
    waits = [m for m in matches if state_of(m) == "waits"]
    return (
        _shown(m for m in waits if m.match.written_by_id != team.pk),
        _shown(m for m in waits if m.match.written_by_id == team.pk),
        _shown(m for m in matches if m.is_disputed),
    )


def _shown(matches: Iterable[MatchRecord]) -> list[MatchShown]:
    return [match_shown(match) for match in matches]
