"""What captains have to do: their teams' matches; the leagues and cards on the home pages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.members.models import AuditEntry, Club, Role, User
from league.play.models import Game
from league.play.queries import unsettled_games
from league.ranking.team_league.match import late_cost
from league.standings.labels import figure
from league.teams.models import Deduction, MatchMessage, Team, TeamLeague, TeamMatch
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


def cards_for_organisers(
    league: TeamLeague, teams: Iterable[Team], matches: Iterable[MatchRecord]
) -> list[MatchRecord]:
    """The cards to confirm for which there is no other captain with an account."""
    confirming = {team.pk for team in teams if team.captain_has_account}
    if league.confirms != Club.Confirm.OPPONENT:
        confirming = set()
    return [
        record
        for record in matches
        if state_of(record) == "waits"
        and not confirming & (set(record.met.teams) - {record.match.written_by_id})
    ]


def cards_to_check(club: Club, user: int | None, *, organiser: bool) -> QuerySet[TeamMatch]:
    """The matches in the club's running leagues whose card waits for an organiser or the league's
    secretary, since no other captain with an account can confirm it: all of them for an
    `organiser`, else those of the leagues of which `user` is the secretary."""
    matches = TeamMatch.objects.filter(league__club=club, league__state=TeamLeague.State.RUNNING)
    if not organiser:
        matches = matches.filter(league__secretary__user=user) if user else matches.none()
    games = Game.objects.filter(session=OuterRef("session"))
    waiting = games.filter(unsettled_games(timezone.now()), state=Game.State.FINISHED)
    waits = Exists(waiting) & ~Exists(games.filter(state=Game.State.DISPUTED))
    stands = Q(home__withdrawn_at=None, away__withdrawn_at=None, given_to=None, given_nobody=False)
    accounts = Role.objects.filter(club=club).values("user")
    other_captain = Q(home__captain__user__in=accounts) & ~Q(written_by=F("home"))
    other_captain |= Q(away__captain__user__in=accounts) & ~Q(written_by=F("away"))
    if club.confirm == Club.Confirm.NONE:
        other_captain &= Q(league__squad_rules__both_confirm=True)
    matches = matches.filter(waits, stands)
    return matches if club.confirm == Club.Confirm.ORGANISER else matches.exclude(other_captain)


def with_cards_to_check(
    leagues: QuerySet[TeamLeague], club: Club, user: int | None, *, organiser: bool
) -> QuerySet[TeamLeague]:
    """The leagues, each with the number of its `cards_to_check`, in the same query."""
    cards = cards_to_check(club, user, organiser=organiser).filter(league=OuterRef("pk"))
    count = cards.order_by().values("league").annotate(n=Count("pk"))
    return leagues.annotate(cards_to_check=Coalesce(Subquery(count.values("n")), 0))


SHOWN_WHEN_CLOSED = timedelta(days=60)


def running_leagues(
    club: Club,
    *,
    since: date,
    user: int | None = None,
    organiser: bool = False,
    read: Mapping[int, int] | None = None,
) -> QuerySet[TeamLeague]:
    """The club's leagues that are under way, then those closed lately, in one query.

    Each is annotated with its next match night (`next_night`, or None), whether the account `user`
    leads one of its teams (`is_led`), whether a card is disputed (`is_disputed`) or a match has a
    message to read (`has_messages`; `read` has the last one marked as read, by league): in any
    match for an `organiser`, else in those of the teams that `user` leads; how many of these are
    overdue (`overdue`), and how many cards wait for `user` as an organiser (`cards_to_check`).
    """
    to_play = TeamMatch.UNTOUCHED | {"home__withdrawn_at": None, "away__withdrawn_at": None}
    open_match = {f"matches__{name}": value for name, value in to_play.items()}
    to_come = Q(matches__held_on__gte=since, **open_match)
    lately = Q(finished_at__gte=timezone.now() - SHOWN_WHEN_CLOSED)
    running = club.team_leagues.filter(
        Q(state=TeamLeague.State.RUNNING) | Q(state=TeamLeague.State.FINISHED) & lately
    )
    led = Team.objects.filter(league=OuterRef("pk"), captain__user=user, withdrawn_at=None)
    disputed = Game.objects.filter(
        session__team_match__league=OuterRef("pk"), state=Game.State.DISPUTED
    )
    messages = MatchMessage.objects.to_read(club, user, read or {}).filter(
        match__league=OuterRef("pk")
    )
    own = TeamMatch.objects.filter(Q(home__captain__user=user) | Q(away__captain__user=user))
    own = own if user else own.none()
    if not organiser:
        disputed = disputed.filter(session__team_match__in=own)
        messages = messages.filter(match__in=own)
    overdue = own.filter(league=OuterRef("pk"), held_on__lt=since, **to_play)
    count = overdue.order_by().values("league").annotate(n=Count("pk"))
    running = with_cards_to_check(running, club, user, organiser=organiser)
    return running.annotate(
        next_night=Min("matches__held_on", filter=to_come),
        is_led=Exists(led if user else led.none()),
        overdue=Coalesce(Subquery(count.values("n")), 0),
        is_disputed=Exists(disputed),
        has_messages=Exists(messages),
    ).order_by("-state", "pk")


def leagues_to_confirm(user: User) -> QuerySet[TeamLeague]:
    """The leagues, in all clubs of the account, with a card that it has to confirm as a captain."""
    leagues = TeamLeague.objects.filter(club__roles__user=user)
    to_confirm = TeamMatch.objects.to_confirm(user.pk).filter(league=OuterRef("pk"))
    return leagues.filter(Exists(to_confirm)).select_related("club").order_by("club__name", "pk")


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
