"""Where matches are: one venue however it is spelled, and on which days it has too many."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from league.teams.models import Team, TeamMatch
from league.teams.queries import Played


class Venues:
    """The venues of a league's teams, each as it was first written.

    `roomy` are those of which a team says that they take several matches at once.
    """

    def __init__(self, teams: Iterable[Team]) -> None:
        listed = list(teams)
        self.written: dict[str, str] = {}
        self.teams = {team.pk: team for team in listed}
        self.roomy = {self.of(team) or "" for team in listed if team.roomy}

    def of(self, team: Team) -> str | None:
        """Where a team is at home; None for one without a venue."""
        return self.named(team.venue)

    def where(self, match: TeamMatch) -> str | None:
        """Where a match is played."""
        return self.named(match.venue) or self.of(self.teams[match.home_id])

    def named(self, venue: str) -> str | None:
        """A venue as it was first written."""
        plain = " ".join(venue.split())
        return self.written.setdefault(plain.casefold(), plain) if plain else None


def clashes(matches: Iterable[Played], teams: Iterable[Team]) -> dict[tuple[date, str], int]:
    """Where one venue has more matches on one day than it has room for: day and place, how many.

    Matches of the league and of its cups alike; those that are over or will not be played are not
    counted.
    """
    venues = Venues(teams)
    count: Counter[tuple[date, str]] = Counter()
    for one in matches:
        place = venues.where(one.match)
        if place and place not in venues.roomy and one.match.held_on and one.is_to_come:
            count[one.match.held_on, place] += 1
    return {where: many for where, many in count.items() if many > 1}


def doubles(matches: Iterable[Played]) -> dict[tuple[date, int], int]:
    """Teams with several matches to come on one day: day and team, how many."""
    count: Counter[tuple[date, int]] = Counter()
    for one in matches:
        if one.match.held_on and one.is_to_come:
            count.update((one.match.held_on, team) for team in one.met.teams)
    return {where: many for where, many in count.items() if many > 1}


def homes(
    meetings: Sequence[tuple[int, int]], day: date, matches: Iterable[Played], venues: Venues
) -> list[tuple[int, int]]:
    """Who is at home where these teams meet on a day: the first, unless its venue has a match
    on that day already and the other's has none."""
    there = (one for one in matches if one.is_to_come and one.match.held_on == day)
    taken = {venues.where(one.match) for one in there}
    found = []
    for both in meetings:
        here = [venues.of(venues.teams[team]) for team in both]
        blocked = [place in taken - {None} - venues.roomy for place in here]
        home = 1 if blocked == [True, False] else 0
        taken.add(here[home])
        found.append((both[home], both[1 - home]))
    return found
