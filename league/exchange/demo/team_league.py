"""The demo club's league of teams: three of six rounds played, one match put off."""

from datetime import datetime, timedelta

from league.exchange.demo.people import Cast
from league.members.models import Member
from league.seating.actions.drawing import ruleset_for
from league.teams import actions
from league.teams.actions import Card
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.queries import meetings_of, players_of

TEAMS = {
    "Lighthouse": "The Lamp Room",
    "Harbour Wall": "The Lamp Room",
    "Lifeboat": "The Slipway Inn",
    "Chandlers": "The Rope Loft",
}
PAIRS, TARGET, PLAYED = 3, 21, 3
WEEK = timedelta(weeks=1)

Pair = tuple[Member, Member]


def a_team_league(cast: Cast, *, now: datetime) -> TeamLeague:
    """Four teams of three pairs, at home and away; two of them share a room."""
    made = actions.make_league(
        cast.club,
        name="Coast League",
        season=None,
        ruleset=ruleset_for(cast.club, 4),
        target=TARGET,
        pairs=PAIRS,
        turns=PAIRS,
        points_win=2,
        points_draw=1,
        points_loss=0,
        points_game=0,
        ranking=TeamLeague.Ranking.GAMES,
        borrowed=2,
        twice=True,
        starts_on=(cast.club.local(now) - PLAYED * WEEK + timedelta(days=2)).date(),
        days_between=WEEK.days,
        seed=cast.chance.randrange(2**31),
        by=cast.by,
    )
    _enter_teams(made, cast)
    actions.make_fixtures(made, seed=made.seed, by=cast.by)
    past = list(made.matches.filter(round__lte=PLAYED).select_related("league", "home", "away"))
    for match in past[:-1]:
        _play(match, cast, at=now)
    _put_off(past[-1], cast, now=now)
    return made


def _enter_teams(made: TeamLeague, cast: Cast) -> None:
    members = list(Member.objects.filter(club=cast.club, is_guest=False).order_by("pk"))
    for number, (name, venue) in enumerate(TEAMS.items()):
        names = [one.name for one in members[number :: len(TEAMS)][: 2 * PAIRS]]
        actions.save_team(
            made,
            None,
            by=cast.by,
            name=name,
            venue=venue,
            roomy=False,
            names=names,
            captain=names[0],
        )


def _play(match: TeamMatch, cast: Cast, *, at: datetime) -> None:
    """A card as an organiser writes it: of every game the score alone."""
    home, away = _pairs(match.home), _pairs(match.away)
    scores = {
        (one.turn, one.home_pair): _score(cast, home[one.home_pair - 1], away[one.away_pair - 1])
        for one in meetings_of(match.league)
    }
    card = Card(match.held_on or cast.club.local(at).date(), home, away, scores)
    actions.write_card(match, card, side=None, by=cast.by, at=at)


def _pairs(team: Team) -> list[Pair]:
    chairs = players_of(team)
    return list(zip(chairs[::2], chairs[1::2], strict=True))


def _score(cast: Cast, *pairs: Pair) -> tuple[int, int]:
    """One side reaches the target; how likely which, by how well they play."""
    first, second = (sum(cast.skills[one.pk] for one in pair) for pair in pairs)
    less = cast.chance.randrange(TARGET // 3, TARGET)
    won = cast.chance.random() < first / (first + second)
    return (TARGET, less) if won else (less, TARGET)


def _put_off(match: TeamMatch, cast: Cast, *, now: datetime) -> None:
    actions.move_match(
        match,
        held_on=(cast.club.local(now) + WEEK).date(),
        venue=match.venue,
        reason="Four of the visitors have a cold",
        by=cast.by,
    )
