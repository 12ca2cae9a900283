"""A whole season of a team league over HTTP, with a cup: an organiser, and the teams' captains.

The captain at home writes every card, the other confirms it. After round 1 a team comes late, in
round 2 one leaves, and after it a card of round 1 is put right. An entrant is a team.
"""

from collections import Counter
from random import Random

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.members.models import Member
from league.sessions.queries import local_date
from league.teams.card import meetings_of
from league.teams.models import Team, TeamCup, TeamLeague, TeamMatch
from league.teams.queries import fixtures_of, players_of, tables_of
from tests.builders import a_club, a_ruleset, a_user
from tests.tournaments.evenings import Seen

OFTEN = 17
"""Up to so many teams they meet twice; larger leagues would play some thousand matches."""


class Season:
    """A league of so many teams, each with its captain's own client."""

    def __init__(self, client: Client, teams: int, pairs: int, turns: int) -> None:
        self.organiser, self.club = client, a_club(confirm="opponent")
        self.organiser.force_login(a_user(club=self.club))
        self.captains: dict[int, Client] = {}
        self.people: dict[int, list[str]] = {}
        self.written = 0
        self.today = local_date(self.club, timezone.now())
        questions = {
            "name": "Winter League",
            "ruleset": a_ruleset(self.club).pk,
            "target": 21,
            "pairs": pairs,
            "turns": turns,
            "points_win": 2,
            "points_draw": 1,
            "points_loss": 0,
            "points_game": 0,
            "ranking": "games",
            "borrowed": 0,
            "starts_on": self.today.isoformat(),
            "days_between": 7,
            **({"twice": "on"} if teams <= OFTEN else {}),
        }
        answer = client.post(reverse("team_league_new", args=[self.club.slug]), questions)
        assert answer.status_code == 302, answer.context["form"].errors
        self.league = TeamLeague.objects.get()
        self.league.club = self.club
        for number in range(1, teams + 1):
            self.enters(number)

    def address(self, page: str, *more: str) -> str:
        return reverse(page, args=[self.club.slug, self.league.public_id, *more])

    def posts(self, page_name: str, *about: str, **data: object) -> None:
        """A button of the organiser's, which is not refused."""
        page = self.organiser.post(self.address(page_name, *about), data, follow=True)
        *_before, answer = page.context["messages"]
        assert answer.level_tag == "success", str(answer)

    def enters(self, number: int) -> Team:
        """A team by the form; every two of them share a venue. Its captain has an account."""
        people = [f"Player {number} {one}" for one in range(2 * self.league.pairs)]
        data = {"name": f"Team {number}", "venue": f"House {number // 2}", "captain": people[0]}
        data["names"] = "\n".join(people)
        assert self.organiser.post(self.address("team_new"), data).status_code == 302
        team = Team.objects.get(league=self.league, name=data["name"])
        user = a_user(f"captain{number}", club=self.club, rank="member")
        Member.objects.filter(pk=team.captain_id).update(user=user)
        self.captains[team.pk] = Client()
        self.captains[team.pk].force_login(user)
        self.people[team.pk] = [one.public_id for one in players_of(team)]
        return team

    def joins(self, number: int, way: str = "add") -> Team:
        """A team comes when the fixtures stand: what that costs is looked at and agreed to."""
        stood = {row["id"]: row for row in TeamMatch.objects.values()}
        team = self.enters(number)
        url = self.address("team_join", team.public_id)
        page = self.organiser.get(url)
        plan = page.context["plan" if way == "add" else "rescheduled"]
        data = {"seed": page.context["seed"], "seen": plan.seen, "way": way}
        assert self.organiser.post(url, data).status_code == 302
        now = {row["id"]: row for row in TeamMatch.objects.values()}
        stays = set(stood) if way == "add" else set(stood) - set(plan.moving)
        assert {key: now[key] for key in stays} == {key: stood[key] for key in stays}
        return team

    def draws_a_cup(self) -> TeamCup:
        """A cup whose draw is looked at, then made with the day of its first matches."""
        questions = {"name": "Cup", "held_on": self.today.isoformat()}
        url = self.address("team_cup_draw")
        page = self.organiser.get(url, questions)
        data = {"seed": page.context["seed"], "seen": page.context["draw"].seen}
        assert self.organiser.post(url, questions | data).status_code == 302
        return self.league.cups.get()

    def plays(self, match: TeamMatch, chance: Random) -> None:
        """One captain writes the card, the other confirms it; drawn cup matches are given."""
        match.league = self.league
        data = self.card(match, chance)
        url = self.address("team_card", match.public_id)
        assert self.captains[match.home_id].post(url, data).status_code == 302
        url = self.address("team_match_confirm", match.public_id)
        confirmed = self.captains[match.away_id].post(url)
        assert confirmed.status_code == 302
        self.written += self.league.games

    def card(self, match: TeamMatch, chance: Random, winner: int | None = None) -> dict:
        """A card as the page sends it, by chance or won by one side in every game."""
        data: dict[str, object] = {"held_on": self.today.isoformat(), "early": "on"}
        for side, team in (("home", match.home_id), ("away", match.away_id)):
            for place, person in enumerate(self.people[team]):
                data[f"{side}{place // 2 + 1}_{place % 2 + 1}"] = person
        for game in meetings_of(self.league):
            points = [21, chance.randrange(21)]
            if winner == 1 or (winner is None and chance.random() < 0.5):
                points.reverse()
            for side, own in zip(("home", "away"), points, strict=True):
                data[f"score{game.turn}_{game.home_pair}_{side}"] = own
        return data

    def sees(self, *pages: str) -> None:
        for page in pages:
            assert self.organiser.get(self.address(page)).status_code == 200


def season(client: Client, teams: int, pairs: int = 3, turns: int = 3) -> Seen:
    """A league and its cup from set-up to close. Everything that must hold is asserted."""
    year, chance = Season(client, teams, pairs, turns), Random(1)
    page = year.organiser.get(year.address("team_draw"))
    year.posts("team_fixtures_make", seed=page.context["seed"], seen=page.context["seen"])
    play_rounds(year, chance, {1})
    year.joins(teams + 1, way="add" if teams % 2 else "reschedule")
    cup = year.draws_a_cup()
    gone = leaves_in_round_2(year)
    play_rounds(year, chance, {2})
    correct(year, chance)
    year.sees("team_league", "team_fixtures")
    play_rounds(year, chance, {one.match.round for one in fixtures_of(year.league)})
    rounds = play_cup(year, cup, chance)
    check_fixtures(year, gone)
    year.sees("team_league", "team_fixtures", "team_league_edit")
    assert year.organiser.get(year.address("team_cup", cup.public_id)).context["champion"]
    year.posts("team_league_close", sure="on")
    matches = year.league.matches.count()
    last = max(one.match.round for one in fixtures_of(year.league))
    return Seen(last + rounds, matches, year.written)


def play_rounds(year: Season, chance: Random, rounds: set[int]) -> None:
    for one in fixtures_of(year.league):
        if one.match.round in rounds and one.is_to_come and not one.met.games:
            year.plays(one.match, chance)


def leaves_in_round_2(year: Season) -> Team:
    """A team that has a match in round 2, and one of the cup that is fixed."""
    drawn = {one for m in year.league.matches.exclude(cup=None) for one in (m.home_id, m.away_id)}
    due = [one.met.teams for one in fixtures_of(year.league) if one.match.round == 2]
    team = Team.objects.get(pk=next(t for both in due for t in both if t in drawn))
    year.posts("team_withdraw", team.public_id, sure="on")
    return team


def correct(year: Season, chance: Random) -> None:
    """An organiser puts a card of round 1 right: the other side had won every game."""
    one = next(m for m in fixtures_of(year.league) if m.match.round == 1 and m.counts)
    other = 1 - one.met.teams.index(one.met.winner or one.met.home)
    one.match.league = year.league
    data = year.card(one.match, chance, winner=other) | {"why": "The sides were mixed up"}
    url = year.address("team_card", one.match.public_id)
    assert year.organiser.post(url, data).status_code == 302
    again = next(m for m in fixtures_of(year.league) if m.match == one.match)
    assert (again.met.winner, again.counts) == (one.met.teams[other], True)


def play_cup(year: Season, cup: object, chance: Random) -> int:
    """Round after round until somebody has won it; how many rounds there were."""
    rounds = 0
    while True:
        rounds += 1
        matches = year.league.matches.filter(cup=cup, session=None, given_to=None)
        for match in matches.filter(home__withdrawn_at=None, away__withdrawn_at=None):
            year.plays(match, chance)
        for match in matches.model.objects.filter(cup=cup, given_to=None).select_related("home"):
            decide(year, match)
        page = year.organiser.get(year.address("team_cup", cup.public_id))
        if page.context["over"]:
            return rounds
        year.posts("team_cup_round", cup.public_id, held_on=year.today.isoformat())


def decide(year: Season, match: TeamMatch) -> None:
    """A drawn cup match goes to the winners of its play-off."""
    page = year.organiser.get(year.address("team_match", match.public_id))
    if page.context["now"].met.drawn:
        url = year.address("team_match_give", match.public_id)
        data = {"given_to": match.home.public_id, "reason": "Play-off", "sure": "on"}
        assert year.organiser.post(url, data).status_code == 302


def check_fixtures(year: Season, gone: Team) -> None:
    """Everybody met everybody, nobody twice in a round, and all of it is in the table."""
    fixtures = fixtures_of(year.league)
    teams = list(year.league.teams.all())
    met = Counter(frozenset(one.met.teams) for one in fixtures)
    assert len(met) == len(teams) * (len(teams) - 1) // 2
    assert set(met.values()) == {2 if year.league.twice else 1}
    once = Counter((one.match.round, team) for one in fixtures for team in one.met.teams)
    assert set(once.values()) == {1}
    assert not any(one.is_to_come for one in fixtures)
    (table,) = tables_of(year.league, teams, fixtures).values()
    assert {line.who for line in table.lines} | table.struck == {team.pk for team in teams}
    assert gone.pk in table.struck
    due = (len(teams) - 2) * (2 if year.league.twice else 1)
    assert {table.records[team.pk].played for team in teams if team != gone} == {due}
